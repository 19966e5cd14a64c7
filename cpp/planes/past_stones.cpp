// agz-17 and toronto-18: the stones of the last eight positions and who is to play, nothing else.
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

template <typename Number>
void draw_toronto(const Position& position, Canvas<Number>& canvas) {
    for (int age = 0; age < positions; ++age) {
        canvas.mark_all(age, position.stones(age, Color::black));
        canvas.mark_all(positions + age, position.stones(age, Color::white));
    }
    canvas.fill(position.to_play == Color::black ? 16 : 17);
}

Names ages(const std::string& what) {
    Names names;
    for (int age = 0; age < positions; ++age) names.push_back(at_age(what, age));
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
    Names names = ages("black stones");
    append(names, ages("white stones"));
    append(names, {"black to play", "white to play"});
    return {"toronto-18",
            std::move(names),
            {.history = positions},
            draw_toronto<float>,
            draw_toronto<std::uint8_t>};
}

}  // namespace tesuji
