// The scratch of one descending thread: the game it plays down the tree, and the paths it has taken.
#pragma once

#include <cstdint>
#include <vector>

#include "go/game.h"
#include "tree/node.h"

namespace tesuji {

struct Descent {
    explicit Descent(int size) : game(size, 0, Rules{}) {}

    Game game;
    std::vector<Step> path;
    std::vector<std::uint64_t> positions;     // of the path, where the rules know no superko
    std::vector<std::vector<Step>> collided;  // paths to be taken back; their room is kept
    std::size_t collided_count = 0;
};

}  // namespace tesuji
