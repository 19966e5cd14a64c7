// Network inputs and labels of chosen positions, on several threads.
#pragma once

#include <cstdint>
#include <vector>

#include "planes/planes.h"
#include "samples/game_pool.h"

namespace tesuji {

// Where the answers go, one row a position; null where not wanted. `value` belongs to the player to move.
struct BatchArrays {
    float* planes = nullptr;
    std::uint8_t* small_planes = nullptr;  // the same as bytes
    float* policy = nullptr;               // [area + 1], pass last
    float* policy_mask = nullptr;
    float* value = nullptr;
    float* value_mask = nullptr;
    float* komi = nullptr;
    std::uint8_t* to_play = nullptr;
    float* black_score = nullptr;  // on the board, komi not taken off
    float* score_mask = nullptr;
    float* black_ownership = nullptr;  // [area], -1 to 1
    float* ownership_mask = nullptr;
    std::int16_t* next_moves = nullptr;  // [2]: the two after the move; -2 = none
    float* point_policy = nullptr;       // [area]: the policy without pass
    float* final_stones = nullptr;       // [area, 2]: of the player to move, of the opponent
    float* chains = nullptr;             // [area]: 0 = empty, else the same number along a chain
};

struct BatchRequest {
    const PlaneSet* planes;
    Layout layout = Layout::channels_first;
    bool use_targets = true;  // else the moves and results of the game alone
};

// Fills row i from choice i. The same bytes whatever the number of threads.
void fill_batch(const GamePool& pool, const std::vector<Choice>& choices, const BatchRequest& request,
                const BatchArrays& arrays, int threads);

}  // namespace tesuji
