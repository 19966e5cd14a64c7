#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace tesuji {

namespace {

// Letters to add, drop or change to come from one text to the other.
std::size_t distance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t changed = diagonal + (from[i] != to[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::string lower(std::string_view text) {
    std::string small;
    for (const char c : text) small += lower(c);
    return small;
}

std::string letters_of(std::string_view text) {
    std::string letters;
    for (const char c : text)
        if (is_letter(c)) letters += lower(c);
    return letters;
}

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string shown = "'";
    for (const char c : text.substr(0, longest)) shown += c >= ' ' && c <= '~' ? c : '?';
    return shown + (text.size() > longest ? "...'" : "'");
}

void refuse_name(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
    std::string all, nearest;
    std::size_t least =
        std::max<std::size_t>(name.size() / 2, 1) + 1;  // beyond it names have little in common
    for (const std::string& each : known) {
        all += (all.empty() ? "" : ", ") + each;
        const std::size_t apart = name.size() < 40 ? distance(lower(name), each) : least;
        if (apart < least) least = apart, nearest = each;
    }
    throw std::invalid_argument("no " + std::string(what) + " " + quoted(name) + "; " +
                                (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") +
                                "known: " + all);
}

std::optional<float> decimal(std::string_view text) {
    std::string plain(text);
    std::replace(plain.begin(), plain.end(), ',', '.');
    if (plain.starts_with('+') && !plain.starts_with("+-")) plain.erase(0, 1);
    const char* const last = plain.data() + plain.size();
    float number = 0;
    const auto [end, error] = std::from_chars(plain.data(), last, number, std::chars_format::fixed);
    if (error != std::errc{} || end != last || !std::isfinite(number)) return std::nullopt;
    return number;
}

std::string number_text(float number) {
    std::array<char, 64> text;
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    return error == std::errc{} ? std::string(text.data(), end) : "?";
}

std::string number_text(double number, int decimals) {
    std::array<char, 64> text;
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number,
                                            std::chars_format::fixed, std::clamp(decimals, 0, 9));
    return error == std::errc{} ? std::string(text.data(), end) : "?";
}

}  // namespace tesuji
