// Which move a descent tries: Q + c * P * N^tau / (1 + n).
#include <algorithm>
#include <bit>
#include <cmath>
#include <new>

#include "tree/tree.h"

namespace tesuji {

namespace {

// Higher priors first; equal ones by point, pass last.
bool ranks_before(const std::pair<float, Move>& a, const std::pair<float, Move>& b) {
    if (a.first != b.first) return a.first > b.first;
    return static_cast<std::uint16_t>(a.second) < static_cast<std::uint16_t>(b.second);
}

}  // namespace

// The edge to follow, or -1 when every move is lost for certain or forbidden.
int Tree::select(Node& node, const Game& game, int ply) {
    skipped_.clear();
    const bool halving = &node == root_ && !gumbel_.empty();
    if (&node == root_ && pass_share_ > 0) {
        while (node.edge_count < node.move_count) open_next_edge(node);
        const int edge = due_pass(node);
        if (edge >= 0 && playable(game, pass, ply)) return edge;
    }
    for (;;) {
        const int edge = halving ? best_gumbel_edge(node, false) : best_edge(node);
        if (edge < 0) return -1;
        if (edge == node.edge_count) open_next_edge(node);
        if (playable(game, node.edges[edge].move, ply)) return edge;
        skipped_.push_back(edge);
    }
}

// Passing, where it has less than its share; else -1.
int Tree::due_pass(const Node& node) const {
    for (int i = 0; i < node.edge_count; ++i) {
        const Edge& edge = node.edges[i];
        if (edge.move != pass) continue;
        const bool due = edge.visits + edge.pending < pass_share_ * (node.visits + node.pending);
        return due && !edge.lost ? i : -1;
    }
    return -1;
}

bool Tree::is_skipped(const Node& node, int edge) const {
    if (node.edges[edge].lost) return true;
    return std::find(skipped_.begin(), skipped_.end(), edge) != skipped_.end();
}

int Tree::best_edge(const Node& node) const {
    const double total = static_cast<double>(node.visits) + node.pending;
    const double reach =
        options_.c * (options_.tau == 0.5 ? std::sqrt(total) : std::pow(total, options_.tau));
    const double untried = first_play(node);
    int best = -1;
    double best_score = -1e300;
    for (int i = 0; i < node.edge_count; ++i) {
        if (node.edges[i].lost || (!skipped_.empty() && is_skipped(node, i))) continue;
        const Edge& edge = node.edges[i];
        const double weight = edge.visits + options_.virtual_loss * edge.pending;
        const double value = weight > 0 ? edge.sum / weight : untried;
        const double score = value + reach * static_cast<double>(edge.prior) /
                                         (1.0 + static_cast<double>(edge.visits) + edge.pending);
        if (score > best_score) best_score = score, best = i;
    }
    if (node.edge_count < node.move_count) {
        const double score = untried + reach * static_cast<double>(node.next_prior) / 1.0;
        if (score > best_score) best = node.edge_count;
    }
    return best;
}

double Tree::first_play(const Node& node) const {
    double value = options_.first_play_value;
    switch (options_.first_play) {
        case FirstPlay::fixed:
            return value;
        case FirstPlay::parent:
            value = node.mean();
            break;
        case FirstPlay::network:
            value = static_cast<double>(node.value);
            break;
        case FirstPlay::siblings: {
            double sum = 0, visits = 0;
            for (int i = 0; i < node.edge_count; ++i)
                sum += node.edges[i].sum, visits += node.edges[i].visits;
            value = visits > 0 ? sum / visits : static_cast<double>(node.value);
            break;
        }
    }
    if (options_.first_play_reduction == 0) return value;
    double tried = 0;
    for (int i = 0; i < node.edge_count; ++i)
        if (node.edges[i].visits + node.edges[i].pending > 0)
            tried += static_cast<double>(node.edges[i].prior);
    return value - options_.first_play_reduction * std::sqrt(tried);
}

void Tree::open_next_edge(Node& node) {
    if (node.edge_count == node.edge_room) {
        const int room = node.edge_room ? 2 * node.edge_room : 1;
        const auto log2 = [](int number) { return std::bit_width(static_cast<unsigned>(number)) - 1; };
        Edge* const edges = static_cast<Edge*>(memory_->allocate_list(sizeof(Edge), log2(room)));
        std::copy(node.edges, node.edges + node.edge_count, edges);
        if (node.edges) memory_->recycle_list(node.edges, log2(node.edge_room));
        node.edges = edges;
        node.edge_room = static_cast<std::uint16_t>(room);
    }
    Edge& edge = *new (&node.edges[node.edge_count]) Edge{};
    edge.prior = node.next_prior;
    edge.move = node.moves()[node.edge_count];
    ++node.edge_count;
    find_next_prior(node);
}

// Only a handful of a node's moves are ever tried: the rest is left unsorted until somebody asks.
void Tree::sort_moves(Node& node, int needed) {
    if (needed <= node.sorted) return;
    const int first = node.sorted, end = std::min<int>(node.move_count, std::max(needed, 2 * first));
    Move* const moves = node.moves();
    ranking_.clear();
    for (int i = first; i < node.move_count; ++i) ranking_.emplace_back(node.priors[i], moves[i]);
    std::partial_sort(ranking_.begin(), ranking_.begin() + (end - first), ranking_.end(), ranks_before);
    for (int i = first; i < node.move_count; ++i) {
        node.priors[i] = ranking_[i - first].first;
        moves[i] = ranking_[i - first].second;
    }
    node.sorted = static_cast<std::uint16_t>(end);
}

// After any change of the moves or their priors.
void Tree::find_next_prior(Node& node) {
    node.next_prior = 0;
    if (node.edge_count == node.move_count) return;
    sort_moves(node, node.edge_count + 1);
    node.next_prior = node.priors[node.edge_count];
}

}  // namespace tesuji
