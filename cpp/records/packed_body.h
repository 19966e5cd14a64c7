// A game record to bytes and back.
#pragma once

#include <cstring>
#include <string>

#include "records/game_record.h"
#include "records/packed_format.h"

namespace tesuji {

// A game ready to be written: everything of its entry but the offset.
struct PackedGame {
    PackedEntry entry;
    std::string body;
};

// Checks every move. Throws std::invalid_argument naming what is wrong.
PackedGame pack_game(const GameRecord& record);

// The entry's komi or rules, or the usual ones where they are unknown.
float komi_or_usual(const PackedEntry& entry);
Rules rules_or_usual(const PackedEntry& entry);

// The bytes a body has at least, by its entry; what it says itself is checked by BodyView.
std::size_t least_body_bytes(const PackedEntry& entry);

// The parts of a body, found without copying. A checksum tells damage but not malice, so that whatever the
// body says of lengths and points is checked where it is used: std::invalid_argument if it lies.
class BodyView {
  public:
    BodyView(const PackedEntry& entry, const unsigned char* body);

    const PackedEntry& entry() const { return *entry_; }
    int area() const { return entry_->size * entry_->size; }
    int black_setup() const { return black_setup_; }
    int white_setup() const { return white_setup_; }
    Point setup_point(int i) const {
        return on_board(word(4 + 2 * static_cast<std::size_t>(i)));
    }  // Black's first
    // Calls `visit(turn)` for the moves before `end`.
    template <typename Visit>
    void for_each_turn(int end, Visit visit) const;
    Move move(int index) const;

    bool final_stone(Color color, Point point) const {
        return bit(final_ + index_of(color) * bitmap_, point);
    }
    bool owned(Color color, Point point) const { return bit(owners_ + index_of(color) * bitmap_, point); }
    PackedTarget target(int index) const;
    std::pair<Move, float> target_policy(const PackedTarget& target, int index) const;
    std::int8_t target_ownership(const PackedTarget& target, Point point) const;
    int find_target(int position) const;  // its index, or -1

  private:
    std::uint16_t word(std::size_t offset) const {
        std::uint16_t value;
        std::memcpy(&value, body_ + offset, sizeof value);
        return value;
    }
    Point on_board(unsigned point) const {
        if (point >= static_cast<unsigned>(area())) refuse();
        return static_cast<Point>(point);
    }
    [[noreturn]] void refuse() const;
    bool bit(std::size_t offset, Point point) const {
        return body_[offset + (point >> 3)] >> (point & 7) & 1;
    }

    const PackedEntry* entry_;
    const unsigned char* body_;
    int black_setup_ = 0, white_setup_ = 0;
    std::size_t bitmap_, moves_, final_, owners_, targets_;
};

template <typename Visit>
void BodyView::for_each_turn(int end, Visit visit) const {
    const int width = move_bytes(entry_->size);
    Color color = entry_->flags & PackedEntry::white_first ? Color::white : Color::black;
    for (int i = 0; i < end; ++i) {
        const unsigned code = width == 1 ? body_[moves_ + i] : word(moves_ + 2 * static_cast<std::size_t>(i));
        const unsigned turn_bit = width == 1 ? 0x80 : 0x8000;
        if (code & turn_bit) color = opponent(color);
        const unsigned point = code & (turn_bit - 1);
        visit(Turn{color, point == turn_bit - 1 ? pass : on_board(point)});
        color = opponent(color);
    }
}

GameRecord unpack_game(const BodyView& view);

}  // namespace tesuji
