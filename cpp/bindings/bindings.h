// What the bindings of different nouns share. Only files of this folder include nanobind.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "base/text.h"
#include "go/game.h"
#include "go/types.h"

namespace nb = nanobind;

namespace tesuji {

// Types as the stubs show them.
using MoveLike = nb::typed<nb::object, std::variant<int, std::string>>;
using Moves = nb::typed<nb::iterable, MoveLike>;
using IntList = nb::typed<nb::list, int>;

// A move given as vertex text or as a point number (tesuji.PASS = -1).
Move move_from(nb::handle move, int size);
std::vector<Point> points_from(const Moves& moves, int size);
IntList list_of(const PointSet& points, int words);

// Raises tesuji.IllegalMoveError, which names the move, the rule and the position.
[[noreturn]] void throw_illegal(const Board& board, Move move, Color color, const char* why);

// A board as Python sees it: with its own trail, so that moves can be taken back.
struct PyBoard {
    Board board;
    Trail trail;
};

void bind_types(nb::module_& module);
void bind_board(nb::module_& module);
void bind_game(nb::module_& module);
void bind_planes(nb::module_& module);
void bind_records(nb::module_& module);
void bind_game_pool(nb::module_& module);
void bind_tree(nb::module_& module);

}  // namespace tesuji
