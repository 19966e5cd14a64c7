// The planes of golois-21, for sets that show more behind them.
#pragma once

#include "planes/canvas.h"
#include "planes/names.h"

namespace tesuji {

inline constexpr int golois_21_channels = 21;
Names golois_21_names();
void draw_golois_21(const Position& position, Canvas<float>& canvas);

}  // namespace tesuji
