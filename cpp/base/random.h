// Random numbers: small, fast, the same everywhere.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace tesuji {

// SplitMix64.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        const std::uint64_t drawn = mix(state_);
        state_ += golden_ratio;
        return drawn;
    }
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
    }
    // As `below`, for bounds beyond 32 bits.
    std::uint64_t below_large(std::uint64_t bound) {
        return static_cast<std::uint64_t>(static_cast<double>(bound) * uniform());
    }
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  private:
    std::uint64_t state_;
};

}  // namespace tesuji
