// From text to packed games, one chunk at a time: reading, filtering and checking, safe to run on several
// threads.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/packed_body.h"
#include "records/sgf_reader.h"

namespace tesuji {

// Which games are wanted.
struct Filter {
    std::optional<int> size;
    float min_komi = -std::numeric_limits<float>::infinity();
    float max_komi = std::numeric_limits<float>::infinity();  // with either limit, an unknown komi is refused
    std::optional<Rules> rules;
    bool result_known = false;
    int min_moves = 0;
    int min_rating = 0;  // of the weaker player, on its own scale
    int max_rating = 0;  // of the weaker player too
    int min_handicap = 0;
    int max_handicap = std::numeric_limits<int>::max();
    int min_year = 0;  // with either limit, an unknown date is refused
    int max_year = std::numeric_limits<int>::max();

    std::vector<std::string> not_by;  // players whose moves are not to be imitated; "*": everybody named

    void check(const GameRecord& record) const;  // throws Rejected
    // Marks those players as programs.
    void mark(GameRecord& record) const;
};

struct Rejection {
    std::size_t ordinal;  // of the record in its chunk, from 0
    std::string reason;
    std::string detail;
};

struct Chunk {
    std::vector<PackedGame> games;
    std::vector<std::size_t> ordinals;  // of the games
    std::vector<Rejection> rejections;

    std::size_t records() const { return games.size() + rejections.size(); }
    void add(GameRecord record, const Filter& filter, std::size_t ordinal);
};

Chunk read_sgf_chunk(std::string_view text, bool one_per_line, const Filter& filter);
Chunk pack_records(const std::vector<GameRecord>& records, const Filter& filter);

}  // namespace tesuji
