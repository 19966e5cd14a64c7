// Plane sets and `encode`.
#include "planes/planes.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>

#include <stdexcept>

#include "base/text.h"
#include "bindings.h"
#include "go/rating.h"
#include "planes/human.h"

using namespace nb::literals;

namespace tesuji {
namespace {

template <typename Number>
using PlanesOut = nb::ndarray<Number, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

template <typename Number>
void encode_games(const PlaneSet& set, const std::vector<const Game*>& games,
                  const std::vector<int>& symmetries, PlanesOut<Number> out) {
    if (games.size() != out.shape(0) || symmetries.size() != games.size() ||
        static_cast<int>(out.shape(1)) != set.channels())
        throw std::invalid_argument("the array for the planes has the wrong shape");
    const std::size_t stride = out.shape(1) * out.shape(2) * out.shape(3);
    for (std::size_t i = 0; i < games.size(); ++i) {
        if (!games[i] || games[i]->size() != static_cast<int>(out.shape(2)) || out.shape(2) != out.shape(3))
            throw std::invalid_argument("the games differ in board size");
        set.encode(*games[i], symmetries[i], out.data() + i * stride);
    }
}

}  // namespace

void bind_planes(nb::module_& module) {
    module.def(
        "rank_inputs",
        [](const std::string& rank) {
            const int rating = parse_rating(rank);
            if (rating <= 0 || rating > strongest_rank)
                throw std::invalid_argument("no rank " + quoted(rank) + "; write 30k to 1k or 1d to 9d");
            const auto told = rank_inputs(rating);
            return std::make_pair(rating_text(rating), std::vector<float>(told.begin(), told.end()));
        },
        "rank"_a, "A rank as it is usually written, and the last channels of `human-30` for it.");
    nb::class_<PlaneSet>(module, "PlaneSet",
                         "What a network sees of a position: named channels, one number a point.")
        .def_static("named", &PlaneSet::named, "name"_a, nb::rv_policy::reference,
                    "The plane set of this name.")
        .def_static(
            "names",
            [] {
                std::vector<std::string> names;
                for (const PlaneSet& set : PlaneSet::all()) names.push_back(set.name());
                return names;
            },
            "The names of all plane sets.")
        .def_prop_ro("name", &PlaneSet::name)
        .def_prop_ro("channels", &PlaneSet::channels, "How many planes it has.")
        .def_prop_ro("channel_names", &PlaneSet::channel_names, "What each plane shows.")
        .def_prop_ro("history", &PlaneSet::history, "How many positions it shows, the present one included.")
        .def_prop_ro("reads_komi", &PlaneSet::reads_komi, "Whether komi changes a plane.")
        .def_prop_ro("binary", &PlaneSet::binary, "Whether it holds zeros and ones alone.")
        .def_prop_ro("global_inputs", &PlaneSet::global_inputs,
                     "How many of its last channels hold one number for the whole board.")
        .def("__repr__", [](const PlaneSet& set) { return "PlaneSet.named('" + set.name() + "')"; })
        .def("encode_into", &encode_games<float>, "games"_a, "symmetries"_a, "out"_a.noconvert())
        .def("encode_into", &encode_games<std::uint8_t>, "games"_a, "symmetries"_a, "out"_a.noconvert());
}

}  // namespace tesuji
