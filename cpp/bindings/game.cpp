// Rules and Game in Python.
#include "go/game.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bindings.h"
#include "go/playout.h"
#include "go/results.h"

namespace tesuji {

// The exception is a Python class: it carries what a caller may want to show, and stubs see it.
void throw_illegal(const Board& board, Move move, Color color, const char* why) {
    nb::object type = nb::module_::import_("tesuji.go.errors").attr("IllegalMoveError");
    nb::object error = type(vertex_text(move, board.size()), color, why, board.diagram());
    PyErr_SetObject(type.ptr(), error.ptr());
    throw nb::python_error();
}

namespace {

// Small integers are made once: a list of legal moves then costs no allocation per point.
PyObject* cached_int(int value) {
    static const auto cache = [] {
        std::array<PyObject*, max_area + 1> made;
        for (int i = -1; i < max_area; ++i) made[i + 1] = PyLong_FromLong(i);
        return made;
    }();
    return Py_NewRef(cache[value + 1]);
}

IntList legal_moves(const Game& game, std::optional<Color> color) {
    std::array<Point, max_area> points;
    const int count = game.legal_points(color.value_or(game.to_play()), points.data());
    const bool may_pass = !game.resigned();
    PyObject* list = PyList_New(count + may_pass);
    for (int i = 0; i < count; ++i) PyList_SET_ITEM(list, i, cached_int(points[i]));
    if (may_pass) PyList_SET_ITEM(list, count, cached_int(pass));
    return nb::steal<IntList>(list);
}

void play(Game& game, const MoveLike& move, std::optional<Color> color) {
    const Color player = color.value_or(game.to_play());
    const Move point = move_from(move, game.size());
    const Legality legality = game.legality(point, player);
    if (legality != Legality::legal) throw_illegal(game.board(), point, player, reason(legality));
    game.play_assume_legal(point, player);
}

nb::typed<nb::list, nb::typed<nb::tuple, Color, int>> moves(const Game& game) {
    nb::typed<nb::list, nb::typed<nb::tuple, Color, int>> list;
    for (const Turn& turn : game.moves())
        list.append(nb::make_tuple(turn.color, static_cast<int>(turn.move)));
    return list;
}

IntList points_list(const std::vector<Point>& points) {
    IntList list;
    for (const Point point : points) list.append(static_cast<int>(point));
    return list;
}

using RulesLike = nb::typed<nb::object, std::variant<std::string, Rules>>;

Rules rules_from(const RulesLike& rules) {
    if (nb::isinstance<nb::str>(rules)) return Rules::named(nb::cast<std::string>(rules));
    if (!nb::isinstance<Rules>(rules))
        throw nb::type_error(
            ("rules are a name or a Rules, not " + quoted(nb::cast<std::string>(nb::repr(rules)))).c_str());
    return nb::cast<Rules>(rules);
}

// Komi as a number of any kind; text and the like get a line that names the culprit.
using Number = nb::typed<nb::object, double>;

float komi_from(const Number& komi) {
    const double value = PyFloat_AsDouble(komi.ptr());
    if (PyErr_Occurred()) {
        PyErr_Clear();
        throw nb::type_error(
            ("komi must be a number, not " + quoted(nb::cast<std::string>(nb::repr(komi)))).c_str());
    }
    return static_cast<float>(value);
}

// What rebuilds a game in another process: its start, its moves, and what was set by hand.
using GameState = std::tuple<int, float, Rules, std::vector<Point>, std::vector<Point>, Color, int,
                             std::vector<std::pair<Color, Move>>, Color, std::optional<Color>>;

std::vector<Point> points_of(const Board& board, Color color) {
    std::vector<Point> points;
    for_each_point(board.stones_of(color).words.data(), board.words(),
                   [&](Point point) { points.push_back(point); });
    return points;
}

GameState state_of(const Game& game) {
    std::vector<std::pair<Color, Move>> moves;
    for (const Turn& turn : game.moves()) moves.emplace_back(turn.color, turn.move);
    return {game.size(),
            game.komi(),
            game.rules(),
            points_of(game.start_board(), Color::black),
            points_of(game.start_board(), Color::white),
            game.start_to_play(),
            game.handicap(),
            moves,
            game.to_play(),
            game.resigned()};
}

Game game_from(const GameState& state) {
    const auto& [size, komi, rules, black, white, start_to_play, handicap, moves, to_play, resigned] = state;
    Game game(size, komi, rules);
    if (handicap > 0)
        game.set_handicap(black);
    else
        game.setup(black, white, start_to_play);
    for (const auto& [color, move] : moves) {
        const Legality legality = game.legality(move, color);
        // A changed rule may forbid moves already made; what would break the board is refused.
        if (legality != Legality::legal && legality != Legality::superko && legality != Legality::ko)
            throw_illegal(game.board(), move, color, reason(legality));
        game.play_assume_legal(move, color);
    }
    game.set_to_play(to_play);
    if (resigned) game.resign(*resigned);
    return game;
}

void bind_rules(nb::module_& module) {
    nb::class_<Rules>(
        module, "Rules",
        "A ko rule, whether suicide of two or more stones is allowed, and how to count. Equal are "
        "rules of the same parts and the same name: Korean rules play like Japanese ones and are not "
        "equal to them.")
        .def(
            "__init__",
            [](Rules* self, const std::string& ko, bool suicide, const std::string& scoring) {
                new (self) Rules(Rules::of(ko, suicide, scoring));
            },
            nb::kw_only(), nb::arg("ko") = "positional", nb::arg("suicide") = false,
            nb::arg("scoring") = "area")
        .def_static("named", &Rules::named, nb::arg("name"),
                    "chinese, japanese, korean, aga, new-zealand or tromp-taylor.")
        .def_static(
            "from_text", &rules_from_text, nb::arg("text"),
            "Rules as files and clients write them: 'NZ', 'Japanese rules', 'tromp_taylor'; None where "
            "nobody knows them.")
        .def_static("unstated", &Rules::unstated,
                    "What a record without rules is held to: simple ko, no suicide, area.")
        .def_prop_ro("name", &Rules::name, "Name of the rule set; empty when it has none.")
        .def_prop_ro("label", &Rules::label, "The name for people, such as 'New Zealand'; empty likewise.")
        .def_prop_ro("sgf", &sgf_text, "As SGF files write it in RU; rules without a name are spelled out.")
        .def_prop_ro("ko", [](const Rules& self) { return name_of(self.ko); })
        .def("plays_like", &Rules::plays_like, nb::arg("other"), "The same parts, whatever the name.")
        .def("__getstate__",
             [](const Rules& self) {
                 return std::make_tuple(static_cast<int>(self.ko), self.suicide,
                                        static_cast<int>(self.scoring), static_cast<int>(self.variant));
             })
        .def("__setstate__",
             [](Rules& self, const std::tuple<int, bool, int, int>& state) {
                 const auto [ko, suicide, scoring, variant] = state;
                 if (ko < 0 || ko > 2 || scoring < 0 || scoring > 1 || variant < 0 || variant > 15)
                     throw std::invalid_argument("not the state of rules");
                 new (&self) Rules{static_cast<Ko>(ko), suicide, static_cast<Scoring>(scoring),
                                   static_cast<std::uint8_t>(variant)};
             })
        .def_ro("suicide", &Rules::suicide)
        .def_prop_ro("scoring", [](const Rules& self) { return name_of(self.scoring); })
        .def(
            "__eq__", [](const Rules& self, const Rules& other) { return self == other; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const Rules& self) {
                 return static_cast<int>(self.ko) * 4 + self.suicide * 2 + static_cast<int>(self.scoring);
             })
        .def("__repr__", [](const Rules& self) {
            if (self.variant) return "Rules.named('" + self.name() + "')";  // its parts name another rule set
            return std::string("Rules(ko='") + name_of(self.ko) +
                   "', suicide=" + (self.suicide ? "True" : "False") + ", scoring='" + name_of(self.scoring) +
                   "')";
        });
    module.def("rule_names", &rule_names, "The names of all rule sets, the most usual first.");
    module.def(
        "usual_komi",
        [](int size, const RulesLike& rules, bool handicap) {
            return usual_komi(size, rules_from(rules), handicap);
        },
        nb::arg("size"), nb::arg("rules") = "chinese", nb::arg("handicap") = false,
        "The komi such games usually have: half a point with a handicap, 6.5 by territory, by area 7 up to "
        "9x9 "
        "and 7.5 beyond.");
    module.def("komi_from_text", &komi_from_text, nb::arg("text"),
               "The komi a file states; None where the text is no number of points.");
}

void bind_results(nb::module_& module) {
    module.def(
        "result_from_text", [](const std::string& text) { return result_text(parse_result(text)); },
        nb::arg("text"),
        "A result in our one form: 'B+3.5', 'W+R', 'B+T', 'W+F', 'B+' (margin unknown), '0' for a draw, '' "
        "where "
        "the text tells none.");
    module.def("score_text", &score_text, nb::arg("black_lead"), nb::arg("decimals") = -1,
               "A lead as it is written: 'B+3.5', 'W+0.5', '0'; with a number of decimals 'B+3.2', 'W+1.0'.");
}

}  // namespace

void bind_game(nb::module_& module) {
    bind_rules(module);
    bind_results(module);

    nb::class_<Game>(module, "Game",
                     "A board with its history: turns, superko, passes, handicap, komi and result.")
        .def(
            "__init__",
            [](Game* self, int size, const std::optional<Number>& komi, const RulesLike& rules) {
                const Rules chosen = rules_from(rules);
                new (self) Game(size, komi ? komi_from(*komi) : usual_komi(size, chosen), chosen);
            },
            nb::arg("size") = 19, nb::arg("komi") = nb::none(), nb::arg("rules") = "tromp-taylor",
            "An empty board; without a komi the usual one of the rules and the size.")
        .def_prop_ro("size", &Game::size)
        .def_prop_rw("komi", &Game::komi,
                     [](Game& self, const Number& komi) { self.set_komi(komi_from(komi)); })
        .def_prop_rw("rules", &Game::rules,
                     [](Game& self, const RulesLike& rules) { self.set_rules(rules_from(rules)); })
        .def_prop_rw("to_play", &Game::to_play, &Game::set_to_play)
        .def_prop_ro("moves", &moves, "The moves so far as (colour, move) pairs.")
        .def_prop_ro("move_count", [](const Game& self) { return self.moves().size(); })
        .def_prop_ro("passes", &Game::passes, "Consecutive passes at the end.")
        .def_prop_ro("handicap", &Game::handicap)
        .def_prop_ro("has_handicap", &Game::has_handicap,
                     "Whether stones were given before the game, called a handicap or not.")
        .def_prop_ro("is_over", &Game::is_over)
        .def_prop_ro(
            "is_void", &Game::is_void,
            "Whether the game has no result: by simple ko, the same stones with the same player to move "
            "for the third time.")
        .def_prop_ro(
            "hash", [](const Game& self) { return self.hash(); },
            "Identifies stones, player to move, ko, passes and recent positions.")
        .def_prop_ro(
            "board", [](const Game& self) { return PyBoard{self.board(), {}}; },
            "A copy of the current board.")
        .def_prop_ro(
            "start_board", [](const Game& self) { return PyBoard{self.start_board(), {}}; },
            "The board before the first move.")
        .def_prop_ro("start_to_play", &Game::start_to_play)
        .def("captured", &Game::captured_by, nb::arg("color"), "Stones captured by that colour.")
        .def("play", &play, nb::arg("move"), nb::arg("color") = nb::none(),
             "Plays a vertex or point number; raises IllegalMoveError and changes nothing if the rules "
             "forbid it.")
        .def(
            "is_legal",
            [](const Game& self, const MoveLike& move, std::optional<Color> color) {
                return self.is_legal(move_from(move, self.size()), color.value_or(self.to_play()));
            },
            nb::arg("move"), nb::arg("color") = nb::none())
        .def("legal_moves", &legal_moves, nb::arg("color") = nb::none(),
             "Legal point numbers in order, then PASS.")
        .def(
            "undo",
            [](Game& self) {
                if (!self.undo()) throw std::invalid_argument("no move to undo");
            },
            "Takes the last move, or a resignation, back.")
        .def("resign", &Game::resign, nb::arg("color"))
        .def("copy", [](const Game& self) { return Game(self); })
        .def("__getstate__", &state_of)
        .def("__setstate__", [](Game& self, const GameState& state) { new (&self) Game(game_from(state)); })
        .def("__copy__", [](const Game& self) { return Game(self); })
        .def("__deepcopy__", [](const Game& self, nb::handle) { return Game(self); })
        .def(
            "place_handicap", [](Game& self, int stones) { return points_list(self.place_handicap(stones)); },
            nb::arg("stones"), "Places a fixed handicap and returns its points.")
        .def(
            "set_handicap",
            [](Game& self, const Moves& points) { self.set_handicap(points_from(points, self.size())); },
            nb::arg("points"), "Black stones placed before White's first move.")
        .def(
            "setup",
            [](Game& self, const Moves& black, const Moves& white, Color to_play) {
                self.setup(points_from(black, self.size()), points_from(white, self.size()), to_play);
            },
            nb::arg("black") = nb::list(), nb::arg("white") = nb::list(), nb::arg("to_play") = Color::black,
            "Starts anew from these stones.")
        .def(
            "black_score",
            [](const Game& self, std::optional<Moves> dead) {
                return self.black_score(dead ? points_from(*dead, self.size()) : std::vector<Point>{});
            },
            nb::arg("dead") = nb::none(),
            "Black's lead by the rules, komi taken off; `dead` stones are removed first.")
        .def(
            "result",
            [](const Game& self) -> std::optional<std::string> {
                const std::string text = self.result();
                return text.empty() ? std::nullopt : std::optional(text);
            },
            "'B+3.5', 'W+R', '0' for a draw, None while running.")
        .def(
            "vertex",
            [](const Game& self, const MoveLike& move) {
                return vertex_text(move_from(move, self.size()), self.size());
            },
            nb::arg("move"), "Text of a move.")
        .def(
            "vertices",
            [](const Game& self) {
                std::vector<std::string> texts;
                for (const auto& played : self.moves())
                    texts.push_back(vertex_text(played.move, self.size()));
                return texts;
            },
            "The moves played, as text: ['E5', 'D4', 'pass'].")
        .def("diagram", [](const Game& self) { return self.board().diagram(); })
        .def(
            "_repr_svg_",
            [](nb::handle self) {
                return nb::cast<std::string>(
                    nb::module_::import_("tesuji.go.drawing").attr("shown_board")(self));
            },
            nb::sig("def _repr_svg_(self) -> str"), "The position as a picture: how a notebook shows it.")
        .def("__repr__", [](const Game& self) {
            return "Game(size=" + std::to_string(self.size()) + ", move " +
                   std::to_string(self.moves().size()) + ", " + name_of(self.to_play()) + " to play)\n" +
                   self.board().diagram();
        });

    module.def(
        "play_out",
        [](Game& game, std::uint64_t seed, int max_moves) {
            Random random(seed);
            nb::gil_scoped_release release;
            return play_out(game, random, max_moves);
        },
        nb::arg("game"), nb::arg("seed"), nb::arg("max_moves") = 10000,
        "Plays uniformly random moves (own one-point eyes left alone) to the end; returns their number.");
}

}  // namespace tesuji
