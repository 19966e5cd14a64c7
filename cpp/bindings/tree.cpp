// The search tree and its leaves. The GIL is released while they descend and back up.
#include "tree/tree.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include "bindings.h"

using namespace nb::literals;

namespace tesuji {
namespace {

using Floats1 = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Floats2 = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Floats3 = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

nb::ndarray<nb::numpy, float, nb::ndim<4>> planes_of(Leaves& leaves, nb::handle self) {
    const auto size = static_cast<std::size_t>(leaves.size());
    const auto rows = static_cast<std::size_t>(leaves.rows());
    const auto channels = static_cast<std::size_t>(leaves.plane_set().channels());
    return {leaves.planes(), {rows, channels, size, size}, self};
}

void scatter(Leaves& leaves, const Floats2& policy, const Floats1& value,
             const std::optional<Floats1>& black_score, const std::optional<Floats3>& black_ownership) {
    const auto rows = static_cast<std::size_t>(leaves.rows());
    const auto size = static_cast<std::size_t>(leaves.size());
    EvaluationRows evaluation;
    evaluation.rows = leaves.rows();
    const bool fits =
        policy.shape(0) == rows && value.shape(0) == rows && policy.shape(1) == size * size + 1 &&
        (!black_score || black_score->shape(0) == rows) &&
        (!black_ownership || (black_ownership->shape(0) == rows && black_ownership->shape(1) == size &&
                              black_ownership->shape(2) == size));
    if (!fits) evaluation.rows = -1;  // refused by the leaves, who then take their descents back
    evaluation.policy = policy.data();
    evaluation.value = value.data();
    if (black_score) evaluation.black_score = black_score->data();
    if (black_ownership) evaluation.black_ownership = black_ownership->data();
    const nb::gil_scoped_release release;
    leaves.scatter(evaluation);
}

// One call advances any number of trees, from `first` on: of each as many leaves as its number of `counts`,
// or none when there is no room for all of them, for a search in smaller batches is another search. Returns
// the tree to begin with next time: the first that found no room, else the second of this time, so that none
// is always the last.
int gather_all(const std::vector<Tree*>& trees, Leaves& leaves, const std::vector<int>& counts, int first) {
    const nb::gil_scoped_release release;
    const auto count = static_cast<int>(trees.size());
    if (counts.size() != trees.size()) throw std::invalid_argument("as many counts as trees are wanted");
    for (int i = 0; i < count; ++i) {
        const int index = (first + i) % count;
        if (leaves.rows() > 0 && leaves.room() < trees[index]->rows_of_batch(counts[index])) return index;
        trees[index]->gather(leaves, counts[index]);
    }
    return count ? (first + 1) % count : 0;
}

Restriction restriction_from(Color color, const Moves& moves, bool allow, int until_depth, int size) {
    Restriction restriction;
    restriction.color = color;
    restriction.allow = allow;
    restriction.until_depth = until_depth;
    for (const nb::handle item : moves) {
        const Move move = move_from(item, size);
        if (move == pass)
            restriction.pass_included = true;
        else
            restriction.points.add(move);
    }
    return restriction;
}

std::vector<int> ints(const std::vector<Move>& moves) { return {moves.begin(), moves.end()}; }

void bind_options(nb::module_& module) {
    nb::enum_<FirstPlay>(module, "FirstPlay", "The value of a move nobody has tried.")
        .value("PARENT", FirstPlay::parent)
        .value("NETWORK", FirstPlay::network)
        .value("SIBLINGS", FirstPlay::siblings)
        .value("BEST", FirstPlay::best)
        .value("FIXED", FirstPlay::fixed);
    nb::enum_<Penalty>(module, "Penalty", "What a descent under way counts as.")
        .value("LOSS", Penalty::loss)
        .value("MEAN", Penalty::mean);
    nb::enum_<Symmetries>(module, "Symmetries", "How many of the eight views of a leaf the network judges.")
        .value("NONE", Symmetries::none)
        .value("RANDOM", Symmetries::random)
        .value("ALL", Symmetries::all);
    nb::enum_<Proof>(module, "Proof", "What is certain for the player a statistic belongs to.")
        .value("NONE", Proof::none)
        .value("LOSS", Proof::loss)
        .value("WIN", Proof::win);
    nb::class_<TreeOptions>(module, "TreeOptions",
                            "What a tree may vary; tesuji.SearchOptions explains each field.")
        .def(nb::init<>())
        .def_rw("c", &TreeOptions::c)
        .def_rw("tau", &TreeOptions::tau)
        .def_rw("first_play", &TreeOptions::first_play)
        .def_rw("first_play_reduction", &TreeOptions::first_play_reduction)
        .def_rw("first_play_value", &TreeOptions::first_play_value)
        .def_rw("c_log", &TreeOptions::c_log)
        .def_rw("c_base", &TreeOptions::c_base)
        .def_rw("c_spread", &TreeOptions::c_spread)
        .def_rw("penalty", &TreeOptions::penalty)
        .def_rw("penalty_weight", &TreeOptions::penalty_weight)
        .def_rw("correction", &TreeOptions::correction)
        .def_rw("batch_growth", &TreeOptions::batch_growth)
        .def_rw("score_weight", &TreeOptions::score_weight)
        .def_rw("score_weight_near", &TreeOptions::score_weight_near)
        .def_rw("handicap_score", &TreeOptions::handicap_score)
        .def_rw("root_symmetries", &TreeOptions::root_symmetries)
        .def_rw("root_temperature", &TreeOptions::root_temperature)
        .def_rw("second_move", &TreeOptions::second_move)
        .def_rw("history", &TreeOptions::history)
        .def_rw("symmetries", &TreeOptions::symmetries)
        .def_rw("prove", &TreeOptions::prove)
        .def_rw("early_stop", &TreeOptions::early_stop)
        .def_rw("has_pass", &TreeOptions::has_pass)
        .def_rw("pass_prior", &TreeOptions::pass_prior)
        .def_rw("pass_back_prior", &TreeOptions::pass_back_prior)
        .def_rw("noise", &TreeOptions::noise)
        .def_rw("noise_alpha", &TreeOptions::noise_alpha)
        .def_rw("gumbel_moves", &TreeOptions::gumbel_moves)
        .def_rw("gumbel_scale", &TreeOptions::gumbel_scale)
        .def_rw("gumbel_noise", &TreeOptions::gumbel_noise)
        .def_rw("memory", &TreeOptions::memory)
        .def_rw("seed", &TreeOptions::seed);
}

void bind_statistics(nb::module_& module) {
    nb::class_<MoveStatistics>(module, "MoveStatistics", "What the search knows of one move.")
        .def_ro("move", &MoveStatistics::move)
        .def_ro("visits", &MoveStatistics::visits)
        .def_ro("value", &MoveStatistics::value)
        .def_ro("deviation", &MoveStatistics::deviation)
        .def_ro("prior", &MoveStatistics::prior)
        .def_ro("black_score", &MoveStatistics::black_score)
        .def_ro("proof", &MoveStatistics::proof)
        .def_ro("parent", &MoveStatistics::parent)
        .def_ro("depth", &MoveStatistics::depth);
    nb::class_<TreeStatistics>(module, "TreeStatistics", "What a tree knows of itself.")
        .def_ro("visits", &TreeStatistics::visits)
        .def_ro("descents", &TreeStatistics::descents)
        .def_ro("evaluations", &TreeStatistics::evaluations)
        .def_ro("collisions", &TreeStatistics::collisions)
        .def_ro("nodes", &TreeStatistics::nodes)
        .def_ro("bytes", &TreeStatistics::bytes)
        .def_ro("depth", &TreeStatistics::depth)
        .def_ro("value", &TreeStatistics::value)
        .def_ro("network_value", &TreeStatistics::network_value)
        .def_ro("black_score", &TreeStatistics::black_score)
        .def_ro("waited", &TreeStatistics::waited)
        .def_ro("has_score", &TreeStatistics::has_score)
        .def_ro("memory_full", &TreeStatistics::memory_full)
        .def_ro("proof", &TreeStatistics::proof);
}

void bind_leaves(nb::module_& module) {
    nb::class_<Leaves>(module, "Leaves",
                       "Positions on their way to the network: gather fills them, scatter empties them.")
        .def(
            "__init__",
            [](Leaves* self, const std::string& planes, int size, int rows) {
                new (self) Leaves(PlaneSet::named(planes), size, rows);
            },
            "planes"_a, "size"_a, "rows"_a)
        .def("__len__", &Leaves::rows)
        .def_prop_ro(
            "planes", [](nb::handle self) { return planes_of(nb::cast<Leaves&>(self), self); },
            "A view `[B, C, N, N]` of the encoded positions, good until the next gather.")
        .def_prop_ro(
            "komi",
            [](nb::handle self) {
                Leaves& leaves = nb::cast<Leaves&>(self);
                return nb::ndarray<nb::numpy, float, nb::ndim<1>>(
                    leaves.komi(), {static_cast<std::size_t>(leaves.rows())}, self);
            },
            "A view `[B]` of the games' komi.")
        .def("scatter", &scatter, "policy"_a, "value"_a, "black_score"_a = nb::none(),
             "black_ownership"_a = nb::none(),
             "Hands the answers to the trees the leaves came from; ValueError, and no trace, when they make "
             "no sense.")
        .def("abandon", &Leaves::abandon, nb::call_guard<nb::gil_scoped_release>(),
             "Takes all descents back.");
}

void bind_reading(nb::class_<Tree>& tree) {
    tree.def_prop_ro("finished", &Tree::finished)
        .def_prop_ro("statistics", &Tree::statistics)
        .def("root_moves", &Tree::root_moves, "Every legal move with its statistics, most visited first.")
        .def(
            "variation",
            [](const Tree& self, int first, int length) {
                std::vector<std::pair<int, std::uint32_t>> told;
                for (const auto& [move, visits] : self.variation(static_cast<Move>(first), length))
                    told.emplace_back(move, visits);
                return told;
            },
            "first"_a, "length"_a,
            "The most visited continuation that begins with this move: moves with their visits.")
        .def("subtree", &Tree::subtree, "depth"_a, "width"_a)
        .def("black_ownership", &Tree::black_ownership)
        .def("gumbel_move", &Tree::gumbel_move)
        .def("last_iteration", &Tree::last_iteration, "unknown"_a, "weight"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def("improved_policy", &Tree::improved_policy)
        .def(
            "playable_moves",
            [](const Tree& self, const std::vector<int>& path) {
                return ints(self.playable_moves({path.begin(), path.end()}));
            },
            "path"_a, "The moves a descent may make after these moves; empty where the tree ends.")
        .def("violations", &Tree::violations,
             "Broken invariants of the whole tree, in words; none after a search.");
}

}  // namespace

void bind_tree(nb::module_& module) {
    bind_options(module);
    bind_statistics(module);
    bind_leaves(module);
    nb::class_<EvaluationCache>(module, "EvaluationCache", "Evaluations remembered beyond one tree.")
        .def(nb::init<int, int>(), "entries"_a, "size"_a)
        .def_prop_ro("hits", &EvaluationCache::hits)
        .def("clear", &EvaluationCache::clear);
    nb::class_<Tree> tree(module, "Tree", "The search tree of one game; tesuji.Search drives it.");
    tree.def(
            "__init__",
            [](Tree* self, const TreeOptions& options, const std::string& planes, int size,
               std::shared_ptr<EvaluationCache> cache) {
                new (self) Tree(options, PlaneSet::named(planes), size, std::move(cache));
            },
            "options"_a, "planes"_a, "size"_a, "cache"_a = nb::none())
        .def_prop_ro("size", &Tree::size)
        .def("set_root", &Tree::set_root, "game"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Searches from this game on and returns the visits kept of earlier searches.")
        .def("set_target", &Tree::set_target, "visits"_a, "How many visits of the root finish the search.")
        .def(
            "restrict",
            [](Tree& self, const std::vector<Restriction>& restrictions) {
                self.set_restrictions(restrictions);
            },
            "restrictions"_a)
        .def("set_pass_share", &Tree::set_pass_share, "share"_a,
             "Gives passing at least this share of the root's visits, until the next root.")
        .def("clear", &Tree::clear, nb::call_guard<nb::gil_scoped_release>())
        .def("gather", &Tree::gather, "leaves"_a, "count"_a, nb::call_guard<nb::gil_scoped_release>(),
             nb::keep_alive<2, 1>(), "Descends to at most `count` new leaves; returns how many it found.");
    bind_reading(tree);
    nb::class_<Restriction>(module, "Restriction", "Moves allowed or avoided near the root.")
        .def(
            "__init__",
            [](Restriction* self, Color color, const Moves& moves, bool allow, int until_depth, int size) {
                new (self) Restriction(restriction_from(color, moves, allow, until_depth, size));
            },
            "color"_a, "moves"_a, "allow"_a, "until_depth"_a, "size"_a);
    module.def(
        "gather_all", &gather_all, "trees"_a, "leaves"_a, "counts"_a, "first"_a = 0,
        "So many leaves of every tree, beginning with `first`; one for whose batch no room is left waits.\n"
        "Returns the tree to begin with next time.");
}

}  // namespace tesuji
