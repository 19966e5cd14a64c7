// What a tree tells: statistics of moves, variations, the picture's data, and its own consistency.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "tree/tree.h"

namespace tesuji {

namespace {

bool more_visited(const MoveStatistics& a, const MoveStatistics& b) {
    if (a.visits != b.visits) return a.visits > b.visits;
    if (a.prior != b.prior) return a.prior > b.prior;
    return static_cast<std::uint16_t>(a.move) < static_cast<std::uint16_t>(b.move);
}

Proof other_side(Proof proof) {
    if (proof == Proof::none) return proof;
    return proof == Proof::win ? Proof::loss : Proof::win;
}

MoveStatistics describe(const Node& node, int index) {
    MoveStatistics told;
    told.move = node.moves()[index];
    told.prior = node.priors[index];
    if (index >= node.edge_count) return told;
    const Edge& edge = node.edges[index];
    told.visits = edge.visits;
    if (edge.visits) {
        told.value = edge.mean();
        told.deviation = std::sqrt(std::max(0.0, edge.squares / edge.visits - told.value * told.value));
    }
    if (edge.child) {
        told.black_score = edge.child->mean_score();
        told.proof = other_side(edge.child->exported_proof());
    }
    return told;
}

int most_visited_edge(const Node& node) {
    int best = -1;
    for (int i = 0; i < node.edge_count; ++i)
        if (node.edges[i].visits && (best < 0 || node.edges[i].visits > node.edges[best].visits)) best = i;
    return best;
}

}  // namespace

TreeStatistics Tree::statistics() const {
    const std::lock_guard lock(mutex_);
    TreeStatistics told;
    if (!root_) return told;
    told.visits = root_->visits;
    told.descents = descents_;
    told.evaluations = evaluations_;
    told.collisions = collisions_;
    told.nodes = nodes_;
    told.bytes = bytes();
    told.depth = depth_;
    told.value = root_->mean();
    told.network_value = root_->value;
    told.black_score = root_->mean_score();
    told.waited = mutex_.waited();
    told.has_score = has_score_;
    told.memory_full = memory_full_;
    told.proof = root_->proof;
    return told;
}

std::vector<MoveStatistics> Tree::root_moves() const {
    const std::lock_guard lock(mutex_);
    std::vector<MoveStatistics> moves;
    if (!root_ || !root_prepared_) return moves;
    for (int i = 0; i < root_->move_count; ++i) {
        MoveStatistics told = describe(*root_, i);
        if (!playable(root_game_, told.move, 0)) continue;
        told.prior = told.move == pass ? root_priors_.back() : root_priors_[told.move];
        moves.push_back(told);
    }
    std::sort(moves.begin(), moves.end(), more_visited);
    return moves;
}

std::vector<VisitedMove> Tree::variation(Move first, int length) const {
    const std::lock_guard lock(mutex_);
    std::vector<VisitedMove> moves;
    const Node* node = root_;
    Game game = root_game_;
    while (node && node->state == State::expanded && static_cast<int>(moves.size()) < length) {
        int edge = most_visited_edge(*node);
        if (moves.empty()) {
            const Move* const known = node->moves();
            edge = static_cast<int>(std::find(known, known + node->edge_count, first) - known);
            if (edge == node->edge_count) return {{first, 0}};
        }
        // A transposition may lead to a node whose favourite is forbidden on this path.
        if (edge < 0 || !game.is_legal(node->moves()[edge], game.to_play())) break;
        moves.push_back({node->moves()[edge], node->edges[edge].visits});
        game.play_assume_legal(moves.back().move, game.to_play());
        node = node->edges[edge].child;
    }
    return moves;
}

// Breadth first: the `width` most visited moves of every node down to `depth`; a parent comes before its
// children.
std::vector<MoveStatistics> Tree::subtree(int depth, int width) const {
    const std::lock_guard lock(mutex_);
    std::vector<MoveStatistics> told;
    std::vector<const Node*> nodes;
    const auto add = [&](const Node* node, int parent, int level) {
        if (!node || node->state != State::expanded) return;
        std::vector<std::pair<MoveStatistics, const Node*>> moves;
        for (int i = 0; i < node->edge_count; ++i)
            if (node->edges[i].visits) moves.emplace_back(describe(*node, i), node->edges[i].child);
        std::sort(moves.begin(), moves.end(),
                  [](const auto& a, const auto& b) { return more_visited(a.first, b.first); });
        for (std::size_t i = 0; i < std::min<std::size_t>(moves.size(), width); ++i) {
            moves[i].first.parent = parent;
            moves[i].first.depth = level;
            told.push_back(moves[i].first);
            nodes.push_back(moves[i].second);
        }
    };
    if (depth > 0) add(root_, -1, 1);
    for (std::size_t i = 0; i < told.size(); ++i)
        if (told[i].depth < depth) add(nodes[i], static_cast<int>(i), told[i].depth + 1);
    return told;
}

std::vector<float> Tree::black_ownership() const {
    const std::lock_guard lock(mutex_);
    std::vector<float> mean(ownership_sum_.size());
    for (std::size_t i = 0; i < mean.size(); ++i)
        mean[i] = static_cast<float>(ownership_sum_[i] / static_cast<double>(ownership_count_));
    return mean;
}

std::vector<Move> Tree::playable_moves(const std::vector<Move>& path) const {
    const std::lock_guard lock(mutex_);
    Game game = root_game_;
    const Node* node = root_;
    for (const Move move : path) {
        if (!node || node->state != State::expanded) return {};
        const Move* const known = node->moves();
        const auto edge = std::find(known, known + node->edge_count, move) - known;
        node = edge < node->edge_count ? node->edges[edge].child : nullptr;
        game.play_assume_legal(move, game.to_play());
    }
    std::vector<Move> moves;
    if (!node || node->state != State::expanded) return moves;
    for (int i = 0; i < node->move_count; ++i)
        if (playable(game, node->moves()[i], static_cast<int>(path.size())))
            moves.push_back(node->moves()[i]);
    return moves;
}

std::vector<std::string> Tree::violations() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> found;
    std::vector<const Node*> open{root_};
    std::unordered_set<const Node*> seen{root_};
    const auto complain = [&](const Node& node, const char* what) {
        found.push_back(std::string(what) + " at a node of " + std::to_string(node.visits) + " visits");
    };
    for (std::size_t i = 0; i < open.size() && open[i]; ++i) {
        const Node& node = *open[i];
        std::uint64_t visits = 0;
        for (int e = 0; e < node.edge_count; ++e) {
            const Edge& edge = node.edges[e];
            visits += edge.visits;
            if (edge.pending) complain(node, "a pending descent");
            if (edge.visits && !(edge.mean() >= 0 && edge.mean() <= 1)) complain(node, "a mean outside 0..1");
            if (edge.child && seen.insert(edge.child).second) open.push_back(edge.child);
        }
        const bool proven = node.proof != Proof::none;
        if (node.pending) complain(node, "a pending descent");
        if (node.state == State::pending && !outstanding_)
            complain(node, "an evaluation nobody is waiting for");
        if (node.state == State::expanded && (proven ? node.visits < 1 + visits : node.visits != 1 + visits))
            complain(node, "visits that do not add up");
        for (int m = 1; m < node.sorted; ++m)
            if (m > node.edge_count && node.priors[m] > node.priors[m - 1])
                complain(node, "priors out of order");
    }
    return found;
}

}  // namespace tesuji
