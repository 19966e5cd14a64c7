// Uniform random play to the end, for benchmarks, fuzzing and rollouts.
#pragma once

#include "base/random.h"
#include "go/game.h"

namespace tesuji {

// A uniformly random legal move that does not fill an own one-point eye; pass when there is none.
Move random_move(const Game& game, Random& random);

// Plays random moves until two passes or `max_moves`; returns the number of moves made.
int play_out(Game& game, Random& random, int max_moves);

}  // namespace tesuji
