// The main line of SGF games, fast: for packing records by the hundred thousand. Text is UTF-8 (or ASCII).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "records/game_record.h"

namespace tesuji {

// A record that cannot be used; `reason` is the heading it is counted under.
class Rejected : public std::runtime_error {
  public:
    Rejected(std::string reason, const std::string& detail)
        : std::runtime_error(detail), reason_(std::move(reason)) {}
    const std::string& reason() const { return reason_; }

  private:
    std::string reason_;
};

// The main line of one game tree. Throws Rejected.
GameRecord read_sgf_game(std::string_view text);

// The game trees of a file, each with its variations; text between them is skipped. A tree cut off at the end
// counts.
std::vector<std::string_view> split_trees(std::string_view text);
// The lines that are not blank.
std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace tesuji
