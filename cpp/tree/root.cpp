// The root: where a search begins, what it keeps of earlier ones, and the noise of self-play.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tree/tree.h"

namespace tesuji {

namespace {

// Gamma variates by Marsaglia and Tsang, from our own generator so that every machine draws the same.
double gamma_variate(double shape, Random& random) {
    if (shape < 1) return gamma_variate(shape + 1, random) * std::pow(random.uniform() + 1e-300, 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
        const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
        const double normal = radius * std::cos(2 * 3.14159265358979323846 * random.uniform());
        const double cube = std::pow(1 + c * normal, 3);
        if (cube <= 0) continue;
        if (std::log(1 - random.uniform()) < 0.5 * normal * normal + d - d * cube + d * std::log(cube))
            return d * cube;
    }
}

bool same_conditions(const Game& a, const Game& b) {
    return a.size() == b.size() && a.komi() == b.komi() && a.rules() == b.rules();
}

// Whether `later` went on from `earlier` by alternate moves.
bool continues(const Game& earlier, const Game& later) {
    const std::vector<Turn>&before = earlier.moves(), &after = later.moves();
    if (after.size() < before.size() || earlier.start_to_play() != later.start_to_play() ||
        earlier.start_board() != later.start_board() ||
        !std::equal(before.begin(), before.end(), after.begin()))
        return false;
    Color color = earlier.to_play();
    for (std::size_t i = before.size(); i < after.size(); ++i, color = opponent(color))
        if (after[i].color != color) return false;
    return later.to_play() == color;
}

}  // namespace

Tree::Tree(const TreeOptions& options, const PlaneSet& planes, int size,
           std::shared_ptr<EvaluationCache> cache)
    : options_(options),
      planes_(&planes),
      cache_(std::move(cache)),
      root_game_(size, 0, Rules{}),
      random_(options.seed),
      memory_(std::make_unique<Memory>()) {
    if (cache_ && cache_->size() != size)
        throw std::invalid_argument("the cache was made for another board size");
}

void Tree::clear() {
    const std::lock_guard lock(mutex_);
    if (outstanding_) throw std::logic_error("the tree still waits for evaluations");
    root_ = nullptr;
    memory_ = std::make_unique<Memory>();
    table_ = Table();
    nodes_ = 0;
}

std::uint32_t Tree::set_root(const Game& game) {
    const std::lock_guard lock(mutex_);
    if (outstanding_) throw std::logic_error("the tree still waits for evaluations");
    // A position without result may be asked about all the same: not every server ends the game there.
    if (game.is_over() && !game.is_void())
        throw std::invalid_argument("the game is over: there is no move to search");
    if (game.size() != size()) throw std::invalid_argument("the tree was made for another board size");
    bool tainted = false;
    Node* const kept = find_root(game, tainted);
    const Node* const before = root_prepared_ ? root_ : nullptr;
    root_game_ = game;
    root_ = kept;
    if (!root_) {
        memory_ = std::make_unique<Memory>();
        table_ = Table();
        nodes_ = 0;
        root_ = create(key(game));
        if (!root_) throw std::invalid_argument("the memory limit leaves no room for a single node");
    } else if ((tainted && options_.prove) || bytes() > options_.memory / 2) {
        compact(!tainted);
    }
    memory_full_ = exhausted_ = false;
    descents_ = evaluations_ = collisions_ = 0;
    depth_ = 0;
    pass_share_ = 0;
    if (!kept || kept != before) corrections_.age();
    forget_ownership(kept != nullptr);
    // The same root again keeps its noise.
    if (kept && kept == before) return root_->visits;
    root_prepared_ = false;
    gumbel_.clear();
    if (root_->state == State::expanded) prepare_root();
    return root_->visits;
}

// A search that needs no new evaluation still has what the last one thought, a move or two ago.
void Tree::forget_ownership(bool keep_mean) {
    if (ownership_count_ == 0) return;
    for (double& sum : ownership_sum_) sum /= static_cast<double>(ownership_count_);
    ownership_count_ = 1;
    if (keep_mean) return;
    ownership_sum_.clear();
    ownership_count_ = 0;
}

// The node of this game, by the moves made since the last root or by its position. `tainted`: the tree may
// have come to it by other paths, on which superko allows other moves.
Node* Tree::find_root(const Game& game, bool& tainted) {
    // Sequential halving counts visits from zero.
    if (!root_ || options_.gumbel_moves || !same_conditions(root_game_, game)) return nullptr;
    const std::uint64_t wanted = key(game);
    if (continues(root_game_, game)) {
        Node* node = root_;
        for (std::size_t i = root_game_.moves().size(); node && i < game.moves().size(); ++i) {
            const Move* const moves = node->moves();
            const auto edge = std::find(moves, moves + node->edge_count, game.moves()[i].move) - moves;
            node = edge < node->edge_count ? node->edges[edge].child : nullptr;
            tainted = tainted || (node && node->shared);
        }
        if (node && node->key == wanted && node->state != State::terminal) return node;
    }
    tainted = true;
    Node* const node = options_.history ? table_.find(wanted) : nullptr;
    return node && node->state != State::terminal ? node : nullptr;
}

// Copies what the root can reach into new memory and drops the rest.
void Tree::compact(bool keep_proofs) {
    auto memory = std::make_unique<Memory>();
    Table table;
    std::vector<Node*> copies;  // in order of discovery; their edges still lead to old nodes until their turn
    const auto copy = [&](Node* old) {
        // An old node that was copied leads to its copy through `edges`, and is marked by having no priors
        // and a key of 0.
        if (old->shared && old->key == 0) return reinterpret_cast<Node*>(old->edges);
        Node* const node = new (memory->allocate(sizeof(Node), alignof(Node))) Node(*old);
        if (old->priors) {
            const std::size_t bytes = old->move_count * (sizeof(float) + sizeof(Move));
            node->priors = static_cast<float*>(memory->allocate(bytes));
            std::copy_n(reinterpret_cast<std::byte*>(old->priors), bytes,
                        reinterpret_cast<std::byte*>(node->priors));
        }
        if (old->edges) {
            const int log2 = std::bit_width(static_cast<unsigned>(old->edge_room)) - 1;
            node->edges = static_cast<Edge*>(memory->allocate_list(sizeof(Edge), log2));
            std::copy_n(old->edges, old->edge_count, node->edges);
            if (!keep_proofs)
                for (int i = 0; i < node->edge_count; ++i) node->edges[i].lost = 0;
        }
        if (!keep_proofs && node->state != State::terminal) node->proof = Proof::none;
        old->shared = true;
        old->key = 0;
        old->edges = reinterpret_cast<Edge*>(node);
        if (options_.history) table.insert(node);
        copies.push_back(node);
        return node;
    };
    root_ = copy(root_);
    for (std::size_t i = 0; i < copies.size(); ++i)
        for (int edge = 0; edge < copies[i]->edge_count; ++edge)
            if (Node*& child = copies[i]->edges[edge].child) child = copy(child);
    nodes_ = copies.size();
    memory_ = std::move(memory);
    table_ = std::move(table);
}

void Tree::set_target(std::uint32_t visits) {
    const std::lock_guard lock(mutex_);
    target_ = visits;
    if (root_ && root_prepared_) prepare_gumbel();
}

void Tree::set_restrictions(std::vector<Restriction> restrictions) {
    const std::lock_guard lock(mutex_);
    restrictions_ = std::move(restrictions);
}

void Tree::set_pass_share(double share) {
    const std::lock_guard lock(mutex_);
    pass_share_ = share;
}

// Once the root has priors: remember the network's, then add what self-play adds.
void Tree::prepare_root() {
    root_priors_.assign(root_game_.board().area() + 1, 0.0F);
    for (int i = 0; i < root_->move_count; ++i) {
        const Move move = root_->moves()[i];
        (move == pass ? root_priors_.back() : root_priors_[move]) = root_->priors[i];
    }
    root_prepared_ = true;
    if (options_.root_temperature != 1) even_out_priors();
    if (options_.noise > 0) add_noise();
    prepare_gumbel();
}

void Tree::even_out_priors() {
    double sum = 0;
    for (int i = 0; i < root_->move_count; ++i)
        sum += std::pow(static_cast<double>(root_->priors[i]), 1 / options_.root_temperature);
    for (int i = 0; i < root_->move_count; ++i)
        root_->priors[i] = static_cast<float>(
            std::pow(static_cast<double>(root_->priors[i]), 1 / options_.root_temperature) / sum);
    for (int i = 0; i < root_->edge_count; ++i) root_->edges[i].prior = root_->priors[i];
    find_next_prior(*root_);  // the order stays
}

void Tree::add_noise() {
    const double alpha = options_.noise_alpha > 0 ? options_.noise_alpha : 10.83 / root_->move_count;
    std::vector<double> noise(root_->move_count);
    double sum = 0;
    for (double& share : noise) sum += share = gamma_variate(alpha, random_);
    for (int i = 0; i < root_->move_count; ++i)
        root_->priors[i] = static_cast<float>((1 - options_.noise) * static_cast<double>(root_->priors[i]) +
                                              options_.noise * noise[i] / sum);
    for (int i = 0; i < root_->edge_count; ++i) root_->edges[i].prior = root_->priors[i];
    root_->sorted = root_->edge_count;  // the untried moves have a new order
    find_next_prior(*root_);
}

bool Tree::done() const {
    return memory_full_ || exhausted_ || root_->visits >= target_ ||
           (root_->proof != Proof::none && restrictions_.empty());
}

bool Tree::decided() const {
    if (!options_.early_stop || target_ == unlimited_visits) return false;
    std::uint32_t first = 0, second = 0;
    for (int i = 0; i < root_->edge_count; ++i) {
        const std::uint32_t visits = root_->edges[i].visits;
        second = std::max(second, std::min(first, visits));
        first = std::max(first, visits);
    }
    return root_->visits + (first - second) > target_;
}

bool Tree::finished() const {
    const std::lock_guard lock(mutex_);
    return !root_ || done() || decided();
}

}  // namespace tesuji
