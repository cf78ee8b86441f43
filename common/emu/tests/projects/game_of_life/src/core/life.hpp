#pragma once
#include <cstdint>
#include <string>
#include <vector>
namespace life {
struct Board {
  int width, height;
  std::vector<std::uint8_t> cells;
  std::uint8_t& at(int x, int y) { return cells[y * width + x]; }
  int alive() const;
};
void step_cpu(Board& b);
/// Runs `generations` on the device, one texel a thread, torus.
void run_gpu(Board& b, int generations);
}  // namespace life
