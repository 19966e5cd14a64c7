#include "records/game_record.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include "base/hash.h"
#include "go/symmetry.h"
#include "records/final_owners.h"

namespace tesuji {
namespace {

// One running hash for each symmetry; their minimum names the game however the board was turned.
class SymmetricKey {
  public:
    explicit SymmetricKey(const GameRecord& record) {
        for (int s = 0; s < symmetry_count; ++s) {
            maps_[s] = symmetry_map(record.size, s).data();
            std::uint64_t setup = 0;
            for (Point point : record.black) setup += chained(1, maps_[s][point]);
            for (Point point : record.white) setup += chained(2, maps_[s][point]);
            hashes_[s] =
                chained(chained(record.size, setup), record.black.size() + 1000 * record.white.size());
        }
    }

    void add(Turn turn) {
        const std::uint64_t color = turn.color == Color::black ? 1024 : 2048;
        for (int s = 0; s < symmetry_count; ++s)
            hashes_[s] = chained(hashes_[s], color + (turn.move == pass ? 1000 : maps_[s][turn.move]));
    }

    std::uint64_t key() const { return *std::min_element(hashes_.begin(), hashes_.end()); }

  private:
    std::array<const Point*, symmetry_count> maps_;
    std::array<std::uint64_t, symmetry_count> hashes_;
};

[[noreturn]] void refuse(const GameRecord& record, std::size_t index, const char* why) {
    const Turn turn = record.moves[index];
    throw std::invalid_argument("move " + std::to_string(index + 1) + " (" +
                                (turn.color == Color::black ? "B " : "W ") +
                                vertex_text(turn.move, record.size) + ") is illegal: " + why);
}

// Follows a game by the rules it names; a record without rules is held to simple ko alone.
void play_through(const GameRecord& record, Game& game) {
    for (std::size_t i = 0; i < record.moves.size(); ++i) {
        const auto [color, move] = record.moves[i];
        const Legality legality = game.legality(move, color);
        if (legality != Legality::legal) refuse(record, i, reason(legality));
        game.play_assume_legal(move, color);
    }
}

}  // namespace

float komi_or_usual(const GameRecord& record) {
    if (!std::isnan(record.komi)) return record.komi;
    const bool setup = !record.black.empty() || !record.white.empty();
    const bool handicap = record.handicap >= 2 || (setup && record.first == Color::white);
    return usual_komi(record.size, record.rules.value_or(Rules::unstated()), handicap);
}

Replayed replay(const GameRecord& record) {
    const Rules rules = record.rules.value_or(Rules::unstated());
    Game game(record.size, 0, rules);
    if (!record.black.empty() || !record.white.empty()) game.setup(record.black, record.white, record.first);
    play_through(record, game);
    const Board& board = game.board();
    Replayed result;
    result.final_stones = {board.stones_of(Color::black), board.stones_of(Color::white)};
    result.owners = final_owners(record, game);
    result.counts = !result.owners.empty();
    SymmetricKey key(record);
    for (Turn turn : record.moves) key.add(turn);
    result.key = key.key();
    return result;
}

std::vector<std::uint64_t> prefix_keys(const GameRecord& record, std::size_t most) {
    SymmetricKey key(record);
    std::vector<std::uint64_t> keys{key.key()};
    for (std::size_t i = 0; i < std::min(most, record.moves.size()); ++i) {
        key.add(record.moves[i]);
        keys.push_back(key.key());
    }
    return keys;
}

}  // namespace tesuji
