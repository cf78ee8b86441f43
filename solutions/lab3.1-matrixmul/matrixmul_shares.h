// matrixmul_shares.h: deals out the tiles of P to the blocks of the experts' kernels (level 3).
//
// A launch has as many blocks as run at the same time, and each block computes tile after tile. 288 tiles on
// 132 blocks are two for each block, and a third for 24 blocks while 108 wait: 27 % of the GPU's time is
// lost. Here only whole waves are computed tile by tile. The rounds of the 24 tiles that are left over are
// put in a row, and cut into 132 pieces of equal length (a "stream-K" product):
//
//     blocks            0  1  2  3  4            5 blocks, 12 tiles
//     wave 1         ┌──┬──┬──┬──┬──┐
//     wave 2         ├──┼──┼──┼──┼──┤
//     left over:     ├──┴─┬┴──┴┬─┴──┤ ─ ─ ┐
//     two tiles      │ tile 10 │ tile 11 │       each block takes a fifth of the rounds of both
//                    └────┴────┴────┘ ─ ─ ┘
//
// A piece that is no whole tile adds its sums to P with atomicAdd, so P must be zero there before. Two blocks
// may add in either order: 0 + a + b and 0 + b + a are the same float. With three or more on a tile, as when
// there are fewer tiles than blocks, the last bit may differ from run to run.
#ifndef MATRIXMUL_SHARES_H
#define MATRIXMUL_SHARES_H
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <cstdio>
#include <cstdlib>

#ifndef EXPERT_SHARE
#define EXPERT_SHARE 1  // 0: every tile belongs to one block
#endif

// Tiles are numbered in stripes of eight rows, column by column: blocks that run at the same time then read few rows of
// M and few columns of N, which stay in the L2 cache.
constexpr int stripe = 8;

// The tiles of a product: `rows` × `cols` of them, each with `rounds` rounds. The first `whole` are computed
// by one block each, the others are cut: P must be 0 there before, which are rows from `zero_from` on.
struct Tiles {
  int rows, cols, rounds, whole, zero_from;
};

#ifdef __CUDACC__
// The tiles of P, and the blocks to launch for them.
//   width        of the matrices; a multiple of tile_rows, tile_cols and depth
//   resident     blocks that run at the same time on the whole device, at least 1
// Sets *blocks.
inline Tiles shareTiles(int width, int tile_rows, int tile_cols, int depth, int resident, int* blocks) {
  Tiles tiles = {width / tile_rows, width / tile_cols, width / depth, 0, width};
  const int all = tiles.rows * tiles.cols;
  const int rest = all % resident;
  // A nearly full last wave is not worth cutting.
  const bool cut = EXPERT_SHARE && rest != 0 && rest < 0.9 * resident;
  tiles.whole = cut ? all - rest : all;
  *blocks = cut || all > resident ? resident : all;
  // Where all tiles are cut, each into as many pieces, no block has the end of one tile and the begin of another, and
  // stores twice. A few blocks that have no work cost less.
  const int even = resident / all * all;
  if (tiles.whole == 0 && even > 0.9 * resident) *blocks = even;
  if (cut) tiles.zero_from = tiles.whole / (stripe * tiles.cols) * stripe * tile_rows;  // whole stripes
  return tiles;
}

// Zeroes the rows of P, (width, width) in device memory, that must be 0; in the default stream.
inline void zeroRows(float* P, int width, const Tiles& tiles) {
  if (tiles.zero_from == width) return;
  CUDA_CHECK(cudaMemsetAsync(P + static_cast<std::size_t>(tiles.zero_from) * width, 0,
                             sizeof(float) * (width - tiles.zero_from) * width));
}

// How many blocks of a kernel run at the same time on the current device.
//   shared_bytes   of dynamic shared memory for each block; more than 48 KiB need an attribute of the kernel
template <typename Kernel>
int residentBlocks(Kernel kernel, int threads, int shared_bytes) {
  int device = 0, multiprocessors = 0, most_shared = 0, blocks = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  if (shared_bytes > most_shared) {
    std::fprintf(stderr,
                 "This version's stages take %d bytes of shared memory in a block; this GPU has %d. Make its "
                 "`stages` fewer.\n",
                 shared_bytes, most_shared);
    std::exit(EXIT_FAILURE);
  }
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
  return multiprocessors * blocks;
}

// Adds the sums of a piece to a tile that other blocks add to as well. From compute capability 9.0 on, one
// instruction adds several floats.
static __device__ inline void addToTile(float4* to, float4 sums) {
#if __CUDA_ARCH__ >= 900
  atomicAdd(to, sums);
#else
  atomicAdd(&to->x, sums.x);
  atomicAdd(&to->y, sums.y);
  atomicAdd(&to->z, sums.z);
  atomicAdd(&to->w, sums.w);
#endif
}
static __device__ inline void addToTile(float2* to, float2 sums) {
#if __CUDA_ARCH__ >= 900
  atomicAdd(to, sums);
#else
  atomicAdd(&to->x, sums.x);
  atomicAdd(&to->y, sums.y);
#endif
}

// The work of one block, piece by piece:   Shares share(tiles); while (share.next()) …
// The same for all threads of a block.
class Shares {
 public:
  int row = 0, col = 0;    // of the tile, in tiles
  int first = 0;           // the piece's first round
  int rounds = 0;          // of this piece, at least 1
  bool whole_tile = true;  // or only some rounds of it, to be added to P

  __device__ explicit Shares(const Tiles& tiles) : tiles_(tiles), tile_(blockIdx.x), unit_(0), end_(0) {
    const long long units = static_cast<long long>(tiles.rows * tiles.cols - tiles.whole) * tiles.rounds;
    unit_ = units * blockIdx.x / gridDim.x;       // of the rounds in a row: the first of this block …
    end_ = units * (blockIdx.x + 1) / gridDim.x;  // … and of the next block
  }

  // Goes to the next piece. @return whether there is one
  __device__ bool next() {
    if (tile_ < tiles_.whole) {
      place(tile_);
      first = 0;
      rounds = tiles_.rounds;
      tile_ += gridDim.x;
      return true;
    }
    if (unit_ >= end_) return false;
    place(tiles_.whole + static_cast<int>(unit_ / tiles_.rounds));
    first = static_cast<int>(unit_ % tiles_.rounds);
    const long long left = end_ - unit_;  // of this block's rounds
    rounds = left < tiles_.rounds - first ? static_cast<int>(left) : tiles_.rounds - first;
    whole_tile = rounds == tiles_.rounds;
    unit_ += rounds;
    return true;
  }

 private:
  __device__ void place(int tile) {
    const int in_stripe = tile % (stripe * tiles_.cols);
    const int above = tile / (stripe * tiles_.cols) * stripe;
    const int rows = tiles_.rows - above < stripe ? tiles_.rows - above : stripe;
    row = above + in_stripe % rows;
    col = in_stripe / rows;
  }

  Tiles tiles_;
  int tile_;              // next whole tile
  long long unit_, end_;  // next round of the tiles that are cut, and the next block's first round
};
#endif

#endif
