// All positions of a pool in one fixed random order, without storing the order.
#pragma once

#include <cstdint>
#include <vector>

#include "samples/game_pool.h"

namespace tesuji {

class PositionShuffle {
  public:
    // Positions whose move is a pass are left out.
    PositionShuffle(const GamePool& pool, std::uint64_t seed);

    std::uint64_t total() const { return ends_.empty() ? 0 : ends_.back(); }
    Choice at(std::uint64_t index) const;  // index below total()

  private:
    std::uint64_t permuted(std::uint64_t index) const;

    std::vector<Choice> games_;
    std::vector<std::uint64_t> ends_;  // the running sum of their positions
    const GamePool& pool_;
    std::uint64_t seed_;
    int half_bits_ = 1;
};

}  // namespace tesuji
