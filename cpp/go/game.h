// A board with its history: whose turn it is, superko, passes, handicap, komi and result.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "go/board.h"
#include "go/rules.h"
#include "go/types.h"

namespace tesuji {

enum class Legality : std::uint8_t { legal, off_board, occupied, suicide, ko, superko, resigned };
const char* reason(Legality legality);

struct Turn {
    Color color;
    Move move;
    bool operator==(const Turn&) const = default;
};

inline constexpr int history_length = 8;  // positions the widest plane set looks back on

// The stones of one past position, and the point a simple ko forbade.
struct Snapshot {
    PointSet black, white;
    std::uint64_t hash = 0;  // of the stones
    Point ko = pass;
    const PointSet& stones_of(Color color) const { return color == Color::black ? black : white; }
};

class Game {
  public:
    Game(int size, float komi, Rules rules);
    Game(int size, Rules rules) : Game(size, usual_komi(size, rules), rules) {}

    const Board& board() const { return board_; }
    int size() const { return board_.size(); }
    float komi() const { return komi_; }
    void set_komi(float komi);  // throws unless finite and within +-1000
    const Rules& rules() const { return rules_; }
    void set_rules(Rules rules);  // moves already made stay, even if the new rules forbid them
    Color to_play() const { return to_play_; }
    void set_to_play(Color color) { to_play_ = color; }
    const std::vector<Turn>& moves() const { return moves_; }
    int passes() const { return passes_; }  // consecutive, at the end of the game so far
    int captured_by(Color color) const { return captured_[index_of(color)]; }
    int handicap() const { return handicap_; }
    // Stones given before the game, whether or not they were called a handicap.
    bool has_handicap() const;

    // The stones `age` positions ago (0 = now), for the network's history planes; empty before the start.
    const Snapshot& past(int age) const { return recent_[(recent_top_ - age) & (history_length - 1)]; }

    // Identifies what the rules and the planes can see: stones, player to move, ko, passes, recent positions.
    std::uint64_t hash(
        int history = history_length) const;  // positions looked back on, the current one included

    Legality legality(Move move, Color color) const;
    bool is_legal(Move move, Color color) const { return legality(move, color) == Legality::legal; }
    // The empty points that superko alone forbids.
    PointSet superko_points(Color color) const;
    // Writes the legal points (passes excluded) in order and returns their number.
    int legal_points(Color color, Point* out) const;

    void play_assume_legal(Move move, Color color);
    void resign(Color color);
    bool undo();  // false at the start
    bool is_over() const;
    // The same stones with the same player to move for the third time under simple ko: no result. A turn
    // given by hand makes a position of its own.
    bool is_void() const { return times_ >= 3 && !moves_.empty() && moves_.back().color != to_play_; }
    std::optional<Color> resigned() const { return resigned_; }

    // A new start: these stones, no moves. Throws std::invalid_argument and changes nothing when a chain has
    // no liberty.
    void setup(const std::vector<Point>& black, const std::vector<Point>& white, Color to_play);
    std::vector<Point> place_handicap(int stones);  // fixed placement; only on an empty board
    void set_handicap(const std::vector<Point>& points);

    // Area or territory by the rules, komi taken off.
    float black_score(const std::vector<Point>& dead = {}) const;
    std::string result() const;  // "B+3.5", "W+R", "0", "Void"; "" while running
    int move_limit() const;      // ends endless games under simple ko

    const Board& start_board() const { return *start_; }
    Color start_to_play() const { return start_to_play_; }

  private:
    void restart(std::shared_ptr<const Board> start, Color to_play);
    void replay();
    void remember();
    int times_before(std::uint64_t key) const;
    bool may_have_stood(std::uint64_t key) const;
    void note_vacated();
    bool is_ko_banned(Point point, Color color) const;
    bool repeats(std::uint64_t stones_hash, Color next) const;
    std::uint64_t superko_key(std::uint64_t stones_hash, Color next) const;

    std::shared_ptr<const Board> start_;  // shared by copies
    Board board_;
    float komi_;
    Rules rules_;
    Color start_to_play_ = Color::black, to_play_ = Color::black;
    int handicap_ = 0;
    int passes_ = 0;
    int times_ = 1;  // that the position has stood, counted under simple ko after moves that are no pass
    std::optional<Color> resigned_;
    std::array<int, 2> captured_{};
    std::vector<Turn> moves_;
    std::vector<std::uint64_t> keys_;        // of every position so far, the start included
    std::array<std::uint64_t, 128> seen_{};  // a Bloom filter over keys_
    PointSet vacated_;                       // points that held a stone which was captured
    std::array<Snapshot, history_length> recent_{};
    unsigned recent_top_ = 0;
};

}  // namespace tesuji
