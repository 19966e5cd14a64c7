#include "planes/planes.h"

#include <optional>
#include <stdexcept>

#include "base/text.h"
#include "planes/canvas.h"

namespace tesuji {

// Each is defined in the file of its family. A new set is named here and in `all`, and known everywhere.
PlaneSet golois_21(), golois_31(), agz_17(), toronto_18(), alphago_47(), leela_18(), katago_v7(), human_30();

const std::vector<PlaneSet>& PlaneSet::all() {
    static const std::vector<PlaneSet> sets{golois_21(),  golois_31(), agz_17(),    toronto_18(),
                                            alphago_47(), leela_18(),  katago_v7(), human_30()};
    return sets;
}

namespace {

// The game's board stays untouched: ladders are read on a copy that each thread keeps.
template <typename Encode>
void with_position_of(const Game& game, Encode encode) {
    thread_local std::optional<Board> scratch;
    if (scratch)
        *scratch = game.board();
    else
        scratch = game.board();
    Position position{*scratch, game.to_play(), game.komi(), {}, {}, &game};
    for (int age = 0; age < history_length; ++age) position.past[age] = &game.past(age);
    const std::vector<Turn>& moves = game.moves();
    for (int age = 0; age < history_length; ++age)
        position.recent[age] =
            age < static_cast<int>(moves.size()) ? moves[moves.size() - 1 - age].move : pass;
    encode(position);
}

}  // namespace

PlaneSet::PlaneSet(std::string name, std::vector<std::string> channel_names, PlaneFacts facts,
                   Draw<float> floats, Draw<std::uint8_t> bytes)
    : name_(std::move(name)),
      channel_names_(std::move(channel_names)),
      facts_(facts),
      floats_(floats),
      bytes_(bytes) {}

const PlaneSet& PlaneSet::named(std::string_view name) {
    std::vector<std::string> known;
    for (const PlaneSet& set : all()) {
        if (set.name() == name) return set;
        known.push_back(set.name());
    }
    refuse_name("plane set", name, known);
}

std::uint64_t PlaneSet::fingerprint(const Game& game) const {
    const std::uint64_t seen = game.hash(facts_.history);
    return facts_.beyond_history ? seen + facts_.beyond_history(game) : seen;
}

void PlaneSet::encode(const Position& position, int symmetry, float* out, Layout layout) const {
    Canvas<float> canvas(out, channels(), position.board.size(), symmetry, layout);
    floats_(position, canvas);
}

void PlaneSet::encode(const Position& position, int symmetry, std::uint8_t* out, Layout layout) const {
    if (!bytes_)
        throw std::invalid_argument("the planes " + name_ +
                                    " hold more than zeros and ones; take float32 instead of uint8");
    Canvas<std::uint8_t> canvas(out, channels(), position.board.size(), symmetry, layout);
    bytes_(position, canvas);
}

void PlaneSet::encode(const Game& game, int symmetry, float* out) const {
    with_position_of(game, [&](const Position& position) { encode(position, symmetry, out); });
}

void PlaneSet::encode(const Game& game, int symmetry, std::uint8_t* out) const {
    with_position_of(game, [&](const Position& position) { encode(position, symmetry, out); });
}

}  // namespace tesuji
