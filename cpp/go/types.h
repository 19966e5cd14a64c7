// Points, moves, colours, sets of points and the geometry of a board: the words every other file uses.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace tesuji {

inline constexpr int min_size = 2;
inline constexpr int max_size = 25;
inline constexpr int max_area = max_size * max_size;

// A point is its number, row-major from the top left; a move is a point or `pass`.
using Point = std::int16_t;
using Move = std::int16_t;
inline constexpr Move pass = -1;

enum class Color : std::uint8_t { black = 1, white = 2 };
enum class Stone : std::uint8_t { empty = 0, black = 1, white = 2, border = 3 };

constexpr Color opponent(Color color) { return color == Color::black ? Color::white : Color::black; }
constexpr Stone stone_of(Color color) { return static_cast<Stone>(color); }
constexpr bool is_color(Stone stone) { return stone == Stone::black || stone == Stone::white; }
constexpr Color color_of(Stone stone) { return static_cast<Color>(stone); }
constexpr int index_of(Color color) { return static_cast<int>(color) - 1; }
const char* name_of(Color color);

// A set of points in `word_count(area)` words; callers loop over the words their board needs.
inline constexpr int max_words = (max_area + 63) / 64;
constexpr int word_count(int area) { return (area + 63) / 64; }

struct PointSet {
    std::array<std::uint64_t, max_words> words{};

    bool contains(Point point) const { return words[point >> 6] >> (point & 63) & 1; }
    void add(Point point) { words[point >> 6] |= std::uint64_t{1} << (point & 63); }
    void remove(Point point) { words[point >> 6] &= ~(std::uint64_t{1} << (point & 63)); }
    int count() const;
    bool operator==(const PointSet&) const = default;
};

// Calls `visit(point)` for every point of `words`, in order.
template <typename Visit>
void for_each_point(const std::uint64_t* words, int word_total, Visit visit) {
    for (int i = 0; i < word_total; ++i)
        for (std::uint64_t word = words[i]; word; word &= word - 1)
            visit(static_cast<Point>(64 * i + std::countr_zero(word)));
}

// The four neighbours of every point. Off the board stands the sentinel point `area`, whose stone is
// `Stone::border`, so that loops over neighbours need no bounds checks.
struct Geometry {
    int size = 0;
    int area = 0;
    int words = 0;
    std::array<std::array<Point, 4>, max_area> neighbors{};
    std::array<std::array<Point, 4>, max_area> diagonals{};
    PointSet not_first_column, not_last_column;  // masks for shifting sets of points sideways

    static const Geometry& of(int size);  // throws std::invalid_argument outside min_size..max_size
};

// Zobrist keys, the same in every process and on every machine.
std::uint64_t zobrist(Color color, Point point);
std::uint64_t zobrist_to_play(Color color);

// GTP vertices: "D4", "pass" (any case); columns skip I. Throws std::invalid_argument with a clear line.
Move parse_vertex(std::string_view text, int size);
std::string vertex_text(int move, int size);

}  // namespace tesuji
