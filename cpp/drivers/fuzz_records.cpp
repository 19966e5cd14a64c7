// Records under the sanitizers: garbled SGF, packed files with bytes changed (checksums set right again, as
// malice would), and batches on several threads. Nothing may crash; what is accepted must be read back equal.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "go/playout.h"
#include "records/pack.h"
#include "samples/batch.h"

using namespace tesuji;

namespace {

const std::filesystem::path file =
    std::filesystem::temp_directory_path() / ("fuzz_records_" + std::to_string(std::rand()));

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "fuzz_records: %s\n", what);
    std::exit(1);
}

std::string random_sgf(Random& random) {
    const int size = 5 + static_cast<int>(random.below(15));
    Game game(size, 7.5f, Rules::named("chinese"));
    play_out(game, random, 10 + static_cast<int>(random.below(60)));
    std::string text = "(;GM[1]FF[4]SZ[" + std::to_string(size) + "]KM[7.5]RE[B+R]RU[Chinese]BR[3d]C[a\\]b]";
    for (const auto [color, move] : game.moves()) {
        text += color == Color::black ? ";B[" : ";W[";
        if (move != pass)
            text += {static_cast<char>('a' + move % size), static_cast<char>('a' + move / size)};
        text += "]";
    }
    return text + ")";
}

void garble(std::string& bytes, Random& random, std::size_t begin, int changes) {
    for (int i = 0; i < changes && bytes.size() > begin; ++i)
        bytes[begin + random.below(static_cast<std::uint32_t>(bytes.size() - begin))] =
            static_cast<char>(random.next());
}

std::vector<PackedGame> some_games(Random& random, int count) {
    std::vector<PackedGame> games;
    while (static_cast<int>(games.size()) < count) {
        GameRecord record = read_sgf_game(random_sgf(random));
        Target target;
        target.position = static_cast<int>(random.below(static_cast<std::uint32_t>(record.moves.size() + 1)));
        target.policy = {{0, 0.5f}, {pass, 0.5f}};
        target.white_winrate = 0.25f;
        target.white_ownership.assign(static_cast<std::size_t>(record.size) * record.size, 7);
        record.targets.push_back(target);
        games.push_back(pack_game(record));
        const GameRecord back = unpack_game(
            BodyView(games.back().entry, reinterpret_cast<const unsigned char*>(games.back().body.data())));
        require(back.moves == record.moves && pack_game(back).body == games.back().body,
                "a record changed on its way");
    }
    return games;
}

void write_games(const std::vector<PackedGame>& games) {
    PackedWriter writer(file.string());
    for (const PackedGame& game : games) writer.append(game);
    writer.finish();
}

std::string contents() {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Changes bytes of the games and of the index, then makes every checksum right again.
void tamper(Random& random) {
    std::string bytes = contents();
    garble(bytes, random, sizeof(PackedHeader), 1 + static_cast<int>(random.below(20)));
    PackedHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::size_t pages = (header.body_bytes + page_bytes - 1) / page_bytes;
    char* sums = bytes.data() + bytes.size() - 8 * pages;
    for (std::size_t page = 0; page < pages; ++page) {
        const std::size_t begin = page * page_bytes;
        const std::uint64_t sum = checksum(bytes.data() + sizeof header + begin,
                                           std::min<std::size_t>(page_bytes, header.body_bytes - begin));
        std::memcpy(sums + 8 * page, &sum, 8);
    }
    const std::size_t index = sizeof header + (header.body_bytes + 7) / 8 * 8;
    header.index_checksum = checksum(bytes.data() + index, bytes.size() - index);
    header.checksum = checksum(&header, sizeof header - sizeof header.checksum);
    std::memcpy(bytes.data(), &header, sizeof header);
    std::ofstream(file, std::ios::binary) << bytes;
}

// Reads every game at every tenth position; returns the number of positions that were accepted.
int read_all(int threads) {
    int accepted = 0;
    auto opened = std::make_shared<PackedFile>(file.string());
    const GamePool pool({opened}, {});
    std::vector<float> planes(47 * max_area * 8), policy(8 * (max_area + 1)), owners(8 * max_area), masks(8),
        value(8);
    BatchArrays arrays;
    arrays.planes = planes.data();
    arrays.policy = policy.data();
    arrays.policy_mask = arrays.value_mask = arrays.ownership_mask = masks.data();
    arrays.value = value.data();
    arrays.black_ownership = owners.data();
    for (std::uint32_t game = 0; game < opened->games(); ++game)
        for (int position = 0; position <= opened->entry(game).moves; position += 10) try {
                fill_batch(pool, {{0, game, position, 3}}, {&PlaneSet::named("alphago-47")}, arrays, threads);
                unpack_game(opened->body(game));
                ++accepted;
            } catch (const std::invalid_argument&) {
            }
    return accepted;
}

void fuzz_sgf(Random& random, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        std::string text = random_sgf(random) + "\n" + random_sgf(random);
        garble(text, random, 0, static_cast<int>(random.below(8)));
        if (random.below(4) == 0) text.resize(random.below(static_cast<std::uint32_t>(text.size())));
        read_sgf_chunk(text, random.below(2) == 0, {});
    }
}

void fuzz_files(Random& random, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        write_games(some_games(random, 5));
        require(read_all(1) > 0, "a sound file was refused");
        tamper(random);
        try {
            read_all(1);
        } catch (const std::invalid_argument&) {
        }
    }
}

void sample_on_threads(Random& random) {
    write_games(some_games(random, 40));
    const GamePool all({std::make_shared<PackedFile>(file.string())}, {});
    const GamePool pool = all.subset(all.games_of_size(all.files()[0]->entry(0).size));
    std::vector<Choice> choices;
    for (int i = 0; i < 300; ++i) choices.push_back(pool.draw({}, 1, i));
    std::vector<float> one(31 * max_area * 300), other(one.size());
    for (auto* planes : {&one, &other}) {
        BatchArrays arrays;
        arrays.planes = planes->data();
        fill_batch(pool, choices, {&PlaneSet::named("golois-31")}, arrays, planes == &one ? 1 : 4);
    }
    require(one == other, "threads change the batch");
}

}  // namespace

int main() {
    Random random(1);
    fuzz_sgf(random, 10000);
    fuzz_files(random, 500);
    sample_on_threads(random);
    std::filesystem::remove(file);
    std::puts("records: clean");
}
