// How strong players are said to be, as one number.
#pragma once

#include <string>
#include <string_view>

namespace tesuji {

// Two scales that never mix: 1..30 = 30k..1k, 31..39 = 1d..9d, 41..49 = 1p..9p; 100 and more = Elo; 0 where
// nothing is known.
int parse_rating(std::string_view text);
std::string rating_text(int rating);

inline constexpr int strongest_rank = 39;  // 9d; professionals count as that where a rank is asked for
inline constexpr int program_rating = -1;  // written "bot": a program whose moves are not to be imitated

}  // namespace tesuji
