// Random games, undo storms and ladder readings on every board size, in several threads at once.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "go/ladder.h"
#include "go/playout.h"
#include "go/score.h"

namespace {

using namespace tesuji;

void require(bool truth, const char* what) {
    if (truth) return;
    std::fprintf(stderr, "fuzz_rules: %s\n", what);
    std::exit(1);
}

constexpr Rules all_rules[] = {
    {Ko::positional, true, Scoring::area},
    {Ko::situational, true, Scoring::area},
    {Ko::positional, false, Scoring::area},
    {Ko::simple, false, Scoring::territory},
};

// Reads every chain both ways; the board must come back exactly as it was.
void read_ladders(Board& board, Trail& trail) {
    const Board before = board;
    for (Point point = 0; point < board.area(); ++point) {
        if (!is_color(board.at(point)) || board.head(point) != point) continue;
        const Color owner = color_of(board.at(point));
        for (const LadderRule rule : {LadderRule::course, LadderRule::usual}) {
            const bool owner_first = is_captured(board, point, owner, rule, trail);
            const bool opponent_first = is_captured(board, point, opponent(owner), rule, trail);
            require(!owner_first || opponent_first || board.ko() != pass,
                    "a chain lost with the first move survives without it");
        }
    }
    require(board == before && board.hash() == before.hash(), "reading ladders changed the board");
    for (Point point = 0; point < board.area(); ++point)
        if (is_color(board.at(point)))
            require(board.liberty_count(board.head(point)) == before.liberty_count(before.head(point)),
                    "reading ladders changed liberties");
}

// Plays random moves with a trail, takes some back, plays others, and ends where it began.
void undo_storm(Board board, Random& random, Trail& trail) {
    const Board before = board;
    trail.clear();
    for (int step = 0; step < 200; ++step) {
        const Color color = random.below(2) ? Color::black : Color::white;
        const auto point = static_cast<Point>(random.below(static_cast<std::uint32_t>(board.area())));
        if (!trail.marks.empty() && random.below(3) == 0)
            board.undo(trail);
        else if (board.is_legal(point, color, true))
            board.play_assume_legal(point, color, trail);
    }
    while (!trail.marks.empty()) board.undo(trail);
    require(board == before && board.hash() == before.hash(), "undoing everything did not restore the board");
}

void undo_game(const Game& game, Random& random) {
    Game copy = game;
    const int back = static_cast<int>(random.below(5));
    for (int i = 0; i < back; ++i) copy.undo();
    for (int i = back; i-- > 0;) {
        if (copy.moves().size() >= game.moves().size()) break;
        const Turn turn = game.moves()[copy.moves().size()];
        require(copy.is_legal(turn.move, turn.color), "a move is illegal after undo");
        copy.play_assume_legal(turn.move, turn.color);
    }
    require(copy.hash() == game.hash() && copy.black_score() == game.black_score(), "undo and replay differ");
}

void fuzz(std::uint64_t seed, int games) {
    Random random(seed);
    Trail trail;
    for (int i = 0; i < games; ++i) {
        const int size = min_size + static_cast<int>(random.below(max_size - min_size + 1));
        Game game(size, 7.5F, all_rules[random.below(4)]);
        while (!game.is_over() && game.moves().size() < 700) {
            play_out(game, random, 1 + static_cast<int>(random.below(40)));
            Board board = game.board();
            read_ladders(board, trail);
            undo_storm(game.board(), random, trail);
            undo_game(game, random);
            for (const Color color : {Color::black, Color::white}) pass_alive(game.board(), color);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int games = argc > 1 ? std::atoi(argv[1]) : 40;
    std::vector<std::thread> threads;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) threads.emplace_back(fuzz, seed, games);
    for (std::thread& thread : threads) thread.join();
    std::printf("fuzz_rules: %d games in each of 3 threads\n", games);
}
