// Which move a descent tries: Q + c * P * N^tau / (1 + n).
#include <algorithm>
#include <bit>
#include <cmath>
#include <new>

#include "tree/tree.h"

namespace tesuji {

namespace {

constexpr double usual_spread = 0.2, usual_weight = 2;  // of the values at a node, until it has visits

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
    if (&node == root_ && options_.second_move && !halving) {
        const int edge = second_edge(node);
        if (edge == node.edge_count) open_next_edge(node);
        if (edge >= 0 && playable(game, node.edges[edge].move, ply)) return edge;
    }
    for (;;) {
        const int edge = halving ? best_gumbel_edge(node, false) : best_edge(node, game.to_play());
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

// The second most visited move, once the first cannot be overtaken any more; else -1.
int Tree::second_edge(const Node& node) const {
    if (target_ == unlimited_visits) return -1;
    int first = -1, second = -1;
    const auto count = [&](int edge) { return node.edges[edge].visits + node.edges[edge].pending; };
    for (int i = 0; i < node.edge_count; ++i) {
        if (node.edges[i].lost) continue;
        if (first < 0 || count(i) > count(first))
            second = first, first = i;
        else if (second < 0 || count(i) > count(second))
            second = i;
    }
    if (first < 0) return -1;
    if (second < 0) second = node.edge_count;  // nobody has tried a second yet
    if (second == node.move_count) return -1;
    const std::uint32_t other = second < node.edge_count ? count(second) : 0,
                        spent = node.visits + node.pending;
    return count(first) >= other + (target_ > spent ? target_ - spent : 0) ? second : -1;
}

bool Tree::is_skipped(const Node& node, int edge) const {
    if (node.edges[edge].lost) return true;
    return std::find(skipped_.begin(), skipped_.end(), edge) != skipped_.end();
}

// How far the prior may lead away from the values: c of this node, times its visits to the power tau.
double Tree::reach(const Node& node) const {
    const double total = static_cast<double>(node.visits) + node.pending;
    double c = options_.c;
    if (options_.c_log != 0) c += options_.c_log * std::log((total + options_.c_base) / options_.c_base);
    if (options_.c_spread != 0) c *= 1 + options_.c_spread * (spread(node) / usual_spread - 1);
    return c * (options_.tau == 0.5 ? std::sqrt(total) : std::pow(total, options_.tau));
}

// The standard deviation of the values found at this node; the usual one, with the weight of a few visits,
// speaks for a node that has none.
double Tree::spread(const Node& node) const {
    double squares = usual_spread * usual_spread * usual_weight, weight = usual_weight;
    for (int i = 0; i < node.edge_count; ++i) {
        const Edge& edge = node.edges[i];
        if (!edge.visits) continue;
        const double off = edge.mean() - node.mean();
        const double within = std::max(0.0, edge.squares / edge.visits - edge.mean() * edge.mean());
        squares += edge.visits * (within + off * off);
        weight += edge.visits;
    }
    return std::sqrt(squares / weight);
}

// What the expected score adds to the worth of a position whose mean lead of Black on the board is this.
double Tree::score_utility(double black_score, Color color) const {
    const auto curve = [](double lead) { return 2 / 3.14159265358979323846 * std::atan(lead); };
    const double lead = black_score - static_cast<double>(root_game_.komi()), size = root_game_.size();
    const double here = root_->mean_score() - static_cast<double>(root_game_.komi());
    const double utility = score_weight() * curve(lead / (2 * size)) +
                           score_weight_near() * curve((lead - 0.8 * here) / (0.75 * size));
    return color == Color::black ? utility : -utility;
}

// What a tried move is worth to the player who makes it, descents under way included.
double Tree::worth(const Edge& edge, double untried, Color color) const {
    const bool lost = options_.penalty == Penalty::loss;
    const double weight = edge.visits + (lost ? options_.penalty_weight * edge.pending : 0);
    if (weight <= 0) return untried;
    const double value = edge.sum / weight;
    if (!counts_score() || !edge.child || !edge.visits) return value;
    return value + score_utility(edge.child->mean_score(), color);
}

int Tree::best_edge(const Node& node, Color color) const {
    const double reach = this->reach(node), untried = first_play(node, color);
    int best = -1;
    double best_score = -1e300;
    for (int i = 0; i < node.edge_count; ++i) {
        if (node.edges[i].lost || (!skipped_.empty() && is_skipped(node, i))) continue;
        const Edge& edge = node.edges[i];
        const double score =
            worth(edge, untried, color) + reach * static_cast<double>(edge.prior) /
                                              (1.0 + edge.visits + options_.penalty_weight * edge.pending);
        if (score > best_score) best_score = score, best = i;
    }
    if (node.edge_count < node.move_count) {
        const double score = untried + reach * static_cast<double>(node.next_prior) / 1.0;
        if (score > best_score) best = node.edge_count;
    }
    return best;
}

double Tree::first_play(const Node& node, Color color) const {
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
        case FirstPlay::best: {
            double best = -1;
            for (int i = 0; i < node.edge_count; ++i)
                if (node.edges[i].visits) best = std::max(best, node.edges[i].mean());
            value = best >= 0 ? best : static_cast<double>(node.value);
            break;
        }
    }
    if (counts_score()) value += score_utility(node.mean_score(), color);
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
