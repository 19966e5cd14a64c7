#include "go/symmetry.h"

#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace tesuji {
namespace {

using Maps = std::array<PointMap, symmetry_count>;

std::unique_ptr<const Maps> make_maps(int size) {
    auto maps = std::make_unique<Maps>();
    for (int symmetry = 0; symmetry < symmetry_count; ++symmetry)
        for (int point = 0; point < size * size; ++point) {
            int row = point / size, column = point % size;
            if (symmetry & 1) column = size - 1 - column;
            if (symmetry & 2) row = size - 1 - row;
            if (symmetry & 4) std::swap(row, column);
            (*maps)[symmetry][point] = static_cast<Point>(row * size + column);
        }
    return maps;
}

}  // namespace

const PointMap& symmetry_map(int size, int symmetry) {
    if (size < min_size || size > max_size || symmetry < 0 || symmetry >= symmetry_count)
        throw std::invalid_argument("a symmetry is a number from 0 to 7, not " + std::to_string(symmetry));
    static std::array<std::once_flag, max_size + 1> made;
    static std::array<std::unique_ptr<const Maps>, max_size + 1> maps;
    std::call_once(made[size], [size] { maps[size] = make_maps(size); });
    return (*maps[size])[symmetry];
}

}  // namespace tesuji
