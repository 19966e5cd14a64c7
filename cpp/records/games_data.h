// The course library's text file `games.data`: the number of games, then for each `komi winner moves` and for
// each of its moves `point colour white-winrate score`. Boards are 19x19, point 361 is a pass.
#pragma once

#include <string>
#include <string_view>

#include "records/game_record.h"
#include "records/pack.h"

namespace tesuji {

class GamesDataReader {
  public:
    // Throws std::invalid_argument if the text does not begin like such a file. The text must outlive the
    // reader.
    explicit GamesDataReader(std::string_view text);

    std::size_t stated() const { return stated_; }  // games by the first line
    std::size_t read() const { return read_; }
    std::size_t offset() const { return at_; }
    bool at_end() const { return read_ == stated_ || broken_; }
    // The next games, at most so many. A file that is cut or garbled, or goes on behind the last game it
    // states, ends in a rejection.
    Chunk next(std::size_t most, const Filter& filter);

  private:
    std::string_view word();
    float number();
    int whole();
    GameRecord game();
    void check_end(Chunk& chunk);
    Color color(std::string_view text);

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t stated_ = 0, read_ = 0;
    bool broken_ = false;
    char black_ = 0;  // how the file writes Black: as the first move of its first game
};

void append_games_data(const GameRecord& record,
                       std::string& out);  // throws std::invalid_argument unless 19x19 and even

}  // namespace tesuji
