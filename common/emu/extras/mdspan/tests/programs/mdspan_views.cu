// cuda::std::mdspan in kernels and on the host: sizes that are known at compile time or not, layouts by rows,
// by columns and with strides, and parts of views.
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/mdspan>
#include <cuda/std/type_traits>
#include <vector>

namespace stdx = cuda::std;

using Matrix = stdx::mdspan<float, stdx::dextents<int, 2>>;
using ConstMatrix = stdx::mdspan<const float, stdx::dextents<int, 2>>;
using Columns = stdx::mdspan<const float, stdx::dextents<int, 2>, stdx::layout_left>;

// C (m, n) = A (m, k) B (k, n), with B by columns.
__global__ void product(ConstMatrix a, Columns b, Matrix c) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= c.extent(0) || column >= c.extent(1)) return;
  float sum = 0;
  for (int k = 0; k < a.extent(1); ++k) sum += a(row, k) * b(k, column);
  c(row, column) = sum;
}

// A tile in shared memory whose sizes are known at compile time.
__global__ void transpose(ConstMatrix in, Matrix out) {
  __shared__ float memory[8 * 9];
  using Tile = stdx::extents<int, 8, 8>;
  const stdx::layout_stride::mapping<Tile> padded(Tile{}, stdx::array<int, 2>{9, 1});
  const stdx::mdspan<float, Tile, stdx::layout_stride> tile(memory, padded);
  const int x = threadIdx.x, y = threadIdx.y;
  tile(y, x) = in(blockIdx.y * 8 + y, blockIdx.x * 8 + x);
  __syncthreads();
  out(blockIdx.x * 8 + y, blockIdx.y * 8 + x) = tile(x, y);
}

__global__ void row_sums(stdx::mdspan<const float, stdx::extents<int, stdx::dynamic_extent, 16>> in,
                         stdx::mdspan<float, stdx::dextents<int, 1>> out) {
  const int row = threadIdx.x;
  if (row >= in.extent(0)) return;
  const auto mine = stdx::submdspan(in, row, stdx::full_extent);
  float sum = 0;
  for (int i = 0; i < mine.extent(0); ++i) sum += mine[i];
  out[row] = sum;
}

template <class View>
__host__ __device__ float total(View view) {
  float sum = 0;
  for (int i = 0; i < (int)view.extent(0); ++i)
    for (int j = 0; j < (int)view.extent(1); ++j) sum += view[stdx::array<int, 2>{i, j}];
  return sum;
}

__global__ void parts(ConstMatrix m) {
  const auto inner = stdx::submdspan(m, stdx::pair<int, int>{1, 3}, stdx::pair<int, int>{2, 6});
  const auto column = stdx::submdspan(m, stdx::full_extent, 3);
  const auto every = stdx::submdspan(m, stdx::strided_slice<int, int, int>{0, 4, 2}, stdx::full_extent);
  printf("inner %d x %d, strides %d %d, total %g\n", (int)inner.extent(0), (int)inner.extent(1),
         (int)inner.stride(0), (int)inner.stride(1), total(inner));
  printf("column of %d, stride %d: %g %g\n", (int)column.extent(0), (int)column.stride(0), column(0), column(3));
  printf("every second row: %d, %g\n", (int)every.extent(0), every(1, 5));
  const auto rows = stdx::submdspan(m, stdx::pair<int, int>{1, 3}, stdx::full_extent);
  printf("rows: %d %d, total %g\n", (int)rows.extent(0), rows.is_exhaustive(), total(rows));
}

int main() {
  constexpr int m = 5, k = 7, n = 9;
  float *a, *b, *c;
  cudaMallocManaged(&a, 64 * 64 * sizeof(float));
  cudaMallocManaged(&b, 64 * 64 * sizeof(float));
  cudaMallocManaged(&c, 64 * 64 * sizeof(float));
  for (int i = 0; i < 64 * 64; ++i) {
    a[i] = i % 11 - 5;
    b[i] = i % 7 - 3;
  }
  product<<<dim3(2, 1), dim3(8, 8)>>>(ConstMatrix(a, m, k), Columns(b, k, n), Matrix(c, m, n));
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[j * k + l];
      wrong += c[i * n + j] != sum;
    }
  printf("product: %d wrong, %g %g\n", wrong, c[0], c[m * n - 1]);

  transpose<<<dim3(3, 2), dim3(8, 8)>>>(ConstMatrix(a, 16, 24), Matrix(c, 24, 16));
  cudaDeviceSynchronize();
  wrong = 0;
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < 16; ++j) wrong += c[i * 16 + j] != a[j * 24 + i];
  printf("transpose: %d wrong\n", wrong);

  using Rows = stdx::mdspan<const float, stdx::extents<int, stdx::dynamic_extent, 16>>;
  row_sums<<<1, 32>>>(Rows(a, 10), stdx::mdspan<float, stdx::dextents<int, 1>>(c, 10));
  cudaDeviceSynchronize();
  printf("row sums: %g %g %g\n", c[0], c[1], c[9]);

  parts<<<1, 1>>>(ConstMatrix(a, 4, 8));
  cudaDeviceSynchronize();

  // On the host: deduced types, properties of layouts.
  std::vector<int> storage(24);
  stdx::mdspan cube(storage.data(), 2, 3, 4);
  static_assert(stdx::is_same_v<decltype(cube), stdx::mdspan<int, stdx::dextents<size_t, 3>>>);
  static_assert(decltype(cube)::rank() == 3 && decltype(cube)::rank_dynamic() == 3);
  for (size_t i = 0; i < cube.extent(0); ++i)
    for (size_t j = 0; j < cube.extent(1); ++j)
      for (size_t l = 0; l < cube.extent(2); ++l) cube(i, j, l) = int(100 * i + 10 * j + l);
  printf("cube: %d %d, size %d, strides %d %d %d\n", storage[23], storage[13], (int)cube.size(),
         (int)cube.stride(0), (int)cube.stride(1), (int)cube.stride(2));
  const stdx::layout_left::mapping<stdx::extents<int, 3, 4>> left;
  const stdx::layout_right::mapping<stdx::extents<int, 3, 4>> right;
  printf("left %d, right %d, span %d\n", left(2, 1), right(2, 1), (int)left.required_span_size());
  stdx::extents<int, 3, stdx::dynamic_extent> mixed(5);
  printf("mixed: %d x %d, %d of them dynamic, equal %d\n", mixed.extent(0), mixed.extent(1),
         (int)mixed.rank_dynamic(), mixed == stdx::extents<int, 3, 5>{});
  const stdx::mdspan<const int, stdx::extents<size_t, 2, 3, 4>> fixed(cube);
  printf("fixed: %d, empty %d\n", fixed(1, 2, 3), fixed.empty());
  return 0;
}
