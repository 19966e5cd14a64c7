// human-30: the planes of golois-21, then the rank of the player to move. For networks that imitate people.
#include "planes/human.h"

#include <algorithm>

#include "go/rating.h"
#include "planes/golois.h"

namespace tesuji {
namespace {

constexpr int first_step = 4, between_steps = 4;  // as ratings: 27k, 23k, ...

void draw(const Position& position, Canvas<float>& canvas) {
    draw_golois_21(position, canvas);
    const auto told = rank_inputs(position.rating);
    for (int step = 0; step < rank_steps; ++step)
        if (told[step] > 0) canvas.fill(golois_21_channels + step, told[step]);
}

Names names() {
    Names all = golois_21_names();
    for (int step = 0; step < rank_steps; ++step)
        all.push_back("rank near " + rating_text(first_step + between_steps * step));
    return all;
}

}  // namespace

std::array<float, rank_steps> rank_inputs(int rating) {
    std::array<float, rank_steps> told{};
    if (rating <= 0 || rating >= 100) return told;
    const int rank = std::min(rating, strongest_rank);
    const float place = std::clamp(static_cast<float>(rank - first_step) / between_steps, 0.0f,
                                   static_cast<float>(rank_steps - 1));
    const int below = std::min(static_cast<int>(place), rank_steps - 2);
    const float share = place - static_cast<float>(below);
    told[below] = 1 - share;
    told[below + 1] = share;
    return told;
}

PlaneSet human_30() { return {"human-30", names(), {.history = 5, .global_inputs = rank_steps}, draw}; }

}  // namespace tesuji
