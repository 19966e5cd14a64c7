// Game records and packed files in Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <cmath>

#include "bindings.h"
#include "records/games_data.h"
#include "records/pack.h"
#include "records/packed_file.h"

using namespace nb::literals;

namespace tesuji {
namespace {

std::optional<float> known(float number) {
    return std::isnan(number) ? std::nullopt : std::optional<float>(number);
}

void set_from(GameRecord& record, const Game& game) {
    record.size = game.size();
    record.komi = game.komi();
    record.rules = game.rules();
    record.handicap = game.handicap();
    const Board& start = game.start_board();
    record.black.clear();
    record.white.clear();
    for_each_point(start.stones_of(Color::black).words.data(), start.words(),
                   [&](Point point) { record.black.push_back(point); });
    for_each_point(start.stones_of(Color::white).words.data(), start.words(),
                   [&](Point point) { record.white.push_back(point); });
    record.first = game.moves().empty() ? game.start_to_play() : game.moves().front().color;
    record.moves = game.moves();
    record.result = parse_result(game.result());
}

Game game_of(const GameRecord& record) {
    Game game(record.size, komi_or_usual(record), record.rules.value_or(Rules::unstated()));
    game.setup(record.black, record.white, record.first);
    for (const Turn& turn : record.moves) {
        const Legality legality = game.legality(turn.move, turn.color);
        if (legality != Legality::legal)
            throw std::invalid_argument("move " + std::to_string(game.moves().size() + 1) +
                                        " is illegal: " + reason(legality));
        game.play_assume_legal(turn.move, turn.color);
    }
    return game;
}

// A move as packed games keep it; whether it lies on the board is asked when the record is packed.
Move move_of(int move) {
    if (move < pass || move >= max_area)
        throw std::invalid_argument("no board has a point " + std::to_string(move));
    return static_cast<Move>(move);
}

void add_target(GameRecord& record, int position, const std::vector<std::pair<int, float>>& policy,
                std::optional<float> white_winrate, std::optional<float> white_score,
                const std::vector<int>& white_ownership) {
    Target target;
    target.position = position;
    for (const auto& [move, probability] : policy) target.policy.emplace_back(move_of(move), probability);
    target.white_winrate = white_winrate.value_or(missing);
    target.white_score = white_score.value_or(missing);
    for (int owner : white_ownership) {
        if (owner < -100 || owner > 100)
            throw std::invalid_argument("ownership is in hundredths, -100 to 100");
        target.white_ownership.push_back(static_cast<std::int8_t>(owner));
    }
    record.targets.push_back(std::move(target));
}

std::vector<std::pair<int, int>> moves_of(const GameRecord& record) {
    std::vector<std::pair<int, int>> moves;
    for (const Turn& turn : record.moves) moves.emplace_back(static_cast<int>(turn.color), turn.move);
    return moves;
}

void set_moves(GameRecord& record, const std::vector<std::pair<int, int>>& moves) {
    record.moves.clear();
    for (const auto& [color, move] : moves) {
        if (color != 1 && color != 2) throw std::invalid_argument("a colour is BLACK or WHITE");
        record.moves.push_back({static_cast<Color>(color), move_of(move)});
    }
    if (!record.moves.empty()) record.first = record.moves.front().color;
}

void bind_target(nb::module_& module) {
    nb::class_<Target>(module, "Target", "What a search or a teacher said of one position of a game.")
        .def_ro("position", &Target::position, "Moves played before it.")
        .def_prop_ro("policy",
                     [](const Target& t) {
                         return std::vector<std::pair<int, float>>(t.policy.begin(), t.policy.end());
                     })
        .def_prop_ro("white_winrate", [](const Target& t) { return known(t.white_winrate); })
        .def_prop_ro(
            "white_score", [](const Target& t) { return known(t.white_score); },
            "White's lead, komi counted.")
        .def_prop_ro("white_ownership", [](const Target& t) {
            return std::vector<int>(t.white_ownership.begin(), t.white_ownership.end());
        });
}

void bind_record(nb::module_& module) {
    nb::class_<GameRecord>(module, "PackedRecord", "One game as a packed file holds it.")
        .def(nb::init<>())
        .def_static(
            "of",
            [](const Game& game, std::optional<std::string> result) {
                GameRecord record;
                set_from(record, game);
                if (result) record.result = parse_result(*result);
                return record;
            },
            "game"_a, "result"_a = nb::none(), "The record of a game, with its own result or the one given.")
        .def("game", &game_of, "The game, played to its end.")
        .def_rw("size", &GameRecord::size)
        .def_prop_rw(
            "komi", [](const GameRecord& r) { return known(r.komi); },
            [](GameRecord& r, std::optional<float> komi) { r.komi = komi.value_or(missing); },
            "None where unknown.", nb::for_setter(nb::arg("komi").none()))
        .def_rw("rules", &GameRecord::rules, nb::arg("rules").none())
        .def_prop_rw(
            "result", [](const GameRecord& r) { return result_text(r.result); },
            [](GameRecord& r, const std::string& text) { r.result = parse_result(text); })
        .def_prop_rw(
            "black_rating", [](const GameRecord& r) { return rating_text(r.black_rating); },
            [](GameRecord& r, const std::string& text) { r.black_rating = parse_rating(text); })
        .def_prop_rw(
            "white_rating", [](const GameRecord& r) { return rating_text(r.white_rating); },
            [](GameRecord& r, const std::string& text) { r.white_rating = parse_rating(text); })
        .def_rw("handicap", &GameRecord::handicap)
        .def_rw("black", &GameRecord::black, "Stones before the first move.")
        .def_rw("white", &GameRecord::white)
        .def_rw("first", &GameRecord::first, "Who is to play before any move.")
        .def_prop_rw("moves", &moves_of, &set_moves, "Pairs of colour and point number (or PASS).")
        .def_ro("targets", &GameRecord::targets)
        .def("add_target", &add_target, "position"_a, "policy"_a = std::vector<std::pair<int, float>>{},
             "white_winrate"_a = nb::none(), "white_score"_a = nb::none(),
             "white_ownership"_a = std::vector<int>{},
             "Adds what was said of the position after `position` moves; positions must rise.");
}

int asked_rating(const std::string& text) {
    const int rating = parse_rating(text);
    if (rating <= 0) throw std::invalid_argument("'" + text + "' is not a rating: 5k, 3d, 9p or 2300");
    return rating;
}

void bind_chunk(nb::module_& module) {
    nb::class_<Filter>(module, "Filter", "Which games are wanted.")
        .def(nb::init<>())
        .def_rw("size", &Filter::size, nb::arg("size").none())
        .def_rw("min_komi", &Filter::min_komi)
        .def_rw("max_komi", &Filter::max_komi)
        .def_rw("rules", &Filter::rules, nb::arg("rules").none())
        .def_rw("result_known", &Filter::result_known)
        .def_rw("min_moves", &Filter::min_moves)
        .def_prop_rw(
            "min_rating", [](const Filter& f) { return rating_text(f.min_rating); },
            [](Filter& f, const std::string& text) { f.min_rating = asked_rating(text); })
        .def_prop_rw(
            "max_rating", [](const Filter& f) { return rating_text(f.max_rating); },
            [](Filter& f, const std::string& text) { f.max_rating = asked_rating(text); })
        .def_rw("not_by", &Filter::not_by, "Players whose moves are not to be imitated; '*': all named.")
        .def_rw("min_handicap", &Filter::min_handicap)
        .def_rw("max_handicap", &Filter::max_handicap)
        .def_rw("min_year", &Filter::min_year)
        .def_rw("max_year", &Filter::max_year);
    nb::class_<Chunk>(module, "Chunk", "Games read from one piece of text, and those refused.")
        .def_prop_ro("records", &Chunk::records)
        .def_prop_ro("games", [](const Chunk& chunk) { return chunk.games.size(); })
        .def_prop_ro("sizes",
                     [](const Chunk& chunk) {
                         std::vector<int> sizes;
                         for (const PackedGame& game : chunk.games) sizes.push_back(game.entry.size);
                         return sizes;
                     })
        .def_prop_ro(
            "rejections",
            [](const Chunk& chunk) {
                std::vector<std::tuple<std::size_t, std::string, std::string>> list;
                for (const Rejection& r : chunk.rejections) list.emplace_back(r.ordinal, r.reason, r.detail);
                return list;
            },
            "Ordinal in the chunk, reason and detail of each record refused.");
    module.def(
        "read_sgf_chunk",
        [](nb::bytes text, bool one_per_line, const Filter& filter) {
            const std::string_view view(text.c_str(), text.size());
            nb::gil_scoped_release release;
            return read_sgf_chunk(view, one_per_line, filter);
        },
        "text"_a, "one_per_line"_a, "filter"_a, "Reads SGF games, checks every move and packs them.");
    module.def("pack_records", &pack_records, "records"_a, "filter"_a,
               nb::call_guard<nb::gil_scoped_release>(), "Checks and packs records.");
}

using Text = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The reader looks at memory that Python owns (a mapping, or bytes): keep it alive.
struct PyGamesData {
    Text text;
    GamesDataReader reader;
};

void bind_games_data(nb::module_& module) {
    nb::class_<PyGamesData>(module, "GamesDataReader", "Reads the course library's games.data.")
        .def(
            "__init__",
            [](PyGamesData* reader, Text text) {
                const std::string_view view(reinterpret_cast<const char*>(text.data()), text.shape(0));
                new (reader) PyGamesData{text, GamesDataReader(view)};
            },
            "text"_a)
        .def_prop_ro("at_end", [](const PyGamesData& r) { return r.reader.at_end(); })
        .def_prop_ro("offset", [](const PyGamesData& r) { return r.reader.offset(); })
        .def(
            "next",
            [](PyGamesData& r, std::size_t most, const Filter& filter) {
                nb::gil_scoped_release release;
                return r.reader.next(most, filter);
            },
            "most"_a, "filter"_a);
    module.def(
        "games_data_text",
        [](const GameRecord& record) {
            std::string text;
            append_games_data(record, text);
            return text;
        },
        "record"_a, "The lines of a game in games.data.");
}

void bind_writer(nb::module_& module) {
    nb::class_<PackedWriter>(module, "PackedWriter", "Writes a packed file, whole or not at all.")
        .def(nb::init<const std::string&>(), "path"_a)
        .def(
            "append",
            [](PackedWriter& writer, const Chunk& chunk, bool drop_duplicates) {
                std::vector<std::size_t> dropped;
                for (std::size_t i = 0; i < chunk.games.size(); ++i) {
                    if (!drop_duplicates)
                        writer.append(chunk.games[i]);
                    else if (!writer.append_new(chunk.games[i]))
                        dropped.push_back(chunk.ordinals[i]);
                }
                return dropped;
            },
            "chunk"_a, "drop_duplicates"_a,
            "Appends the games; returns the ordinals of the duplicates left out.")
        .def_prop_ro("games", &PackedWriter::games)
        .def("finish", &PackedWriter::finish, nb::call_guard<nb::gil_scoped_release>(),
             "Puts the file in its place.");
}

}  // namespace

void bind_records(nb::module_& module) {
    nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
        try {
            std::rethrow_exception(pointer);
        } catch (const FileError& error) {
            // OSError with an errno picks its own subclass, such as FileNotFoundError.
            nb::object exception = nb::handle(PyExc_OSError)(error.code(), error.what());
            PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
        }
    });
    bind_target(module);
    bind_record(module);
    bind_chunk(module);
    bind_games_data(module);
    bind_writer(module);
}

}  // namespace tesuji
