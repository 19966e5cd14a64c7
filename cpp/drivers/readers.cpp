// Entry points for coverage-guided fuzzing, one reader of strangers' bytes each; `libfuzzer.sh` builds and
// runs them. Without libFuzzer (-DSTANDALONE) the program reads the files it is given, to try what a fuzzer
// has found.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "base/hash.h"
#include "base/text.h"
#include "go/board.h"
#include "go/rating.h"
#include "go/results.h"
#include "go/rules.h"
#include "records/games_data.h"
#include "records/pack.h"
#include "records/packed_file.h"
#include "samples/batch.h"

using namespace tesuji;

namespace {

[[maybe_unused]] void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "readers: %s\n", what);
    std::abort();
}

[[maybe_unused]] void read_sgf(const std::string& bytes) {
    if (bytes.empty()) return;
    const Chunk chunk = read_sgf_chunk(std::string_view(bytes).substr(1), bytes[0] & 1, {});
    for (const PackedGame& game : chunk.games) {
        const GameRecord record =
            unpack_game(BodyView(game.entry, reinterpret_cast<const unsigned char*>(game.body.data())));
        require(pack_game(record).body == game.body, "a record changed on its way");
    }
}

[[maybe_unused]] void read_games_data(const std::string& bytes) try {
    GamesDataReader reader(bytes);
    while (!reader.at_end()) {
        const std::size_t before = reader.offset();
        reader.next(100, {});
        require(reader.at_end() || reader.offset() > before, "a reader that stands still");
    }
} catch (const std::invalid_argument&) {
}

[[maybe_unused]] void read_results(const std::string& bytes) {
    const Result result = parse_result(bytes);
    const std::string text = result_text(result);
    require(result_text(parse_result(text)) == text, "a result that reads otherwise once written");
}

// Sets lengths and checksums right, as malice would: else every change ends at them. A header with something
// in its reserved word keeps its lengths.
[[maybe_unused]] void mend(std::string& bytes) {
    PackedHeader header;
    if (bytes.size() < sizeof header) return;
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.reserved == 0) {
        header = {};
        std::memcpy(&header.games, bytes.data() + offsetof(PackedHeader, games), sizeof header.games);
        header.entry_bytes = sizeof(PackedEntry);
        bytes.resize(sizeof header + (bytes.size() - sizeof header) / 8 * 8 + 8);
        const std::size_t room = bytes.size() - sizeof header - 8;  // for bodies and entries: below one page
        header.games %= room / sizeof(PackedEntry) + 1;
        header.body_bytes = room - header.games * sizeof(PackedEntry);
        if (header.body_bytes == 0) bytes.resize(bytes.size() - 8);
        header.file_bytes = bytes.size();
    }
    const std::size_t room = bytes.size() - sizeof header;
    const std::size_t pages = header.body_bytes / page_bytes + (header.body_bytes % page_bytes != 0);
    if (header.body_bytes > room || pages > (room - header.body_bytes) / 8) return;
    for (std::size_t page = 0; page < pages; ++page) {
        const std::size_t begin = page * page_bytes;
        const std::uint64_t sum = checksum(bytes.data() + sizeof header + begin,
                                           std::min<std::size_t>(page_bytes, header.body_bytes - begin));
        std::memcpy(bytes.data() + bytes.size() - 8 * (pages - page), &sum, 8);
    }
    const std::size_t index = sizeof header + (header.body_bytes + 7) / 8 * 8;
    if (index > bytes.size()) return;
    header.index_checksum = checksum(bytes.data() + index, bytes.size() - index);
    header.checksum = checksum(&header, sizeof header - sizeof header.checksum);
    std::memcpy(bytes.data(), &header, sizeof header);
}

// One position of one game as training sees it, with every label there is.
[[maybe_unused]] void sample(const GamePool& pool, const Choice& choice) {
    static std::vector<float> planes(64 * max_area), policy(max_area + 1), owners(max_area), one(6),
        stones(2 * max_area), chains(max_area);
    static std::int16_t next[2];
    BatchArrays arrays;
    arrays.planes = planes.data();
    arrays.policy = policy.data();
    arrays.policy_mask = &one[0];
    arrays.value = &one[1];
    arrays.value_mask = &one[2];
    arrays.komi = &one[3];
    arrays.black_score = &one[4];
    arrays.score_mask = arrays.ownership_mask = &one[5];
    arrays.black_ownership = owners.data();
    arrays.next_moves = next;
    arrays.final_stones = stones.data();
    arrays.chains = chains.data();
    fill_batch(pool, {choice}, {&PlaneSet::named("golois-31")}, arrays, 1);
}

// The fastest place for a file of a moment.
[[maybe_unused]] std::string in_memory() {
    const std::string shared = "/dev/shm";
    return std::filesystem::is_directory(shared) ? shared : std::filesystem::temp_directory_path().string();
}

[[maybe_unused]] void read_packed(std::string bytes) {
    static const std::string path = in_memory() + "/read_packed_" + std::to_string(::getpid());
    mend(bytes);
    std::ofstream(path, std::ios::binary) << bytes;
    try {
        const auto file = std::make_shared<PackedFile>(path);
        const GamePool pool({file}, {});
        for (std::uint32_t game = 0; game < file->games() && game < 20; ++game) try {
                const int moves = file->entry(game).moves;
                for (int position : {0, moves / 2, moves}) sample(pool, {0, game, position, 5});
                const GameRecord record = unpack_game(file->body(game));
                try {
                    const PackedGame again = pack_game(record);
                    require(
                        pack_game(unpack_game(BodyView(again.entry, reinterpret_cast<const unsigned char*>(
                                                                        again.body.data()))))
                                .body == again.body,
                        "a game changed on its way");
                } catch (const std::invalid_argument&) {
                }
            } catch (const std::invalid_argument&) {
            }
        pool.draw({}, 1, 0);
    } catch (const std::invalid_argument&) {
    }
    std::remove(path.c_str());
}

// The short texts of files and clients: rules, komi, rating, vertex, the name of a plane set; by the first
// byte.
[[maybe_unused]] void read_words(const std::string& bytes) try {
    if (bytes.empty()) return;
    const std::string text = bytes.substr(1);
    switch (bytes[0] % 5) {
        case 0: {
            const auto rules = rules_from_text(text);
            require(!rules || rules_from_text(sgf_text(*rules)) == rules,
                    "rules that read otherwise once written");
            Rules::named(text);
            break;
        }
        case 1: {
            const auto komi = komi_from_text(text);
            require(!komi || std::abs(*komi) <= komi_limit, "a komi beyond the limit");
            require(!komi || komi_from_text(number_text(*komi)) == komi,
                    "a komi that reads otherwise once written");
            break;
        }
        case 2: {
            const int rating = parse_rating(text);
            require(parse_rating(rating_text(rating)) == rating,
                    "a rating that reads otherwise once written");
            break;
        }
        case 3: {
            const Move move = parse_vertex(text, 19);
            require(parse_vertex(vertex_text(move, 19), 19) == move,
                    "a vertex that reads otherwise once written");
            break;
        }
        default:
            PlaneSet::named(text);
    }
} catch (const std::invalid_argument& refused) {
    require(std::strlen(refused.what()) < 2000, "a refusal without end");
}

[[maybe_unused]] void read_diagram(const std::string& bytes) try {
    const Board board = Board::from_diagram(bytes);
    require(Board::from_diagram(board.diagram()).diagram() == board.diagram(),
            "a diagram that reads otherwise once drawn");
} catch (const std::invalid_argument& refused) {
    require(std::strlen(refused.what()) < 2000, "a refusal without end");
}

void read_bytes(const std::string& bytes) {
#if defined(READER_sgf)
    read_sgf(bytes);
#elif defined(READER_games_data)
    read_games_data(bytes);
#elif defined(READER_results)
    read_results(bytes);
#elif defined(READER_words)
    read_words(bytes);
#elif defined(READER_diagram)
    read_diagram(bytes);
#else
    read_packed(bytes);
#endif
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    read_bytes(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}

#ifdef STANDALONE
int main(int count, char** names) {
    for (int i = 1; i < count; ++i) {
        std::ifstream in(names[i], std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    std::printf("%d files read\n", count - 1);
}
#endif
