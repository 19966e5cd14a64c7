#include "samples/replayer.h"

#include <stdexcept>

namespace tesuji {

void Replayer::start(const BodyView& game) {
    const int size = game.entry().size;
    if (!empty_ || empty_->size() != size) board_ = empty_ = Board(size);
    *board_ = *empty_;
    const int black = game.black_setup(), white = game.white_setup();
    for (int i = 0; i < black + white; ++i) {
        const Point point = game.setup_point(i);
        if (board_->at(point) != Stone::empty)
            throw std::invalid_argument("a packed game sets stones on stones");
        board_->place(point, i < black ? Color::black : Color::white);
    }
    snapshots_ = {};
    moves_.fill(pass);
    top_ = 0;
}

void Replayer::remember() {
    snapshots_[top_] = {board_->stones_of(Color::black), board_->stones_of(Color::white), board_->hash(),
                        board_->ko()};
}

// The light replay came first: no stone is played on another.
void Replayer::play_whole(const BodyView& game, int position, Color to_play) {
    const int black = game.black_setup(), white = game.white_setup();
    std::vector<Point> setup;
    for (int i = 0; i < black + white; ++i) setup.push_back(game.setup_point(i));
    const bool white_first = game.entry().flags & PackedEntry::white_first;
    whole_.emplace(game.entry().size, 0.0f, rules_or_usual(game.entry()));
    whole_->setup({setup.begin(), setup.begin() + black}, {setup.begin() + black, setup.end()},
                  white_first ? Color::white : Color::black);
    game.for_each_turn(std::min<int>(position, game.entry().moves),
                       [&](Turn turn) { whole_->play_assume_legal(turn.move, turn.color); });
    whole_->set_to_play(to_play);
}

const Position& Replayer::at(const BodyView& game, int position, bool whole) {
    start(game);
    const int remembered_from =
        position - history_length + 1;  // the number of moves before the oldest board wanted
    if (remembered_from <= 0) remember();
    int played = 0;
    Color next = game.entry().flags & PackedEntry::white_first ? Color::white : Color::black;
    game.for_each_turn(std::min<int>(position + 1, game.entry().moves), [&](Turn turn) {
        if (played == position) {  // the move that will be played tells whose turn it is
            next = turn.color;
            return;
        }
        if (turn.move == pass)
            board_->pass_move();
        else if (board_->at(turn.move) == Stone::empty)
            board_->play_assume_legal(turn.move, turn.color);
        else
            throw std::invalid_argument("a packed game plays on a stone; pack the file again");
        next = opponent(turn.color);
        ++played;
        if (played < remembered_from) return;
        top_ = (top_ + 1) % history_length;
        moves_[top_] = turn.move;
        remember();
    });
    const int rating = next == Color::black ? game.entry().black_rating : game.entry().white_rating;
    position_.emplace(Position{*board_, next, komi_or_usual(game.entry()), {}, {}, nullptr, rating});
    for (int age = 0; age < history_length; ++age) {
        position_->past[age] = &snapshots_[(top_ - age + history_length) % history_length];
        position_->recent[age] = moves_[(top_ - age + history_length) % history_length];
    }
    if (whole) {
        play_whole(game, position, next);
        position_->game = &*whole_;
    }
    return *position_;
}

}  // namespace tesuji
