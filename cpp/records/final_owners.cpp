#include "records/final_owners.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"
#include "go/playout.h"
#include "go/score.h"

namespace tesuji {
namespace {

constexpr int playouts = 48;
constexpr float surely = 0.9f;  // a chain owned so clearly either way is never read otherwise

// How far the points of a chain are its own at the end of random play, -1 (always captured) to 1.
struct Chain {
    Point head;
    float owned;
};

// Of every point, how much oftener Black than White owns it after random play.
std::vector<int> random_ownership(const Board& board) {
    std::array<std::vector<Point>, 2> stones;
    for (Point point = 0; point < board.area(); ++point)
        if (is_color(board.at(point))) stones[index_of(color_of(board.at(point)))].push_back(point);
    std::vector<int> owned(static_cast<std::size_t>(board.area()));
    std::vector<Stone> owners(owned.size());
    Random random(board.hash());  // the same board is always read alike
    for (int i = 0; i < playouts; ++i) {
        Game game(board.size(), 0, Rules::unstated());
        game.setup(stones[0], stones[1], i % 2 ? Color::white : Color::black);
        play_out(game, random, 3 * board.area());
        area_owners(game.board(), owners.data());
        for (std::size_t point = 0; point < owned.size(); ++point)
            if (is_color(owners[point])) owned[point] += color_of(owners[point]) == Color::black ? 1 : -1;
    }
    return owned;
}

std::vector<Chain> chains_by_doubt(const Board& board) {
    const std::vector<int> owned = random_ownership(board);
    std::vector<Chain> chains;
    for (Point point = 0; point < board.area(); ++point) {
        if (!is_color(board.at(point)) || board.head(point) != point) continue;
        int sum = 0;
        Point stone = point;
        do {
            sum += owned[static_cast<std::size_t>(stone)];
            stone = board.next_in_chain(stone);
        } while (stone != point);
        const float mean = static_cast<float>(sum) / static_cast<float>(playouts * board.stone_count(point));
        chains.push_back({point, color_of(board.at(point)) == Color::black ? mean : -mean});
    }
    std::sort(chains.begin(), chains.end(), [](Chain a, Chain b) { return a.owned < b.owned; });
    return chains;
}

// How many of the sorted chains may be dead, the likeliest number first: the one nearest to an even chance.
std::vector<std::size_t> cuts_by_doubt(const std::vector<Chain>& chains) {
    std::vector<std::size_t> cuts;
    for (std::size_t cut = 0; cut <= chains.size(); ++cut) {
        if (cut > 0 && chains[cut - 1].owned > surely) break;
        if (cut == chains.size() || chains[cut].owned >= -surely) cuts.push_back(cut);
    }
    const auto doubt = [&](std::size_t cut) {
        const float below = cut > 0 ? chains[cut - 1].owned : -1,
                    above = cut < chains.size() ? chains[cut].owned : 1;
        return below > 0 ? below : above < 0 ? -above : 0.0f;
    };
    std::stable_sort(cuts.begin(), cuts.end(), [&](auto a, auto b) { return doubt(a) < doubt(b); });
    return cuts;
}

bool agrees(const GameRecord& record, const Game& game, const std::vector<Point>& dead) {
    const float stated = record.result.black_margin + record.komi;
    const auto differs = [&](Scoring scoring) {
        Game counted = game;
        Rules rules = game.rules();
        rules.scoring = scoring;
        counted.set_rules(rules);
        return std::abs(counted.black_score(dead) + game.komi() - stated) > 0.25f;
    };
    if (record.rules) return !differs(record.rules->scoring);
    return !differs(Scoring::territory) || !differs(Scoring::area);
}

// Hardly a point is left open: a board in the middle of the game may agree with the score by mere chance.
bool is_closed(const Board& board, const std::vector<Stone>& owners) {
    return std::count(owners.begin(), owners.end(), Stone::empty) <= board.area() / 20;
}

std::vector<Stone> owners_of(const Board& board) {
    std::vector<Stone> owners(static_cast<std::size_t>(board.area()));
    area_owners(board, owners.data());
    return owners;
}

// The board as it stands, all stones alive; counting territory differs from area by at most the last move.
bool agrees_as_it_stands(const GameRecord& record, const Board& board) {
    const bool by_area = record.rules && record.rules->scoring == Scoring::area;
    const float difference =
        static_cast<float>(area_score(board)) - (record.result.black_margin + record.komi);
    return std::abs(difference) <= (by_area ? 0.25f : 1.25f);
}

}  // namespace

// Records of people stop with dead stones on the board. Random play tells which chains are likely dead; where
// to draw the line between the dead and the living is then settled by the score.
std::vector<Stone> final_owners(const GameRecord& record, const Game& game) {
    if (record.result.ending != Ending::counted || std::isnan(record.result.black_margin) ||
        std::isnan(record.komi))
        return {};
    const Board& board = game.board();
    std::vector<Stone> owners = owners_of(board);
    if (agrees_as_it_stands(record, board) && is_closed(board, owners)) return owners;

    const int stones = board.area() - board.empty_points().count();
    if (stones < board.area() / 5) return {};  // nobody's finished game, and long to play out
    const std::vector<Chain> chains = chains_by_doubt(board);
    for (const std::size_t cut : cuts_by_doubt(chains)) {
        std::vector<Point> dead;
        for (std::size_t i = 0; i < cut; ++i) dead.push_back(chains[i].head);
        if (!agrees(record, game, dead)) continue;
        Board cleared = board;
        for (const Point head : dead) cleared.remove_chain(head);
        owners = owners_of(cleared);
        if (is_closed(board, owners)) return owners;
    }
    return {};
}

}  // namespace tesuji
