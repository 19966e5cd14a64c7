// The eight symmetries of the square: bit 0 flips columns, bit 1 flips rows, bit 2 transposes after the
// flips.
#pragma once

#include <array>

#include "go/types.h"

namespace tesuji {

inline constexpr int symmetry_count = 8;

// Where each point of a board of this size goes.
using PointMap = std::array<Point, max_area>;
const PointMap& symmetry_map(int size, int symmetry);

// The flips undo themselves; behind a transposition rows and columns change places.
constexpr int inverse_symmetry(int symmetry) {
    return symmetry & 4 ? 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1 : symmetry;
}

}  // namespace tesuji
