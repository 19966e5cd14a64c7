// Several threads share search trees: gathering, scattering, giving leaves back, reading, while the game goes
// on.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "go/playout.h"
#include "tree/tree.h"

namespace {

using namespace tesuji;

void require(bool truth, const char* what) {
    if (truth) return;
    std::fprintf(stderr, "fuzz_tree: %s\n", what);
    std::exit(1);
}

// Stands in for a network: random, but quick.
struct Answers {
    std::vector<float> policy, value, score, ownership;

    EvaluationRows draw(int rows, int area, Random& random) {
        policy.resize(static_cast<std::size_t>(rows) * (area + 1));
        value.resize(rows);
        score.assign(rows, 1.5F);
        ownership.assign(static_cast<std::size_t>(rows) * area, 0.25F);
        for (float& p : policy) p = static_cast<float>(random.uniform());
        for (float& v : value) v = static_cast<float>(random.uniform());
        return {rows, policy.data(), value.data(), score.data(), ownership.data()};
    }
};

void work(Tree& tree, const PlaneSet& planes, std::uint64_t seed) {
    Random random(seed);
    Leaves leaves(planes, tree.size(), 64);
    Answers answers;
    while (!tree.finished()) {
        tree.gather(leaves, 1 + static_cast<int>(random.below(7)));
        if (random.below(20) == 0)
            leaves.abandon();
        else if (leaves.rows())
            leaves.scatter(answers.draw(leaves.rows(), tree.size() * tree.size(), random));
    }
}

void read(const Tree& tree, const std::atomic<bool>& over) {
    while (!over) {
        for (const MoveStatistics& move : tree.root_moves())
            require(move.visits == 0 || (move.value >= 0 && move.value <= 1), "a value outside 0..1");
        tree.subtree(3, 3);
        tree.black_ownership();
        tree.improved_policy();
        tree.variation(pass, 5);
        require(tree.statistics().depth >= 0, "no depth");
        std::this_thread::yield();
    }
}

TreeOptions options_for(std::uint64_t seed, Random& random) {
    TreeOptions options;
    options.seed = seed;
    options.history = static_cast<int>(random.below(3)) * 4;
    options.symmetries = static_cast<Symmetries>(random.below(3));
    options.prove = random.below(2);
    options.noise = random.below(2) ? 0.25 : 0;
    options.gumbel_moves = random.below(3) ? 0 : 8;
    options.has_pass = random.below(2);
    options.memory = std::size_t{1} << (18 + random.below(5));
    options.penalty = static_cast<Penalty>(random.below(2));
    options.batch_growth = static_cast<int>(random.below(3)) * 20;
    options.correction = random.below(2) ? 0.5 : 0;
    options.first_play = static_cast<FirstPlay>(random.below(5));
    options.first_play_reduction = random.below(2) ? 0.2 : 0;
    options.c_log = random.below(2) ? 0.4 : 0;
    options.c_spread = random.below(2) ? 0.8 : 0;
    options.score_weight = random.below(2) ? 0.2 : 0;
    options.score_weight_near = random.below(2) ? 0.1 : 0;
    options.root_symmetries = random.below(2);
    options.root_temperature = random.below(2) ? 1.2 : 1;
    options.second_move = random.below(3) == 0;
    options.early_stop = random.below(3) == 0;
    return options;
}

// One game: a tree searched by three threads and read by a fourth before every move.
void play(std::uint64_t seed, const std::shared_ptr<EvaluationCache>& cache) {
    Random random(seed);
    constexpr Rules rules[] = {{Ko::positional, true, Scoring::area},
                               {Ko::situational, false, Scoring::area},
                               {Ko::simple, false, Scoring::territory}};
    const PlaneSet& planes = PlaneSet::named("golois-31");
    Game game(5, 6.5F, rules[seed % 3]);
    Tree tree(options_for(seed, random), planes, 5, random.below(2) ? cache : nullptr);
    for (int move = 0; move < 12 && !game.is_over(); ++move) {
        tree.set_root(game);
        tree.set_pass_share(random.below(2) ? 0.05 : 0);
        tree.set_target(50 + random.below(400));
        std::atomic<bool> over = false;
        std::thread reader([&] { read(tree, over); });
        std::vector<std::thread> workers;
        for (std::uint64_t i = 0; i < 3; ++i)
            workers.emplace_back([&, i] { work(tree, planes, seed * 100 + i); });
        for (std::thread& worker : workers) worker.join();
        over = true;
        reader.join();
        for (const std::string& violation : tree.violations()) require(false, violation.c_str());
        tree.last_iteration(8, 1);
        for (const std::string& violation : tree.violations()) require(false, violation.c_str());
        const std::vector<MoveStatistics> moves = tree.root_moves();
        require(!moves.empty(), "no move");
        require(game.is_legal(moves[0].move, game.to_play()), "an illegal move");
        game.play_assume_legal(moves[0].move, game.to_play());
    }
}

}  // namespace

int main() {
    const auto cache = std::make_shared<EvaluationCache>(4096, 5);
    for (std::uint64_t seed = 1; seed <= 24; ++seed) play(seed, cache);
    std::puts("fuzz_tree: all held");
}
