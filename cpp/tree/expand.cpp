// New nodes, their moves and priors, and the way back up.
#include <algorithm>
#include <new>

#include "tree/tree.h"

namespace tesuji {

namespace {

constexpr int sorted_at_first = 4;  // moves ranked when a node is expanded; most nodes never need more

}  // namespace

Node* Tree::create(std::uint64_t node_key) {
    if (bytes() >= options_.memory) return nullptr;
    Node* const node = new (memory_->allocate(sizeof(Node), alignof(Node))) Node{};
    node->key = node_key;
    if (options_.history) table_.insert(node);
    ++nodes_;
    return node;
}

// Superko is left to each path (see `playable`): other paths to this node may forbid other moves.
void Tree::list_moves(Node& node, const Game& game) {
    Move moves[max_area + 1];
    int count = 0;
    const Board& board = game.board();
    const Point banned = game.rules().ko == Ko::simple ? board.ko() : pass;
    const PointSet empty = board.empty_points();
    for_each_point(empty.words.data(), board.words(), [&](Point point) {
        if (point != banned && board.is_legal(point, game.to_play(), game.rules().suicide))
            moves[count++] = point;
    });
    moves[count++] = pass;
    node.priors = static_cast<float*>(memory_->allocate(count * (sizeof(float) + sizeof(Move))));
    node.move_count = static_cast<std::uint16_t>(count);
    std::copy(moves, moves + count, node.moves());
}

// A network without pass leaves it to the rules: never while there is something to play, at once when there
// is not.
float Tree::pass_prior(const Node& node, const Game& game) const {
    if (options_.has_pass) return -1;
    const bool sensible = std::any_of(node.moves(), node.moves() + node.move_count - 1,
                                      [&](Move move) { return !game.board().is_eye(move, game.to_play()); });
    if (!sensible) return 1;
    return game.passes() > 0 ? options_.pass_back_prior : options_.pass_prior;
}

void Tree::expand(Node& node, const Judgement& judgement, float pass_prior) {
    const int last = node.move_count - 1;  // where list_moves put pass
    Move* const moves = node.moves();
    float sum = 0;
    for (int i = 0; i < last; ++i) sum += node.priors[i] = judgement.policy[moves[i]];
    if (pass_prior < 0) {
        sum += node.priors[last] = judgement.policy.back();
        pass_prior = 0;
    } else {
        node.priors[last] = 0;
    }
    // A policy that gives nothing to any legal move is no help: all moves alike.
    const float share = sum > 1e-9F ? (1 - pass_prior) / sum : 0;
    const float even = sum > 1e-9F ? 0 : (1 - pass_prior) / static_cast<float>(node.move_count);
    for (int i = 0; i <= last; ++i) node.priors[i] = node.priors[i] * share + even;
    node.priors[last] += pass_prior;
    node.sorted = 0;
    sort_moves(node, std::min<int>(sorted_at_first, node.move_count));
    find_next_prior(node);
    node.value = judgement.value;
    node.state = State::expanded;
}

// Two passes under territory rules: stones the network gives to the other side are dead. Without an ownership
// output its value of the final position decides.
void Tree::settle(Node& node, const Game& ending, const Judgement& judgement) {
    node.state = State::terminal;
    if (judgement.black_ownership.empty()) return;
    const Board& board = ending.board();
    std::vector<Point> dead;
    std::vector<float> owned(board.area() + 1, 0.0F);
    for (Point point = 0; point < board.area(); ++point)
        if (is_color(board.at(point))) owned[board.head(point)] += judgement.black_ownership[point];
    for (Point point = 0; point < board.area(); ++point) {
        if (!is_color(board.at(point))) continue;
        const float mine = owned[board.head(point)] * (board.at(point) == Stone::black ? 1.0F : -1.0F);
        if (mine < 0) dead.push_back(point);
    }
    const float lead = ending.black_score(dead);
    node.value = lead == 0 ? 0.5F : (lead > 0) == (ending.to_play() == Color::black) ? 1.0F : 0.0F;
}

void Tree::accept(Leaf& leaf, const Step* steps, const Judgement& judgement) {
    const std::lock_guard lock(mutex_);
    Node& node = *leaf.node;
    if (leaf.ending) {
        node.value = judgement.value;
        settle(node, *leaf.ending, judgement);
    } else {
        expand(node, judgement, leaf.pass_prior);
        if (cache_) cache_->store(leaf.cache_key, judgement);
    }
    const bool led_here = leaf.end_step > leaf.first_step && !leaf.ending;
    learn(node, judgement, corrected(node, led_here ? steps + leaf.end_step - 1 : nullptr));
    ++evaluations_;
    --outstanding_;
    back_up(steps + leaf.first_step, leaf.end_step - leaf.first_step, node.sum,
            static_cast<double>(judgement.black_score));
    if (&node == root_) prepare_root();
    progress_.notify_all();
}

// The network's value, less what such values have been off by after the same local shape.
double Tree::corrected(const Node& node, const Step* last) const {
    const double value = static_cast<double>(node.value);
    if (options_.correction == 0 || !last) return value;
    return std::clamp(value + options_.correction * corrections_.expected(last->pattern), 0.0, 1.0);
}

// The first visit of a node is its evaluation.
void Tree::learn(Node& node, const Judgement& judgement, double value) {
    node.visits = 1;
    node.sum = value;
    node.score_sum = judgement.black_score;
    has_score_ = has_score_ && judgement.has_score;
    if (judgement.black_ownership.empty()) return;
    ownership_sum_.resize(judgement.black_ownership.size());
    for (std::size_t i = 0; i < ownership_sum_.size(); ++i)
        ownership_sum_[i] += static_cast<double>(judgement.black_ownership[i]);
    ++ownership_count_;
}

void Tree::abandon(Leaf& leaf, const Step* steps) {
    const std::lock_guard lock(mutex_);
    for (std::uint32_t i = leaf.first_step; i < leaf.end_step; ++i) {
        --steps[i].node->pending;
        --steps[i].node->edges[steps[i].edge].pending;
    }
    leaf.node->state = State::fresh;
    --outstanding_;
    progress_.notify_all();
}

// `value` belongs to the player to move behind the last step.
void Tree::back_up(const Step* steps, std::size_t count, double value, double black_score) {
    for (std::size_t i = count; i-- > 0;) {
        // Only what was found behind a position, not its own evaluation, says how far that was off.
        if (options_.correction > 0 && i + 1 < count)
            corrections_.observe(steps[i].pattern, value - static_cast<double>(steps[i + 1].node->value));
        value = 1 - value;
        Node& node = *steps[i].node;
        Edge& edge = node.edges[steps[i].edge];
        ++edge.visits;
        --edge.pending;
        edge.sum += value;
        edge.squares += static_cast<float>(value * value);
        ++node.visits;
        --node.pending;
        node.sum += value;
        node.score_sum += static_cast<float>(black_score);
    }
    ++descents_;
}

}  // namespace tesuji
