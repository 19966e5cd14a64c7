// Positions of packed games, replayed lightly: no superko, no legality, only the last few boards remembered,
// unless the whole game is asked for.
#pragma once

#include <array>
#include <optional>

#include "planes/planes.h"
#include "records/packed_body.h"

namespace tesuji {

class Replayer {
  public:
    // The position after `position` moves; it and its board belong to the replayer until the next call. With
    // `whole` it comes with the game that led to it, under the rules of the record.
    const Position& at(const BodyView& game, int position, bool whole = false);

  private:
    void start(const BodyView& game);
    void remember();
    void play_whole(const BodyView& game, int position, Color to_play);

    std::optional<Board> empty_, board_;  // of the size of the last game
    std::array<Snapshot, history_length> snapshots_;
    std::array<Move, history_length> moves_;
    int top_ = 0;  // where the newest snapshot and move are
    std::optional<Position> position_;
    std::optional<Game> whole_;
};

}  // namespace tesuji
