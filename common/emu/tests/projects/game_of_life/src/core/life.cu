#include "core/life.hpp"
#include <stdexcept>

namespace life {
namespace {

constexpr int TILE = 14, HALO = TILE + 2;

class CudaError : public std::runtime_error {
 public:
  explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorString(e)) {}
  static void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
  }
};

__device__ __forceinline__ int wrap(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

__global__ void step(const std::uint8_t* __restrict__ in, std::uint8_t* __restrict__ out, int width, int height, unsigned int* alive) {
  __shared__ std::uint8_t tile[HALO][HALO];
  const int x = blockIdx.x * TILE + threadIdx.x - 1, y = blockIdx.y * TILE + threadIdx.y - 1;
  if (x <= width && y <= height) tile[threadIdx.y][threadIdx.x] = in[wrap(y, height) * width + wrap(x, width)];
  __syncthreads();
  const bool inner = threadIdx.x > 0 && threadIdx.x <= TILE && threadIdx.y > 0 && threadIdx.y <= TILE && x < width && y < height;
  bool lives = false;
  if (inner) {
    int n = -tile[threadIdx.y][threadIdx.x];
#pragma unroll
    for (int j = -1; j <= 1; ++j)
#pragma unroll
      for (int i = -1; i <= 1; ++i) n += tile[threadIdx.y + j][threadIdx.x + i];
    lives = n == 3 || (n == 2 && tile[threadIdx.y][threadIdx.x]);
    out[y * width + x] = lives;
  }
  const unsigned votes = __ballot_sync(0xffffffffu, lives);
  if ((threadIdx.y * blockDim.x + threadIdx.x) % warpSize == 0) atomicAdd(alive, __popc(votes));
}

}  // namespace

void run_gpu(Board& b, int generations) {
  std::uint8_t *cells[2];
  unsigned int* alive;
  for (auto& c : cells) CudaError::check(cudaMalloc(&c, b.cells.size()));
  CudaError::check(cudaMallocManaged(&alive, sizeof *alive));
  CudaError::check(cudaMemcpy(cells[0], b.cells.data(), b.cells.size(), cudaMemcpyHostToDevice));
  const dim3 grid{static_cast<unsigned>((b.width + TILE - 1) / TILE), static_cast<unsigned>((b.height + TILE - 1) / TILE)};
  for (int g = 0; g < generations; ++g) {
    CudaError::check(cudaMemset(alive, 0, sizeof *alive));
    step<<<grid, {HALO, HALO}>>>(cells[g % 2], cells[(g + 1) % 2], b.width, b.height, alive);
    CudaError::check(cudaPeekAtLastError());
  }
  CudaError::check(cudaDeviceSynchronize());
  CudaError::check(cudaMemcpy(b.cells.data(), cells[generations % 2], b.cells.size(), cudaMemcpyDeviceToHost));
  if (static_cast<int>(*alive) != b.alive()) throw std::logic_error("the kernel counted wrong");
  for (auto c : cells) CudaError::check(cudaFree(c));
  CudaError::check(cudaFree(alive));
}
}  // namespace life
