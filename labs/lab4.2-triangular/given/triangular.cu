// triangular.cu: one of the maps on a triangle of N rows: the host's side, and its time.
//
//        host                              device
//     points ──── 1. copy ───────────────▶ points (N)
//                                            │ 2. the map, with the payload at each cell: repeated, each
//                                            ▼    time timed by events around all launches of the map
//     result ◀─── 3. copy, or checksums ─── result (N, N)
//
// A result of N² cells is copied back for N up to 1,024. Of a larger one each row becomes one number on the
// device, a checksum.
//
// Run it:  grader lab4.2                                 builds it, grades it, explains what is wrong
//          triangular 4096 --map=ltm --payload=write     alone: a map and a payload; checks itself
//          triangular 200 --map=all --sweep              is every map exact for N = 1 … 200?
//          triangular 65535 --map=ltm --rows             is the map ltm right in 65,535 rows of blocks?
//          triangular 4096 --map=dp --timeline           when was each launch at work?
//          triangular 128 --map=rb --figure=rb.svg       a picture of the map
#include <lab/lab.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "triangular.h"

#ifdef __CUEMU__  // in emulation a CPU takes a second for what a GPU does in a tenth of a millisecond
constexpr int DEFAULT_N = 256;
constexpr int DEFAULT_CUT = 64;  // so that dp divides the small triangles of the emulation, too
#else
constexpr int DEFAULT_N = 4096;
constexpr int DEFAULT_CUT = 1024;
#endif

namespace {

constexpr int largest_copied_N = 1024;
constexpr int largest_copied_solid_N = 64;
constexpr unsigned most_blocks_y = 65535;  // of a grid: CUDA's limit for y and z
constexpr std::int64_t most_blocks_x = 2147483647;

struct MapName {
  const char* name;
  Map map;
  const char* title;
};

constexpr MapName map_names[] = {
    {"bb", Map::box, "bounding box"},
    {"rb", Map::rectangle, "rectangle box"},
    {"rec", Map::recursive, "recursive"},
    {"ltm", Map::lower, "lower triangular mapping"},
    {"frb", Map::flat_basic, "flat recursive, basic"},
    {"fr", Map::flat, "flat recursive"},
    {"dp", Map::dynamic, "dynamic parallelism"},
    {"ltm-float", Map::lower_single, "ltm's root as it is"},
    {"ltm-rsqrt", Map::lower_fast, "ltm with rsqrtf, not corrected"},
    {"ltm-double", Map::lower_wide, "ltm with a root in double, not corrected"},
    {"utm", Map::upper, "upper triangular mapping"},
    {"launches", Map::launches, "the launches of dp alone, with nothing to do"},
    {"bb32x8", Map::box32x8, "bounding box of 32 × 8 threads"},
    {"expert", Map::expert, "several cells for each thread"},
    {"cube", Map::cube, "three dimensions: bounding box"},
    {"tetrahedron", Map::tetrahedron, "three dimensions: numbered blocks"},
};
constexpr int triangle_maps = 7;  // the first of them

struct WorkName {
  const char* name;
  Work work;
};

constexpr WorkName work_names[] = {
    {"write", Work::write},
    {"distance", Work::distance},
    {"neighbours", Work::neighbours},
    {"count", Work::count},
};

bool isDynamic(Map map) {
  return map == Map::dynamic || map == Map::launches;
}
bool isNumberedByRow(Map map) {
  return map == Map::lower || map == Map::lower_single || map == Map::lower_fast || map == Map::lower_wide;
}
bool isExpert(Map map) {
  return map == Map::expert || map == Map::box32x8;
}
bool isSolid(Map map) {
  return map == Map::cube || map == Map::tetrahedron;
}

std::vector<Launch> launchesOf(Map map, int N, const Division& division) {
  if (isDynamic(map)) return dynamicLaunches(division, N, map == Map::launches);
  if (isExpert(map)) return expertLaunches(map, N);
  if (isSolid(map)) return solidLaunches(map, N);
  return flatLaunches(map, N);
}

void runMap(Map map, const Task& task, const Division& division) {
  if (isDynamic(map)) {
    runDynamic(task, division, map == Map::launches);
  } else if (isExpert(map)) {
    runExpert(map, task);
  } else if (isSolid(map)) {
    runSolid(map, task);
  } else {
    runFlat(map, task);
  }
}

// The map's element of map_names that --map asks for.
const MapName& findMap(const lab::Args& args) {
  std::string known;
  for (const MapName& one : map_names) {
    if (args.text("map") == one.name) return one;
    known += std::string(known.empty() ? "" : ", ") + one.name;
  }
  args.fail("--map must be one of " + known + ", but is '" + args.text("map") + "'");
}

Work findWork(const lab::Args& args) {
  for (const WorkName& one : work_names)
    if (args.text("payload") == one.name) return one.work;
  args.fail("--payload must be write, distance, neighbours or count, but is '" + args.text("payload") + "'");
}

// What can't be launched is refused here, with the reason.
void refuseImpossible(const lab::Args& args, const MapName& map, const Task& task, const Division& division,
                      const cudaDeviceProp& device) {
  const std::string name = std::string("--map=") + map.name;
  if ((isExpert(map.map) || isSolid(map.map)) && task.work == Work::timeline)
    args.fail("--timeline needs a map of blocks of one size, such as rec or dp, and not " + name);
  if ((isExpert(map.map) || isSolid(map.map)) && task.work != Work::write && task.work != Work::count)
    args.fail(name + " has the payloads write and count, but not " + args.text("payload"));
  if (isSolid(map.map) && task.N > largest_solid_N)
    args.fail(name + " needs N³ cells: N must be at most " + std::to_string(largest_solid_N) + ", but is " +
              std::to_string(task.N));
  // CUDA 12's device runtime, with fire-and-forget launches, asks for 5.0.
  if (isDynamic(map.map) && device.major < 5)
    args.fail(name + " launches kernels from kernels, and " + device.name + " can't do that: its compute " +
              "capability is " + std::to_string(device.major) + "." + std::to_string(device.minor) +
              ", and 5.0 is needed; choose another map");
  for (const Launch& launch : launchesOf(map.map, task.N, division)) {
    if (launch.grid.y > most_blocks_y || launch.grid.x > most_blocks_x)
      args.fail(name + " with N = " + std::to_string(task.N) + " and blocks of " +
                std::to_string(BLOCK_SIZE) + " needs a grid of " + std::to_string(launch.grid.x) + " × " +
                std::to_string(launch.grid.y) +
                " blocks, and a grid has at most 2147483647 × 65535; choose larger blocks");
  }
}

std::uint64_t blocksOf(const std::vector<Launch>& launches) {
  std::uint64_t blocks = 0;
  for (const Launch& launch : launches)
    blocks += std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  return blocks;
}

// Blocks of this shape that have a cell of the domain: what a perfect map would launch.
std::uint64_t usefulBlocks(Map map, int N) {
  const std::uint64_t n = isSolid(map) ? (N + 7) / 8 : map == Map::expert ? (N + 127) / 128 : blocksFor(N);
  if (isSolid(map)) return n * (n + 1) * (n + 2) / 6;
  if (map != Map::box32x8) return n * (n + 1) / 2;
  std::uint64_t blocks = 0;
  for (int row = 0; row < N; row += 8) blocks += std::min(row + 7, N - 1) / 32 + 1;
  return blocks;
}

// Bytes of a result.
std::size_t resultBytes(Map map, const Task& task) {
  const auto N = static_cast<std::size_t>(task.N);
  if (task.work == Work::neighbours) return 4 * N;
  return 4 * N * N * (isSolid(map) ? N : 1);
}

// More launches from kernels may wait than CUDA makes room for by itself.
void allowLaunches(std::size_t count) {
  constexpr std::size_t by_default = 2048;
  if (count > by_default) CUDA_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, count));
}

void stopIfDynamicFailed(Map map) {
  if (!isDynamic(map)) return;
  lab::check_cuda(static_cast<cudaError_t>(dynamicError()), "launch from a kernel", "dynamic.cu", 0);
}

// Before a run: what is counted begins with 0, and what is stored with a mark that shows where no thread stored.
void clear(Map map, const Task& task) {
  const std::size_t bytes = resultBytes(map, task);
  if (task.work == Work::timeline) startTimeline(task.times);
  if (map != Map::launches && task.work != Work::neighbours && task.work != Work::count) {
    markCells(static_cast<std::uint32_t*>(task.result), bytes / 4);
  } else {
    CUDA_CHECK(cudaMemset(task.result, 0, bytes));
  }
}

// Times of `repeats` runs in ms. Before each one the result is cleared, which is not timed.
std::vector<double> timesOf(Map map, const Task& task, const Division& division, int repeats) {
  lab::GpuTimer timer;
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    clear(map, task);
    timer.start();
    runMap(map, task, division);
    timer.stop();
    times.push_back(timer.ms());
  }
  stopIfDynamicFailed(map);
  return times;
}

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void printTimes(std::vector<double> times, double useful_bytes) {
  const double mean = meanOf(times);
  double error = 0;
  for (const double ms : times) error += (ms - mean) * (ms - mean) / static_cast<double>(times.size());
  std::sort(times.begin(), times.end());
  const std::size_t middle = times.size() / 2;
  const double median = times.size() % 2 == 1 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
  std::printf("Repetitions: %zu\n", times.size());
  lab::print_time("Mean time", mean);
  lab::print_time("Median time", median, "kernel");
  std::printf("Squared error: %.9f (ms^2)\n", error);
  if (useful_bytes > 0) std::printf("Useful bytes a second: %.4g\n", useful_bytes / (median * 1e-3));
}

// One number for each row of the result.
std::vector<std::uint64_t> rowsOf(Map map, const Task& task) {
  const auto N = static_cast<std::size_t>(task.N);
  std::vector<std::uint64_t> rows(N);
  if (task.work == Work::neighbours) {
    std::vector<int> found(N);
    CUDA_CHECK(cudaMemcpy(found.data(), task.result, sizeof(int) * N, cudaMemcpyDeviceToHost));
    rows.assign(found.begin(), found.end());
    return rows;
  }
  std::uint64_t* d_rows = nullptr;
  CUDA_CHECK(cudaMalloc(&d_rows, sizeof(std::uint64_t) * N));
  checksumRows(d_rows, static_cast<const std::uint32_t*>(task.result), task.N, isSolid(map));
  CUDA_CHECK(cudaMemcpy(rows.data(), d_rows, sizeof(std::uint64_t) * N, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_rows));
  return rows;
}

// The result as it is written: as float, in which whole numbers up to 2^24 are exact. Cells outside the triangle
// are 0 if no thread stored there; a cell of the triangle where none did keeps its mark.
std::vector<float> cellsOf(Map map, const Task& task) {
  const auto N = static_cast<std::size_t>(task.N);
  std::vector<std::uint32_t> cells(resultBytes(map, task) / 4);
  CUDA_CHECK(cudaMemcpy(cells.data(), task.result, 4 * cells.size(), cudaMemcpyDeviceToHost));
  std::vector<float> result(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t x = i % N, y = i / N % N, z = isSolid(map) ? i / N / N : y;
    const bool inside = x <= y && y <= z, marked = cells[i] == unvisited;
    if (task.work == Work::distance || (marked && inside)) {
      std::memcpy(&result[i], &cells[i], sizeof result[i]);
    } else {
      result[i] = static_cast<float>(cells[i]);
    }
    if (marked && !inside) result[i] = 0;
  }
  return result;
}

// Writes the result: all of it, or a checksum for each row.
void saveResult(const std::string& file, Map map, const Task& task) {
  const auto N = static_cast<std::size_t>(task.N);
  if (task.work == Work::neighbours || task.N > (isSolid(map) ? largest_copied_solid_N : largest_copied_N)) {
    const std::vector<std::uint64_t> rows = rowsOf(map, task);
    return lab::save(file, {N}, std::vector<float>(rows.begin(), rows.end()));
  }
  lab::save(file, std::vector<std::size_t>(isSolid(map) ? 3 : 2, N), cellsOf(map, task));
}

// The self-test: are the rows what the CPU says?
bool isRight(Map map, const Task& task, const std::vector<float>& points) {
  const std::vector<std::uint64_t> got = rowsOf(map, task);
  const std::vector<std::uint64_t> right = task.work == Work::neighbours ? rightNeighbours(points, task.N)
                                           : map == Map::launches
                                               ? std::vector<std::uint64_t>(task.N)
                                               : rightChecksums(task, isSolid(map), points);
  for (int row = 0; row < task.N; ++row) {
    if (got[row] == right[row]) continue;
    std::printf("Row %d is wrong.\n", row);
    return false;
  }
  return true;
}

// Is each cell visited once, and no cell outside? For N = 1 … last; right becomes the number of cells with the
// right count, of N² each.
std::vector<std::uint32_t> sweep(Map map, int last, const Division& division) {
  std::vector<std::uint32_t> right(last);
  Task task;
  task.work = Work::count;
  task.N = last;
  CUDA_CHECK(cudaMalloc(&task.result, resultBytes(map, task)));
  for (task.N = 1; task.N <= last; ++task.N) {
    CUDA_CHECK(cudaMemset(task.result, 0, resultBytes(map, task)));
    runMap(map, task, division);
    right[task.N - 1] =
        static_cast<std::uint32_t>(rightCounts(static_cast<const std::uint32_t*>(task.result), task.N));
  }
  CUDA_CHECK(cudaFree(task.result));
  stopIfDynamicFailed(map);
  return right;
}

// --sweep: one map, or all seven.
int runSweep(const lab::Args& args, const Division& division, const cudaDeviceProp& device) {
  const int last = static_cast<int>(args.integer("N", 1, 4096, "a sweep does all sizes up to N"));
  std::vector<MapName> maps(map_names, map_names + triangle_maps);
  if (args.text("map") != "all") maps.assign(1, findMap(args));
  std::vector<float> all;
  bool passed = true;
  for (const MapName& map : maps) {
    if (isSolid(map.map) || map.map == Map::launches)
      args.fail(std::string("--sweep has no --map=") + map.name);
    Task task;
    task.work = Work::count;
    task.N = last;
    refuseImpossible(args, map, task, division, device);
    const std::vector<std::uint32_t> right = sweep(map.map, last, division);
    all.insert(all.end(), right.begin(), right.end());
    int wrong = 0;
    for (int N = 1; N <= last; ++N) wrong += right[N - 1] != static_cast<std::uint32_t>(N) * N;
    std::printf("%-6s each cell once: %d of %d sizes\n", map.name, last - wrong, last);
    passed = passed && wrong == 0;
  }
  if (args.output().empty()) return lab::finish(passed);
  lab::save(args.output(), {maps.size(), static_cast<std::size_t>(last)}, all);
  return lab::finish(true);
}

// --rows: the first and the last block of every row, by ltm or by one of its uncorrected forms, which need not
// all be right.
int runRows(const lab::Args& args) {
  const int rows = static_cast<int>(args.integer("N", 1, 65535, "more blocks than a grid may have"));
  const MapName& map = findMap(args);
  if (!isNumberedByRow(map.map)) args.fail("--rows needs --map=ltm, ltm-float, ltm-rsqrt or ltm-double");
  const std::vector<std::int32_t> found = findRows(map.map, rows);
  int right = 0, first_wrong = rows;
  for (int i = rows - 1; i >= 0; --i) {
    const std::int32_t expected[4] = {0, i, i, i};
    const bool same = std::equal(expected, expected + 4, found.begin() + 4 * static_cast<std::ptrdiff_t>(i));
    right += same;
    if (!same) first_wrong = i;
  }
  std::printf("%s: %d of %d rows begin and end where they should\n", map.name, right, rows);
  if (right < rows) std::printf("The first wrong row: %d\n", first_wrong);
  if (args.output().empty()) return lab::finish(right == rows || map.map != Map::lower);
  lab::save(args.output(), {static_cast<std::size_t>(rows), 4},
            std::vector<float>(found.begin(), found.end()));
  return lab::finish(true);
}

// --figure
int runFigure(const lab::Args& args, const MapName& map, Task task, const Division& division) {
  if (task.N > 64 * BLOCK_SIZE) args.fail("--figure shows up to 64 rows of blocks; choose a smaller N");
  if (isExpert(map.map) || isSolid(map.map) || map.map == Map::launches)
    args.fail("--figure knows the seven maps bb, rb, rec, ltm, frb, fr and dp");
  task.work = Work::trace;
  std::vector<std::uint32_t> trace(static_cast<std::size_t>(task.N) * task.N);
  CUDA_CHECK(cudaMemset(task.result, 0, trace.size() * sizeof trace[0]));
  runMap(map.map, task, division);
  CUDA_CHECK(cudaMemcpy(trace.data(), task.result, trace.size() * sizeof trace[0], cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(task.result));
  const bool drawn =
      drawFigure(args.text("figure"), map.title, launchesOf(map.map, task.N, division), trace, task.N);
  if (!drawn) args.fail("--figure can't write " + args.text("figure"));
  return lab::finish(true);
}

// The points of distance and neighbours: whole numbers, so that squared distances are exact.
std::vector<float> getPoints(const lab::Args& args, int N) {
  const auto count = static_cast<std::size_t>(N);
  if (!args.inputs().empty()) return lab::load<float>(args.inputs()[0], "points", {count, 2});
  lab::Random random(args.seed());
  std::vector<float> points(2 * count);
  for (float& coordinate : points) coordinate = static_cast<float>(random.integer(0, 1023));
  return points;
}

// Room for --timeline, which has a line for each launch.
unsigned long long* newTimeline(const lab::Args& args, const std::vector<Launch>& launches) {
  for (const Launch& launch : launches) {
    if (launch.number >= most_timed)
      args.fail("--timeline has room for " + std::to_string(most_timed) + " launches; choose a larger --cut");
  }
  unsigned long long* times = nullptr;
  CUDA_CHECK(cudaMalloc(&times, 2 * most_timed * sizeof times[0]));
  return times;
}

// One map with one payload: its times, and what came out.
int runOnce(const lab::Args& args, Task task, const Division& division, const cudaDeviceProp& device,
            const std::vector<float>& points) {
  const MapName& map = findMap(args);
  task.work = args.has("timeline") ? Work::timeline : findWork(args);
  const int repeats = static_cast<int>(args.integer("repeats", 1, 10000));
  refuseImpossible(args, map, task, division, device);
  const std::vector<Launch> launches = launchesOf(map.map, task.N, division);
  if (isDynamic(map.map)) allowLaunches(launches.size());
  CUDA_CHECK(cudaMalloc(&task.result, resultBytes(map.map, task)));
  if (args.has("timeline")) task.times = newTimeline(args, launches);
  if (args.has("figure")) return runFigure(args, map, task, division);

  // 2. The map. One run that is not timed loads the kernels.
  if (repeats > 1) timesOf(map.map, task, division, 1);
  const std::vector<double> times = timesOf(map.map, task, division, repeats);

  // 3. What came out.
  const std::uint64_t launched = blocksOf(launches), useful = usefulBlocks(map.map, task.N);
  std::printf("%s, N = %d, blocks of %d\n", map.title, task.N, BLOCK_SIZE);
  std::printf("Kernel launches: %zu\n", launches.size());
  std::printf("Blocks launched: %llu\n", static_cast<unsigned long long>(launched));
  std::printf("Blocks useful: %llu\n", static_cast<unsigned long long>(useful));
  std::printf("Launched for each useful block: %.4f\n",
              static_cast<double>(launched) / static_cast<double>(useful));
  const double cells = 0.5 * task.N * (task.N + 1.0) * (isSolid(map.map) ? (task.N + 2.0) / 3 : 1);
  const bool stores = (task.work == Work::write || task.work == Work::distance) && map.map != Map::launches;
  printTimes(times, stores ? 4 * cells : 0);
  if (args.has("timeline")) printTimeline(task.times);

  // For gains: the mean over several sizes. Times by size follow; the result stays that of N.
  if (const auto from = static_cast<int>(args.integer("from", 0, largest_N)); from > 0) {
    std::vector<double> means = {meanOf(times)};
    Task smaller = task;
    CUDA_CHECK(cudaMalloc(&smaller.result, resultBytes(map.map, task)));
    for (smaller.N = task.N / 2; smaller.N >= from; smaller.N /= 2) {
      timesOf(map.map, smaller, division, 1);
      means.push_back(meanOf(timesOf(map.map, smaller, division, repeats)));
    }
    CUDA_CHECK(cudaFree(smaller.result));
    lab::print_time("Mean over sizes", meanOf(means));
  }

  bool passed = true;
  if (args.output().empty()) {
    passed = isRight(map.map, task, points);
    std::printf("Test %s\n", passed ? "PASSED" : "FAILED");
  } else {
    saveResult(args.output(), map.map, task);
  }
  CUDA_CHECK(cudaFree(task.result));
  CUDA_CHECK(cudaFree(task.times));
  return lab::finish(passed);
}

}  // namespace

int main(int argc, char** argv) {
  lab::Args args("triangular", "work on a triangle of cells, given to blocks by one of several maps");
  args.argument("N", "rows of the triangle", std::to_string(DEFAULT_N));
  args.option(
      "map", "M",
      "bb, rb, rec, ltm, frb, fr, dp; ltm-float, ltm-rsqrt, ltm-double, utm, launches, bb32x8, expert, "
      "cube, tetrahedron",
      "bb");
  args.option("payload", "P", "write, distance, neighbours or count", "write");
  args.option("repeats", "R", "how often it is timed", "1");
  args.option("cut", "CELLS", "dp: triangles of at most this many rows are not divided",
              std::to_string(DEFAULT_CUT));
  args.option("alpha", "PERCENT", "dp: divide at most alpha * log2(N) times", "100");
  args.option("from", "N", "also time N / 2, N / 4 … down to this size, and print the mean of their means",
              "0");
  args.flag("sweep", "count visits for all sizes from 1 to N; also with --map=all");
  args.flag("rows", "test the map ltm, or one of its uncorrected forms, in N rows of blocks");
  args.flag("timeline", "print when each launch of rec or dp was at work");
  args.option("figure", "FILE", "draw the map as SVG", "");
  args.reads({"points"}).writes("result").parse(argc, argv);

  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  Task task;
  task.N = static_cast<int>(args.integer("N", 1, largest_N, "16 GiB of cells"));
  Division division;
  division.cut = static_cast<int>(args.integer("cut", 1, largest_N));
  division.depth = static_cast<int>(args.integer("alpha", 0, 100) * std::log2(task.N) / 100);

  // 1. The points' way to the device.
  const std::vector<float> points = getPoints(args, task.N);
  float2* d_points = nullptr;
  CUDA_CHECK(cudaMalloc(&d_points, sizeof(float2) * task.N));
  CUDA_CHECK(cudaMemcpy(d_points, points.data(), sizeof(float2) * task.N, cudaMemcpyHostToDevice));
  task.points = d_points;
  const int code = args.has("rows")    ? runRows(args)
                   : args.has("sweep") ? runSweep(args, division, device)
                                       : runOnce(args, task, division, device, points);
  CUDA_CHECK(cudaFree(d_points));
  return code;
}
