#include "go/ladder.h"

#include <array>

namespace tesuji {

namespace {

class Reader {
  public:
    Reader(Board& board, Point point, Trail& trail)
        : board_(board),
          trail_(trail),
          prey_(point),
          defender_(color_of(board.at(point))),
          attacker_(opponent(defender_)) {}

    // The attacker moves and the prey has one or two liberties: is it caught?
    bool attack(int depth) {
        if (++nodes_ > ladder_max_nodes || depth > ladder_max_depth) return false;
        const Point chain = board_.head(prey_);
        if (board_.liberty_count(chain) == 1) return board_.first_liberty(chain) != board_.ko();
        std::array<Point, 2> liberties;
        int count = 0;
        for_each_point(board_.liberties(chain), board_.words(),
                       [&](Point point) { liberties[count++] = point; });
        for (int i = 0; i < 2; ++i) {
            const Point atari = liberties[i], flight = liberties[1 - i];
            if (escapes_by_extending(chain, atari, flight) || !is_legal(atari, attacker_)) continue;
            board_.play_assume_legal(atari, attacker_, trail_);
            const bool caught = defend_fails(depth + 1);
            board_.undo(trail_);
            if (caught) return true;
        }
        return false;
    }

    // The defender moves and the prey is in atari: is it lost whatever he does?
    bool defend_fails(int depth) {
        if (++nodes_ > ladder_max_nodes || depth > ladder_max_depth) return false;
        const Point chain = board_.head(prey_);
        const Point last = board_.first_liberty(chain);
        if (!answer_fails(last, depth)) return false;
        std::array<Point, max_area> tried;
        int count = 0;
        Point stone = chain;
        do {
            for (const Point neighbor : board_.geometry().neighbors[stone]) {
                if (board_.at(neighbor) != stone_of(attacker_) ||
                    board_.liberty_count(board_.head(neighbor)) != 1)
                    continue;
                const Point capture = board_.first_liberty(board_.head(neighbor));
                if (capture == last || contains(tried.data(), count, capture)) continue;
                tried[count++] = capture;
                if (!answer_fails(capture, depth)) return false;
            }
            stone = board_.next_in_chain(stone);
        } while (stone != chain);
        return true;
    }

  private:
    static bool contains(const Point* points, int count, Point point) {
        for (int i = 0; i < count; ++i)
            if (points[i] == point) return true;
        return false;
    }

    bool is_legal(Point point, Color color) const {
        return point != board_.ko() && board_.is_legal(point, color, false);
    }

    bool answer_fails(Point point, int depth) {
        if (!is_legal(point, defender_)) return true;
        board_.play_assume_legal(point, defender_, trail_);
        const bool fails = board_.liberty_count(board_.head(prey_)) < 3 && attack(depth + 1);
        board_.undo(trail_);
        return fails;
    }

    // Most ataris fail at once because the flight has three liberties; seen here without playing either move.
    bool escapes_by_extending(Point chain, Point atari, Point flight) const {
        if (board_.captures(atari, attacker_) > 0) return false;  // the picture changes: read it out
        std::array<std::uint64_t, max_words> after;
        const int words = board_.words();
        const std::uint64_t* own = board_.liberties(chain);
        for (int i = 0; i < words; ++i) after[i] = own[i];
        for (const Point neighbor : board_.geometry().neighbors[flight]) {
            if (board_.at(neighbor) == Stone::empty)
                after[neighbor >> 6] |= std::uint64_t{1} << (neighbor & 63);
            if (board_.at(neighbor) != stone_of(defender_) || board_.head(neighbor) == chain) continue;
            const std::uint64_t* joined = board_.liberties(board_.head(neighbor));
            for (int i = 0; i < words; ++i) after[i] |= joined[i];
        }
        for (const Point gone : {atari, flight}) after[gone >> 6] &= ~(std::uint64_t{1} << (gone & 63));
        int count = 0;
        for (int i = 0; i < words; ++i)
            for (std::uint64_t word = after[i]; word && count < 3; word &= word - 1) ++count;
        return count >= 3;
    }

    Board& board_;
    Trail& trail_;
    Point prey_;
    Color defender_, attacker_;
    int nodes_ = 0;
};

}  // namespace

bool is_captured(Board& board, Point point, Color to_play, Trail& trail) {
    const int liberties = board.liberty_count(board.head(point));
    const bool owner_first = stone_of(to_play) == board.at(point);
    if (liberties > (owner_first ? 1 : 2)) return false;
    Reader reader(board, point, trail);
    return owner_first ? reader.defend_fails(0) : reader.attack(0);
}

}  // namespace tesuji
