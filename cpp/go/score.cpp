#include "go/score.h"

#include <algorithm>
#include <array>

namespace tesuji {

namespace {

bool meets(const PointSet& one, const PointSet& other, int words) {
    for (int i = 0; i < words; ++i)
        if (one.words[i] & other.words[i]) return true;
    return false;
}

PointSet intersection(PointSet one, const PointSet& other, int words) {
    for (int i = 0; i < words; ++i) one.words[i] &= other.words[i];
    return one;
}

PointSet difference(PointSet one, const PointSet& other, int words) {
    for (int i = 0; i < words; ++i) one.words[i] &= ~other.words[i];
    return one;
}

// The points of `inside` that hang together with `start`.
PointSet connected(const Board& board, Point start, const PointSet& inside) {
    PointSet region;
    region.add(start);
    for (bool grown = true; grown;) {
        const PointSet around = board.beside(region);
        grown = false;
        for (int i = 0; i < board.words(); ++i) {
            const std::uint64_t more = around.words[i] & inside.words[i] & ~region.words[i];
            region.words[i] |= more;
            grown |= more != 0;
        }
    }
    return region;
}

// Calls `visit(region)` for each maximal set of connected points of `inside`.
template <typename Visit>
void for_each_region(const Board& board, const PointSet& inside, Visit visit) {
    PointSet seen;
    for_each_point(inside.words.data(), board.words(), [&](Point point) {
        if (seen.contains(point)) return;
        const PointSet region = connected(board, point, inside);
        for (int i = 0; i < board.words(); ++i) seen.words[i] |= region.words[i];
        visit(region);
    });
}

// Connected points without a stone of one colour, and that colour's chains around them.
struct Region {
    PointSet points;
    PointSet empty;      // those without any stone
    PointSet bordering;  // heads of the chains
};

PointSet stones_of_chain(const Board& board, Point head) {
    PointSet stones;
    Point stone = head;
    do {
        stones.add(stone);
        stone = board.next_in_chain(stone);
    } while (stone != head);
    return stones;
}

// A region is vital to a chain when each of its empty points is a liberty of that chain; with suicide also
// each point under an opponent's stone must touch it.
bool is_vital(const Board& board, const Region& region, Point head, bool suicide) {
    const std::uint64_t* liberties = board.liberties(head);
    for (int i = 0; i < board.words(); ++i)
        if (region.empty.words[i] & ~liberties[i]) return false;
    if (!suicide || region.points == region.empty) return true;
    const PointSet touched = board.beside(stones_of_chain(board, head));
    return difference(region.points, touched, board.words()) == PointSet{};
}

std::vector<Region> regions_enclosed_by(const Board& board, Color color) {
    std::vector<Region> regions;
    const PointSet vacant = board.empty_points();
    PointSet inside = vacant;
    for (int i = 0; i < board.words(); ++i) inside.words[i] |= board.stones_of(opponent(color)).words[i];
    for_each_region(board, inside, [&](const PointSet& points) {
        // Not emplaced: older clang cannot build an aggregate that way.
        Region region{points, intersection(points, vacant, board.words()), {}};
        const PointSet border = intersection(board.beside(points), board.stones_of(color), board.words());
        for_each_point(border.words.data(), board.words(),
                       [&](Point stone) { region.bordering.add(board.head(stone)); });
        regions.push_back(region);
    });
    return regions;
}

// Benson's algorithm: the chains that are alive, and the regions that border nothing else.
struct Benson {
    PointSet alive;  // heads
    std::vector<Region> regions;
};

Benson benson(const Board& board, Color color, bool suicide) {
    Benson found{{}, regions_enclosed_by(board, color)};
    for_each_point(board.stones_of(color).words.data(), board.words(),
                   [&](Point point) { found.alive.add(board.head(point)); });
    // Drop chains with fewer than two vital regions, then regions that border a dropped chain, until stable.
    for (PointSet dropped;; dropped = {}) {
        for_each_point(found.alive.words.data(), board.words(), [&](Point head) {
            const auto vital =
                std::count_if(found.regions.begin(), found.regions.end(), [&](const Region& region) {
                    return region.bordering.contains(head) && is_vital(board, region, head, suicide);
                });
            if (vital < 2) dropped.add(head);
        });
        if (dropped == PointSet{}) return found;
        found.alive = difference(found.alive, dropped, board.words());
        std::erase_if(found.regions,
                      [&](const Region& region) { return meets(region.bordering, dropped, board.words()); });
    }
}

}  // namespace

void area_owners(const Board& board, Stone* owners) {
    for (Point point = 0; point < board.area(); ++point) owners[point] = board.at(point);
    for_each_region(board, board.empty_points(), [&](const PointSet& region) {
        const PointSet border = board.beside(region);
        const bool black = meets(border, board.stones_of(Color::black), board.words());
        const bool white = meets(border, board.stones_of(Color::white), board.words());
        if (black == white) return;
        for_each_point(region.words.data(), board.words(),
                       [&](Point point) { owners[point] = black ? Stone::black : Stone::white; });
    });
}

int area_score(const Board& board) {
    std::array<Stone, max_area> owners;
    area_owners(board, owners.data());
    const auto end = owners.begin() + board.area();
    return static_cast<int>(std::count(owners.begin(), end, Stone::black) -
                            std::count(owners.begin(), end, Stone::white));
}

int territory_score(const Board& board, const std::array<int, 2>& captured) {
    std::array<Stone, max_area> owners;
    area_owners(board, owners.data());
    int score = captured[0] - captured[1];
    for (Point point = 0; point < board.area(); ++point)
        if (board.at(point) == Stone::empty)
            score += (owners[point] == Stone::black) - (owners[point] == Stone::white);
    return score;
}

PassAlive pass_alive(const Board& board, Color color, bool suicide) {
    const Benson found = benson(board, color, suicide);
    PassAlive result;
    for_each_point(board.stones_of(color).words.data(), board.words(), [&](Point point) {
        if (found.alive.contains(board.head(point))) result.stones.add(point);
    });
    for (const Region& region : found.regions) {
        bool enclosed = false;
        for_each_point(region.bordering.words.data(), board.words(),
                       [&](Point head) { enclosed |= is_vital(board, region, head, suicide); });
        if (!enclosed) continue;
        for (int i = 0; i < board.words(); ++i) result.regions.words[i] |= region.points.words[i];
    }
    return result;
}

void settled_owners(const Board& board, bool suicide, Stone* owners) {
    area_owners(board, owners);
    for (const Color color : {Color::black, Color::white}) {
        if (board.stones_of(color) == PointSet{}) continue;
        const PointSet touched = board.beside(board.stones_of(color));
        for (const Region& region : benson(board, color, suicide).regions) {
            // The opponent needs two points that touch no stone of this colour for two eyes.
            const int free = difference(region.points, touched, board.words()).count();
            if (region.points != region.empty && free > 1) continue;
            for_each_point(region.points.words.data(), board.words(),
                           [&](Point point) { owners[point] = stone_of(color); });
        }
    }
}

}  // namespace tesuji
