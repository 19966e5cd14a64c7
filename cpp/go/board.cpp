#include "go/board.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace tesuji {

namespace {

using Field = Trail::Field;

// Writes a slot, logging the old value when the move must be taken back.
template <bool Logged, typename Slot, typename Value>
void write(Slot& slot, Value value, Trail* trail, Field field, int index) {
    if constexpr (Logged)
        trail->entries.push_back(
            {static_cast<std::uint64_t>(slot), static_cast<std::uint16_t>(index), field});
    slot = static_cast<Slot>(value);
}

std::uint64_t bit(Point point) { return std::uint64_t{1} << (point & 63); }

}  // namespace

Board::Board(int size) : geometry_(&Geometry::of(size)) {
    stones_.fill(Stone::border);
    std::fill_n(stones_.begin(), area(), Stone::empty);
    for (int i = 0; i <= max_area; ++i) chain_[i] = next_[i] = static_cast<Point>(i);
    stone_count_.fill(0);
    liberty_count_.fill(0);
    liberties_.assign(static_cast<std::size_t>(area() + 1) * words(), 0);
}

Board Board::from_diagram(const std::string& diagram) {
    std::vector<std::string> rows;
    std::istringstream lines(diagram);
    for (std::string line; std::getline(lines, line);) {
        std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
        if (!line.empty()) rows.push_back(line);
    }
    Board board(static_cast<int>(rows.size()));
    for (int row = 0; row < board.size(); ++row) {
        if (static_cast<int>(rows[row].size()) != board.size())
            throw std::invalid_argument("row " + std::to_string(row + 1) + " of the diagram has " +
                                        std::to_string(rows[row].size()) + " points, not " +
                                        std::to_string(board.size()));
        for (int column = 0; column < board.size(); ++column) {
            const char c = rows[row][column];
            const auto point = static_cast<Point>(row * board.size() + column);
            if (c == 'X' || c == 'O')
                board.place(point, c == 'X' ? Color::black : Color::white);
            else if (c != '.' && c != '+')
                throw std::invalid_argument(std::string("'") + c + "' in a diagram; use . X O");
        }
    }
    board.check_liberties();
    return board;
}

PointSet Board::empty_points() const {
    PointSet empty;
    for (int i = 0; i < words(); ++i) empty.words[i] = ~(black_.words[i] | white_.words[i]);
    if (area() & 63) empty.words[words() - 1] &= bit(static_cast<Point>(area())) - 1;
    return empty;
}

PointSet Board::beside(const PointSet& points) const {
    const int last = words() - 1, row = size();
    const auto& right = geometry_->not_last_column.words;
    const auto& left = geometry_->not_first_column.words;
    PointSet result;
    for (int i = 0; i <= last; ++i) {
        const std::uint64_t word = points.words[i];
        const std::uint64_t before = i > 0 ? points.words[i - 1] : 0;
        const std::uint64_t after = i < last ? points.words[i + 1] : 0;
        const std::uint64_t before_right = i > 0 ? before & right[i - 1] : 0;
        const std::uint64_t after_left = i < last ? after & left[i + 1] : 0;
        result.words[i] = (word << row | before >> (64 - row)) | (word >> row | after << (64 - row)) |
                          ((word & right[i]) << 1 | before_right >> 63) |
                          ((word & left[i]) >> 1 | after_left << 63);
    }
    return result;
}

// The ban is on the opponent of whoever took the ko, whose stones surround the point: filling it is no
// retaking.
bool Board::retakes_ko(Point point, Color color) const {
    if (point != ko_) return false;
    const auto& around = geometry_->neighbors[point];
    return std::find_if(around.begin(), around.end(), [&](Point neighbor) {
               return stones_[neighbor] == stone_of(opponent(color));
           }) != around.end();
}

Point Board::first_liberty(Point head) const {
    const std::uint64_t* row = liberties(head);
    for (int i = 0; i < words(); ++i)
        if (row[i]) return static_cast<Point>(64 * i + std::countr_zero(row[i]));
    return pass;
}

std::uint64_t Board::chain_hash(Point head) const {
    const Color color = color_of(stones_[head]);
    std::uint64_t hash = 0;
    Point stone = head;
    do {
        hash ^= zobrist(color, stone);
        stone = next_[stone];
    } while (stone != head);
    return hash;
}

bool Board::is_suicide(Point point, Color color) const {
    for (const Point neighbor : geometry_->neighbors[point]) {
        const Stone stone = stones_[neighbor];
        if (stone == Stone::empty) return false;
        if (stone == Stone::border) continue;
        const bool last_liberty = liberty_count_[chain_[neighbor]] == 1;
        if ((stone == stone_of(color)) != last_liberty) return false;
    }
    return true;
}

int Board::captures(Point point, Color color) const {
    int total = 0;
    std::array<Point, 4> seen{pass, pass, pass, pass};
    int count = 0;
    for (const Point neighbor : geometry_->neighbors[point]) {
        const Point chain = chain_[neighbor];
        if (stones_[neighbor] != stone_of(opponent(color)) || liberty_count_[chain] != 1) continue;
        if (std::find(seen.begin(), seen.end(), chain) != seen.end()) continue;
        seen[count++] = chain;
        total += stone_count_[chain];
    }
    return total;
}

std::uint64_t Board::hash_after(Point point, Color color) const {
    std::uint64_t hash = hash_ ^ zobrist(color, point);
    std::array<Point, 4> own, taken;  // chains that this move leaves without liberties
    int own_count = 0, taken_count = 0;
    bool alive = false;
    const auto add = [](std::array<Point, 4>& chains, int& count, Point chain) {
        if (std::find(chains.begin(), chains.begin() + count, chain) == chains.begin() + count)
            chains[count++] = chain;
    };
    for (const Point neighbor : geometry_->neighbors[point]) {
        const Stone stone = stones_[neighbor];
        const Point chain = chain_[neighbor];
        if (stone == Stone::empty || (stone == stone_of(color) && liberty_count_[chain] > 1))
            alive = true;
        else if (is_color(stone) && liberty_count_[chain] == 1)
            stone == stone_of(color) ? add(own, own_count, chain) : add(taken, taken_count, chain);
    }
    for (int i = 0; i < taken_count; ++i) hash ^= chain_hash(taken[i]);
    if (alive || taken_count > 0) return hash;
    for (int i = 0; i < own_count; ++i) hash ^= chain_hash(own[i]);
    return hash ^ zobrist(color, point);  // suicide takes the new stone off as well
}

bool Board::is_eye(Point point, Color color) const {
    for (const Point neighbor : geometry_->neighbors[point])
        if (stones_[neighbor] != stone_of(color) && stones_[neighbor] != Stone::border) return false;
    int hostile = 0;
    bool edge = false;
    for (const Point diagonal : geometry_->diagonals[point]) {
        hostile += stones_[diagonal] == stone_of(opponent(color));
        edge |= stones_[diagonal] == Stone::border;
    }
    return hostile + edge < 2;
}

bool Board::is_legal(Point point, Color color, bool suicide_allowed) const {
    if (stones_[point] != Stone::empty) return false;
    bool joins = false;
    for (const Point neighbor : geometry_->neighbors[point]) {
        const Stone stone = stones_[neighbor];
        if (stone == Stone::empty) return true;
        if (stone == Stone::border) continue;
        const bool own = stone == stone_of(color);
        if (own != (liberty_count_[chain_[neighbor]] == 1)) return true;
        joins |= own;
    }
    return suicide_allowed && joins;
}

int Board::play_assume_legal(Point point, Color color) { return play<false>(point, color, nullptr); }

int Board::play_assume_legal(Point point, Color color, Trail& trail) {
    trail.marks.push_back(static_cast<std::uint32_t>(trail.entries.size()));
    return play<true>(point, color, &trail);
}

template <bool Logged>
int Board::play(Point point, Color color, Trail* trail) {
    const auto& neighbors = geometry_->neighbors[point];
    const Stone own = stone_of(color);
    write<Logged>(hash_, hash_ ^ zobrist(color, point), trail, Field::hash, 0);
    write<Logged>(ko_, pass, trail, Field::ko, 0);
    put<Logged>(point, color, trail);

    // The new stone takes a liberty from every chain around it.
    int captured = 0;
    Point last_captured = pass;
    for (const Point neighbor : neighbors) {
        if (!is_color(stones_[neighbor])) continue;
        const Point chain = chain_[neighbor];
        std::uint64_t& word = liberties_[chain * words() + (point >> 6)];
        if (!(word & bit(point))) continue;  // a chain met twice
        write<Logged>(word, word & ~bit(point), trail, Field::liberties, chain * words() + (point >> 6));
        write<Logged>(liberty_count_[chain], liberty_count_[chain] - 1, trail, Field::liberty_count, chain);
        if (stones_[neighbor] != own && liberty_count_[chain] == 0) {
            captured += capture<Logged>(chain, trail);
            last_captured = neighbor;
        }
    }
    for (const Point neighbor : neighbors)
        if (stones_[neighbor] == own && chain_[neighbor] != chain_[point])
            merge<Logged>(chain_[point], chain_[neighbor], trail);

    const Point chain = chain_[point];
    if (liberty_count_[chain] == 0) return -capture<Logged>(chain, trail);
    if (captured == 1 && stone_count_[chain] == 1 && liberty_count_[chain] == 1)
        write<Logged>(ko_, last_captured, trail, Field::ko, 0);
    return captured;
}

// A chain of one stone with its own liberties; the neighbours' liberties are the caller's.
template <bool Logged>
void Board::put(Point point, Color color, Trail* trail) {
    PointSet& set = color == Color::black ? black_ : white_;
    write<Logged>(set.words[point >> 6], set.words[point >> 6] | bit(point), trail,
                  color == Color::black ? Field::black : Field::white, point >> 6);
    write<Logged>(stones_[point], stone_of(color), trail, Field::stone, point);
    write<Logged>(chain_[point], point, trail, Field::chain, point);
    write<Logged>(next_[point], point, trail, Field::next, point);
    write<Logged>(stone_count_[point], 1, trail, Field::stone_count, point);
    std::uint64_t* row = &liberties_[point * words()];
    for (int i = 0; i < words(); ++i)
        if (row[i]) write<Logged>(row[i], 0, trail, Field::liberties, point * words() + i);
    int count = 0;
    for (const Point neighbor : geometry_->neighbors[point]) {
        if (stones_[neighbor] != Stone::empty) continue;
        ++count;
        write<Logged>(row[neighbor >> 6], row[neighbor >> 6] | bit(neighbor), trail, Field::liberties,
                      point * words() + (neighbor >> 6));
    }
    write<Logged>(liberty_count_[point], count, trail, Field::liberty_count, point);
}

// Joins two chains of one colour; the smaller one is relabelled.
template <bool Logged>
void Board::merge(Point into, Point from, Trail* trail) {
    if (stone_count_[into] < stone_count_[from]) std::swap(into, from);
    Point stone = from;
    do {
        write<Logged>(chain_[stone], into, trail, Field::chain, stone);
        stone = next_[stone];
    } while (stone != from);
    const Point after = next_[into];
    write<Logged>(next_[into], next_[from], trail, Field::next, into);
    write<Logged>(next_[from], after, trail, Field::next, from);
    write<Logged>(stone_count_[into], stone_count_[into] + stone_count_[from], trail, Field::stone_count,
                  into);
    int count = liberty_count_[into];
    for (int i = 0; i < words(); ++i) {
        std::uint64_t& word = liberties_[into * words() + i];
        const std::uint64_t added = liberties_[from * words() + i] & ~word;
        if (!added) continue;
        count += std::popcount(added);
        write<Logged>(word, word | added, trail, Field::liberties, into * words() + i);
    }
    write<Logged>(liberty_count_[into], count, trail, Field::liberty_count, into);
}

// Takes a chain off and gives its points back as liberties. Returns the number of stones.
template <bool Logged>
int Board::capture(Point head, Trail* trail) {
    const Color color = color_of(stones_[head]);
    PointSet& set = color == Color::black ? black_ : white_;
    const Field set_field = color == Color::black ? Field::black : Field::white;
    int count = 0;
    Point stone = head;
    std::uint64_t removed = 0;
    do {
        ++count;
        removed ^= zobrist(color, stone);
        write<Logged>(stones_[stone], Stone::empty, trail, Field::stone, stone);
        write<Logged>(set.words[stone >> 6], set.words[stone >> 6] & ~bit(stone), trail, set_field,
                      stone >> 6);
        for (const Point neighbor : geometry_->neighbors[stone]) {
            if (stones_[neighbor] != stone_of(opponent(color))) continue;
            const Point chain = chain_[neighbor];
            std::uint64_t& word = liberties_[chain * words() + (stone >> 6)];
            if (word & bit(stone)) continue;
            write<Logged>(word, word | bit(stone), trail, Field::liberties, chain * words() + (stone >> 6));
            write<Logged>(liberty_count_[chain], liberty_count_[chain] + 1, trail, Field::liberty_count,
                          chain);
        }
        stone = next_[stone];
    } while (stone != head);
    write<Logged>(hash_, hash_ ^ removed, trail, Field::hash, 0);
    return count;
}

void Board::undo(Trail& trail) {
    const std::size_t mark = trail.marks.back();
    trail.marks.pop_back();
    while (trail.entries.size() > mark) {
        const auto [old, index, field] = trail.entries.back();
        trail.entries.pop_back();
        switch (field) {
            case Field::stone:
                stones_[index] = static_cast<Stone>(old);
                break;
            case Field::chain:
                chain_[index] = static_cast<Point>(old);
                break;
            case Field::next:
                next_[index] = static_cast<Point>(old);
                break;
            case Field::stone_count:
                stone_count_[index] = static_cast<std::uint16_t>(old);
                break;
            case Field::liberty_count:
                liberty_count_[index] = static_cast<std::uint16_t>(old);
                break;
            case Field::liberties:
                liberties_[index] = old;
                break;
            case Field::black:
                black_.words[index] = old;
                break;
            case Field::white:
                white_.words[index] = old;
                break;
            case Field::hash:
                hash_ = old;
                break;
            case Field::ko:
                ko_ = static_cast<Point>(old);
                break;
        }
    }
}

void Board::place(Point point, Color color) {
    hash_ ^= zobrist(color, point);
    ko_ = pass;
    put<false>(point, color, nullptr);
    for (const Point neighbor : geometry_->neighbors[point]) {
        if (!is_color(stones_[neighbor])) continue;
        const Point chain = chain_[neighbor];
        std::uint64_t& word = liberties_[chain * words() + (point >> 6)];
        if (!(word & bit(point))) continue;
        word &= ~bit(point);
        --liberty_count_[chain];
        if (stones_[neighbor] == stone_of(color)) merge<false>(chain_[point], chain, nullptr);
    }
}

Board Board::without(const std::vector<Point>& points) const {
    PointSet gone;
    for (const Point point : points) gone.add(point);
    Board board(size());
    for (Point point = 0; point < area(); ++point)
        if (is_color(at(point)) && !gone.contains(point)) board.place(point, color_of(at(point)));
    return board;
}

void Board::check_liberties() const {
    for (Point point = 0; point < area(); ++point)
        if (is_color(stones_[point]) && liberty_count_[chain_[point]] == 0)
            throw std::invalid_argument("the chain at " + vertex_text(point, size()) + " has no liberty");
}

void Board::remove_chain(Point point) {
    capture<false>(chain_[point], nullptr);
    ko_ = pass;
}

std::string Board::diagram() const {
    std::string text;
    for (int row = 0; row < size(); ++row)
        for (int column = 0; column < size(); ++column) {
            text += ".XO"[static_cast<int>(stones_[row * size() + column])];
            text += column + 1 < size() ? ' ' : '\n';
        }
    text.pop_back();
    return text;
}

bool Board::operator==(const Board& other) const {
    return geometry_ == other.geometry_ && black_ == other.black_ && white_ == other.white_ &&
           ko_ == other.ko_;
}

}  // namespace tesuji
