// alphago-47: the planes of AlphaGo's policy network. Numbers are one-hot: 1, 2, ..., 8 or more.
// Legal means here: by simple ko and without suicide, which the board alone can tell, so that training and
// play agree.
#include "go/ladder.h"
#include "planes/canvas.h"
#include "planes/names.h"

namespace tesuji {
namespace {

enum Channel {
    own = 0,
    other,
    empty,
    ones,
    turns = 4,
    liberties = 12,
    captures = 20,
    self_atari = 28,
    after = 36
};
enum Single { ladder_capture = 44, ladder_escape, sensible };

int step(int number) { return std::min(number, 8) - 1; }

bool may_play(const Board& board, Point move, Color color) {
    return move != board.ko() && board.is_legal(move, color, false);
}

template <typename Number>
void draw_stones(const Position& position, Canvas<Number>& canvas) {
    const Board& board = position.board;
    canvas.mark_all(own, board.stones_of(position.to_play));
    canvas.mark_all(other, board.stones_of(opponent(position.to_play)));
    canvas.mark_all(empty, board.empty_points());
    canvas.fill(ones);
    for_each_chain(board, [&](Point head) {
        canvas.mark_chain(liberties + step(board.liberty_count(head)), board, head);
    });
}

// How many turns ago each stone was played; stones of the setup count among the oldest.
template <typename Number>
void draw_turns(const Position& position, Canvas<Number>& canvas) {
    const Board& board = position.board;
    PointSet dated;
    for (int age = 0; age < history_length - 1; ++age) {
        const Move move = position.recent[age];
        if (move == pass || dated.contains(move) || !is_color(board.at(move))) continue;
        dated.add(move);
        canvas.mark(turns + age, move);
    }
    for (Color color : {Color::black, Color::white})
        for_each_point(board.stones_of(color).words.data(), board.words(), [&](Point point) {
            if (!dated.contains(point)) canvas.mark(turns + history_length - 1, point);
        });
}

// A move that leaves an opponent's chain of two liberties in an atari it cannot escape.
bool captures_in_ladder(Board& board, Point move, Color color, Trail& trail, Trail& ladder) {
    bool found = false;
    for (Point neighbor : board.geometry().neighbors[move]) {
        if (found || board.at(neighbor) != stone_of(opponent(color))) continue;
        if (board.liberty_count(board.head(neighbor)) != 2) continue;
        trail.clear();
        board.play_assume_legal(move, color, trail);
        found = is_captured(board, neighbor, opponent(color), LadderRule::course, ladder);
        board.undo(trail);
    }
    return found;
}

// The moves that may save a chain in atari: its last liberty, and captures of what surrounds it.
PointSet rescues(const Board& board, Point head) {
    PointSet moves;
    moves.add(board.first_liberty(head));
    Point point = head;
    do {
        for (Point neighbor : board.geometry().neighbors[point]) {
            const Stone stone = board.at(neighbor);
            if (is_color(stone) && stone != board.at(head) && board.liberty_count(board.head(neighbor)) == 1)
                moves.add(board.first_liberty(board.head(neighbor)));
        }
        point = board.next_in_chain(point);
    } while (point != head);
    return moves;
}

template <typename Number>
void draw_escapes(Board& board, Color color, Trail& trail, Trail& ladder, Canvas<Number>& canvas) {
    for_each_chain(board, [&](Point head) {
        if (board.at(head) != stone_of(color) || board.liberty_count(head) != 1) return;
        const PointSet moves = rescues(board, head);
        for_each_point(moves.words.data(), board.words(), [&](Point move) {
            if (!may_play(board, move, color)) return;
            trail.clear();
            board.play_assume_legal(move, color, trail);
            if (!is_captured(board, head, opponent(color), LadderRule::course, ladder))
                canvas.mark(ladder_escape, move);
            board.undo(trail);
        });
    });
}

template <typename Number>
void draw_move(Board& board, Point move, Color color, Trail& trail, Trail& ladder, Canvas<Number>& canvas) {
    trail.clear();
    const int captured = board.play_assume_legal(move, color, trail);
    const Point head = board.head(move);
    const int left = board.liberty_count(head), stones = board.stone_count(head);
    board.undo(trail);
    if (captured > 0) canvas.mark(captures + step(captured), move);
    if (left == 1) canvas.mark(self_atari + step(stones), move);
    canvas.mark(after + step(left), move);
    if (!board.is_eye(move, color)) canvas.mark(sensible, move);
    if (captures_in_ladder(board, move, color, trail, ladder)) canvas.mark(ladder_capture, move);
}

template <typename Number>
void draw(const Position& position, Canvas<Number>& canvas) {
    thread_local Trail trail, ladder;
    Board& board = position.board;
    draw_stones(position, canvas);
    draw_turns(position, canvas);
    const PointSet vacant = board.empty_points();
    for_each_point(vacant.words.data(), board.words(), [&](Point move) {
        if (may_play(board, move, position.to_play))
            draw_move(board, move, position.to_play, trail, ladder, canvas);
    });
    draw_escapes(board, position.to_play, trail, ladder, canvas);
}

Names names() {
    Names all{"own stones", "opponent's stones", "empty", "ones"};
    append(all, numbered("turns since", 8, "+"));
    append(all, numbered("liberties", 8, "+"));
    append(all, numbered("captures", 8, "+"));
    append(all, numbered("self-atari of", 8, "+"));
    append(all, numbered("liberties after", 8, "+"));
    append(all, {"ladder capture", "ladder escape", "sensible"});
    return all;
}

}  // namespace

PlaneSet alphago_47() { return {"alphago-47", names(), {.history = 8}, draw<float>, draw<std::uint8_t>}; }

}  // namespace tesuji
