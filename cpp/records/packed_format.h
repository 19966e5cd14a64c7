// The bytes of a packed file (`.games`), little-endian:
//   header | bodies of the games | index, one Entry a game | checksums of the bodies, one a page of 64 KiB
// The header and the index are checked when the file is opened, a page of bodies when it is first touched.
// A body: setup (if any), moves, final stones, owners (if the final board counts), targets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesuji {

static_assert(std::endian::native == std::endian::little,
              "packed files are little-endian and mapped as they are");

inline constexpr std::uint64_t packed_magic = 0x53454D41474A5354;  // "TSJGAMES"
inline constexpr std::uint32_t packed_version = 1;
inline constexpr std::size_t page_bytes = 65536;

struct PackedHeader {
    std::uint64_t magic = packed_magic;
    std::uint32_t version = packed_version;
    std::uint32_t entry_bytes = 0;
    std::uint64_t games = 0;
    std::uint64_t body_bytes = 0;  // bodies start right behind the header
    std::uint64_t file_bytes = 0;
    std::uint64_t index_checksum = 0;  // of the index and the page checksums
    std::uint64_t reserved = 0;
    std::uint64_t checksum = 0;  // of the header up to here
};
static_assert(sizeof(PackedHeader) == 64);

struct PackedEntry {
    enum Flag : std::uint8_t { has_setup = 1, white_first = 2, counts = 4, has_rules = 8 };

    std::uint64_t offset = 0;  // of the body, from the start of the bodies
    std::uint64_t key = 0;     // of the moves, under any symmetry
    std::uint32_t bytes = 0;
    std::uint16_t moves = 0;
    std::uint16_t targets = 0;
    float komi = 0;          // NaN = unknown
    float black_margin = 0;  // NaN = unknown
    std::int16_t black_rating = 0, white_rating = 0;
    std::uint8_t size = 0;
    std::uint8_t rules = 0;  // ko | suicide << 2 | scoring << 3 | variant << 4
    std::uint8_t winner = 0;
    std::uint8_t ending = 0;
    std::uint8_t handicap = 0;
    std::uint8_t flags = 0;
    std::uint16_t reserved = 0;
};
static_assert(sizeof(PackedEntry) == 48);

// Where the targets of a game lie, in front of them: one of these each, by rising position.
struct PackedTarget {
    enum Flag : std::uint16_t { winrate = 1, score = 2, ownership = 4 };
    std::uint16_t position;
    std::uint16_t flags;
    std::uint16_t policy_moves;   // each two bytes of move and two of probability (65535 = 1)
    std::uint16_t white_winrate;  // 65535 = 1
    float white_score;
    std::uint32_t offset;  // of the policy, then of the ownership, from the start of the body
};
static_assert(sizeof(PackedTarget) == 16);

// One byte a move on boards up to 11x11, else two. The top bit says "out of turn", all other bits set is a
// pass.
constexpr int move_bytes(int size) { return size <= 11 ? 1 : 2; }
constexpr int bitmap_bytes(int area) { return (area + 7) / 8; }

}  // namespace tesuji
