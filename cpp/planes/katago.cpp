// katago-v7: the inputs of KataGo's networks since 2020, version 7 of them. The first 22 channels are drawn
// on the board, 19 more are one number each. A last one tells whether Black is to move, which KataGo's
// networks are not shown but whoever reads their answers must know. Territory rules are shown in their normal
// phase, as KataGo's analysis does: nothing of the phases in which dead stones are played out.
#include <cmath>

#include "base/hash.h"
#include "go/score.h"
#include "planes/canvas.h"
#include "planes/laddered.h"
#include "planes/names.h"

namespace tesuji {
namespace {

constexpr int turns = 5;  // moves it shows

enum Plane {
    on_board = 0,
    own = 1,
    other = 2,
    liberties = 3,  // 1, 2, 3
    banned = 6,
    last_moves = 9,
    ladders = 14,  // now, one and two moves earlier
    ladder_starts_at = 17,
    own_area = 18,
    other_area = 19
};
enum Global {
    passed = 22,
    komi_number = 27,
    superko = 28,
    superko_kind = 29,
    suicide = 30,
    territory = 31,
    seki_tax = 32,
    pass_ends = 36,
    komi_wave = 40,
    black_to_play = 41
};

// A position with as much of its past as the network is shown.
struct View {
    const Position& position;
    const Game& game;
    int turns;  // last moves the network is told of
};

// How many stones more Black has put on the board, those of the setup included.
int more_black(const Game& game) {
    const Board& start = game.start_board();
    int more = start.stones_of(Color::black).count() - start.stones_of(Color::white).count();
    for (const Turn& turn : game.moves())
        if (turn.move != pass) more += turn.color == Color::black ? 1 : -1;
    return more;
}

// Komi for the player to move. Under territory rules KataGo takes a point for every stone played, so that the
// area of the final board can be counted.
float own_komi(const Position& position, const Game& game) {
    float white = position.komi;
    if (game.rules().scoring == Scoring::territory) white += static_cast<float>(more_black(game));
    return position.to_play == Color::white ? white : -white;
}

// The last moves, as far as the colours alternate and no end of the game lies between; of a finished game the
// last pass alone.
int turns_to_show(const Game& game, Color to_play) {
    const std::vector<Turn>& moves = game.moves();
    const auto count = static_cast<int>(moves.size());
    const auto passed_before = [&](int age) {
        return age + 2 < count && moves[count - 2 - age].move == pass && moves[count - 3 - age].move == pass;
    };
    int limit = game.passes() >= 2 ? 1 : turns;
    for (int age = 0; age < limit; ++age) {
        if (age >= count || moves[count - 1 - age].color != (age % 2 ? to_play : opponent(to_play)))
            return age;
        if (passed_before(age)) limit = std::min(limit, age + 2);
    }
    return limit;
}

void draw_stones(const Position& position, Canvas<float>& canvas) {
    const Board& board = position.board;
    canvas.fill(on_board);
    canvas.mark_all(own, board.stones_of(position.to_play));
    canvas.mark_all(other, board.stones_of(opponent(position.to_play)));
    for_each_chain(board, [&](Point head) {
        const int count = board.liberty_count(head);
        if (count <= 3) canvas.mark_chain(liberties + count - 1, board, head);
    });
}

// Draws the area under area rules and returns the score for the player to move, without komi.
int draw_area(const Position& position, const Rules& rules, Canvas<float>& canvas) {
    std::array<Stone, max_area> owners;
    settled_owners(position.board, rules.suicide, owners.data());
    int score = 0;
    for (Point point = 0; point < position.board.area(); ++point) {
        if (owners[point] == Stone::empty) continue;
        const bool mine = owners[point] == stone_of(position.to_play);
        canvas.mark(mine ? own_area : other_area, point);
        score += mine ? 1 : -1;
    }
    return score;
}

void draw_history(const View& view, Canvas<float>& canvas) {
    thread_local LadderMemory memory;
    const std::vector<Turn>& moves = view.game.moves();
    for (int age = 0; age < view.turns; ++age) {
        const Move move = moves[moves.size() - 1 - age].move;
        if (move == pass)
            canvas.fill(passed + age);
        else
            canvas.mark(last_moves + age, move);
    }
    const int size = view.game.size();
    for (int age = 0; age < 3; ++age) {
        const Laddered& found = memory.of(view.game.past(std::min(age, view.turns)), size);
        canvas.mark_all(ladders + age, found.stones);
        if (age == 0)
            canvas.mark_all(ladder_starts_at, found.starts[index_of(opponent(view.position.to_play))]);
    }
}

void draw_rules(const Rules& rules, Canvas<float>& canvas) {
    if (rules.ko != Ko::simple) canvas.fill(superko);
    if (rules.ko != Ko::simple) canvas.fill(superko_kind, rules.ko == Ko::positional ? 0.5f : -0.5f);
    if (rules.suicide) canvas.fill(suicide);
    if (rules.scoring == Scoring::territory) {
        canvas.fill(territory);
        canvas.fill(seki_tax);
    }
}

// Half a point of komi matters where it turns a draw into a win and hardly elsewhere: a wave of period two
// which rises through the komi that can draw, those of the parity of the board.
float wave(float komi, int area) {
    const auto odd = static_cast<float>(area % 2);
    const float over = komi - (std::floor((komi - odd) / 2) * 2 + odd);
    if (over < 0.5f) return over;
    return over < 1.5f ? 1 - over : over - 2;
}

void draw(const Position& position, Canvas<float>& canvas) {
    const Game& game = *position.game;
    const Rules& rules = game.rules();
    const int area = position.board.area();
    const float komi = own_komi(position, game);
    draw_stones(position, canvas);
    if (position.board.ko() != pass) canvas.mark(banned, position.board.ko());
    canvas.mark_all(banned, game.superko_points(position.to_play));
    bool hidden = false;
    if (rules.scoring == Scoring::area) {
        // A network that is told of a pass may end a lost game; KataGo keeps it from the loser.
        const auto score = static_cast<float>(draw_area(position, rules, canvas));
        hidden = game.passes() >= 1 && score + komi <= 0;
    }
    draw_history({position, game, hidden ? 0 : turns_to_show(game, position.to_play)}, canvas);
    draw_rules(rules, canvas);
    const auto most = static_cast<float>(area + 20);
    const float clipped = std::clamp(komi, -most, most);
    canvas.fill(komi_number, clipped / 20);
    if (game.passes() >= 1 && !hidden) canvas.fill(pass_ends);
    if (rules.scoring == Scoring::area) canvas.fill(komi_wave, wave(clipped, area));
    if (position.to_play == Color::black) canvas.fill(black_to_play);
}

// Rules, points that superko forbids, and stones played where they are points: two games may share their last
// positions and differ in these.
std::uint64_t beyond_history(const Game& game) {
    const Rules& rules = game.rules();
    const bool counts = rules.scoring == Scoring::territory;
    std::uint64_t hash = mix(static_cast<std::uint64_t>(rules.ko) * 4 + rules.suicide * 2 + counts);
    const PointSet points = game.superko_points(game.to_play());
    for_each_point(points.words.data(), game.board().words(),
                   [&](Point point) { hash = chained(hash, static_cast<std::uint64_t>(point)); });
    return counts ? chained(hash, static_cast<std::uint64_t>(more_black(game))) : hash;
}

Names names() {
    Names all{"on board", "own stones", "opponent's stones"};
    append(all, numbered("liberties", 3, ""));
    append(all, {"forbidden by ko", "ko blocked in the encore", "never set"});
    append(all, numbered("move before", 5, ""));
    append(all, {"in a ladder", "in a ladder, 1 before", "in a ladder, 2 before", "starts a ladder"});
    append(all,
           {"own area", "opponent's area", "own stones of the encore", "opponent's stones of the encore"});
    append(all, numbered("pass before", 5, ""));
    append(all, {"komi / 20", "superko", "kind of superko", "suicide", "territory rules", "tax in seki",
                 "tax on every group", "encore", "second encore", "a pass ends the game", "uneven playouts",
                 "how uneven", "button", "komi wave", "black to play"});
    return all;
}

}  // namespace

PlaneSet katago_v7() {
    PlaneFacts facts{.history = turns + 1, .reads_komi = true, .global_inputs = 20, .whole_game = true};
    facts.beyond_history = beyond_history;
    return {"katago-v7", names(), facts, draw};
}

}  // namespace tesuji
