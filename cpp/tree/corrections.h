// What the network's values were off by, by local pattern: a search that found its judgement of a shape wrong
// in one place expects the same of the same shape elsewhere in the tree.
#pragma once

#include <cstdint>
#include <vector>

#include "go/game.h"

namespace tesuji {

class Corrections {
  public:
    // Names the shape a move made: the move, the one before it, and the stones within two points. `game` is
    // the position after the move. 0 for a pass.
    static std::uint32_t pattern(const Game& game);

    // A descent behind a position of this pattern found `difference` more than the network had said of it.
    void observe(std::uint32_t pattern, double difference);
    // What to add to the network's value of such a position; little while little is known.
    double expected(std::uint32_t pattern) const;
    // Another root: what was seen counts half.
    void age();

  private:
    struct Entry {
        std::uint32_t pattern = 0;
        float sum = 0, weight = 0;
    };
    const Entry* find(std::uint32_t pattern) const;

    std::vector<Entry> entries_;  // by pattern; a newcomer takes the place of what it meets there
};

}  // namespace tesuji
