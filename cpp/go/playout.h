// Uniform random play to the end, for benchmarks, fuzzing and rollouts.
#pragma once

#include <cstdint>

#include "go/game.h"

namespace tesuji {

// SplitMix64: small, fast, the same everywhere.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
    }
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  private:
    std::uint64_t state_;
};

// A uniformly random legal move that does not fill an own one-point eye; pass when there is none.
Move random_move(const Game& game, Random& random);

// Plays random moves until two passes or `max_moves`; returns the number of moves made.
int play_out(Game& game, Random& random, int max_moves);

}  // namespace tesuji
