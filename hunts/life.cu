// Some generations of the game of life, on a board whose opposite edges meet.
#include "hunt.cuh"

constexpr int size = 20;  // of the board
constexpr int side = 8;   // of a block
constexpr int generations = 3;

__global__ void generation(const int* now, int* next) {
  const int x = blockIdx.x * side + threadIdx.x;
  const int y = blockIdx.y * side + threadIdx.y;
  if (x >= size || y >= size) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) alive += now[(y + dy + size) % size * size + (x + dx + size) % size];
  next[y * size + x] = alive == 3 || (alive == 2 && now[y * size + x] == 1);
}

int main() {
  std::vector<int> board = numbers(size * size);
  for (int& cell : board) cell = cell % 3 == 0;
  int* d_now = to_device(board);
  int* d_next = device_array<int>(size * size);
  const dim3 grid((size + side - 1) / side, (size + side - 1) / side);
  for (int g = 0; g < generations; ++g) {
    generation<<<grid, dim3(side, side)>>>(d_now, d_next);
    std::swap(d_now, d_next);
  }
  const std::vector<int> out = from_device(d_now, size * size);
  check(cudaFree(d_now));
  check(cudaFree(d_next));

  for (int g = 0; g < generations; ++g) {
    std::vector<int> next(size * size);
    for (int i = 0; i < size * size; ++i) {
      int sum = -board[i];
      for (int k = 0; k < 9; ++k)
        sum += board[(i / size + k / 3 - 1 + size) % size * size + (i % size + k % 3 - 1 + size) % size];
      next[i] = sum == 3 || (sum == 2 && board[i] == 1);
    }
    board = next;
  }
  return compare("board", out, board);
}
