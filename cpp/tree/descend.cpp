// From the root to a leaf: selection, virtual loss, and the rules on the actual path.
#include <algorithm>
#include <bit>

#include "tree/tree.h"

namespace tesuji {

namespace {

double value_for(Color color, float black_lead) {
    if (black_lead == 0) return 0.5;
    return (black_lead > 0) == (color == Color::black) ? 1 : 0;
}

void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#endif
}

}  // namespace

std::uint64_t Tree::key(const Game& game) const {
    std::uint64_t key = game.hash(std::max(options_.history, 1));
    // Prisoners are points under territory rules: positions that differ in them are different.
    if (game.rules().scoring == Scoring::territory)
        key += 0x9fb21c651e98df25 * static_cast<std::uint64_t>(game.captured_by(Color::black) * 2048 +
                                                               game.captured_by(Color::white) + 1);
    return key;
}

// Evaluations are remembered by all that the planes show, and by komi, which networks are told beside them.
std::uint64_t Tree::cache_key(const Game& game) const {
    return planes_->fingerprint(game) * 0xff51afd7ed558ccd + std::bit_cast<std::uint32_t>(game.komi());
}

// A small tree would be spread over moves that a search leaf by leaf never looks at.
int Tree::batch_now(int count) const {
    if (options_.batch_growth <= 0) return count;
    return std::min<int>(count, std::max<int>(1, root_->visits / options_.batch_growth));
}

int Tree::rows_of_batch(int count) {
    const std::scoped_lock lock(mutex_);
    if (!root_) throw std::logic_error("rows_of_batch before set_root");
    const int left = std::max<int>(0, target_ - root_->visits - outstanding_);
    return std::min(batch_now(count), left) * views(*root_);
}

int Tree::gather(Leaves& leaves, int count) {
    std::unique_lock lock(mutex_);
    if (!root_) throw std::logic_error("gather before set_root");
    if (leaves.size() != size() || &leaves.plane_set() != planes_)
        throw std::invalid_argument("the leaves were made for another board size or other planes");
    const int rows = views(*root_);
    count = batch_now(count);
    // Descents that end by the rules need no network; some of them are made in passing, then others get their
    // turn.
    int found = 0, collided = 0, ended = 0;
    while (found < count && collided < count && ended < 16 * count && leaves.room() >= rows && !done() &&
           root_->visits + outstanding_ < target_) {
        const Outcome outcome = descend(leaves);
        if (outcome == Outcome::full) break;
        found += outcome == Outcome::leaf;
        ended += outcome == Outcome::ended;
        collided += outcome == Outcome::collided;
        if (outcome == Outcome::collided && leaves.descent_.path.empty())
            break;  // the root itself is under way
    }
    take_back_collisions(leaves);
    if (!found && !ended && outstanding_ > 0) progress_.wait_for(lock, std::chrono::milliseconds(20));
    return found;
}

Tree::Outcome Tree::descend(Leaves& leaves) {
    leaves.descent_.game = root_game_;
    leaves.descent_.path.clear();
    leaves.descent_.positions.clear();
    Game& game = leaves.descent_.game;
    repeats(game, leaves.descent_.positions);
    Node* node = root_;
    const int free_from = restricted_depth();  // above it a proof may rest on moves that are forbidden now
    while (node->state == State::expanded) {
        const int ply = static_cast<int>(leaves.descent_.path.size());
        if (node->proof != Proof::none && ply >= free_from) break;
        const int edge = select(*node, game, ply);
        if (edge < 0) break;
        enter(*node, edge, leaves.descent_);
        if (repeats(game, leaves.descent_.positions) || (game.is_over() && game.passes() < 2))
            return end_by_rule(leaves);
        Node* const child = child_of(node->edges[edge], game);
        if (!child) {
            memory_full_ = true;
            for (const Step& step : leaves.descent_.path)
                --step.node->pending, --step.node->edges[step.edge].pending;
            return Outcome::full;
        }
        node = child;
    }
    depth_ = std::max(depth_, static_cast<int>(leaves.descent_.path.size()));
    return arrive(*node, leaves);
}

// A virtual loss on the way down keeps the descents of one batch apart.
void Tree::enter(Node& node, int edge, Descent& descent) {
    ++node.pending;
    ++node.edges[edge].pending;
    descent.path.push_back({&node, static_cast<std::uint32_t>(edge), 0});
    // In a large tree every node is a cache miss: it is fetched while the move is played.
    const Node* const child = node.edges[edge].child;
    prefetch(child);
    descent.game.play_assume_legal(node.edges[edge].move, descent.game.to_play());
    if (child) prefetch(child->edges);
    if (options_.correction > 0) descent.path.back().pattern = Corrections::pattern(descent.game);
}

// The descent has come to a node it cannot leave.
Tree::Outcome Tree::arrive(Node& node, Leaves& leaves) {
    const Game& game = leaves.descent_.game;
    if (node.state == State::pending) {
        if (leaves.descent_.collided_count == leaves.descent_.collided.size())
            leaves.descent_.collided.emplace_back();
        leaves.descent_.collided[leaves.descent_.collided_count++] = leaves.descent_.path;
        ++collisions_;
        return Outcome::collided;
    }
    if (node.state == State::fresh && !(game.passes() >= 2 && game.rules().scoring == Scoring::area)) {
        if (cache_ && game.passes() < 2 && cache_->find(cache_key(game), leaves.judgement_)) {
            remember(node, leaves);
            return Outcome::ended;
        }
        request(node, leaves);
        return Outcome::leaf;
    }
    double score = node.mean_score();
    if (node.state == State::fresh) {  // two passes, scored as the board stands
        const float lead = game.black_score();
        node.state = State::terminal;
        node.value = static_cast<float>(value_for(game.to_play(), lead));
        score = static_cast<double>(lead) + static_cast<double>(game.komi());
        if (options_.prove && lead != 0) node.proof = node.value > 0 ? Proof::win : Proof::loss;
    } else if (node.state == State::expanded && node.proof == Proof::none) {
        // Every move is lost or forbidden here. Where analysis forbade moves nothing is proven.
        if (leaves.descent_.path.empty()) exhausted_ = true;
        const bool restricted = static_cast<int>(leaves.descent_.path.size()) < restricted_depth();
        if (options_.prove && !restricted) node.proof = Proof::loss;
    }
    finish(node, leaves, score);
    return Outcome::ended;
}

// Backs up what is known at this node without asking the network.
void Tree::finish(Node& node, Leaves& leaves, double black_score) {
    double value = node.value;
    if (node.proof != Proof::none) value = node.proof == Proof::win ? 1 : 0;
    ++node.visits;
    node.sum += value;
    node.score_sum += static_cast<float>(black_score);
    if (node.exported_proof() != Proof::none) prove(node, leaves.descent_.path);
    back_up(leaves.descent_.path.data(), leaves.descent_.path.size(), value, black_score);
}

// What is certain at the end of a path decides the move that led there: if it wins outright, so does the node
// before.
void Tree::prove(const Node& node, const std::vector<Step>& path) {
    if (path.empty()) return;
    const auto edge = [](const Step& step) -> Edge& { return step.node->edges[step.edge]; };
    if (node.proof == Proof::win) {
        edge(path.back()).lost = 1;
        return;
    }
    Node& winner = *path.back().node;
    winner.proof = Proof::win;
    if (path.size() > 1 && !winner.shared) edge(path[path.size() - 2]).lost = 1;
}

// A repeated position where no superko forbids it is no result: half a point each. The move limit scores the
// board.
Tree::Outcome Tree::end_by_rule(Leaves& leaves) {
    const Game& game = leaves.descent_.game;
    const float lead = game.is_over() && !game.is_void() ? game.black_score() : 0;
    back_up(leaves.descent_.path.data(), leaves.descent_.path.size(), value_for(game.to_play(), lead),
            static_cast<double>(lead) + static_cast<double>(game.komi()));
    return Outcome::ended;
}

// The network has judged this position before.
void Tree::remember(Node& node, Leaves& leaves) {
    if (!node.priors) list_moves(node, leaves.descent_.game);
    expand(node, leaves.judgement_, pass_prior(node, leaves.descent_.game));
    learn(node, leaves.judgement_,
          corrected(node, leaves.descent_.path.empty() ? nullptr : &leaves.descent_.path.back()));
    back_up(leaves.descent_.path.data(), leaves.descent_.path.size(), node.sum,
            leaves.judgement_.black_score);
    if (&node == root_) prepare_root();
}

// Of the eight views of a position, how many the network is given.
int Tree::views(const Node& node) const {
    const bool root = options_.root_symmetries && &node == root_ && node.state != State::expanded;
    return root || options_.symmetries == Symmetries::all ? 8 : 1;
}

void Tree::request(Node& node, Leaves& leaves) {
    const Game& game = leaves.descent_.game;
    Leaf leaf{this, &node, static_cast<std::uint32_t>(leaves.steps_.size()), 0, 0, 0, 0, -1, 0, nullptr};
    leaves.steps_.insert(leaves.steps_.end(), leaves.descent_.path.begin(), leaves.descent_.path.end());
    leaf.end_step = static_cast<std::uint32_t>(leaves.steps_.size());
    node.state = State::pending;
    if (game.passes() >= 2) {
        leaf.ending = std::make_unique<Game>(game);
    } else {
        if (!node.priors) list_moves(node, game);
        leaf.pass_prior = pass_prior(node, game);
        if (cache_) leaf.cache_key = cache_key(game);
    }
    const int rows = views(node);
    const bool random = rows == 1 && options_.symmetries == Symmetries::random;
    leaves.add_rows(leaf, game, random ? static_cast<int>(random_.below(8)) : 0, rows);
    leaves.leaves_.push_back(std::move(leaf));
    ++outstanding_;
}

// The key of a position follows from its parent's and the move, so an edge remembers its child.
Node* Tree::child_of(Edge& edge, const Game& game) {
    if (edge.child) return edge.child;
    const std::uint64_t child_key = key(game);
    Node* child = options_.history ? table_.find(child_key) : nullptr;
    if (child) {
        child->shared = true;
    } else {
        child = create(child_key);
    }
    edge.child = child;
    return child;
}

bool Tree::repeats(const Game& game, std::vector<std::uint64_t>& positions) const {
    if (game.rules().ko != Ko::simple || game.passes() > 0)
        return false;  // a cycle has a move that is no pass
    const std::uint64_t position = game.board().hash() ^ zobrist_to_play(game.to_play());
    const bool seen = std::find(positions.begin(), positions.end(), position) != positions.end();
    positions.push_back(position);
    return seen;
}

bool Tree::playable(const Game& game, Move move, int ply) const {
    for (const Restriction& restriction : restrictions_)
        if (restriction.forbids(move, game.to_play(), ply)) return false;
    return game.is_legal(move, game.to_play());
}

int Tree::restricted_depth() const {
    int depth = 0;
    for (const Restriction& restriction : restrictions_) depth = std::max(depth, restriction.until_depth);
    return depth;
}

void Tree::take_back_collisions(Leaves& leaves) {
    for (std::size_t i = 0; i < leaves.descent_.collided_count; ++i)
        for (const Step& step : leaves.descent_.collided[i]) {
            --step.node->pending;
            --step.node->edges[step.edge].pending;
        }
    leaves.descent_.collided_count = 0;
}

}  // namespace tesuji
