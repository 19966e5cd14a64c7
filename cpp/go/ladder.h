// Ladders: can a chain of one or two liberties be captured by a sequence of ataris?
#pragma once

#include "go/board.h"

namespace tesuji {

inline constexpr int ladder_max_depth = 100;
inline constexpr int ladder_max_nodes = 1000;

// Is the chain at `point` lost when `to_play` moves first? With its owner to move it must be in atari to be
// lost; with the opponent to move it must have one or two liberties. The attacker may play either of the last
// two liberties; the defender may extend or capture an adjacent chain in atari; three liberties have escaped.
// A ko ban holds for both sides, as in the course library. Beyond the limits the answer is no. The board is
// used for reading and handed back exactly as found.
bool is_captured(Board& board, Point point, Color to_play, Trail& trail);

}  // namespace tesuji
