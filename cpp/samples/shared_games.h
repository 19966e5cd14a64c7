// Which games of one pool are also in another: whole, in part, or by a long common beginning, under any
// symmetry.
#pragma once

#include <cstdint>
#include <vector>

#include "samples/game_pool.h"

namespace tesuji {

struct Kinship {
    int part_moves;    // equal games, or the beginning of another, count from so many moves on
    int common_moves;  // games that share so many first moves count as one game
};

// The numbers of the games of `games` that are kin to a game of `others`, rising.
std::vector<std::uint64_t> shared_games(const GamePool& games, const GamePool& others,
                                        const Kinship& kinship);

}  // namespace tesuji
