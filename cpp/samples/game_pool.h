// Many packed games as one pool: which of them belong, and random positions of them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/random.h"
#include "records/packed_file.h"

namespace tesuji {

// One position of one game, and how the board is turned.
struct Choice {
    std::uint32_t file;
    std::uint32_t game;
    std::int32_t position;
    std::int32_t symmetry;
};

struct Drawing {
    bool by_position = false;   // uniform over positions; else over games, then over the game's positions
    bool targets_only = false;  // only positions that carry a target
    bool passes = true;         // also positions whose move is a pass
    int symmetry = -1;          // -1 = any of the eight
};

class GamePool {
  public:
    // `weights`: the share of each file, or empty for shares by size.
    GamePool(std::vector<std::shared_ptr<const PackedFile>> files, std::vector<double> weights);
    // The same files, reduced to these games (numbered through all the files, in rising order).
    GamePool subset(const std::vector<std::uint64_t>& games) const;

    const std::vector<std::shared_ptr<const PackedFile>>& files() const { return files_; }
    const std::vector<double>& weights() const { return weights_; }
    std::uint64_t first_number(std::size_t file) const { return first_numbers_[file]; }
    std::vector<std::uint64_t> games() const;
    std::vector<std::uint64_t> games_of_size(int size) const;
    std::vector<int> sizes() const;  // the board sizes that occur
    Choice find(
        std::uint64_t game) const;  // position 0 of a game by its number; throws std::invalid_argument

    // Sample `i` of the stream of this seed: depends on nothing else. Throws std::invalid_argument if there
    // is none.
    Choice draw(const Drawing& drawing, std::uint64_t seed, std::uint64_t i) const;

  private:
    // The games of a file that can be drawn, and the running sum of their positions.
    struct Stock {
        std::vector<std::uint32_t> games;
        std::vector<std::uint64_t> ends;
        std::uint64_t positions() const { return ends.empty() ? 0 : ends.back(); }
    };
    struct Stocks {
        std::once_flag made;
        std::vector<Stock> files;
    };
    template <typename Visit>
    void for_each_game(Visit visit) const;
    const std::vector<Stock>& stocks(bool targets_only) const;
    std::size_t draw_file(const std::vector<Stock>& stocks, const Drawing& drawing, Random& random) const;
    bool draw_position(const Stock& stock, std::size_t file, const Drawing& drawing, Random& random,
                       Choice& out) const;

    std::vector<std::shared_ptr<const PackedFile>> files_;
    std::vector<double> weights_;
    std::vector<std::uint64_t> first_numbers_;
    std::vector<std::vector<std::uint32_t>> chosen_;  // of each file; without `reduced_`, all
    bool reduced_ = false;
    std::shared_ptr<std::array<Stocks, 2>> stocks_;  // of all positions, of those with targets
};

}  // namespace tesuji
