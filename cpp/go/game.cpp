#include "go/game.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/hash.h"
#include "go/handicap.h"
#include "go/results.h"
#include "go/score.h"

namespace tesuji {

const char* reason(Legality legality) {
    switch (legality) {
        case Legality::legal:
            return "legal";
        case Legality::off_board:
            return "off the board";
        case Legality::occupied:
            return "occupied";
        case Legality::suicide:
            return "suicide";
        case Legality::ko:
            return "ko";
        case Legality::superko:
            return "superko";
        case Legality::resigned:
            return "the game was resigned";
    }
    return "";
}

Game::Game(int size, float komi, Rules rules) : board_(size), rules_(rules) {
    set_komi(komi);
    restart(std::make_shared<const Board>(size), Color::black);
}

void Game::set_komi(float komi) {
    if (!std::isfinite(komi) || std::abs(komi) > komi_limit)
        throw std::invalid_argument("komi must be a number between -1000 and 1000");
    komi_ = komi;
}

void Game::restart(std::shared_ptr<const Board> start, Color to_play) {
    start_ = std::move(start);
    board_ = *start_;
    start_to_play_ = to_play_ = to_play;
    passes_ = 0;
    resigned_.reset();
    captured_ = {};
    moves_.clear();
    keys_.clear();
    seen_ = {};
    vacated_ = {};
    recent_ = {};
    recent_top_ = 0;
    remember();
}

std::uint64_t Game::superko_key(std::uint64_t stones_hash, Color next) const {
    return rules_.ko == Ko::situational ? stones_hash ^ zobrist_to_play(next) : stones_hash;
}

void Game::remember() {
    const std::uint64_t key = superko_key(board_.hash(), to_play_);
    times_ = 1 + times_before(key);
    keys_.push_back(key);
    seen_[key >> 6 & (seen_.size() - 1)] |= std::uint64_t{1} << (key & 63);
    recent_top_ = (recent_top_ + 1) & (history_length - 1);
    recent_[recent_top_] = {board_.stones_of(Color::black), board_.stones_of(Color::white), board_.hash(),
                            board_.ko()};
}

// How often these stones have stood with this player to move, where simple ko lets them. What a pass left is
// no new position: every cycle has a move that is none.
int Game::times_before(std::uint64_t key) const {
    if (rules_.ko != Ko::simple || passes_ > 0 || !may_have_stood(key)) return 0;
    int times = keys_[0] == key && start_to_play_ == to_play_;
    for (std::size_t i = 0; i < moves_.size() && i + 1 < keys_.size(); ++i)
        times += keys_[i + 1] == key && moves_[i].move != pass && moves_[i].color != to_play_;
    return times;
}

bool Game::may_have_stood(std::uint64_t key) const {
    return seen_[key >> 6 & (seen_.size() - 1)] >> (key & 63) & 1;
}

bool Game::repeats(std::uint64_t stones_hash, Color next) const {
    const std::uint64_t key = superko_key(stones_hash, next);
    return may_have_stood(key) && std::find(keys_.rbegin(), keys_.rend(), key) != keys_.rend();
}

std::uint64_t Game::hash(int history) const {
    std::uint64_t hash = scramble(board_.hash() ^ zobrist_to_play(to_play_)) +
                         std::uint64_t{0x632be59bd9b4e019} * static_cast<unsigned>(passes_);
    // Under superko the ban follows from the history; the ko point is told apart all the same, since planes
    // may show it.
    hash += scramble(golden_ratio * static_cast<std::uint64_t>(board_.ko() + 2));
    const int available = std::min<int>(history, static_cast<int>(keys_.size())) - 1;
    for (int age = 1; age <= available; ++age)
        hash +=
            scramble(keys_[keys_.size() - 1 - age] + static_cast<std::uint64_t>(age) * 0xa0761d6478bd642f);
    return hash;
}

Legality Game::legality(Move move, Color color) const {
    if (resigned_) return Legality::resigned;
    if (move == pass) return Legality::legal;
    if (move < 0 || move >= board_.area()) return Legality::off_board;
    if (board_.at(move) != Stone::empty) return Legality::occupied;
    if (!board_.is_legal(move, color, rules_.suicide)) return Legality::suicide;
    if (!is_ko_banned(move, color)) return Legality::legal;
    return board_.retakes_ko(move, color) ? Legality::ko : Legality::superko;
}

bool Game::is_ko_banned(Point point, Color color) const {
    if (rules_.ko == Ko::simple) return board_.retakes_ko(point, color);
    // The repeated position had a stone here; the point is empty now, so that stone must have been captured
    // since. A suicide leaves no stone, and may repeat the position before its first stone.
    return (vacated_.contains(point) || (rules_.suicide && board_.is_suicide(point, color))) &&
           repeats(board_.hash_after(point, color), opponent(color));
}

PointSet Game::superko_points(Color color) const {
    PointSet banned;
    if (rules_.ko == Ko::simple) return banned;
    PointSet candidates = board_.empty_points();
    const PointSet open = board_.beside(candidates);  // no suicide is possible there
    for (int i = 0; i < board_.words(); ++i)
        candidates.words[i] &= vacated_.words[i] | (rules_.suicide ? ~open.words[i] : 0);
    for_each_point(candidates.words.data(), board_.words(), [&](Point point) {
        if (board_.is_legal(point, color, rules_.suicide) && is_ko_banned(point, color)) banned.add(point);
    });
    return banned;
}

int Game::legal_points(Color color, Point* out) const {
    if (resigned_) return 0;
    const PointSet empty = board_.empty_points();
    // A point beside an empty one is no suicide, and it repeats nothing unless a stone was captured there
    // before.
    const PointSet open = board_.beside(empty);
    int count = 0;
    for (int i = 0; i < board_.words(); ++i) {
        std::uint64_t legal = empty.words[i] & open.words[i] & ~vacated_.words[i];
        for (std::uint64_t rest = empty.words[i] & ~legal; rest; rest &= rest - 1) {
            const auto point = static_cast<Point>(64 * i + std::countr_zero(rest));
            if (board_.is_legal(point, color, rules_.suicide) && !is_ko_banned(point, color))
                legal |= rest & -rest;
        }
        for (; legal; legal &= legal - 1) out[count++] = static_cast<Point>(64 * i + std::countr_zero(legal));
    }
    return count;
}

void Game::play_assume_legal(Move move, Color color) {
    if (move == pass) {
        board_.pass_move();
        ++passes_;
    } else {
        const int taken = board_.play_assume_legal(move, color);
        captured_[index_of(taken >= 0 ? color : opponent(color))] += std::abs(taken);
        passes_ = 0;
        if (taken != 0) note_vacated();
    }
    moves_.push_back({color, move});
    to_play_ = opponent(color);
    remember();
}

// Called after a capture, while `past(0)` still shows the stones before the move.
void Game::note_vacated() {
    const Snapshot& before = past(0);
    for (int i = 0; i < board_.words(); ++i)
        vacated_.words[i] |= (before.black.words[i] & ~board_.stones_of(Color::black).words[i]) |
                             (before.white.words[i] & ~board_.stones_of(Color::white).words[i]);
}

void Game::resign(Color color) { resigned_ = color; }

bool Game::undo() {
    if (resigned_) {
        resigned_.reset();
        return true;
    }
    if (moves_.empty()) return false;
    const Color undone = moves_.back().color;
    moves_.pop_back();
    replay();
    to_play_ = undone;
    return true;
}

// Replaying is exact by construction and takes microseconds; an undo log would slow every copy instead.
void Game::replay() {
    const std::vector<Turn> moves = std::move(moves_);
    restart(start_, start_to_play_);
    for (const Turn& turn : moves) play_assume_legal(turn.move, turn.color);
}

void Game::set_rules(Rules rules) {
    const bool other_ko = rules.ko != rules_.ko;
    rules_ = rules;
    if (!other_ko) return;
    // Positions are remembered under the ko rule in force, so the history is written anew.
    const Color to_play = to_play_;
    const std::optional<Color> resigned = resigned_;
    replay();
    to_play_ = to_play;
    resigned_ = resigned;
}

int Game::move_limit() const { return 4 * board_.area() + 40; }

bool Game::is_over() const {
    const bool endless = rules_.ko == Ko::simple && static_cast<int>(moves_.size()) >= move_limit();
    return resigned_ || passes_ >= 2 || is_void() || endless;
}

void Game::setup(const std::vector<Point>& black, const std::vector<Point>& white, Color to_play) {
    auto start = std::make_shared<Board>(size());
    for (const Color color : {Color::black, Color::white})
        for (const Point point : color == Color::black ? black : white) {
            if (point < 0 || point >= board_.area())
                throw std::invalid_argument("no point " + std::to_string(point) + " to set up on a " +
                                            std::to_string(size()) + "x" + std::to_string(size()) + " board");
            if (start->at(point) != Stone::empty)
                throw std::invalid_argument("two stones set up at " + vertex_text(point, size()));
            start->place(point, color);
        }
    start->check_liberties();
    handicap_ = 0;
    restart(std::move(start), to_play);
}

std::vector<Point> Game::place_handicap(int stones) {
    const std::vector<Point> points = handicap_points(size(), stones);
    set_handicap(points);
    return points;
}

void Game::set_handicap(const std::vector<Point>& points) {
    if (!moves_.empty() || *start_ != Board(size()))
        throw std::invalid_argument("handicap stones need an empty board");
    if (points.size() < 2) throw std::invalid_argument("a handicap has at least two stones");
    setup(points, {}, Color::white);
    handicap_ = static_cast<int>(points.size());
}

bool Game::has_handicap() const {
    return handicap_ > 0 || (start_to_play_ == Color::white && *start_ != Board(size()));
}

float Game::black_score(const std::vector<Point>& dead) const {
    Board board = board_;
    std::array<int, 2> captured = captured_;
    for (const Point point : dead) {
        if (point < 0 || point >= board_.area() || !is_color(board_.at(point)))
            throw std::invalid_argument("no stone to call dead at point " + std::to_string(point));
        if (!is_color(board.at(point))) continue;  // its chain is off already
        captured[index_of(opponent(color_of(board.at(point))))] += board.stone_count(board.head(point));
        board.remove_chain(point);
    }
    const int points = rules_.scoring == Scoring::area ? area_score(board) : territory_score(board, captured);
    return static_cast<float>(points) - komi_;
}

std::string Game::result() const {
    if (resigned_) return *resigned_ == Color::black ? "W+R" : "B+R";
    if (!is_over()) return "";
    if (is_void()) return no_result_text;
    return score_text(static_cast<double>(black_score()));
}

}  // namespace tesuji
