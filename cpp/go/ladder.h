// Ladders: can a chain of one or two liberties be captured by a sequence of ataris?
#pragma once

#include "go/board.h"

namespace tesuji {

// The attacker may play either of the last two liberties; the defender may extend or capture an adjacent
// chain in atari; three liberties have escaped, and nobody plays suicide. Two rules differ in ko:
//   course  A ban holds for both sides, the one on the board included, and at most 1000 positions are read,
//           100 moves deep: so the course library fills its planes.
//   usual   A ladder that rests on ko is none, as KataGo and GNU Go have it: when the attacker's atari takes
//           a ko the chain has escaped, except that it must retake a ko of the attacker's first move. A chain
//           whose two liberties are both ko mouths, with nothing to gain by filling or capturing, is lost.
enum class LadderRule : std::uint8_t { course, usual };

// Is the chain at `point` lost when `to_play` moves first? With its owner to move it must be in atari to be
// lost; with the opponent to move it must have one or two liberties. The board is used for reading and handed
// back exactly as found.
bool is_captured(Board& board, Point point, Color to_play, LadderRule rule, Trail& trail);

// The liberties of a chain that has two at which the opponent starts a ladder that works, by the usual rule.
PointSet ladder_starts(Board& board, Point point, Trail& trail);

}  // namespace tesuji
