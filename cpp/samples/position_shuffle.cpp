#include "samples/position_shuffle.h"

#include <algorithm>
#include <bit>

namespace tesuji {

PositionShuffle::PositionShuffle(const GamePool& pool, std::uint64_t seed) : pool_(pool), seed_(seed) {
    std::uint64_t total = 0;
    for (std::uint64_t number : pool.games()) {
        const Choice at = pool.find(number);
        const BodyView body = pool.files()[at.file]->body(at.game);
        int stones = 0;
        body.for_each_turn(body.entry().moves, [&](Turn turn) { stones += turn.move != pass; });
        if (!stones) continue;
        games_.push_back(at);
        ends_.push_back(total += stones);
    }
    while (half_bits_ < 31 && std::uint64_t{1} << (2 * half_bits_) < total) ++half_bits_;
}

// Four rounds of a Feistel network make a permutation of the next power of four; numbers beyond the total are
// permuted again until they fall below it, which keeps it a permutation.
std::uint64_t PositionShuffle::permuted(std::uint64_t index) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    do {
        std::uint64_t left = index >> half_bits_, right = index & mask;
        for (std::uint64_t round = 1; round <= 4; ++round) {
            Random random(seed_ ^ (right + 1) * 0xD1B54A32D192ED03u ^ round << 56);
            const std::uint64_t swapped = left ^ (random.next() & mask);
            left = right;
            right = swapped;
        }
        index = left << half_bits_ | right;
    } while (index >= total());
    return index;
}

Choice PositionShuffle::at(std::uint64_t index) const {
    const std::uint64_t nth = permuted(index);
    const auto end = std::upper_bound(ends_.begin(), ends_.end(), nth);
    const auto which = static_cast<std::size_t>(end - ends_.begin());
    Choice choice = games_[which];
    std::uint64_t left = nth - (which ? ends_[which - 1] : 0);
    const BodyView body = pool_.files()[choice.file]->body(choice.game);
    for (;; ++choice.position)
        if (body.move(choice.position) != pass && left-- == 0) return choice;
}

}  // namespace tesuji
