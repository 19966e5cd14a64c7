// Where planes are drawn: zeros to begin with, marks where something is so, numbers where a mark says too
// little, every point moved by the symmetry.
#pragma once

#include <algorithm>
#include <cstring>

#include "planes/planes.h"

namespace tesuji {

template <typename Number>
class Canvas {
  public:
    Canvas(Number* out, int channels, int size, int symmetry, Layout layout)
        : out_(out),
          area_(size * size),
          words_(word_count(size * size)),
          channel_step_(layout == Layout::channels_first ? size * size : 1),
          point_step_(layout == Layout::channels_first ? 1 : channels),
          map_(symmetry_map(size, symmetry).data()) {
        std::memset(out, 0, sizeof(Number) * static_cast<std::size_t>(channels) * area_);
    }

    void mark(int channel, Point point) { plane(channel)[map_[point] * point_step_] = Number{1}; }
    void set(int channel, Point point, Number value) { plane(channel)[map_[point] * point_step_] = value; }
    void fill(int channel, Number value = Number{1}) {
        Number* to = plane(channel);
        for (int i = 0; i < area_; ++i) to[i * point_step_] = value;
    }
    void mark_all(int channel, const PointSet& points) {
        Number* to = plane(channel);
        for_each_point(points.words.data(), words_,
                       [&](Point point) { to[map_[point] * point_step_] = Number{1}; });
    }
    void mark_chain(int channel, const Board& board, Point head) {
        Number* to = plane(channel);
        Point point = head;
        do {
            to[map_[point] * point_step_] = Number{1};
            point = board.next_in_chain(point);
        } while (point != head);
    }

  private:
    Number* plane(int channel) { return out_ + channel * channel_step_; }

    Number* out_;
    int area_, words_;
    int channel_step_, point_step_;
    const Point* map_;
};

// Calls `visit(head)` once for every chain on the board.
template <typename Visit>
void for_each_chain(const Board& board, Visit visit) {
    for (Color color : {Color::black, Color::white})
        for_each_point(board.stones_of(color).words.data(), board.words(), [&](Point point) {
            if (board.head(point) == point) visit(point);
        });
}

}  // namespace tesuji
