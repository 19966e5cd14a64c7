#include "go/types.h"

#include <cctype>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "base/hash.h"
#include "base/text.h"

namespace tesuji {

namespace {

constexpr std::string_view columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ";  // GTP leaves out I

constexpr auto keys = [] {
    std::array<std::array<std::uint64_t, max_area>, 2> table{};
    for (int color = 0; color < 2; ++color)
        for (int point = 0; point < max_area; ++point)
            table[color][point] = mix(static_cast<std::uint64_t>(color) << 32 | static_cast<unsigned>(point));
    return table;
}();

Geometry make_geometry(int size) {
    Geometry geometry;
    geometry.size = size;
    geometry.area = size * size;
    geometry.words = word_count(geometry.area);
    const auto at = [size](int row, int column) {
        const bool inside = row >= 0 && row < size && column >= 0 && column < size;
        return static_cast<Point>(inside ? row * size + column : size * size);
    };
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column) {
            const int point = row * size + column;
            geometry.neighbors[point] = {at(row - 1, column), at(row, column - 1), at(row, column + 1),
                                         at(row + 1, column)};
            if (column > 0) geometry.not_first_column.add(static_cast<Point>(point));
            if (column + 1 < size) geometry.not_last_column.add(static_cast<Point>(point));
            geometry.diagonals[point] = {at(row - 1, column - 1), at(row - 1, column + 1),
                                         at(row + 1, column - 1), at(row + 1, column + 1)};
        }
    return geometry;
}

[[noreturn]] void bad_vertex(std::string_view text, int size) {
    const std::string last(1, columns[size - 1]);
    throw std::invalid_argument("no vertex " + quoted(text) + " on a " + std::to_string(size) + "x" +
                                std::to_string(size) + " board; vertices run from A1 to " + last +
                                std::to_string(size) + " (no I), or pass");
}

}  // namespace

const char* name_of(Color color) { return color == Color::black ? "black" : "white"; }

int PointSet::count() const {
    int total = 0;
    for (const std::uint64_t word : words) total += std::popcount(word);
    return total;
}

const Geometry& Geometry::of(int size) {
    if (size < min_size || size > max_size)
        throw std::invalid_argument("board size " + std::to_string(size) + " is not between " +
                                    std::to_string(min_size) + " and " + std::to_string(max_size));
    static std::array<std::once_flag, max_size + 1> made;
    static std::array<std::unique_ptr<const Geometry>, max_size + 1> geometries;
    std::call_once(made[size],
                   [size] { geometries[size] = std::make_unique<const Geometry>(make_geometry(size)); });
    return *geometries[size];
}

std::uint64_t zobrist(Color color, Point point) { return keys[index_of(color)][point]; }

std::uint64_t zobrist_to_play(Color color) { return color == Color::black ? 0 : 0xd1b54a32d192ed03; }

Move parse_vertex(std::string_view text, int size) {
    Geometry::of(size);  // refuses a size that no board has
    std::string upper;
    for (const char c : text.substr(0, 8))
        upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (upper == "PASS" && text.size() == 4) return pass;
    if (text.size() < 2 || text.size() > 3) bad_vertex(text, size);
    const auto column = columns.find(upper[0]);
    int number = 0;
    for (const char c : upper.substr(1)) {
        if (c < '0' || c > '9') bad_vertex(text, size);
        number = 10 * number + (c - '0');
    }
    if (column >= static_cast<std::size_t>(size) || number < 1 || number > size) bad_vertex(text, size);
    return static_cast<Move>((size - number) * size + static_cast<int>(column));
}

std::string vertex_text(int move, int size) {
    Geometry::of(size);
    if (move == pass) return "pass";
    if (move < 0 || move >= size * size)
        throw std::invalid_argument("no point " + std::to_string(move) + " on a " + std::to_string(size) +
                                    "x" + std::to_string(size) + " board");
    return columns[move % size] + std::to_string(size - move / size);
}

}  // namespace tesuji
