#include "core/life.hpp"
#include <numeric>
namespace life {
int Board::alive() const { return std::accumulate(cells.begin(), cells.end(), 0); }
void step_cpu(Board& b) {
  Board next = b;
  for (int y = 0; y < b.height; ++y)
    for (int x = 0; x < b.width; ++x) {
      int n = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (dx || dy) n += b.at((x + dx + b.width) % b.width, (y + dy + b.height) % b.height);
      next.at(x, y) = n == 3 || (n == 2 && b.at(x, y));
    }
  b = std::move(next);
}
}  // namespace life
