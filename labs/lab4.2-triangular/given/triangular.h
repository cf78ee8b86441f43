// triangular.h: what the sources of this lab share.
//
//   triangular.cu         main: the command line, the device's memory, times, what is printed
//   maps.h                six maps: from a block of the grid to a block of the triangle (parts 1 to 5)
//   roots.h               given: ltm without its correction, with three roots, and utm
//   flat_maps.cu          the kernel that uses them, and its launches
//   dynamic.cu            the seventh map: kernels that launch kernels (part 6)
//   triangular_expert.cu  several cells for each thread (level 3: part 7)
//   tetrahedron.cu        the same question in three dimensions (level 3: part 8)
//   payloads.h            what is done at each cell
//   check.cu              what came out: checksums and counts
//   reference.cpp         what must come out
//   timeline.cu           when each launch was at work
//   figure.cpp            a map as a picture
#ifndef TRIANGULAR_H
#define TRIANGULAR_H

#include <cuda_runtime.h>

#include <cstdint>
#include <string_view>
#include <vector>

// Side of a block, in threads: a block has BLOCK_SIZE × BLOCK_SIZE of them, one for each of its cells.
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 16
#endif
static_assert(BLOCK_SIZE >= 2 && BLOCK_SIZE <= 32, "a block has at most 1024 threads");

constexpr int largest_N = 65536;  // 16 GiB of cells

// Blocks along a side of a triangle of N cells. The division rounds up.
constexpr int blocksFor(int N) {
  return (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
}

// What is done at each cell (payloads.h).
enum class Work { write, distance, neighbours, count, trace, timeline };

// One run of a map.
struct Task {
  Work work = Work::write;
  int N = 0;                       // cells along a side: rows 0 … N-1, and columns 0 … row of each
  void* result = nullptr;          // device memory: (N, N) row-major, 4 bytes each; (N) int32 for neighbours
  const float2* points = nullptr;  // (N), device memory: the points of distance and neighbours
  unsigned long long* times = nullptr;  // (2 * most_timed), device memory, for timeline: see there
};

// How dynamic.cu divides: triangles of at most `cut` cells a side, and those `depth` launches below the first
// one, are no longer divided.
struct Division {
  int cut = 1024;
  int depth = 24;
};

// A launch of a map: its number, and how many blocks it has.
struct Launch {
  std::uint32_t number;
  dim3 grid;
};

// The maps that a program can be asked for. `launches` is the control of `dynamic`: the same launches, each
// of one block that does nothing.
enum class Map {
  box,
  rectangle,
  recursive,
  lower,
  lower_single,
  lower_fast,
  lower_wide,
  upper,
  flat_basic,
  flat,
  dynamic,
  launches,
  box32x8,
  expert,
  cube,
  tetrahedron
};

// flat_maps.cu: the maps of maps.h and of roots.h.
std::vector<Launch> flatLaunches(Map map, int N);
void runFlat(Map map, const Task& task);
// The maps that number blocks row by row (lower, lower_single, lower_fast, lower_wide): column and row of the
// first and of the last block of each of `rows` rows.
std::vector<std::int32_t> findRows(Map map, int rows);

// dynamic.cu: the maps dynamic and launches.
std::vector<Launch> dynamicLaunches(const Division& division, int N, bool empty);
void runDynamic(const Task& task, const Division& division, bool empty);
int dynamicError();  // cudaError_t of the first launch from a kernel that failed; 0: none did

// triangular_expert.cu: the maps box32x8 and expert, for the work `write` and `count`.
std::vector<Launch> expertLaunches(Map map, int N);
void runExpert(Map map, const Task& task);

// tetrahedron.cu: the maps cube and tetrahedron, for the work `write` and `count`. The cells are (x, y, z) with
// 0 <= x <= y <= z < N, and the result is (N, N, N): z, then y, then x.
constexpr int largest_solid_N = 1024;  // 4 GiB of cells
std::vector<Launch> solidLaunches(Map map, int N);
void runSolid(Map map, const Task& task);

// check.cu. The contents of a cell until a thread stores there: the emulation's mark of fresh memory, a NaN.
constexpr std::uint32_t unvisited = 0x7fffdead;
void markCells(std::uint32_t* cells, std::size_t count);  // all become `unvisited`
// sums: (rows) uint64, device memory, becomes for each row of cells the sum of cell * (column + 1),
// modulo 2^24, where a cell is its 4 bytes as an unsigned number; outside the triangle, `unvisited` counts as 0. So a checksum is exact in a float.
constexpr std::uint64_t checksum_mask = (std::uint64_t{1} << 24) - 1;
void checksumRows(std::uint64_t* sums, const std::uint32_t* cells, int N, bool solid);
// How many of the (N, N) cells have the right count: 1 in the triangle, 0 elsewhere.
std::uint64_t rightCounts(const std::uint32_t* counts, int N);

// timeline.cu: what Work::timeline has recorded. times[2 i] and times[2 i + 1], device memory, are the
// beginning and the end of launch i in ns: of its first and of its last block that has work.
constexpr std::uint32_t most_timed = 4096;  // launches have smaller numbers
void startTimeline(unsigned long long* times);
void printTimeline(const unsigned long long* times);

// reference.cpp: for each row of the result its checksum (see above), or its neighbours.
std::vector<std::uint64_t> rightChecksums(const Task& task, bool solid, const std::vector<float>& points);
std::vector<std::uint64_t> rightNeighbours(const std::vector<float>& points, int N);

// figure.cpp: the map as an SVG file. `trace` is the (N, N) result of Work::trace.
bool drawFigure(std::string_view file, std::string_view title, const std::vector<Launch>& launches,
                const std::vector<std::uint32_t>& trace, int N);

#endif
