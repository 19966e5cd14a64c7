// Board, ladders and pass-alive chains in Python.
#include "go/board.h"

#include <nanobind/stl/pair.h>

#include "bindings.h"
#include "go/counts.h"
#include "go/handicap.h"
#include "go/ladder.h"
#include "go/score.h"

namespace tesuji {

namespace {

Point point_of(const PyBoard& self, const MoveLike& move) {
    const Move point = move_from(move, self.board.size());
    if (point == pass) throw std::invalid_argument("a pass where a point is needed");
    return point;
}

Point stone_at(const PyBoard& self, const MoveLike& move) {
    const Point point = point_of(self, move);
    if (!is_color(self.board.at(point)))
        throw std::invalid_argument("no stone at " + vertex_text(point, self.board.size()));
    return point;
}

int play(PyBoard& self, const MoveLike& move, Color color) {
    const Point point = point_of(self, move);
    const Board& board = self.board;
    const char* problem = board.at(point) != Stone::empty       ? "occupied"
                          : board.retakes_ko(point, color)      ? "ko"
                          : !board.is_legal(point, color, true) ? "suicide"
                                                                : nullptr;
    if (problem) throw_illegal(board, point, color, problem);
    return self.board.play_assume_legal(point, color, self.trail);
}

IntList chain_of(const PyBoard& self, Point start) {
    PointSet stones;
    Point stone = start;
    do {
        stones.add(stone);
        stone = self.board.next_in_chain(stone);
    } while (stone != start);
    return list_of(stones, self.board.words());
}

IntList chain(const PyBoard& self, const MoveLike& move) { return chain_of(self, stone_at(self, move)); }

nb::typed<nb::list, IntList> chains(const PyBoard& self, Color color) {
    nb::typed<nb::list, IntList> list;
    PointSet seen;  // heads
    for_each_point(self.board.stones_of(color).words.data(), self.board.words(), [&](Point point) {
        const Point head = self.board.head(point);
        if (!seen.contains(head)) list.append(chain_of(self, point));
        seen.add(head);
    });
    return list;
}

IntList neighbours(const PyBoard& self, const MoveLike& move) {
    IntList list;
    for (const Point point : self.board.geometry().neighbors[point_of(self, move)])
        if (point < self.board.area()) list.append(static_cast<int>(point));
    return list;
}

// How many chains of one or two liberties there are and how many of them a ladder catches, opponent first.
std::pair<int, int> count_ladders(PyBoard& self) {
    Trail trail;
    int read = 0, caught = 0;
    for (Point point = 0; point < self.board.area(); ++point) {
        if (!is_color(self.board.at(point)) || self.board.head(point) != point ||
            self.board.liberty_count(point) > 2)
            continue;
        ++read;
        caught += is_captured(self.board, point, opponent(color_of(self.board.at(point))), LadderRule::course,
                              trail);
    }
    return {read, caught};
}

nb::typed<nb::list, std::optional<Color>> owners(const PyBoard& self) {
    std::array<Stone, max_area> owner;
    area_owners(self.board, owner.data());
    nb::typed<nb::list, std::optional<Color>> list;
    for (int i = 0; i < self.board.area(); ++i)
        list.append(is_color(owner[i]) ? nb::cast(color_of(owner[i])) : nb::none());
    return list;
}

}  // namespace

void bind_board(nb::module_& module) {
    nb::class_<PyBoard>(module, "Board", "Stones on a board: chains, liberties, captures and simple ko.")
        .def(
            "__init__", [](PyBoard* self, int size) { new (self) PyBoard{Board(size), {}}; },
            nb::arg("size") = 19)
        .def_static(
            "from_diagram", [](const std::string& text) { return PyBoard{Board::from_diagram(text), {}}; },
            nb::arg("diagram"), "A board drawn with . X (black) and O (white), one row a line.")
        .def_prop_ro("size", [](const PyBoard& self) { return self.board.size(); })
        .def_prop_ro(
            "hash", [](const PyBoard& self) { return self.board.hash(); }, "Zobrist hash of the stones.")
        .def_prop_ro(
            "ko",
            [](const PyBoard& self) {
                return self.board.ko() == pass ? std::nullopt : std::optional<int>(self.board.ko());
            },
            "The point a simple ko forbids to the next player, or None.")
        .def("play", &play, nb::arg("move"), nb::arg("color"),
             "Plays a stone; returns the stones captured, negative for own stones lost by suicide.")
        .def(
            "undo",
            [](PyBoard& self) {
                if (self.trail.marks.empty()) throw std::invalid_argument("no move to undo");
                self.board.undo(self.trail);
            },
            "Takes the last move back.")
        .def("copy", [](const PyBoard& self) { return PyBoard{self.board, self.trail}; })
        .def(
            "at",
            [](const PyBoard& self, const MoveLike& move) -> std::optional<Color> {
                const Stone stone = self.board.at(point_of(self, move));
                return is_color(stone) ? std::optional(color_of(stone)) : std::nullopt;
            },
            nb::arg("point"), "Colour of the stone there, or None.")
        .def(
            "stones",
            [](const PyBoard& self, Color color) {
                return list_of(self.board.stones_of(color), self.board.words());
            },
            nb::arg("color"), "Points with stones of that colour, in order.")
        .def(
            "liberties",
            [](const PyBoard& self, const MoveLike& move) {
                return self.board.liberty_count(self.board.head(stone_at(self, move)));
            },
            nb::arg("point"), "Number of liberties of the chain there.")
        .def(
            "liberty_points",
            [](const PyBoard& self, const MoveLike& move) {
                PointSet set;
                const std::uint64_t* row = self.board.liberties(self.board.head(stone_at(self, move)));
                std::copy(row, row + self.board.words(), set.words.begin());
                return list_of(set, self.board.words());
            },
            nb::arg("point"), "Liberties of the chain there, in order.")
        .def(
            "is_eye",
            [](const PyBoard& self, const MoveLike& move, Color color) {
                const Point point = point_of(self, move);
                return self.board.at(point) == Stone::empty && self.board.is_eye(point, color);
            },
            nb::arg("point"), nb::arg("color"), "Is this an empty point that is an eye of that colour?")
        .def("chain", &chain, nb::arg("point"), "Stones of the chain there, in order.")
        .def("chains", &chains, nb::arg("color"), "All chains of that colour, each as points in order.")
        .def("neighbours", &neighbours, nb::arg("point"), "The two to four points beside one, in order.")
        .def(
            "without",
            [](const PyBoard& self, const Moves& points) {
                return PyBoard{self.board.without(points_from(points, self.board.size())), {}};
            },
            nb::arg("points"),
            "A board with the stones on these points taken off; no move can be taken back there.")
        .def(
            "is_captured",
            [](PyBoard& self, const MoveLike& move, Color to_play) {
                Trail trail;
                return is_captured(self.board, stone_at(self, move), to_play, LadderRule::usual, trail);
            },
            nb::arg("point"), nb::arg("to_play"),
            "Is the chain there lost in a ladder when `to_play` moves first?")
        .def("area_owners", &owners, "Colour owning each point by area, None where neutral.")
        .def(
            "area_score", [](const PyBoard& self) { return area_score(self.board); },
            "Black's area minus White's.")
        .def(
            "pass_alive",
            [](const PyBoard& self, Color color, bool suicide) {
                const PassAlive alive = pass_alive(self.board, color, suicide);
                return std::pair(list_of(alive.stones, self.board.words()),
                                 list_of(alive.regions, self.board.words()));
            },
            nb::arg("color"), nb::arg("suicide") = false,
            "Benson's unconditionally alive stones, and the points they enclose.")
        .def("diagram", [](const PyBoard& self) { return self.board.diagram(); })
        .def(
            "_repr_svg_",
            [](nb::handle self) {
                return nb::cast<std::string>(
                    nb::module_::import_("tesuji.go.drawing").attr("shown_board")(self));
            },
            nb::sig("def _repr_svg_(self) -> str"), "The stones as a picture: how a notebook shows them.")
        .def(
            "__eq__", [](const PyBoard& self, const PyBoard& other) { return self.board == other.board; },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const PyBoard& self) { return self.board.hash() >> 2; })
        .def("__repr__", [](const PyBoard& self) {
            return "Board(" + std::to_string(self.board.size()) + ")\n" + self.board.diagram();
        });

    module.def("star_points", &star_points, nb::arg("size"),
               "Where a real board of this size has a dot, in order.");

    module.def(
        "count_ladders", &count_ladders, nb::arg("board"), nb::call_guard<nb::gil_scoped_release>(),
        "Chains of one or two liberties, and how many of them are caught when the opponent moves first.");

    module.def("count_legal_positions", &count_legal_positions, nb::arg("size"),
               nb::call_guard<nb::gil_scoped_release>(),
               "Positions of a board up to 4x4 in which every chain has a liberty.");
}

}  // namespace tesuji
