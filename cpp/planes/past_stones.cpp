// agz-17, toronto-18 and leela-18 (Leela Zero): the stones of the last eight positions and who is to play,
// nothing else.
#include "planes/canvas.h"
#include "planes/names.h"

namespace tesuji {
namespace {

constexpr int positions = 8;

template <typename Number>
void draw_agz(const Position& position, Canvas<Number>& canvas) {
    for (int age = 0; age < positions; ++age) {
        canvas.mark_all(2 * age, position.stones(age, position.to_play));
        canvas.mark_all(2 * age + 1, position.stones(age, opponent(position.to_play)));
    }
    if (position.to_play == Color::black) canvas.fill(16);
}

// The positions of one colour, then of the other, then two planes for the turn.
template <typename Number>
void draw_by_color(const Position& position, Color first, Canvas<Number>& canvas) {
    for (int age = 0; age < positions; ++age) {
        canvas.mark_all(age, position.stones(age, first));
        canvas.mark_all(positions + age, position.stones(age, opponent(first)));
    }
    canvas.fill(position.to_play == Color::black ? 16 : 17);
}

template <typename Number>
void draw_toronto(const Position& position, Canvas<Number>& canvas) {
    draw_by_color(position, Color::black, canvas);
}

template <typename Number>
void draw_leela(const Position& position, Canvas<Number>& canvas) {
    draw_by_color(position, position.to_play, canvas);
}

Names by_color(const std::string& first, const std::string& second) {
    Names names;
    for (const std::string& what : {first, second})
        for (int age = 0; age < positions; ++age) names.push_back(at_age(what, age));
    append(names, {"black to play", "white to play"});
    return names;
}

}  // namespace

PlaneSet agz_17() {
    Names names;
    for (int age = 0; age < positions; ++age)
        append(names, {at_age("own stones", age), at_age("opponent's stones", age)});
    names.push_back("black to play");
    return {"agz-17", std::move(names), {.history = positions}, draw_agz<float>, draw_agz<std::uint8_t>};
}

PlaneSet toronto_18() {
    return {"toronto-18",
            by_color("black stones", "white stones"),
            {.history = positions},
            draw_toronto<float>,
            draw_toronto<std::uint8_t>};
}

PlaneSet leela_18() {
    return {"leela-18",
            by_color("own stones", "opponent's stones"),
            {.history = positions},
            draw_leela<float>,
            draw_leela<std::uint8_t>};
}

}  // namespace tesuji
