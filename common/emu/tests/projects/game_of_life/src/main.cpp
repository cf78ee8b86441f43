#include "core/life.hpp"
#include <iostream>
#include <sstream>
int main() {
  std::string line;
  int failures = 0;
  while (std::getline(std::cin, line)) {
    std::istringstream head(line);
    std::string name;
    int width, height, generations;
    if (!(head >> name >> width >> height >> generations)) continue;
    life::Board board{width, height, std::vector<std::uint8_t>(width * height)};
    for (int y = height / 2; std::getline(std::cin, line) && !line.empty(); ++y)
      for (size_t i = 0; i < line.size(); ++i) board.at(width / 2 + static_cast<int>(i), y) = line[i] == '#';
    life::Board reference = board;
    for (int g = 0; g < generations; ++g) life::step_cpu(reference);
    life::run_gpu(board, generations);
    const bool same = board.cells == reference.cells;
    failures += !same;
    std::cout << name << " after " << generations << " generations: " << board.alive() << " alive, " << (same ? "as expected" : "WRONG") << "\n";
  }
  return failures;
}
