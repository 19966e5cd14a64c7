// Where stones and dots stand before the game: the fixed handicaps and the star points of every board.
#pragma once

#include <vector>

#include "go/types.h"

namespace tesuji {

// The stones of a fixed handicap, in the order of the GTP standard. Throws std::invalid_argument where the
// board has no such handicap.
std::vector<Point> handicap_points(int size, int stones);

// Where a real board of this size has a dot, in order: the corners of the handicap, the centre of an odd
// board, the middle of the sides from 15 lines on. None below 7 lines.
std::vector<Point> star_points(int size);

}  // namespace tesuji
