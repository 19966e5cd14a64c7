#include "planes/laddered.h"

#include "base/hash.h"
#include "go/ladder.h"
#include "planes/canvas.h"

namespace tesuji {

const Laddered& LadderMemory::of(const Snapshot& position, int size) {
    if (slots_.empty()) slots_.resize(slots);
    const std::uint64_t key = mix(position.hash + mix(static_cast<std::uint64_t>(position.ko + 2) * 64 +
                                                      static_cast<std::uint64_t>(size)));
    Slot& slot = slots_[key % slots];
    if (slot.key != key) {
        rebuild(position, size);
        slot = {key, read()};
    }
    return slot.found;
}

void LadderMemory::rebuild(const Snapshot& position, int size) {
    if (!empty_ || empty_->size() != size) board_ = empty_ = Board(size);
    *board_ = *empty_;
    for (const Color color : {Color::black, Color::white})
        for_each_point(position.stones_of(color).words.data(), board_->words(),
                       [&](Point point) { board_->place(point, color); });
    board_->set_ko(position.ko);
}

Laddered LadderMemory::read() {
    Laddered found;
    Board& board = *board_;
    for_each_chain(board, [&](Point head) {
        const Color owner = color_of(board.at(head));
        const int liberties = board.liberty_count(head);
        bool lost = false;
        if (liberties == 1) {
            lost = is_captured(board, head, owner, LadderRule::usual, trail_);
        } else if (liberties == 2) {
            const PointSet starts = ladder_starts(board, head, trail_);
            lost = starts != PointSet{};
            PointSet& all = found.starts[index_of(owner)];
            for (int i = 0; i < board.words(); ++i) all.words[i] |= starts.words[i];
        }
        if (!lost) return;
        Point stone = head;
        do {
            found.stones.add(stone);
            stone = board.next_in_chain(stone);
        } while (stone != head);
    });
    return found;
}

}  // namespace tesuji
