#include "base/peak.h"
#include "bindings.h"

namespace tesuji {

Move move_from(nb::handle move, int size) {
    if (nb::isinstance<nb::str>(move)) return parse_vertex(nb::cast<std::string>(move), size);
    long long number = 0;
    if (!nb::try_cast(move, number)) {
        const std::string shown = quoted(nb::cast<std::string>(nb::repr(move)));
        throw nb::type_error(
            ("a move is a vertex like 'D4', 'pass' or a point number, not " + shown).c_str());
    }
    if (number < pass || number >= size * size)
        throw std::invalid_argument("no point " + std::to_string(number) + " on a " + std::to_string(size) +
                                    "x" + std::to_string(size) + " board; points run from 0 to " +
                                    std::to_string(size * size - 1) + ", pass is -1");
    return static_cast<Move>(number);
}

std::vector<Point> points_from(const Moves& moves, int size) {
    std::vector<Point> points;
    for (const nb::handle move : moves) {
        const Move point = move_from(move, size);
        if (point == pass) throw std::invalid_argument("a pass where a point is needed");
        points.push_back(point);
    }
    return points;
}

IntList list_of(const PointSet& points, int words) {
    IntList list;
    for_each_point(points.words.data(), words, [&](Point point) { list.append(static_cast<int>(point)); });
    return list;
}

void bind_peaks(nb::module_& module) {
    using Unlocked = nb::call_guard<nb::gil_scoped_release>;
    module.def("peak_in_floats", &peak_in_floats, nb::arg("rounds"), Unlocked(),
               "Multiplies and adds floats as fast as it can; returns how many operations it did.");
    module.def("peak_in_bytes", &peak_in_bytes, nb::arg("rounds"), Unlocked(),
               "The same in 8-bit integers; 0 where the processor has no instruction for them.");
}

void bind_types(nb::module_& module) {
    nb::enum_<Color>(module, "Color", nb::is_arithmetic(), "The colour of a stone or a player.")
        .value("BLACK", Color::black)
        .value("WHITE", Color::white)
        .def_prop_ro("opponent", &opponent, "The other colour.")
        .export_values();
    module.attr("PASS") = static_cast<int>(pass);
    module.def("parse_vertex", &parse_vertex, nb::arg("text"), nb::arg("size"),
               "Point number of a GTP vertex such as 'D4'; PASS for 'pass'.");
    module.def("vertex_text", &vertex_text, nb::arg("move"), nb::arg("size"),
               "GTP vertex of a point number; 'pass' for PASS.");
}

}  // namespace tesuji

NB_MODULE(_core, module) {
    // What the core refuses is bad input: a Python class, so that it is told from a defect.
    nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
        try {
            std::rethrow_exception(pointer);
        } catch (const std::invalid_argument& error) {
            nb::object type = nb::module_::import_("tesuji.base.errors").attr("InputError");
            PyErr_SetString(type.ptr(), error.what());
        }
    });
    nb::set_leak_warnings(false);  // games alive at exit are no leak, and stderr belongs to the user
    module.doc() = "The compiled core: rules, ladders, planes, records and the search tree.";
    tesuji::bind_types(module);
    tesuji::bind_peaks(module);
    tesuji::bind_board(module);
    tesuji::bind_game(module);
    tesuji::bind_planes(module);
    tesuji::bind_records(module);
    tesuji::bind_game_pool(module);
    tesuji::bind_tree(module);
}
