// All ladders of a board at once, by the usual rule, remembered for boards met again: a position in a search
// is asked about once for itself and again as the past of its successors.
#pragma once

#include <array>
#include <optional>

#include "go/game.h"

namespace tesuji {

// The stones of chains in a ladder: in atari and lost, or with two liberties and lost if the opponent moves.
struct Laddered {
    PointSet stones;
    std::array<PointSet, 2>
        starts;  // where a working ladder against a chain of two liberties of colour i begins
};

class LadderMemory {
  public:
    // Of the position of this snapshot. The answer stays until the next question.
    const Laddered& of(const Snapshot& position, int size);

  private:
    struct Slot {
        std::uint64_t key = 0;
        Laddered found;
    };
    static constexpr std::size_t slots = 4096;

    void rebuild(const Snapshot& position, int size);
    Laddered read();

    std::vector<Slot> slots_;
    std::optional<Board> empty_, board_;  // of the size of the last question
    Trail trail_;
};

}  // namespace tesuji
