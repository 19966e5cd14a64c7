// Plane sets: what a network sees of a position. One encoder serves training data, search and play.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "go/board.h"
#include "go/game.h"
#include "go/symmetry.h"

namespace tesuji {

// All that a plane set looks at. A game provides it, and so does the light replay of packed games.
struct Position {
    Board& board;  // the ladder reader borrows it and hands it back exactly as found
    Color to_play;
    float komi;
    std::array<const Snapshot*, history_length> past;  // newest first, the present included
    std::array<Move, history_length> recent;  // the last moves, newest first; pass where there are none
    const Game* game = nullptr;               // there for sets that look at the whole game
    int rating = 0;  // of the player to move, as records say it (go/rating.h); a game in play knows none

    const PointSet& stones(int age, Color color) const { return past[age]->stones_of(color); }
};

enum class Layout : std::uint8_t { channels_first, channels_last };

template <typename Number>
class Canvas;
template <typename Number>
using Draw = void (*)(const Position&, Canvas<Number>&);

// What a set knows about itself, so that nobody else need know it by name.
struct PlaneFacts {
    int history = 1;          // positions it shows, the present one included
    bool reads_komi = false;  // whether komi changes a plane
    int global_inputs = 0;    // how many of its last channels are one number all over the board
    bool whole_game = false;  // whether it looks at `Position::game`: rules, superko, who passed
    // What it sees of a game beyond the positions of its history, as a number; null when nothing.
    std::uint64_t (*beyond_history)(const Game&) = nullptr;
};

class PlaneSet {
  public:
    // A set of zeros and ones is drawn in either kind of number, any other set in floats alone.
    PlaneSet(std::string name, std::vector<std::string> channel_names, PlaneFacts facts, Draw<float> floats,
             Draw<std::uint8_t> bytes = nullptr);

    // Throws std::invalid_argument naming the known ones.
    static const PlaneSet& named(std::string_view name);
    static const std::vector<PlaneSet>& all();

    const std::string& name() const { return name_; }
    int channels() const { return static_cast<int>(channel_names_.size()); }
    const std::vector<std::string>& channel_names() const { return channel_names_; }
    int history() const { return facts_.history; }
    bool reads_komi() const { return facts_.reads_komi; }
    int global_inputs() const { return facts_.global_inputs; }
    bool whole_game() const { return facts_.whole_game; }
    bool binary() const { return bytes_ != nullptr; }

    // Games of one fingerprint and one komi look alike in these planes.
    std::uint64_t fingerprint(const Game& game) const;

    // Writes `channels() * area` numbers, as seen after the symmetry. Bytes are for binary sets only: for
    // others std::invalid_argument.
    void encode(const Position& position, int symmetry, float* out,
                Layout layout = Layout::channels_first) const;
    void encode(const Position& position, int symmetry, std::uint8_t* out,
                Layout layout = Layout::channels_first) const;
    void encode(const Game& game, int symmetry, float* out) const;
    void encode(const Game& game, int symmetry, std::uint8_t* out) const;

  private:
    std::string name_;
    std::vector<std::string> channel_names_;
    PlaneFacts facts_;
    Draw<float> floats_;
    Draw<std::uint8_t> bytes_;
};

}  // namespace tesuji
