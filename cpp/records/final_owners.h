// Who owns the final board of a game that was counted.
#pragma once

#include <vector>

#include "go/game.h"
#include "records/game_record.h"

namespace tesuji {

// Every point's owner by area once the dead stones are off, if a reading of the board gives the score that
// the record states; nothing otherwise. `game` is the record played through.
std::vector<Stone> final_owners(const GameRecord& record, const Game& game);

}  // namespace tesuji
