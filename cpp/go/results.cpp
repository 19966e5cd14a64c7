#include "go/results.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"

namespace tesuji {

namespace {

constexpr float largest_margin = 10000;  // beyond what any board and komi can give

// Takes the letters at the front off a text.
std::string take_word(std::string_view& text) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_letter);
    const auto length = static_cast<std::size_t>(end - text.begin());
    const std::string word = lower(text.substr(0, length));
    text = trimmed(text.substr(length));
    return word;
}

bool is_one_of(const std::string& word, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// "3.5", "3,5 points", "2.5 (moves beyond 250 unknown)"; none for other units and for fractions.
std::optional<float> points(std::string_view text) {
    const std::size_t length = std::min(text.find_first_not_of("0123456789.,"), text.size());
    std::string_view number = text.substr(0, length), rest = trimmed(text.substr(length));
    while (number.size() > 1 && (number.back() == '.' || number.back() == ',')) number.remove_suffix(1);
    const bool remark = rest.starts_with('(') || rest.starts_with('{') || rest.starts_with(';');
    if (!rest.empty() && !remark &&
        !is_one_of(take_word(rest), {"p", "pt", "pts", "point", "points", "moku"}))
        return std::nullopt;
    const std::optional<float> margin = decimal(number);
    return margin && *margin <= largest_margin ? margin : std::nullopt;
}

Ending ending_of(const std::string& word) {
    if (word == "r" || word.starts_with("res")) return Ending::resigned;
    if (word == "t" || word.starts_with("time")) return Ending::time;
    if (word == "f" || word.starts_with("forf")) return Ending::forfeit;
    return Ending::unknown;
}

constexpr Result draw{Winner::draw, Ending::counted, 0};

}  // namespace

Result parse_result(std::string_view text) {
    text = trimmed(text);
    if (is_one_of(lower(text), {"draw", "jigo", "tie"}) || decimal(text) == 0.0F) return draw;
    const std::string color = take_word(text);
    const bool black = is_one_of(color, {"b", "black"});
    if ((!black && !is_one_of(color, {"w", "white"})) || !text.starts_with('+')) return {};
    Result result;
    result.winner = black ? Winner::black : Winner::white;
    text = trimmed(text.substr(1));
    if (const auto margin = points(text)) {
        if (*margin == 0) return draw;
        result.ending = Ending::counted;
        result.black_margin = black ? *margin : -*margin;
    } else {
        result.ending = ending_of(take_word(text));
    }
    return result;
}

std::string result_text(const Result& result) {
    if (result.winner == Winner::unknown) return "";
    if (result.winner == Winner::draw) return "0";
    const std::string side = result.winner == Winner::black ? "B+" : "W+";
    if (result.ending == Ending::resigned) return side + "R";
    if (result.ending == Ending::time) return side + "T";
    if (result.ending == Ending::forfeit) return side + "F";
    return std::isnan(result.black_margin) ? side : side + number_text(std::abs(result.black_margin));
}

std::string score_text(double black_lead, int decimals) {
    const char* const side = black_lead < 0 ? "W+" : "B+";
    if (decimals >= 0) return side + number_text(std::abs(black_lead), decimals);
    return black_lead == 0 ? "0" : side + number_text(static_cast<float>(std::abs(black_lead)));
}

}  // namespace tesuji
