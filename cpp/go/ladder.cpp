#include "go/ladder.h"

#include <array>

namespace tesuji {

namespace {

struct Limits {
    int depth, nodes;
};

// One reader for each rule: the compiler leaves out what the other asks.
template <LadderRule rule>
class Reader {
  public:
    Reader(Board& board, Point point, Trail& trail)
        : board_(board),
          trail_(trail),
          prey_(point),
          defender_(color_of(board.at(point))),
          attacker_(opponent(defender_)),
          limits_(usual ? Limits{board.area() * 3 / 2 - 1, 25000} : Limits{100, 1000}) {}

    // The attacker moves and the prey has one or two liberties: is it caught?
    bool attack(int depth) {
        if (too_much(depth)) return usual && nodes_ <= limits_.nodes;
        const Point chain = board_.head(prey_);
        if (board_.liberty_count(chain) == 1) return usual || board_.first_liberty(chain) != board_.ko();
        const std::array<Point, 2> liberties = two_liberties(chain);
        if (usual && dies_in_double_ko(chain, liberties)) return true;
        for (int i = 0; i < 2; ++i)
            if (atari_catches(chain, liberties[i], liberties[1 - i], depth)) return true;
        return false;
    }

    // The defender moves and the prey is in atari: is it lost whatever he does?
    bool defend_fails(int depth) {
        if (too_much(depth)) return usual && nodes_ <= limits_.nodes;
        if (usual && depth > 0 && board_.ko() != pass) return false;
        const Point chain = board_.head(prey_);
        const Point last = board_.first_liberty(chain);
        if (!answer_fails(last, depth)) return false;
        PointSet tried;
        tried.add(last);
        Point stone = chain;
        do {
            for (const Point neighbor : board_.geometry().neighbors[stone]) {
                if (!is_in_atari(neighbor)) continue;
                const Point capture = board_.first_liberty(board_.head(neighbor));
                if (tried.contains(capture)) continue;
                tried.add(capture);
                if (!answer_fails(capture, depth)) return false;
            }
            stone = board_.next_in_chain(stone);
        } while (stone != chain);
        return true;
    }

    // The attacker's first move at `atari`, by the usual rule: a ko it takes is not yet an escape, but the
    // chain may take it back at once.
    bool first_atari_works(Point atari) {
        if (!is_legal(atari, attacker_)) return false;
        board_.play_assume_legal(atari, attacker_, trail_);
        const bool works = defend_fails(0);
        board_.undo(trail_);
        return works;
    }

    std::array<Point, 2> two_liberties(Point chain) const {
        std::array<Point, 2> liberties;
        int count = 0;
        for_each_point(board_.liberties(chain), board_.words(),
                       [&](Point point) { liberties[count++] = point; });
        return liberties;
    }

  private:
    static constexpr bool usual = rule == LadderRule::usual;

    // Beyond the limits the course's answer is no. By the usual rule a ladder that fills the board has
    // worked, and one with too many branches has not.
    bool too_much(int depth) { return ++nodes_ > limits_.nodes || depth > limits_.depth; }

    bool is_in_atari(Point point) const {
        return board_.at(point) == stone_of(attacker_) && board_.liberty_count(board_.head(point)) == 1;
    }

    bool is_legal(Point point, Color color) const {
        return point != board_.ko() && board_.is_legal(point, color, false);
    }

    bool atari_catches(Point chain, Point atari, Point flight, int depth) {
        if (escapes_by_extending(chain, atari, flight) || !is_legal(atari, attacker_)) return false;
        board_.play_assume_legal(atari, attacker_, trail_);
        const bool caught = defend_fails(depth + 1);
        board_.undo(trail_);
        return caught;
    }

    bool answer_fails(Point point, int depth) {
        // With the usual rule a ko stands on the board only at the root, where it is lifted for the defender.
        if ((!usual && point == board_.ko()) || !board_.is_legal(point, defender_, false)) return true;
        board_.play_assume_legal(point, defender_, trail_);
        const bool fails = board_.liberty_count(board_.head(prey_)) < 3 && attack(depth + 1);
        board_.undo(trail_);
        return fails;
    }

    // Most ataris fail at once because the flight has three liberties; seen here without playing either move.
    bool escapes_by_extending(Point chain, Point atari, Point flight) const {
        if (board_.captures(atari, attacker_) > 0) return false;  // the picture changes: read it out
        return liberties_with(chain, flight, atari) >= 3;
    }

    // How many liberties, up to three, the chain has after filling one of its own where nothing is captured,
    // one more liberty being gone.
    int liberties_with(Point chain, Point filled, Point gone) const {
        std::array<std::uint64_t, max_words> after;
        const int words = board_.words();
        const std::uint64_t* own = board_.liberties(chain);
        for (int i = 0; i < words; ++i) after[i] = own[i];
        for (const Point neighbor : board_.geometry().neighbors[filled]) {
            if (board_.at(neighbor) == Stone::empty)
                after[neighbor >> 6] |= std::uint64_t{1} << (neighbor & 63);
            if (board_.at(neighbor) != stone_of(defender_) || board_.head(neighbor) == chain) continue;
            const std::uint64_t* joined = board_.liberties(board_.head(neighbor));
            for (int i = 0; i < words; ++i) after[i] |= joined[i];
        }
        for (const Point point : {gone, filled})
            if (point != pass) after[point >> 6] &= ~(std::uint64_t{1} << (point & 63));
        int count = 0;
        for (int i = 0; i < words; ++i)
            for (std::uint64_t word = after[i]; word && count < 3; word &= word - 1) ++count;
        return count;
    }

    // Both liberties are ko mouths: the attacker takes one ko, the defender must retake it, and the other ko
    // is there to be taken in turn, without end.
    bool dies_in_double_ko(Point chain, const std::array<Point, 2>& liberties) const {
        for (const Point mouth : liberties)
            if (!is_ko_mouth(mouth) || liberties_with(chain, mouth, pass) > 2) return false;
        Point stone = chain;
        do {
            for (const Point neighbor : board_.geometry().neighbors[stone])
                if (is_in_atari(neighbor)) return false;
            stone = board_.next_in_chain(stone);
        } while (stone != chain);
        return true;
    }

    // The attacker's stone there would take a single stone, and could itself be taken by it.
    bool is_ko_mouth(Point point) const {
        int in_atari = 0, stones = 0;
        for (const Point neighbor : board_.geometry().neighbors[point]) {
            if (board_.at(neighbor) == Stone::border) continue;
            if (board_.at(neighbor) != stone_of(defender_)) return false;
            if (board_.liberty_count(board_.head(neighbor)) > 1) continue;
            ++in_atari;
            stones = board_.stone_count(board_.head(neighbor));
        }
        return in_atari == 1 && stones == 1;
    }

    Board& board_;
    Trail& trail_;
    Point prey_;
    Color defender_, attacker_;
    Limits limits_;
    int nodes_ = 0;
};

using UsualReader = Reader<LadderRule::usual>;

}  // namespace

PointSet ladder_starts(Board& board, Point point, Trail& trail) {
    PointSet starts;
    const Point head = board.head(point);
    if (board.liberty_count(head) != 2) return starts;
    for (const Point atari : UsualReader(board, point, trail).two_liberties(head))
        if (UsualReader(board, point, trail).first_atari_works(atari)) starts.add(atari);
    return starts;
}

bool is_captured(Board& board, Point point, Color to_play, LadderRule rule, Trail& trail) {
    const Point head = board.head(point);
    const bool owner_first = stone_of(to_play) == board.at(point);
    if (board.liberty_count(head) > (owner_first ? 1 : 2)) return false;
    if (rule == LadderRule::course) {
        Reader<LadderRule::course> reader(board, point, trail);
        return owner_first ? reader.defend_fails(0) : reader.attack(0);
    }
    if (owner_first) return UsualReader(board, point, trail).defend_fails(0);
    if (board.liberty_count(head) == 1) return true;
    for (const Point atari : UsualReader(board, point, trail).two_liberties(head))
        if (UsualReader(board, point, trail).first_atari_works(atari)) return true;
    return false;
}

}  // namespace tesuji
