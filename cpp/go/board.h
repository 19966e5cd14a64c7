// Stones on a board: chains, exact liberties, captures, simple ko. Knows nothing of turns, komi or superko
// (see Game).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "go/types.h"

namespace tesuji {

// Old values of everything a move overwrites. Rewinding it restores the board to the last bit, which is what
// lets the ladder reader borrow a board and hand it back exactly as found.
struct Trail {
    enum class Field : std::uint8_t {
        stone,
        chain,
        next,
        stone_count,
        liberty_count,
        liberties,
        black,
        white,
        hash,
        ko
    };
    struct Entry {
        std::uint64_t old;
        std::uint16_t index;
        Field field;
    };
    std::vector<Entry> entries;
    std::vector<std::uint32_t> marks;  // where each move began

    void clear() {
        entries.clear();
        marks.clear();
    }
};

class Board {
  public:
    explicit Board(int size);
    static Board from_diagram(const std::string& diagram);  // rows of . X O; throws std::invalid_argument

    int size() const { return geometry_->size; }
    int area() const { return geometry_->area; }
    int words() const { return geometry_->words; }
    const Geometry& geometry() const { return *geometry_; }

    Stone at(Point point) const { return stones_[point]; }
    const PointSet& stones_of(Color color) const { return color == Color::black ? black_ : white_; }
    PointSet empty_points() const;
    PointSet beside(const PointSet& points) const;  // all points that have a neighbour in the set
    std::uint64_t hash() const { return hash_; }    // of the stones alone
    bool retakes_ko(Point point, Color color) const;
    Point ko() const { return ko_; }  // the point a simple ko forbids to the next player, or `pass`

    // A chain is named by its head, one of its stones; the sentinel point is the head of the border.
    Point head(Point point) const { return chain_[point]; }
    Point next_in_chain(Point point) const { return next_[point]; }  // circular
    int stone_count(Point head) const { return stone_count_[head]; }
    int liberty_count(Point head) const { return liberty_count_[head]; }
    const std::uint64_t* liberties(Point head) const { return &liberties_[head * words()]; }
    Point first_liberty(Point head) const;
    std::uint64_t chain_hash(Point head) const;  // XOR of its stones' keys

    // What a move would do, without playing it. `point` must be empty.
    bool is_suicide(Point point, Color color) const;
    int captures(Point point, Color color) const;              // opponent's stones it takes off
    std::uint64_t hash_after(Point point, Color color) const;  // captures and suicide included
    bool is_eye(Point point, Color color) const;  // one point, all neighbours own, diagonals safe

    // Empty and no suicide, unless of two or more stones where that is allowed. Ko is the caller's to ask.
    bool is_legal(Point point, Color color, bool suicide_allowed) const;

    // Plays on an empty point and returns the number of opponent's stones captured, or minus the number of
    // own stones lost by suicide. With a trail the move can be taken back.
    int play_assume_legal(Point point, Color color);
    int play_assume_legal(Point point, Color color, Trail& trail);
    void undo(Trail& trail);

    // For setting up a position: no rule is applied and nothing captured, so `check_liberties` must follow.
    void place(Point point, Color color);
    void remove_chain(Point point);
    void set_ko(Point point) { ko_ = point; }
    Board without(const std::vector<Point>& points) const;  // the same with these stones taken off
    void check_liberties() const;  // throws std::invalid_argument naming a chain without liberties
    void pass_move() { ko_ = pass; }

    std::string diagram() const;
    bool operator==(const Board& other) const;  // same size, stones and ko

  private:
    template <bool Logged>
    int play(Point point, Color color, Trail* trail);
    template <bool Logged>
    void put(Point point, Color color, Trail* trail);
    template <bool Logged>
    void merge(Point into, Point from, Trail* trail);
    template <bool Logged>
    int capture(Point head, Trail* trail);

    const Geometry* geometry_;
    std::uint64_t hash_ = 0;
    Point ko_ = pass;
    PointSet black_, white_;
    std::array<Stone, max_area + 1> stones_;
    std::array<Point, max_area + 1> chain_;
    std::array<Point, max_area + 1> next_;
    std::array<std::uint16_t, max_area + 1> stone_count_;
    std::array<std::uint16_t, max_area + 1> liberty_count_;
    std::vector<std::uint64_t> liberties_;  // words() per head
};

}  // namespace tesuji
