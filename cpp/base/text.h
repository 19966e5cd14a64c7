// Text as users write it: read leniently, quoted safely, numbers in and out the same under every locale.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tesuji {

constexpr bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f';
}
constexpr bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string_view trimmed(std::string_view text);
std::string lower(std::string_view text);
std::string letters_of(std::string_view text);  // in small, all else left out

// A user's text as an error message may quote it: not too long, and nothing that is not plain ASCII.
std::string quoted(std::string_view text);

// The line for a name that does not exist: "no rules 'chinse'; did you mean 'chinese'? known: aga, chinese".
// Throws std::invalid_argument.
[[noreturn]] void refuse_name(std::string_view what, std::string_view name,
                              const std::vector<std::string>& known);

// A plain decimal number, all of it: "6.5", "+6,5", ".5", "6."; no exponent, no "nan".
std::optional<float> decimal(std::string_view text);
// The shortest text that reads back as the same number: "3.5", "7".
std::string number_text(float number);
std::string number_text(double number, int decimals);  // "3.50"

}  // namespace tesuji
