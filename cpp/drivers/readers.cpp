// Entry points for coverage-guided fuzzing, one reader of strangers' bytes each; `libfuzzer.sh` builds and
// runs them. Without libFuzzer (-DSTANDALONE) the program reads the files it is given, to try what a fuzzer
// has found.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>

#include "base/hash.h"
#include "go/results.h"
#include "records/games_data.h"
#include "records/pack.h"
#include "records/packed_file.h"

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

// Sets the checksums right, as malice would: else every change ends at them.
void mend(std::string& bytes) {
    PackedHeader header;
    if (bytes.size() < sizeof header) return;
    std::memcpy(&header, bytes.data(), sizeof header);
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

[[maybe_unused]] void read_packed(std::string bytes) {
    static const std::string path = "/tmp/read_packed_" + std::to_string(::getpid());
    mend(bytes);
    std::ofstream(path, std::ios::binary) << bytes;
    try {
        const PackedFile file(path);
        for (std::size_t game = 0; game < file.games() && game < 1000; ++game) try {
                unpack_game(file.body(game));
            } catch (const std::invalid_argument&) {
            }
    } catch (const std::invalid_argument&) {
    }
    std::remove(path.c_str());
}

void read_bytes(const std::string& bytes) {
#if defined(READER_sgf)
    read_sgf(bytes);
#elif defined(READER_games_data)
    read_games_data(bytes);
#elif defined(READER_results)
    read_results(bytes);
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
