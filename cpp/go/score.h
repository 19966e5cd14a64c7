// Who owns what: area, territory, and Benson's pass-alive chains.
#pragma once

#include <array>
#include <vector>

#include "go/board.h"

namespace tesuji {

// Every point's owner by area: stones and the empty regions only one colour touches; Stone::empty for neutral
// points.
void area_owners(const Board& board, Stone* owners);

// Black's points minus White's, without komi.
int area_score(const Board& board);
// Surrounded empty points plus prisoners; `captured[i]` counts stones captured by colour i.
int territory_score(const Board& board, const std::array<int, 2>& captured);

// Benson's theorem: chains that live even if their owner always passes, and the regions they enclose. Where
// suicide of several stones is allowed, an opponent inside an eye may take his own stones off, so that the
// eye must be small around them too.
struct PassAlive {
    PointSet stones;
    PointSet regions;
};
PassAlive pass_alive(const Board& board, Color color, bool suicide = false);

// Every point's owner by area, except that what pass-alive chains surround is theirs, dead stones included:
// regions bordered by them alone in which the opponent has no stone, or no room for two eyes.
void settled_owners(const Board& board, bool suicide, Stone* owners);

}  // namespace tesuji
