// The last iteration of Batch MCTS: descents nobody evaluates any more, to see where the search was heading.
#include <algorithm>
#include <cmath>

#include "tree/tree.h"

namespace tesuji {

namespace {

// Visits with those under way, each of which counts as so many, as it did for the descents after it.
std::uint32_t weighed(const Edge& edge, double weight) {
    const double all = edge.visits + std::round(weight * edge.pending);
    return static_cast<std::uint32_t>(std::min<double>(all, unlimited_visits));
}

}  // namespace

std::vector<std::pair<Move, std::uint32_t>> Tree::last_iteration(int unknown, double weight) {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<Move, std::uint32_t>> visits;
    if (!root_ || root_->state != State::expanded) return visits;
    const TreeOptions usual = options_;
    options_.penalty = Penalty::mean, options_.penalty_weight = weight;
    // Nothing is left to be overtaken with: a search of the second move alone would learn nothing of the
    // others.
    options_.second_move = false;
    Descent descent(size());
    std::vector<Step> imagined;
    // Ended games ask no network: a limit on all descents keeps them from going on for ever. It is far below
    // what an edge can count.
    constexpr std::uint64_t most = 20'000;
    for (std::uint64_t left = std::min<std::uint64_t>(most, 4ULL * root_->visits + unknown);
         unknown > 0 && left > 0; --left)
        unknown -= imagine(descent, imagined);
    for (int i = 0; i < root_->edge_count; ++i)
        visits.emplace_back(root_->edges[i].move, weighed(root_->edges[i], weight));
    for (const Step& step : imagined) --step.node->pending, --step.node->edges[step.edge].pending;
    options_ = usual;
    return visits;
}

// One such descent; its steps stay marked as under way. True where it ended in a position not judged yet.
bool Tree::imagine(Descent& descent, std::vector<Step>& imagined) {
    descent.game = root_game_;
    descent.path.clear();
    descent.positions.clear();
    repeats(descent.game, descent.positions);
    Node* node = root_;
    bool unknown = true;
    while (node && node->state == State::expanded) {
        const int ply = static_cast<int>(descent.path.size());
        const int edge = select(*node, descent.game, ply);
        unknown = edge >= 0;
        if (edge < 0) break;
        enter(*node, edge, descent);
        if (repeats(descent.game, descent.positions) || descent.game.is_over()) {
            unknown = false;
            break;
        }
        node = node->edges[edge].child;
    }
    imagined.insert(imagined.end(), descent.path.begin(), descent.path.end());
    return unknown;
}

}  // namespace tesuji
