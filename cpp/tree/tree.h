// The search tree: PUCT and its generalisation over a graph of positions, with virtual loss.
//
// A search is three steps in a loop: `gather` descends to new positions and encodes them, somebody evaluates
// them, `Leaves::scatter` expands and backs up. Several threads may do so at once, each with its own Leaves:
// one mutex guards the tree, held for the microseconds of a descent or a backup and never during an
// evaluation.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "go/game.h"
#include "planes/planes.h"
#include "tree/cache.h"
#include "tree/corrections.h"
#include "tree/leaves.h"
#include "tree/memory.h"
#include "tree/node.h"
#include "tree/options.h"
#include "tree/table.h"
#include "tree/watched_mutex.h"

namespace tesuji {

// What the search knows of one move. `depth` and `parent` place it where several are listed.
struct MoveStatistics {
    Move move = pass;
    std::uint32_t visits = 0;
    double value = 0;  // mean, for the player who makes the move; meaningless at 0 visits
    double deviation = 0;
    float prior = 0;
    double black_score = 0;     // mean lead on the board; meaningless where the network gives none
    Proof proof = Proof::none;  // for the player who makes the move
    int parent = -1, depth = 1;
};

struct VisitedMove {
    Move move = pass;
    std::uint32_t visits = 0;
};

struct TreeStatistics {
    std::uint32_t visits = 0;                                     // of the root
    std::uint64_t descents = 0, evaluations = 0, collisions = 0;  // since the root was set
    std::uint64_t nodes = 0;
    std::size_t bytes = 0;
    int depth = 0;       // of the deepest descent
    double value = 0.5;  // the root's mean, for its player to move
    float network_value = 0.5F;
    double black_score = 0;
    double waited = 0;  // seconds that threads have waited for the tree since it was made, together
    bool has_score = false, memory_full = false;
    Proof proof = Proof::none;
};

class Tree {
  public:
    // The cache, where there is one, is shared with other trees of the same network and size.
    Tree(const TreeOptions& options, const PlaneSet& planes, int size,
         std::shared_ptr<EvaluationCache> cache = nullptr);
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    const TreeOptions& options() const { return options_; }
    int size() const { return root_game_.size(); }

    // Searches from this game on. What is known of its position is kept when it is found in the tree; returns
    // the root's visits. Throws std::logic_error while leaves are out, std::invalid_argument when the game is
    // over.
    std::uint32_t set_root(const Game& game);
    void clear();

    void set_target(std::uint32_t visits);  // of the root, kept ones included
    void set_restrictions(std::vector<Restriction> restrictions);

    // Until the next root, at least this share of the root's descents passes: a player who considers passing
    // must know what it is worth, however little the priors think of it.
    void set_pass_share(double share);

    // Descends until `count` new leaves are found; fewer when the target is near, or when descents keep
    // meeting in the same leaves: a second descent to a leaf under way is taken back and not counted. With
    // nothing to do but wait for another thread's leaves it waits a little.
    int gather(Leaves& leaves, int count);
    // Rows of the network's batch that `gather` with this count would fill, at most.
    int rows_of_batch(int count);
    bool finished() const;

    TreeStatistics statistics() const;
    std::vector<MoveStatistics> root_moves() const;  // every legal move, by visits and then prior
    std::vector<VisitedMove> variation(Move first, int length) const;  // the most visited continuation
    std::vector<MoveStatistics> subtree(int depth, int width) const;
    std::vector<float> black_ownership()
        const;  // mean over the evaluations since the root was set; may be empty
    std::vector<std::pair<Move, double>> improved_policy() const;  // Gumbel's, for training; see gumbel.cpp

    // Visits of the root's moves if the search went on until `unknown` more positions wanted a network's
    // answer, each taken to be worth its move's mean so far and to count as `weight` visits (Batch MCTS,
    // 2021). The tree stays as it is.
    std::vector<std::pair<Move, std::uint32_t>> last_iteration(int unknown, double weight);

    // The winner of sequential halving; none where there was no halving, as in a search without end.
    std::optional<Move> gumbel_move();

    // For tests: the moves a descent may make after this path of moves from the root, and the broken
    // invariants.
    std::vector<Move> playable_moves(const std::vector<Move>& path) const;
    std::vector<std::string> violations() const;

  private:
    friend class Leaves;
    enum class Outcome { leaf, ended, collided, full };

    // descend.cpp
    Outcome descend(Leaves& leaves);
    Outcome arrive(Node& node, Leaves& leaves);
    void finish(Node& node, Leaves& leaves, double black_score);
    void prove(const Node& node, const std::vector<Step>& path);
    Outcome end_by_rule(Leaves& leaves);
    void remember(Node& node, Leaves& leaves);
    void request(Node& node, Leaves& leaves);
    void enter(Node& node, int edge, Descent& descent);
    Node* child_of(Edge& edge, const Game& game);
    bool repeats(const Game& game, std::vector<std::uint64_t>& positions) const;
    bool playable(const Game& game, Move move, int ply) const;
    int restricted_depth() const;
    void take_back_collisions(Leaves& leaves);
    bool imagine(Descent& descent, std::vector<Step>& imagined);

    // bandit.cpp
    int select(Node& node, const Game& game, int ply);
    int due_pass(const Node& node) const;
    int second_edge(const Node& node) const;
    double reach(const Node& node) const;
    double spread(const Node& node) const;
    // Where stones were given the win rate says little for long: the score tells good moves from bad ones.
    double handicap_score() const { return root_game_.handicap() >= 2 ? options_.handicap_score : 0; }
    double score_weight() const { return std::max(options_.score_weight, handicap_score() / 3); }
    double score_weight_near() const { return std::max(options_.score_weight_near, handicap_score()); }
    bool counts_score() const { return has_score_ && (score_weight() != 0 || score_weight_near() != 0); }
    double score_utility(double black_score, Color color) const;
    double worth(const Edge& edge, double untried, Color color) const;
    int best_edge(const Node& node, Color color) const;
    bool is_skipped(const Node& node, int edge) const;
    void find_next_prior(Node& node);
    double first_play(const Node& node, Color color) const;
    void open_next_edge(Node& node);
    void sort_moves(Node& node, int needed);

    // expand.cpp
    Node* create(std::uint64_t key);
    void list_moves(Node& node, const Game& game);
    float pass_prior(const Node& node, const Game& game) const;
    void accept(Leaf& leaf, const Step* steps, const Judgement& judgement);
    void abandon(Leaf& leaf, const Step* steps);
    void learn(Node& node, const Judgement& judgement, double value);
    double corrected(const Node& node, const Step* last) const;
    void expand(Node& node, const Judgement& judgement, float pass_prior);
    void settle(Node& node, const Game& ending, const Judgement& judgement);
    void back_up(const Step* steps, std::size_t count, double value, double black_score);

    // root.cpp, gumbel.cpp
    Node* find_root(const Game& game, bool& tainted);
    void forget_ownership(bool keep_mean);
    void compact(bool keep_proofs);
    void prepare_root();
    void even_out_priors();
    void add_noise();
    int views(const Node& node) const;
    int batch_now(int count) const;
    void prepare_gumbel();
    int best_gumbel_edge(const Node& node, bool at_end) const;
    double mixed_value(const Node& node) const;
    double value_scale(const Node& node, double untried) const;

    std::uint64_t key(const Game& game) const;
    std::uint64_t cache_key(const Game& game) const;
    bool done() const;
    bool decided() const;  // the most visited move cannot be overtaken
    std::size_t bytes() const { return memory_->bytes() + table_.bytes(); }

    TreeOptions options_;
    const PlaneSet* planes_;
    std::shared_ptr<EvaluationCache> cache_;
    Game root_game_;
    Random random_;
    std::unique_ptr<Memory> memory_;
    Table table_;
    Node* root_ = nullptr;
    std::uint64_t nodes_ = 0;
    Corrections corrections_;

    std::uint32_t target_ = unlimited_visits;
    std::vector<Restriction> restrictions_;
    double pass_share_ = 0;
    std::uint32_t outstanding_ = 0;  // leaves given out
    bool memory_full_ = false, exhausted_ = false;
    std::uint64_t descents_ = 0, evaluations_ = 0, collisions_ = 0;
    int depth_ = 0;
    bool has_score_ = true;
    std::vector<double> ownership_sum_;
    std::uint64_t ownership_count_ = 0;

    bool root_prepared_ = false;
    std::vector<float> root_priors_;  // by point, pass last: the network's, before noise
    std::vector<double> gumbel_;      // by point, pass last
    std::vector<std::uint32_t> gumbel_schedule_;

    std::vector<int> skipped_;                     // scratch of `select`
    std::vector<std::pair<float, Move>> ranking_;  // scratch of `sort_moves`

    mutable WatchedMutex mutex_;
    std::condition_variable_any progress_;
};

}  // namespace tesuji
