// The plane sets of the network papers: golois-21/31, agz-17, toronto-18.
#include <cmath>

#include "go/ladder.h"
#include "planes/canvas.h"

namespace tesuji {
namespace {

Trail& ladder_trail() {
    thread_local Trail trail;
    return trail;
}

// The chain in the plane of its kind, and every chain that touches it in the plane behind.
template <typename Number>
void mark_ladder(const Board& board, Point head, int channel, Canvas<Number>& canvas) {
    const Geometry& geometry = board.geometry();
    Point point = head;
    do {
        canvas.mark(channel, point);
        for (Point neighbor : geometry.neighbors[point]) {
            const Stone stone = board.at(neighbor);
            if (is_color(stone) && stone != board.at(head))
                canvas.mark_chain(channel + 1, board, board.head(neighbor));
        }
        point = board.next_in_chain(point);
    } while (point != head);
}

template <typename Number>
void draw_ladders(Board& board, Canvas<Number>& canvas) {
    for_each_chain(board, [&](Point head) {
        const Color owner = color_of(board.at(head));
        const int liberties = board.liberty_count(head);
        if (liberties == 1 && is_captured(board, head, owner, ladder_trail()))
            mark_ladder(board, head, 1, canvas);
        if (liberties == 2 && is_captured(board, head, opponent(owner), ladder_trail()))
            mark_ladder(board, head, 3, canvas);
    });
}

}  // namespace

template <typename Number>
void draw_golois(const Position& position, bool with_komi, Canvas<Number>& canvas) {
    Board& board = position.board;
    if (position.to_play == Color::black) canvas.fill(0);
    draw_ladders(board, canvas);
    for_each_chain(board, [&](Point head) {
        canvas.mark_chain(4 + std::min(board.liberty_count(head), 6), board, head);
    });
    for (int age = 0; age < 5; ++age) {
        canvas.mark_all(11 + 2 * age, position.stones(age, position.to_play));
        canvas.mark_all(12 + 2 * age, position.stones(age, opponent(position.to_play)));
    }
    const float komi = std::floor(position.komi);
    if (with_komi && komi >= 0 && komi <= 9) canvas.fill(21 + static_cast<int>(komi));
}

template <typename Number>
void draw_agz(const Position& position, Canvas<Number>& canvas) {
    for (int age = 0; age < 8; ++age) {
        canvas.mark_all(2 * age, position.stones(age, position.to_play));
        canvas.mark_all(2 * age + 1, position.stones(age, opponent(position.to_play)));
    }
    if (position.to_play == Color::black) canvas.fill(16);
}

template <typename Number>
void draw_toronto(const Position& position, Canvas<Number>& canvas) {
    for (int age = 0; age < 8; ++age) {
        canvas.mark_all(age, position.stones(age, Color::black));
        canvas.mark_all(8 + age, position.stones(age, Color::white));
    }
    canvas.fill(position.to_play == Color::black ? 16 : 17);
}

template void draw_golois(const Position&, bool, Canvas<float>&);
template void draw_golois(const Position&, bool, Canvas<std::uint8_t>&);
template void draw_agz(const Position&, Canvas<float>&);
template void draw_agz(const Position&, Canvas<std::uint8_t>&);
template void draw_toronto(const Position&, Canvas<float>&);
template void draw_toronto(const Position&, Canvas<std::uint8_t>&);

}  // namespace tesuji
