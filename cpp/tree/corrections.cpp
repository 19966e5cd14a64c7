#include "tree/corrections.h"

#include <algorithm>

#include "base/hash.h"

namespace tesuji {

namespace {

constexpr std::size_t entry_count = std::size_t{1} << 15;
constexpr int reach = 2;              // points to each side that belong to a pattern
constexpr float weight_of_doubt = 3;  // visits that say "no difference" before anything was seen

}  // namespace

std::uint32_t Corrections::pattern(const Game& game) {
    const std::vector<Turn>& moves = game.moves();
    if (moves.empty() || moves.back().move == pass) return 0;
    const Move move = moves.back().move, before = moves.size() > 1 ? moves[moves.size() - 2].move : pass;
    const Board& board = game.board();
    const int size = board.size(), row = move / size, column = move % size;
    std::uint64_t hash = chained(static_cast<std::uint16_t>(move), static_cast<std::uint16_t>(before));
    hash = chained(hash, static_cast<std::uint64_t>(moves.back().color));
    std::uint64_t stones = 0;
    for (int y = std::max(0, row - reach); y <= std::min(size - 1, row + reach); ++y)
        for (int x = std::max(0, column - reach); x <= std::min(size - 1, column + reach); ++x)
            stones = stones * 3 + static_cast<std::uint64_t>(board.at(static_cast<Point>(y * size + x)));
    const auto folded = static_cast<std::uint32_t>(chained(hash, stones) >> 32);
    return folded ? folded : 1;
}

const Corrections::Entry* Corrections::find(std::uint32_t pattern) const {
    if (!pattern || entries_.empty()) return nullptr;
    const Entry& entry = entries_[pattern % entry_count];
    return entry.pattern == pattern ? &entry : nullptr;
}

void Corrections::observe(std::uint32_t pattern, double difference) {
    if (!pattern) return;
    if (entries_.empty()) entries_.resize(entry_count);
    Entry& entry = entries_[pattern % entry_count];
    if (entry.pattern != pattern) entry = {pattern, 0, 0};
    entry.sum += static_cast<float>(difference);
    entry.weight += 1;
}

double Corrections::expected(std::uint32_t pattern) const {
    const Entry* const entry = find(pattern);
    return entry ? static_cast<double>(entry->sum / (entry->weight + weight_of_doubt)) : 0;
}

void Corrections::age() {
    for (Entry& entry : entries_) entry.sum /= 2, entry.weight /= 2;
}

}  // namespace tesuji
