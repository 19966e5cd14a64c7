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

// A region is vital to a chain when each of its empty points is a liberty of that chain.
bool is_vital(const Board& board, const Region& region, Point head) {
    const std::uint64_t* liberties = board.liberties(head);
    return std::all_of(region.points.begin(), region.points.end(), [&](Point point) {
        return board.at(point) != Stone::empty || (liberties[point >> 6] >> (point & 63) & 1);
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

PassAlive pass_alive(const Board& board, Color color) {
    std::vector<Region> regions = regions_enclosed_by(board, color);
    std::array<bool, max_area> alive{};
    std::vector<Point> heads;
    for (Point point = 0; point < board.area(); ++point)
        if (board.at(point) == stone_of(color) && board.head(point) == point) {
            heads.push_back(point);
            alive[point] = true;
        }
    // Benson: drop chains with fewer than two vital regions, then regions that border a dropped chain, until
    // stable.
    for (bool changed = true; changed;) {
        changed = false;
        for (const Point head : heads) {
            if (!alive[head]) continue;
            const auto vital = std::count_if(regions.begin(), regions.end(), [&](const Region& region) {
                return std::binary_search(region.bordering.begin(), region.bordering.end(), head) &&
                       is_vital(board, region, head);
            });
            if (vital < 2) {
                alive[head] = false;
                changed = true;
            }
        }
        std::erase_if(regions, [&](const Region& region) {
            return std::any_of(region.bordering.begin(), region.bordering.end(),
                               [&](Point head) { return !alive[head]; });
        });
    }
    PassAlive result;
    for (Point point = 0; point < board.area(); ++point)
        if (board.at(point) == stone_of(color) && alive[board.head(point)]) result.stones.add(point);
    for (const Region& region : regions) {
        const bool enclosed = std::any_of(region.bordering.begin(), region.bordering.end(),
                                          [&](Point head) { return is_vital(board, region, head); });
        if (!enclosed) continue;
        for (const Point point : region.points) result.regions.add(point);
    }
    return result;
}

}  // namespace tesuji
