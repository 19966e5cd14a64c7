// Mixing functions: how numbers become hashes. Values are written into files and signatures: they never
// change.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tesuji {

inline constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio

// SplitMix64's step: neighbouring numbers become numbers that have nothing in common.
constexpr std::uint64_t mix(std::uint64_t value) {
    value += golden_ratio;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

// Spreads a hash over all bits, so that several combine by addition without cancelling.
constexpr std::uint64_t scramble(std::uint64_t value) {
    value = (value ^ (value >> 32)) * 0xd6e8feb86659fd93;
    return value ^ (value >> 29);
}

// A running hash with one more word taken in.
constexpr std::uint64_t chained(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * golden_ratio;
    return (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9;
}

// Of bytes. Four lanes of multiply and rotate: several bytes a cycle, and any single flipped bit changes the
// result.
inline std::uint64_t checksum(const void* data, std::size_t bytes) {
    constexpr std::uint64_t prime = 0x9e3779b185ebca87;
    const auto* from = static_cast<const unsigned char*>(data);
    std::uint64_t lanes[4] = {1, 2, 3, 4};
    std::size_t left = bytes;
    for (; left >= 32; left -= 32, from += 32)
        for (int lane = 0; lane < 4; ++lane) {
            std::uint64_t word;
            std::memcpy(&word, from + 8 * lane, 8);
            lanes[lane] = std::rotl((lanes[lane] ^ word) * prime, 31);
        }
    std::uint64_t hash = bytes;
    for (std::uint64_t lane : lanes) hash = std::rotl((hash ^ lane) * prime, 31);
    for (; left; --left, ++from) hash = std::rotl((hash ^ *from) * prime, 31);
    return hash ^ hash >> 32;
}

}  // namespace tesuji
