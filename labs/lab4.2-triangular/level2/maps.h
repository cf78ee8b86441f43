// maps.h: six ways to hand a triangle to the blocks of a grid.
//
// The work is a triangle of N rows: row r has the cells of columns 0 … r, those on and below the diagonal.
//
//            col 0 1 2 3               A grid is a rectangle. One that covers the triangle has
//      row 0     ■                     N² cells, and only N (N + 1) / 2 of them are useful.
//      row 1     ■ ■                   So what rectangle of blocks is best, and which block of the
//      row 2     ■ ■ ■                 triangle does each of its blocks take? That is a map.
//      row 3     ■ ■ ■ ■
//
// A map works on blocks: the triangle has n = N / BLOCK_SIZE (rounded up) rows of blocks, its diagonal blocks
// included. What is left to the threads is a guard, which only matters in diagonal blocks and at the end.
//
//   BoundingBox        grid n × n, half of it for nothing                          any n
//   Rectangle          the lower half turned round and laid beside the upper one   any n
//   LowerTriangular    blocks numbered row by row; a square root finds the row     any n
//   FlatRecursive      squares of 1, 2, 4 … blocks from a bit of y                 n = 2, 4, 8 …  (else padded)
//   Recursive          the same squares, a launch for each size                    n = m 2^k      (else padded)
//
// Each has the number of its launches, the grid of each, and place(): the block of the triangle for block
// (x, y) of a grid.
//
// Run it:  grader lab4.2
#ifndef MAPS_H
#define MAPS_H

#include <cuda_runtime.h>
#include <lab/todo.hpp>

#include <cmath>
#include <cstdint>

// A block of the triangle: 0 <= col <= row.
struct Place {
  int col, row;
};

// For a block of the grid that has no block of the triangle.
__host__ __device__ inline Place nowhere() {
  return {-1, -1};
}

// Blocks in the rows above `row`. In 64 bits: from row 46,341 on, row * (row + 1) is too large for an int.
__host__ __device__ inline std::int64_t blocksAbove(int row) {
  return static_cast<std::int64_t>(row) * (row + 1) / 2;
}

// The guard of each thread: is its cell in the triangle? Blocks on the diagonal stick out over it, and those
// of the last row may stick out at the bottom.
__device__ inline bool isUseful(int col, int row, int N) {
  // ---- part 1: the guard (one line) ----------------------------------------------------------------------
  // Which threads have a cell of the triangle?
  (void)col, (void)row, (void)N;  // until they are used: no warning
  LAB_TODO(1);
  return false;
  // ---- end of part 1 -------------------------------------------------------------------------------------
}

// The grid that everybody thinks of first: as large as the square around the triangle.
struct BoundingBox {
  int n;  // blocks along a side
  explicit BoundingBox(int blocks) : n(blocks) {}

  int launches() const { return 1; }
  dim3 grid(int) const { return dim3(n, n); }
  // Blocks above the diagonal have nothing to do.
  __device__ Place place(int, int x, int y) const {
    // ---- part 1: the block (two lines) -------------------------------------------------------------------
    // Which blocks have work, and where?
    (void)x, (void)y;  // until they are used: no warning
    LAB_TODO(1);
    return nowhere();
    // ---- end of part 1 -----------------------------------------------------------------------------------
  }
};

// Half as wide. The left columns of the triangle stay where they are; the others, a smaller triangle, are
// turned by 180° and fit exactly above the diagonal of the left ones.
//
//      n = 4:  a              grid    j i
//              b c            2 × 5   a h
//              d e h                  b c
//              f g i j                d e
//                                     f g
struct Rectangle {
  int n;
  int even;  // 1 if n is even: the turned part then needs a row of its own
  explicit Rectangle(int blocks) : n(blocks), even(blocks % 2 == 0) {}

  int launches() const { return 1; }
  // ---- part 2: the grid, and the place of block (x, y) (about six lines) ---------------------------------
  // Whole numbers alone, right for every n from 1 on, and without an empty block. The arguments of place()
  // are the number of the launch, which is 0 here, x and y.
  dim3 grid(int) const {
    LAB_TODO(2);
    return dim3(1);
  }
  __device__ Place place(int, int, int) const {
    LAB_TODO(2);
    return nowhere();
  }
  // ---- end of part 2 -------------------------------------------------------------------------------------
};

// Blocks numbered row by row, 0; 1 2; 3 4 5; … Row r begins with number r (r + 1) / 2, so a root leads from a
// number to its row.
struct LowerTriangular {
  int n;
  __host__ __device__ explicit LowerTriangular(int blocks) : n(blocks) {}

  int launches() const { return 1; }
  // ---- part 3: the grid, and the place of block x (about ten lines) --------------------------------------
  // One block for each number. It must be right for every n up to 65,535: how much of that does a float know?
  dim3 grid(int) const {
    LAB_TODO(3);
    return dim3(1);
  }
  __device__ Place place(int, int, int) const {
    LAB_TODO(3);
    return nowhere();
  }
  // ---- end of part 3 -------------------------------------------------------------------------------------
};

// The next power of two, and at least 2.
inline int powerOfTwo(int blocks) {
  int n = 2;
  while (n < blocks) n *= 2;
  return n;
}

// The triangle without its last row is made of squares: n/2 of one block, n/4 of 2 × 2, n/8 of 4 × 4 …
// Rows of the grid come in bands: row 0; rows 1 2; rows 3 … 6; … Band h, of b = 2^h rows, has all squares of
// b × b, side by side. In the triangle they go down like stairs.
//
//      n = 4, grid 2 × 5        y = 0  a b                 a
//                               y = 1  c d                 c d
//                               y = 2  e f                 e f b
//      the last row, in halves  y = 3  g h                 g h i j
//                               y = 4  i j
//
// `basic` finds b by a logarithm in float, the other one by counting the zeros before the first bit. CUDA's
// log2f is exact for powers of two, and right to 1 unit in the last place: enough up to y = 2^17.
template <bool basic>
struct FlatRecursive {
  int n;  // a power of two: what is added lies outside the triangle
  explicit FlatRecursive(int blocks) : n(powerOfTwo(blocks)) {}

  int launches() const { return 1; }
  // ---- part 4: the grid, and the place of block (x, y) (about ten lines) ---------------------------------
  // If `basic`, by log2f, else by __clz. The last row of the triangle is in none of the squares.
  dim3 grid(int) const {
    LAB_TODO(4);
    return dim3(1);
  }
  __device__ Place place(int, int, int) const {
    LAB_TODO(4);
    return nowhere();
  }
  // ---- end of part 4 -------------------------------------------------------------------------------------
};

// F. Ries, T. De Marco, M. Zivieri and R. Guerrieri, "Triangular matrix inversion on graphics processing unit"
// (SC 2009). Along the diagonal lie triangles of m rows; launch 0 does those, each in a box of m × m. Launch
// t + 1 does the squares of side g = m 2^t, which lie between two triangles of that side.
struct Recursive {
  static constexpr int most_m = 8;
  int n, m, k;  // n = m 2^k, at least as many as there are blocks
  explicit Recursive(int blocks) : n(0), m(blocks), k(0) {
    while (m > most_m) {
      m = (m + 1) / 2;
      ++k;
    }
    n = m << k;
  }

  // ---- part 5: the launches, their grids, and the places (about twelve lines) ----------------------------
  // The first argument of grid() and of place() is the number of the launch.
  int launches() const {
    LAB_TODO(5);
    return 0;
  }
  dim3 grid(int) const {
    LAB_TODO(5);
    return dim3(1);
  }
  __device__ Place place(int, int, int) const {
    LAB_TODO(5);
    return nowhere();
  }
  // ---- end of part 5 -------------------------------------------------------------------------------------
};

#endif
