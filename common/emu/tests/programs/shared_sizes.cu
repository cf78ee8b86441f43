// emucc: --expt-relaxed-constexpr
// Sizes of shared arrays, and of local ones in kernels with barriers, in every spelling that programs use.
#include <cstdio>

#define BLOCK_SIZE 32
#define TILE (BLOCK_SIZE + 2 * RADIUS)
#define DIV_UP(a, b) (((a) + (b)-1) / (b))
#define PADDED(n) ((n) + ((n) >> 4))
enum { RADIUS = 3, ROWS = 2 };
constexpr int columns = 5;
const int planes = 2;
__host__ __device__ constexpr int squared(int n) {
  return n * n;
}
struct Config {
  static constexpr int width = 4;
  enum { height = 3 };
};
template <typename T, int N>
struct Buffer {
  T values[N > 16 ? N / 2 : N * 2];
};

template <typename T, int Block, bool Wide>
__global__ void sizes(size_t* out) {
  __shared__ float shifted[BLOCK_SIZE << 1];
  __shared__ double back[BLOCK_SIZE >> 1];
  __shared__ int halo[TILE], divided[DIV_UP(100, 16)];
  __shared__ float padded[PADDED(BLOCK_SIZE)];
  __shared__ short matrix[ROWS][columns + 1][planes];
  __shared__ T typed[Block * (Wide ? 4 : 2)];
  __shared__ char bytes[sizeof(T) * Block];
  __shared__ unsigned char squares[squared(Config::width) + Config::height];
  __shared__ Buffer<T, (Block >> 2)> buffer;
  __shared__ Buffer<int, (8 < 9)> compared[Block <= 64 ? 3 : 1];
  __shared__ float4 vectors[Block == 64 && Wide];
  __shared__ T* pointers['d' - 'a'];
  __shared__ float(*rows)[4];
  __shared__ int bits[1 << 3 | 1];
  const size_t all[] = {sizeof shifted,  sizeof back,    sizeof halo,     sizeof divided, sizeof padded,
                        sizeof matrix,   sizeof typed,   sizeof bytes,    sizeof squares, sizeof buffer,
                        sizeof compared, sizeof vectors, sizeof pointers, sizeof rows,    sizeof bits};
  shifted[threadIdx.x] = back[0] = 1;
  halo[0] = divided[0] = matrix[1][5][1] = bits[8] = 1;
  padded[0] = buffer.values[0] = typed[0] = bytes[0] = squares[0] = 1;
  compared[0].values[0] = 1;
  vectors[0].x = 1;
  pointers[0] = typed;
  rows = nullptr;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 0; i < 15; ++i) out[i] = all[i] * static_cast<size_t>(shifted[i]);
}

template <int N>
struct Part {
  int v[N];
};
__global__ void locals(int* out, unsigned n) {
  __shared__ int s[64];
  int a[BLOCK_SIZE >> 2], b[BLOCK_SIZE << 1][2];
  Part<(BLOCK_SIZE >> 2)> c;
  Part<BLOCK_SIZE / 4> d[(BLOCK_SIZE > 4) ? 2 : 1];
  const int q = BLOCK_SIZE >> 1 > 3 ? 1 : 0;
  const bool less = threadIdx.x < (n >> 1), most = threadIdx.x >= 3;
  for (int i = 0; i < BLOCK_SIZE >> 2; i++) a[i] = i * threadIdx.x;
  for (int i = 0; i < BLOCK_SIZE << 1; i++) b[i][1] = i;
  c.v[1] = threadIdx.x >> 1;
  d[1].v[0] = 5;
  s[threadIdx.x] = a[2];
  __syncthreads();
  const int next = s[(threadIdx.x + 1) % 64];
  __syncthreads();
  s[threadIdx.x] = next + a[3] + b[63][1] + c.v[1] + d[1].v[0] + q + less + most;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x] + a[7];
}

int main() {
  size_t* out;
  cudaMallocManaged(&out, 15 * sizeof *out);
  sizes<float, 64, true><<<1, 64>>>(out);
  printf("%s:", cudaGetErrorName(cudaDeviceSynchronize()));
  for (int i = 0; i < 15; ++i) printf(" %d", static_cast<int>(out[i]));
  int *values, sum = 0;
  cudaMallocManaged(&values, 64 * sizeof(int));
  locals<<<1, 64>>>(values, 20);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i) sum += (i + 1) * values[i];
  printf("\n%d\n", sum);
  return 0;
}
