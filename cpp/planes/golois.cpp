// golois-21 and golois-31: the planes of the network papers and of the course library, which fixes their
// ladders too.
#include "planes/golois.h"

#include <cmath>

#include "go/ladder.h"
#include "planes/names.h"

namespace tesuji {
namespace {

bool lost(Board& board, Point head, Color to_play) {
    thread_local Trail trail;
    return is_captured(board, head, to_play, LadderRule::course, trail);
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
        if (liberties == 1 && lost(board, head, owner)) mark_ladder(board, head, 1, canvas);
        if (liberties == 2 && lost(board, head, opponent(owner))) mark_ladder(board, head, 3, canvas);
    });
}

template <typename Number, bool with_komi>
void draw(const Position& position, Canvas<Number>& canvas) {
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

Names names(bool with_komi) {
    Names all{"black to play", "lost ladder", "beside a lost ladder", "ladder threat",
              "beside a ladder threat"};
    append(all, numbered("liberties", 6, "+"));
    for (int age = 0; age < 5; ++age)
        append(all, {at_age("own stones", age), at_age("opponent's stones", age)});
    for (int k = 0; with_komi && k < 10; ++k)
        all.push_back("komi " + std::to_string(k) + " to below " + std::to_string(k + 1));
    return all;
}

}  // namespace

Names golois_21_names() { return names(false); }

void draw_golois_21(const Position& position, Canvas<float>& canvas) { draw<float, false>(position, canvas); }

PlaneSet golois_21() {
    return {"golois-21", names(false), {.history = 5}, draw<float, false>, draw<std::uint8_t, false>};
}

PlaneSet golois_31() {
    return {"golois-31",
            names(true),
            {.history = 5, .reads_komi = true},
            draw<float, true>,
            draw<std::uint8_t, true>};
}

}  // namespace tesuji
