#include "go/playout.h"

#include <array>
#include <utility>

namespace tesuji {

Move random_move(const Game& game, Random& random) {
    const Board& board = game.board();
    const Color color = game.to_play();
    std::array<Point, max_area> candidates;
    int count = 0;
    const PointSet empty = board.empty_points();
    for_each_point(empty.words.data(), board.words(), [&](Point point) { candidates[count++] = point; });
    while (count > 0) {
        const auto choice = random.below(static_cast<std::uint32_t>(count));
        const Point point = candidates[choice];
        if (!board.is_eye(point, color) && game.is_legal(point, color)) return point;
        candidates[choice] = candidates[--count];
    }
    return pass;
}

int play_out(Game& game, Random& random, int max_moves) {
    int moves = 0;
    while (!game.is_over() && moves < max_moves) {
        game.play_assume_legal(random_move(game, random), game.to_play());
        ++moves;
    }
    return moves;
}

}  // namespace tesuji
