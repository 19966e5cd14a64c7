#include "go/counts.h"

#include <stdexcept>
#include <string>

#include "go/board.h"

namespace tesuji {

namespace {

// Chains that can no longer gain a liberty once all points up to `point` are decided.
bool smothers(const Board& board, Point point) {
    const auto dead = [&](Point stone) {
        return is_color(board.at(stone)) && board.liberty_count(board.head(stone)) == 0;
    };
    if (dead(point)) return true;
    for (const Point neighbor : board.geometry().neighbors[point])
        if (dead(neighbor)) return true;
    return false;
}

std::uint64_t count_from(const Board& board, Point point) {
    if (point == board.area()) return 1;
    std::uint64_t count = count_from(board, static_cast<Point>(point + 1));
    for (const Color color : {Color::black, Color::white}) {
        Board with_stone = board;
        with_stone.place(point, color);
        // Points not yet decided are still empty, so a chain without liberties is one for good.
        if (!smothers(with_stone, point)) count += count_from(with_stone, static_cast<Point>(point + 1));
    }
    return count;
}

}  // namespace

std::uint64_t count_legal_positions(int size) {
    if (size == 1) return 1;  // no board of ours, but the count is known: a stone there has no liberty
    if (size > 4) throw std::invalid_argument("counting positions beyond 4x4 takes too long");
    return count_from(Board(size), 0);
}

}  // namespace tesuji
