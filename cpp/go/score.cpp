#include "go/score.h"

#include <algorithm>
#include <array>

namespace tesuji {

namespace {

// A maximal set of connected points that are not stones of one colour.
struct Region {
    std::vector<Point> points;
    bool touches_black = false;
    bool touches_white = false;
    std::vector<Point> bordering;  // heads of the chains around it
};

// Collects the region around `start` over points for which `inside` holds.
template <typename Inside>
Region flood(const Board& board, Point start, std::array<bool, max_area>& seen, Inside inside) {
    Region region;
    region.points.push_back(start);
    seen[start] = true;
    for (std::size_t i = 0; i < region.points.size(); ++i)
        for (const Point neighbor : board.geometry().neighbors[region.points[i]]) {
            const Stone stone = board.at(neighbor);
            if (stone == Stone::border) continue;
            region.touches_black |= stone == Stone::black;
            region.touches_white |= stone == Stone::white;
            if (!inside(stone)) {
                region.bordering.push_back(board.head(neighbor));
            } else if (!seen[neighbor]) {
                seen[neighbor] = true;
                region.points.push_back(neighbor);
            }
        }
    std::sort(region.bordering.begin(), region.bordering.end());
    region.bordering.erase(std::unique(region.bordering.begin(), region.bordering.end()),
                           region.bordering.end());
    return region;
}

bool touches(const Board& board, Point point, Point head) {
    const auto& around = board.geometry().neighbors[point];
    return std::any_of(around.begin(), around.end(), [&](Point neighbor) {
        return is_color(board.at(neighbor)) && board.head(neighbor) == head;
    });
}

// A region is vital to a chain when each of its empty points is a liberty of that chain; with suicide also
// each point under an opponent's stone must touch it.
bool is_vital(const Board& board, const Region& region, Point head, bool suicide) {
    const std::uint64_t* liberties = board.liberties(head);
    return std::all_of(region.points.begin(), region.points.end(), [&](Point point) {
        if (board.at(point) == Stone::empty) return (liberties[point >> 6] >> (point & 63) & 1) != 0;
        return !suicide || touches(board, point, head);
    });
}

std::vector<Region> regions_enclosed_by(const Board& board, Color color) {
    std::vector<Region> regions;
    std::array<bool, max_area> seen{};
    for (Point point = 0; point < board.area(); ++point)
        if (board.at(point) != stone_of(color) && !seen[point])
            regions.push_back(
                flood(board, point, seen, [color](Stone stone) { return stone != stone_of(color); }));
    return regions;
}

// Benson's algorithm: the chains that are alive, and the regions that border nothing else.
struct Benson {
    std::array<bool, max_area> alive{};  // by head
    std::vector<Region> regions;
};

Benson benson(const Board& board, Color color, bool suicide) {
    Benson found;
    found.regions = regions_enclosed_by(board, color);
    std::vector<Point> heads;
    for_each_point(board.stones_of(color).words.data(), board.words(), [&](Point point) {
        if (board.head(point) == point) heads.push_back(point);
    });
    for (const Point head : heads) found.alive[head] = true;
    // Drop chains with fewer than two vital regions, then regions that border a dropped chain, until stable.
    for (bool changed = true; changed;) {
        changed = false;
        for (const Point head : heads) {
            if (!found.alive[head]) continue;
            const auto vital =
                std::count_if(found.regions.begin(), found.regions.end(), [&](const Region& region) {
                    return std::binary_search(region.bordering.begin(), region.bordering.end(), head) &&
                           is_vital(board, region, head, suicide);
                });
            if (vital < 2) {
                found.alive[head] = false;
                changed = true;
            }
        }
        std::erase_if(found.regions, [&](const Region& region) {
            return std::any_of(region.bordering.begin(), region.bordering.end(),
                               [&](Point head) { return !found.alive[head]; });
        });
    }
    return found;
}

// Points that touch no stone of that colour; the opponent needs two of them for two eyes.
bool has_room_for_eyes(const Board& board, const Region& region, Color color) {
    return std::count_if(region.points.begin(), region.points.end(), [&](Point point) {
               const auto& around = board.geometry().neighbors[point];
               return std::none_of(around.begin(), around.end(),
                                   [&](Point neighbor) { return board.at(neighbor) == stone_of(color); });
           }) > 1;
}

}  // namespace

void area_owners(const Board& board, Stone* owners) {
    std::array<bool, max_area> seen{};
    for (Point point = 0; point < board.area(); ++point) {
        if (is_color(board.at(point))) owners[point] = board.at(point);
        if (board.at(point) != Stone::empty || seen[point]) continue;
        const Region region = flood(board, point, seen, [](Stone stone) { return stone == Stone::empty; });
        Stone owner = Stone::empty;
        if (region.touches_black != region.touches_white)
            owner = region.touches_black ? Stone::black : Stone::white;
        for (const Point inside : region.points) owners[inside] = owner;
    }
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
        if (found.alive[board.head(point)]) result.stones.add(point);
    });
    for (const Region& region : found.regions) {
        const bool enclosed = std::any_of(region.bordering.begin(), region.bordering.end(),
                                          [&](Point head) { return is_vital(board, region, head, suicide); });
        if (!enclosed) continue;
        for (const Point point : region.points) result.regions.add(point);
    }
    return result;
}

void settled_owners(const Board& board, bool suicide, Stone* owners) {
    area_owners(board, owners);
    for (const Color color : {Color::black, Color::white}) {
        if (board.stones_of(color) == PointSet{}) continue;
        for (const Region& region : benson(board, color, suicide).regions) {
            const bool opposed = color == Color::black ? region.touches_white : region.touches_black;
            if (opposed && has_room_for_eyes(board, region, color)) continue;
            for (const Point point : region.points) owners[point] = stone_of(color);
        }
    }
}

}  // namespace tesuji
