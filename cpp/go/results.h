// How games end: results in the many forms people write them, and the one form we write.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace tesuji {

inline constexpr float missing = std::numeric_limits<float>::quiet_NaN();

enum class Winner : std::uint8_t { unknown, black, white, draw };
enum class Ending : std::uint8_t { unknown, counted, resigned, time, forfeit };

struct Result {
    Winner winner = Winner::unknown;
    Ending ending = Ending::unknown;
    float black_margin = missing;  // Black's lead, komi taken off, of a game counted to the end
};

// "B+3.5", "b+ 3,5 points", "White+Resign", "W+T", "0", "Jigo", "W+0.0", "B+" (margin unknown), "Void". Text
// that tells no winner is an unknown result; a margin that is no plain number of points (half a count of
// stones, "1/2") is left out and the winner kept.
Result parse_result(std::string_view text);

// "B+3.5", "W+R", "B+T", "W+F", "B+", "0" for a draw, "" where unknown.
std::string result_text(const Result& result);

// A game that the rules leave without a result. Read, it tells no winner, like any other reason not to have
// one.
inline constexpr const char* no_result_text = "Void";

// A lead as it is written everywhere: "B+3.5", "W+0.5", "0"; with a number of decimals "B+3.2", "W+1.0".
std::string score_text(double black_lead, int decimals = -1);

}  // namespace tesuji
