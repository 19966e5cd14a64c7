#include "planes/planes.h"

#include <optional>
#include <stdexcept>

#include "base/text.h"
#include "planes/canvas.h"

namespace tesuji {
namespace {

std::vector<std::string> numbered(const std::string& what, int count, const std::string& last_suffix) {
    std::vector<std::string> names;
    for (int i = 1; i <= count; ++i)
        names.push_back(what + " " + std::to_string(i) + (i == count ? last_suffix : ""));
    return names;
}

void append(std::vector<std::string>& names, const std::vector<std::string>& more) {
    names.insert(names.end(), more.begin(), more.end());
}

std::string at_age(const std::string& what, int age) {
    return age == 0 ? what : what + ", " + std::to_string(age) + " before";
}

std::vector<std::string> golois_names(bool with_komi) {
    std::vector<std::string> names{"black to play", "lost ladder", "beside a lost ladder", "ladder threat",
                                   "beside a ladder threat"};
    append(names, numbered("liberties", 6, "+"));
    for (int age = 0; age < 5; ++age)
        append(names, {at_age("own stones", age), at_age("opponent's stones", age)});
    if (with_komi)
        for (int k = 0; k < 10; ++k)
            names.push_back("komi " + std::to_string(k) + " to below " + std::to_string(k + 1));
    return names;
}

std::vector<std::string> agz_names() {
    std::vector<std::string> names;
    for (int age = 0; age < 8; ++age)
        append(names, {at_age("own stones", age), at_age("opponent's stones", age)});
    names.push_back("black to play");
    return names;
}

std::vector<std::string> toronto_names() {
    std::vector<std::string> names;
    for (int age = 0; age < 8; ++age) names.push_back(at_age("black stones", age));
    for (int age = 0; age < 8; ++age) names.push_back(at_age("white stones", age));
    append(names, {"black to play", "white to play"});
    return names;
}

std::vector<std::string> alphago_names() {
    std::vector<std::string> names{"own stones", "opponent's stones", "empty", "ones"};
    append(names, numbered("turns since", 8, "+"));
    append(names, numbered("liberties", 8, "+"));
    append(names, numbered("captures", 8, "+"));
    append(names, numbered("self-atari of", 8, "+"));
    append(names, numbered("liberties after", 8, "+"));
    append(names, {"ladder capture", "ladder escape", "sensible"});
    return names;
}

template <typename Number>
void draw(PlaneSet::Kind kind, const Position& position, Canvas<Number> canvas) {
    switch (kind) {
        case PlaneSet::Kind::golois_21:
            return draw_golois(position, false, canvas);
        case PlaneSet::Kind::golois_31:
            return draw_golois(position, true, canvas);
        case PlaneSet::Kind::agz_17:
            return draw_agz(position, canvas);
        case PlaneSet::Kind::toronto_18:
            return draw_toronto(position, canvas);
        case PlaneSet::Kind::alphago_47:
            return draw_alphago(position, canvas);
    }
}

// The game's board stays untouched: ladders are read on a copy that each thread keeps.
template <typename Encode>
void with_position_of(const Game& game, Encode encode) {
    thread_local std::optional<Board> scratch;
    if (scratch)
        *scratch = game.board();
    else
        scratch = game.board();
    Position position{*scratch, game.to_play(), game.komi(), {}, {}};
    for (int age = 0; age < history_length; ++age) position.past[age] = &game.past(age);
    const std::vector<Turn>& moves = game.moves();
    for (int age = 0; age < history_length; ++age)
        position.recent[age] =
            age < static_cast<int>(moves.size()) ? moves[moves.size() - 1 - age].move : pass;
    encode(position);
}

}  // namespace

const std::vector<PlaneSet>& PlaneSet::all() {
    static const std::vector<PlaneSet> sets{
        {Kind::golois_21, "golois-21", golois_names(false)},
        {Kind::golois_31, "golois-31", golois_names(true)},
        {Kind::agz_17, "agz-17", agz_names()},
        {Kind::toronto_18, "toronto-18", toronto_names()},
        {Kind::alphago_47, "alphago-47", alphago_names()},
    };
    return sets;
}

const PlaneSet& PlaneSet::named(std::string_view name) {
    std::string known;
    for (const PlaneSet& set : all()) {
        if (set.name() == name) return set;
        known += (known.empty() ? "" : ", ") + set.name();
    }
    throw std::invalid_argument("no plane set " + quoted(name) + "; known: " + known);
}

void PlaneSet::encode(const Position& position, int symmetry, float* out, Layout layout) const {
    draw(kind_, position, Canvas<float>(out, channels(), position.board.size(), symmetry, layout));
}

void PlaneSet::encode(const Position& position, int symmetry, std::uint8_t* out, Layout layout) const {
    draw(kind_, position, Canvas<std::uint8_t>(out, channels(), position.board.size(), symmetry, layout));
}

void PlaneSet::encode(const Game& game, int symmetry, float* out) const {
    with_position_of(game, [&](const Position& position) { encode(position, symmetry, out); });
}

void PlaneSet::encode(const Game& game, int symmetry, std::uint8_t* out) const {
    with_position_of(game, [&](const Position& position) { encode(position, symmetry, out); });
}

}  // namespace tesuji
