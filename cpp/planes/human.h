// The rank of the player to move, as a network that imitates people is told it.
#pragma once

#include <array>

namespace tesuji {

inline constexpr int rank_steps = 9;

// A rank lies between two of nine ranks four apart (27k, 23k, ... 6d) and is told as its nearness to both, so
// that rare ranks learn from their neighbours. All zero where the rank is unknown, or an Elo.
std::array<float, rank_steps> rank_inputs(int rating);

}  // namespace tesuji
