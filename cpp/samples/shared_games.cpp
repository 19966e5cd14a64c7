#include "samples/shared_games.h"

#include <algorithm>
#include <unordered_set>

namespace tesuji {
namespace {

using Keys = std::unordered_set<std::uint64_t>;

class Family {
  public:
    Family(const GamePool& pool, const Kinship& kinship) : kinship_(kinship) {
        for (std::uint64_t number : pool.games()) add(pool, number);
    }

    bool contains(const GamePool& pool, std::uint64_t number) const {
        const Choice at = pool.find(number);
        const PackedEntry& entry = pool.files()[at.file]->entry(at.game);
        if (same_.contains(pool.files()[at.file]->path() + '\0' + std::to_string(at.game))) return true;
        if (entry.moves < kinship_.part_moves) return false;
        if (whole_.contains(entry.key)) return true;
        const std::vector<std::uint64_t> keys = beginnings(pool, at);
        if (entry.moves >= kinship_.common_moves) {
            if (long_beginnings_.contains(keys[kinship_.common_moves])) return true;
        } else if (parts_.contains(entry.key)) {
            return true;
        }
        return std::any_of(keys.begin() + kinship_.part_moves, keys.end(),
                           [&](std::uint64_t key) { return short_games_.contains(key); });
    }

  private:
    // The names of the first 0, 1, ... moves, as far as they matter.
    std::vector<std::uint64_t> beginnings(const GamePool& pool, const Choice& at) const {
        return prefix_keys(unpack_game(pool.files()[at.file]->body(at.game)), kinship_.common_moves);
    }

    void add(const GamePool& pool, std::uint64_t number) {
        const Choice at = pool.find(number);
        const PackedEntry& entry = pool.files()[at.file]->entry(at.game);
        same_.insert(pool.files()[at.file]->path() + '\0' + std::to_string(at.game));
        if (entry.moves < kinship_.part_moves) return;
        whole_.insert(entry.key);
        const std::vector<std::uint64_t> keys = beginnings(pool, at);
        for (int n = kinship_.part_moves; n < std::min<int>(entry.moves, kinship_.common_moves); ++n)
            parts_.insert(keys[n]);
        if (entry.moves >= kinship_.common_moves)
            long_beginnings_.insert(keys[kinship_.common_moves]);
        else
            short_games_.insert(entry.key);
    }

    Kinship kinship_;
    std::unordered_set<std::string> same_;  // a game is itself, however short
    Keys whole_, long_beginnings_, parts_, short_games_;
};

}  // namespace

std::vector<std::uint64_t> shared_games(const GamePool& games, const GamePool& others,
                                        const Kinship& kinship) {
    const Family family(others, kinship);
    std::vector<std::uint64_t> shared;
    for (std::uint64_t number : games.games())
        if (family.contains(games, number)) shared.push_back(number);
    return shared;
}

}  // namespace tesuji
