#include "go/handicap.h"

#include <algorithm>
#include <stdexcept>

namespace tesuji {

namespace {

// Lines that stars lie on, counted from the top or left.
struct Lines {
    int size, edge, middle, far;

    explicit Lines(int lines)
        : size(lines), edge(lines < 13 ? 2 : 3), middle(lines / 2), far(lines - 1 - edge) {}
    Point at(int row, int column) const { return static_cast<Point>(row * size + column); }
};

int most_stones(int size) { return size < 7 ? 0 : size == 7 || size % 2 == 0 ? 4 : 9; }

}  // namespace

std::vector<Point> handicap_points(int size, int stones) {
    const int most = most_stones(size);
    if (stones < 2 || stones > most)
        throw std::invalid_argument(
            "a fixed handicap on " + std::to_string(size) + "x" + std::to_string(size) +
            (most ? " has 2 to " + std::to_string(most) + " stones" : " is not defined") + ", not " +
            std::to_string(stones));
    const Lines l(size);
    std::vector<Point> points = {l.at(l.far, l.edge),   l.at(l.edge, l.far),    l.at(l.edge, l.edge),
                                 l.at(l.far, l.far),    l.at(l.middle, l.edge), l.at(l.middle, l.far),
                                 l.at(l.far, l.middle), l.at(l.edge, l.middle)};
    points.resize(std::min(stones, 8) & (stones > 4 ? ~1 : ~0));
    if (stones > 4 && stones % 2 == 1) points.push_back(l.at(l.middle, l.middle));
    return points;
}

std::vector<Point> star_points(int size) {
    if (size < 7 || size > max_size) return {};
    const Lines l(size);
    std::vector<Point> points = handicap_points(size, 4);
    if (size % 2 == 1) points.push_back(l.at(l.middle, l.middle));
    if (size % 2 == 1 && size >= 15)
        for (const int line : {l.edge, l.far})
            points.insert(points.end(), {l.at(l.middle, line), l.at(line, l.middle)});
    std::sort(points.begin(), points.end());
    return points;
}

}  // namespace tesuji
