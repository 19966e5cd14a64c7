// Planning with Gumbel noise at the root (Danihelka et al. 2022): a few moves drawn without replacement share
// the budget by sequential halving. Below the root the bandit is the usual one.
#include <algorithm>
#include <cmath>

#include "tree/tree.h"

namespace tesuji {

namespace {

constexpr double visit_offset = 50;  // the paper's c_visit

// How many visits the move tried next has by then, for each descent of the budget: the moves still in the
// race take turns, and after each round the worse half leaves.
std::vector<std::uint32_t> halving_schedule(int moves, std::uint32_t descents) {
    std::vector<std::uint32_t> schedule;
    const int rounds = std::max(1, static_cast<int>(std::ceil(std::log2(std::max(moves, 2)))));
    std::uint32_t made = 0;
    for (int racing = std::max(moves, 1); schedule.size() < descents;
         racing = std::max(std::min(moves, 2), racing / 2)) {
        const int turns =
            std::max(1, static_cast<int>(descents / static_cast<std::uint32_t>(rounds * racing)));
        for (int turn = 0; turn < turns; ++turn, ++made) schedule.insert(schedule.end(), racing, made);
    }
    schedule.resize(descents);
    return schedule;
}

double logit(float prior) { return std::log(static_cast<double>(prior) + 1e-12); }

int index_of_move(Move move, std::size_t count) { return move == pass ? static_cast<int>(count) - 1 : move; }

}  // namespace

void Tree::prepare_gumbel() {
    if (!options_.gumbel_moves || target_ == unlimited_visits || target_ < 2) return;
    if (gumbel_.empty()) {
        gumbel_.resize(root_priors_.size());
        for (double& noise : gumbel_)
            noise = -options_.gumbel_noise * std::log(-std::log(random_.uniform() + 1e-300));
        while (root_->edge_count < root_->move_count) open_next_edge(*root_);
    }
    gumbel_schedule_ = halving_schedule(std::min<int>(options_.gumbel_moves, root_->move_count), target_ - 1);
}

// The value of a move without visits: the network's value of the root mixed with its tried moves', weighted
// by prior.
double Tree::mixed_value(const Node& node) const {
    double prior_sum = 0, weighted = 0, visits = 0;
    for (int i = 0; i < node.edge_count; ++i) {
        if (!node.edges[i].visits) continue;
        prior_sum += static_cast<double>(node.priors[i]);
        weighted += static_cast<double>(node.priors[i]) * node.edges[i].mean();
        visits += node.edges[i].visits;
    }
    const double network = static_cast<double>(node.value);
    return prior_sum > 0 ? (network + visits * weighted / prior_sum) / (1 + visits) : network;
}

// What a value counts beside a logit: the paper's sigma, for values stretched so that the worst of them is 0
// and the best 1. Unstretched, a few hundredths would mean nothing at one scale, and at another the noise of
// a single visit would overrule the policy.
double Tree::value_scale(const Node& node, double untried) const {
    double worst = untried, best = untried;
    std::uint32_t most = 0;
    for (int i = 0; i < node.edge_count; ++i) {
        const Edge& edge = node.edges[i];
        if (!edge.visits) continue;
        worst = std::min(worst, edge.mean());
        best = std::max(best, edge.mean());
        most = std::max(most, edge.visits);
    }
    return (visit_offset + most) * options_.gumbel_scale / std::max(best - worst, 1e-8);
}

// The move to try next. At the end the best of all that took part in the last turn, also of those it did not
// reach any more: a visit less says nothing against them.
int Tree::best_gumbel_edge(const Node& node, bool at_end) const {
    std::uint32_t made = 0;
    for (int i = 0; i < node.edge_count; ++i) made += node.edges[i].visits + node.edges[i].pending;
    const std::size_t last = gumbel_schedule_.size() - 1;
    const std::int64_t wanted = at_end ? std::max<std::uint32_t>(1, gumbel_schedule_.back())
                                       : gumbel_schedule_[std::min<std::size_t>(made, last)];
    const double untried = mixed_value(node), scale = value_scale(node, untried);
    int best = -1;
    std::pair<std::int64_t, double> best_score{};
    for (int i = 0; i < node.edge_count; ++i) {
        if (is_skipped(node, i)) continue;
        const Edge& edge = node.edges[i];
        const double value = edge.visits ? edge.mean() : untried;
        const double score =
            gumbel_[index_of_move(node.moves()[i], gumbel_.size())] + logit(node.priors[i]) + scale * value;
        // Whoever is next in the schedule; among others the nearest, should proofs or bans have upset it.
        const std::int64_t behind = wanted - edge.visits - edge.pending;
        const std::pair<std::int64_t, double> ranked{
            -(at_end ? std::max<std::int64_t>(0, behind) : std::abs(behind)), score};
        if (best < 0 || ranked > best_score) best_score = ranked, best = i;
    }
    return best;
}

std::optional<Move> Tree::gumbel_move() {
    const std::lock_guard lock(mutex_);
    if (!root_ || gumbel_.empty()) return std::nullopt;
    for (int i = 0; i < root_->edge_count; ++i) {
        const Node* const child = root_->edges[i].child;
        if (child && child->exported_proof() == Proof::loss) return root_->moves()[i];
    }
    skipped_.clear();
    for (int i = 0; i < root_->edge_count; ++i)
        if (!playable(root_game_, root_->moves()[i], 0)) skipped_.push_back(i);
    const int edge = best_gumbel_edge(*root_, true);
    if (edge >= 0) return root_->moves()[edge];
    const Edge* const most =
        std::max_element(root_->edges, root_->edges + root_->edge_count,
                         [](const Edge& a, const Edge& b) { return a.visits < b.visits; });
    return root_->moves()[most - root_->edges];
}

// The policy the search recommends: softmax of the logits raised by the values found.
std::vector<std::pair<Move, double>> Tree::improved_policy() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<Move, double>> policy;
    if (!root_ || !root_prepared_) return policy;
    const double untried = mixed_value(*root_), scale = value_scale(*root_, untried);
    double highest = -1e300, sum = 0;
    for (int i = 0; i < root_->move_count; ++i) {
        const Move move = root_->moves()[i];
        if (!playable(root_game_, move, 0)) continue;
        const bool tried = i < root_->edge_count && root_->edges[i].visits;
        const double value = tried ? root_->edges[i].mean() : untried;
        policy.emplace_back(move,
                            logit(root_priors_[index_of_move(move, root_priors_.size())]) + scale * value);
        highest = std::max(highest, policy.back().second);
    }
    for (auto& [move, weight] : policy) sum += weight = std::exp(weight - highest);
    for (auto& [move, weight] : policy) weight /= sum;
    return policy;
}

}  // namespace tesuji
