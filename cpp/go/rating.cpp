#include "go/rating.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace tesuji {
namespace {

std::optional<float> parse_number(std::string_view text) {
    float number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end == text.data() || !std::isfinite(number)) return std::nullopt;
    return number;
}

}  // namespace

int parse_rating(std::string_view text) {
    if (text == "bot") return program_rating;
    const auto number = parse_number(text);
    if (!number || *number < 1 || *number > 30000) return 0;
    const int whole = static_cast<int>(*number);
    for (char c : text) {
        if (c == 'k' || c == 'K') return whole <= 30 ? 31 - whole : 0;
        if (c == 'd' || c == 'D') return whole <= 9 ? 30 + whole : 0;
        if (c == 'p' || c == 'P') return whole <= 9 ? 40 + whole : 0;
    }
    return whole >= 100 ? whole : 0;
}

std::string rating_text(int rating) {
    if (rating == program_rating) return "bot";
    if (rating <= 0) return "";
    if (rating >= 100) return std::to_string(rating);
    if (rating > 40) return std::to_string(rating - 40) + "p";
    return rating > 30 ? std::to_string(rating - 30) + "d" : std::to_string(31 - rating) + "k";
}

}  // namespace tesuji
