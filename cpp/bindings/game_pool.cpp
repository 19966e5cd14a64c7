// Packed games as one pool, and batches of their positions as numpy arrays.
#include "samples/game_pool.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "bindings.h"
#include "recycled.h"
#include "samples/batch.h"
#include "samples/position_shuffle.h"
#include "samples/shared_games.h"

using namespace nb::literals;

namespace tesuji {
namespace {

using Arrays = nb::typed<nb::dict, nb::str, nb::any>;
template <typename Number>
using Column = nb::ndarray<Number, nb::numpy, nb::ndim<1>, nb::c_contig>;
template <typename Number>
using ColumnIn = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename Number>
Column<Number> column(std::vector<Number> values) {
    auto* kept = new std::vector<Number>(std::move(values));
    nb::capsule owner(kept,
                      [](void* pointer) noexcept { delete static_cast<std::vector<Number>*>(pointer); });
    return Column<Number>(kept->data(), {kept->size()}, owner);
}

template <typename Number, typename Field>
nb::object field(const GamePool& pool, Field read) {
    std::vector<Number> values;
    const std::vector<std::uint64_t> games = pool.games();
    values.reserve(games.size());
    for (std::uint64_t game : games) {
        const Choice at = pool.find(game);
        values.push_back(static_cast<Number>(read(pool.files()[at.file]->entry(at.game))));
    }
    return nb::cast(column(std::move(values)));
}

// Everything the index knows of the games of a pool, as columns.
Arrays table(const GamePool& pool) {
    Arrays dict;
    dict["game"] = nb::cast(column(pool.games()));
    dict["key"] = field<std::uint64_t>(pool, [](const PackedEntry& e) { return e.key; });
    dict["size"] = field<std::uint8_t>(pool, [](const PackedEntry& e) { return e.size; });
    dict["moves"] = field<std::int32_t>(pool, [](const PackedEntry& e) { return e.moves; });
    dict["targets"] = field<std::int32_t>(pool, [](const PackedEntry& e) { return e.targets; });
    dict["komi"] = field<float>(pool, [](const PackedEntry& e) { return e.komi; });
    dict["black_margin"] = field<float>(pool, [](const PackedEntry& e) { return e.black_margin; });
    dict["winner"] = field<std::uint8_t>(pool, [](const PackedEntry& e) { return e.winner; });
    dict["ending"] = field<std::uint8_t>(pool, [](const PackedEntry& e) { return e.ending; });
    dict["handicap"] = field<std::uint8_t>(pool, [](const PackedEntry& e) { return e.handicap; });
    dict["rules"] = field<std::int16_t>(
        pool, [](const PackedEntry& e) { return e.flags & PackedEntry::has_rules ? e.rules : -1; });
    dict["counts"] =
        field<std::uint8_t>(pool, [](const PackedEntry& e) { return (e.flags & PackedEntry::counts) != 0; });
    dict["setup"] = field<std::uint8_t>(
        pool, [](const PackedEntry& e) { return (e.flags & PackedEntry::has_setup) != 0; });
    dict["black_rating"] = field<std::int16_t>(pool, [](const PackedEntry& e) { return e.black_rating; });
    dict["white_rating"] = field<std::int16_t>(pool, [](const PackedEntry& e) { return e.white_rating; });
    return dict;
}

template <typename Number>
Number* pointer(const Arrays& arrays, const char* name, std::size_t rows) {
    if (!arrays.contains(name)) return nullptr;
    const auto array = nb::cast<nb::ndarray<Number, nb::c_contig, nb::device::cpu>>(arrays[name], false);
    if (array.ndim() < 1 || array.shape(0) != rows)
        throw std::invalid_argument(std::string(name) + " has the wrong length");
    return array.data();
}

BatchArrays arrays_of(const Arrays& from, std::size_t rows) {
    BatchArrays to;
    to.planes = pointer<float>(from, "planes", rows);
    to.small_planes = pointer<std::uint8_t>(from, "small_planes", rows);
    to.policy = pointer<float>(from, "policy", rows);
    to.policy_mask = pointer<float>(from, "policy_mask", rows);
    to.value = pointer<float>(from, "value", rows);
    to.value_mask = pointer<float>(from, "value_mask", rows);
    to.komi = pointer<float>(from, "komi", rows);
    to.to_play = pointer<std::uint8_t>(from, "to_play", rows);
    to.black_score = pointer<float>(from, "black_score", rows);
    to.score_mask = pointer<float>(from, "score_mask", rows);
    to.black_ownership = pointer<float>(from, "black_ownership", rows);
    to.ownership_mask = pointer<float>(from, "ownership_mask", rows);
    to.next_moves = pointer<std::int16_t>(from, "next_moves", rows);
    to.point_policy = pointer<float>(from, "point_policy", rows);
    to.final_stones = pointer<float>(from, "final_stones", rows);
    to.chains = pointer<float>(from, "chains", rows);
    return to;
}

std::vector<Choice> choices_at(const GamePool& pool, ColumnIn<std::uint64_t> games,
                               ColumnIn<std::int32_t> positions, ColumnIn<std::int32_t> symmetries,
                               int size) {
    if (games.shape(0) != positions.shape(0) || games.shape(0) != symmetries.shape(0))
        throw std::invalid_argument("games, moves and symmetries differ in number");
    std::vector<Choice> choices;
    for (std::size_t i = 0; i < games.shape(0); ++i) {
        Choice choice = pool.find(games.data()[i]);
        choice.position = positions.data()[i];
        choice.symmetry = symmetries.data()[i];
        const PackedEntry& entry = pool.files()[choice.file]->entry(choice.game);
        if (choice.position < 0 || choice.position > entry.moves)
            throw std::invalid_argument("game " + std::to_string(games.data()[i]) + " has no position " +
                                        std::to_string(choice.position) + "; it has " +
                                        std::to_string(entry.moves) + " moves");
        if (entry.size != size)
            throw std::invalid_argument("game " + std::to_string(games.data()[i]) +
                                        " has another board size");
        if (choice.symmetry < 0 || choice.symmetry > 7)
            throw std::invalid_argument("a symmetry is a number from 0 to 7");
        choices.push_back(choice);
    }
    return choices;
}

using Positions = std::tuple<Column<std::uint64_t>, Column<std::int32_t>, Column<std::int32_t>>;

// Games, moves and symmetries of `count` choices, found without the GIL.
template <typename Choose>
Positions choose(const GamePool& pool, std::size_t count, Choose choice_of) {
    std::vector<std::uint64_t> games;
    std::vector<std::int32_t> positions, symmetries;
    {
        nb::gil_scoped_release release;
        for (std::size_t i = 0; i < count; ++i) {
            const Choice choice = choice_of(i);
            games.push_back(pool.first_number(choice.file) + choice.game);
            positions.push_back(choice.position);
            symmetries.push_back(choice.symmetry);
        }
    }
    return {column(std::move(games)), column(std::move(positions)), column(std::move(symmetries))};
}

Positions draw(const GamePool& pool, std::size_t count, std::uint64_t seed, std::uint64_t first,
               const Drawing& drawing) {
    return choose(pool, count, [&](std::size_t i) { return pool.draw(drawing, seed, first + i); });
}

// A shuffle with the pool it belongs to.
struct PyShuffle {
    std::shared_ptr<const GamePool> pool;
    PositionShuffle shuffle;
};

Positions shuffled(const PyShuffle& order, std::uint64_t first, std::size_t count) {
    const std::uint64_t total = order.shuffle.total();
    if (!total) throw std::invalid_argument("there are no positions to draw from");
    return choose(*order.pool, count, [&](std::size_t i) { return order.shuffle.at((first + i) % total); });
}

void fill(const GamePool& pool, ColumnIn<std::uint64_t> games, ColumnIn<std::int32_t> positions,
          ColumnIn<std::int32_t> symmetries, int size, const PlaneSet& planes, bool channels_last,
          bool use_targets, const Arrays& arrays, int threads) {
    const std::vector<Choice> choices = choices_at(pool, games, positions, symmetries, size);
    const BatchArrays to = arrays_of(arrays, choices.size());
    const BatchRequest request{&planes, channels_last ? Layout::channels_last : Layout::channels_first,
                               use_targets};
    nb::gil_scoped_release release;
    fill_batch(pool, choices, request, to, threads);
}

GameRecord record_of(const GamePool& pool, std::uint64_t game) {
    const Choice at = pool.find(game);
    return unpack_game(pool.files()[at.file]->body(at.game));
}

}  // namespace

void bind_game_pool(nb::module_& module) {
    module.def("recycled_floats", &recycled_array<float>, "shape"_a,
               "An unfilled array of four dimensions whose memory is kept for the next one.");
    module.def("recycled_bytes", &recycled_array<std::uint8_t>, "shape"_a);
    nb::class_<PackedFile>(module, "PackedFile", "A packed file of games, mapped into memory.")
        .def(
            "__init__",
            [](PackedFile* file, const std::string& path) {
                nb::gil_scoped_release release;
                new (file) PackedFile(path);
            },
            "path"_a)
        .def_prop_ro("path", &PackedFile::path)
        .def_prop_ro("games", &PackedFile::games)
        .def("check", &PackedFile::check_all, nb::call_guard<nb::gil_scoped_release>(), "Checks every byte.");
    nb::class_<PyShuffle>(module, "PositionShuffle",
                          "All positions of a pool but passes, in one fixed random order.")
        .def(
            "__init__",
            [](PyShuffle* order, std::shared_ptr<const GamePool> pool, std::uint64_t seed) {
                nb::gil_scoped_release release;
                new (order) PyShuffle{pool, PositionShuffle(*pool, seed)};
            },
            "pool"_a, "seed"_a)
        .def_prop_ro("total", [](const PyShuffle& order) { return order.shuffle.total(); })
        .def("take", &shuffled, "first"_a, "count"_a,
             "Positions `first`, `first + 1`, ..., beginning anew at the end.");
    nb::class_<Drawing>(module, "Drawing", "How positions are drawn.")
        .def(nb::init<bool, bool, bool, int>(), "by_position"_a, "targets_only"_a, "passes"_a, "symmetry"_a);
    nb::class_<GamePool>(module, "GamePool", "Games of several packed files, and random positions of them.")
        .def(nb::init<std::vector<std::shared_ptr<const PackedFile>>, std::vector<double>>(), "files"_a,
             "weights"_a)
        .def(
            "subset",
            [](const GamePool& pool, ColumnIn<std::uint64_t> games) {
                return pool.subset(std::vector<std::uint64_t>(games.data(), games.data() + games.shape(0)));
            },
            "games"_a)
        .def("games", [](const GamePool& pool) { return column(pool.games()); })
        .def(
            "games_of_size", [](const GamePool& pool, int size) { return column(pool.games_of_size(size)); },
            "size"_a)
        .def("sizes", &GamePool::sizes)
        .def("table", &table)
        .def("record", &record_of, "game"_a)
        .def(
            "prefix_keys",
            [](const GamePool& pool, std::uint64_t game) {
                return column(prefix_keys(record_of(pool, game)));
            },
            "game"_a)
        .def(
            "shared_with",
            [](const GamePool& pool, const GamePool& other, int part_moves, int common_moves) {
                std::vector<std::uint64_t> shared;
                {
                    nb::gil_scoped_release release;
                    shared = shared_games(pool, other, {part_moves, common_moves});
                }
                return column(std::move(shared));
            },
            "other"_a, "part_moves"_a, "common_moves"_a)
        .def("draw", &draw, "count"_a, "seed"_a, "first"_a, "drawing"_a)
        .def("fill", &fill, "games"_a, "positions"_a, "symmetries"_a, "size"_a, "planes"_a, "channels_last"_a,
             "use_targets"_a, "arrays"_a, "threads"_a);
}

}  // namespace tesuji
