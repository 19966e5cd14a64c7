// One game as a record holds it: how it began, every move, how it ended, and what was said of its positions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "go/game.h"
#include "go/rating.h"
#include "go/results.h"
#include "go/types.h"

namespace tesuji {

// What a search or a teacher said of one position of a game; each part may be missing.
struct Target {
    int position = 0;  // moves played before it
    std::vector<std::pair<Move, float>> policy;
    float white_winrate = missing;
    float white_score = missing;               // White's lead in points, komi counted
    std::vector<std::int8_t> white_ownership;  // hundredths, -100 to 100, one for each point
};

struct GameRecord {
    int size = 19;
    float komi = missing;
    std::optional<Rules> rules;
    Result result;
    int black_rating = 0, white_rating = 0;  // see go/rating.h
    std::string black_name, white_name;      // as the source has them; packed files keep none
    int handicap = 0;
    int year = 0;  // in which it was played, for filters alone: packed files do not hold it; 0 = unknown
    std::vector<Point> black, white;  // stones on the board before the first move
    Color first = Color::black;       // who is to play before any move
    std::vector<Turn> moves;
    std::vector<Target> targets;  // by rising position

    Color to_play(std::size_t position) const {
        if (position < moves.size()) return moves[position].color;
        return moves.empty() ? first : opponent(moves.back().color);
    }
};

// The record's komi, or the usual one for what must show one where the record states none.
float komi_or_usual(const GameRecord& record);

// What replaying a record shows.
struct Replayed {
    Snapshot final_stones;
    bool counts = false;        // counted to the end, and the final board agrees with the score
    std::vector<Stone> owners;  // by area, the dead taken off, if it counts
    std::uint64_t key = 0;      // the same for the same moves under any symmetry
};

// Plays the record through, checking every move. Throws std::invalid_argument naming the first impossible
// move.
Replayed replay(const GameRecord& record);

// `keys[n]` names the first n moves (and the setup), the same under any symmetry, for n up to `most`.
std::vector<std::uint64_t> prefix_keys(const GameRecord& record, std::size_t most = SIZE_MAX);

}  // namespace tesuji
