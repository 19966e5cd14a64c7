// Positions of packed games, replayed lightly: no superko, no legality, only the last few boards remembered.
#pragma once

#include <array>
#include <optional>

#include "records/packed_body.h"
#include "planes/planes.h"

namespace tesuji {

class Replayer {
  public:
    // The position after `position` moves; it and its board belong to the replayer until the next call.
    const Position& at(const BodyView& game, int position);

  private:
    void start(const BodyView& game);
    void remember();

    std::optional<Board> empty_, board_;  // of the size of the last game
    std::array<Snapshot, history_length> snapshots_;
    std::array<Move, history_length> moves_;
    int top_ = 0;  // where the newest snapshot and move are
    std::optional<Position> position_;
};

}  // namespace tesuji
