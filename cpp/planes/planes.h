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

// All that any plane set looks at. A game provides it, and so does the light replay of packed games.
struct Position {
    Board& board;  // the ladder reader borrows it and hands it back exactly as found
    Color to_play;
    float komi;
    std::array<const Snapshot*, history_length> past;  // newest first, the present included
    std::array<Move, history_length> recent;  // the last moves, newest first; pass where there are none

    const PointSet& stones(int age, Color color) const { return past[age]->stones_of(color); }
};

enum class Layout : std::uint8_t { channels_first, channels_last };

class PlaneSet {
  public:
    static const PlaneSet& named(
        std::string_view name);  // throws std::invalid_argument naming the known ones
    static const std::vector<PlaneSet>& all();

    const std::string& name() const { return name_; }
    int channels() const { return static_cast<int>(channel_names_.size()); }
    const std::vector<std::string>& channel_names() const { return channel_names_; }

    // Writes `channels() * area` numbers, 0 or 1, as seen after the symmetry.
    void encode(const Position& position, int symmetry, float* out,
                Layout layout = Layout::channels_first) const;
    void encode(const Position& position, int symmetry, std::uint8_t* out,
                Layout layout = Layout::channels_first) const;
    void encode(const Game& game, int symmetry, float* out) const;
    void encode(const Game& game, int symmetry, std::uint8_t* out) const;

    enum class Kind : std::uint8_t { golois_21, golois_31, agz_17, toronto_18, alphago_47 };
    PlaneSet(Kind kind, std::string name, std::vector<std::string> channel_names)
        : kind_(kind), name_(std::move(name)), channel_names_(std::move(channel_names)) {}

  private:
    Kind kind_;
    std::string name_;
    std::vector<std::string> channel_names_;
};

}  // namespace tesuji
