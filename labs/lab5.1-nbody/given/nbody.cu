// nbody.cu: N balls in a box, step after step: the command line, the device's memory, times, and what is printed.
//
//        host                              device
//     balls ───── 1. copy ───────────────▶ P          Q
//                                          │ 2. steps: a version's kernels make Q from P, and exchange the two
//                                          ▼
//     result ◀─── 3. copy ──────────────── P
//
// Run it:  grader lab5.1                             builds it, grades it, explains what is wrong
//          nbody 8192 1000 --version pairs           alone; tests itself
//          nbody --parameters balls.txt              parameters from a file, lines like N = 8192
#include <lab/frames.hpp>
#include <lab/lab.hpp>
#include <lab/parameter_file.hpp>

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <memory>

#include "attraction.hpp"
#include "nbody.h"

namespace {

#ifdef __CUEMU__  // in emulation a CPU takes a second for what a GPU does in a tenth of a millisecond
constexpr const char* DEFAULT_N = "300";
constexpr const char* DEFAULT_ITERATIONS = "50";
#else
constexpr const char* DEFAULT_N = "8192";
constexpr const char* DEFAULT_ITERATIONS = "1000";
#endif

constexpr std::int64_t most_blocks = 2147483647;  // of a grid, along x: CUDA's limit

void onHost(Simulation&) {}  // these versions' steps have no kernels, or other data
void followingStep(Simulation& simulation) {
  takeStep(simulation, followingPairs);
}
void dynamicStep(Simulation& simulation) {
  takeStep(simulation, dynamicPairs);
}
void pairsStep(Simulation& simulation) {
  takeStep(simulation, indexedPairs);
}

struct NamedVersion {
  const char* name;
  void (*step)(Simulation&);
};

constexpr NamedVersion versions[] = {
    {"sequential", onHost}, {"following", followingStep}, {"dynamic", dynamicStep},
    {"pairs", pairsStep},   {"grid", takeGridStep},       {"gravity", onHost},
};

bool is(const NamedVersion& version, const char* name) {
  return std::string(version.name) == name;
}

const NamedVersion& findVersion(const lab::Args& args) {
  std::string all;
  for (const NamedVersion& version : versions) {
    if (args.text("version") == version.name) return version;
    all += std::string(all.empty() ? "" : ", ") + version.name;
  }
  args.fail("--version must be one of " + all + ", but is '" + args.text("version") + "'");
}

// ------------------------------------------------------------------------------------------------ parameters

// The parameters that a file may set, and their presets. On the command line they are options of the same names; the
// first two are arguments.
const lab::Presets defaults = {{"N", DEFAULT_N},
                               {"iterations", DEFAULT_ITERATIONS},
                               {"point-radius", "0.005"},
                               {"walls", "1"},
                               {"g", "1"},
                               {"bounce-decay", "0.8"},
                               {"global-decay", "0.999"},
                               {"time-speed", "0.002"},
                               {"speed", "0.5"},
                               {"dump", ""},
                               {"dump-ratio", "1"}};

lab::BallParameters parametersOf(const lab::Args& args) {
  lab::BallParameters parameters;
  parameters.radius = args.real("point-radius", 0.0002, 0.5);
  parameters.walls = args.integer("walls", 0, 1) == 1;
  parameters.gravity = args.real("g", -1000, 1000);
  parameters.bounce_decay = args.real("bounce-decay", 0, 1);
  parameters.global_decay = args.real("global-decay", 0, 1);
  parameters.time_speed = args.real("time-speed", 0, 1);
  return parameters;
}

// ----------------------------------------------------------------------------------------------------- balls

lab::Balls getBalls(const lab::Args& args, int N, double radius) {
  if (!args.inputs().empty()) {
    const std::vector<float> rows =
        lab::load<float>(args.inputs()[0], "balls", {static_cast<std::size_t>(N), 6});
    for (const float value : rows) {
      if (!(std::fabs(value) <= 1e6f))
        args.fail("ball coordinates and velocities must be numbers from -1e6 to 1e6; " + args.inputs()[0] +
                  " has others");
    }
    return lab::balls_of(rows);
  }
  lab::Random random(args.seed());
  const double speed = args.real("speed", 0, 1000);
  if (args.has("crowded")) return lab::draw_crowd(random, N, radius, speed);
  if (N > lab::room_for_balls(radius))
    args.fail(std::to_string(N) + " balls of radius " + args.text("point-radius") +
              " don't fit into the box: at most " + std::to_string(lab::room_for_balls(radius)) +
              " begin there without touching. Choose fewer (N), or a smaller --point-radius");
  return lab::draw_balls(random, N, radius, speed);
}

// Rows of centre and velocity.   grid: as many threads as balls, or a few more
__global__ void rowsKernel(float* rows, DeviceBalls P, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  const lab::Position position = P.position[i];
  const lab::Velocity velocity = P.velocity[i];
  float* const mine = rows + 6LL * i;
  mine[0] = position.x;
  mine[1] = position.y;
  mine[2] = position.z;
  mine[3] = static_cast<float>(static_cast<double>(velocity.x) / lab::velocity_units);
  mine[4] = static_cast<float>(static_cast<double>(velocity.y) / lab::velocity_units);
  mine[5] = static_cast<float>(static_cast<double>(velocity.z) / lab::velocity_units);
}

lab::Balls copyBack(const Simulation& simulation) {
  const auto count = static_cast<std::size_t>(simulation.N);
  lab::Balls balls;
  balls.position.resize(count);
  balls.velocity.resize(count);
  CUDA_CHECK(cudaMemcpy(balls.position.data(), simulation.P.position, sizeof(lab::Position) * count,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(balls.velocity.data(), simulation.P.velocity, sizeof(lab::Velocity) * count,
                        cudaMemcpyDeviceToHost));
  return balls;
}

// What the grader compares: rows of all balls; with --conserved momentum and energy, before and after.
void save(const lab::Args& args, const lab::Balls& begin, const Simulation& simulation) {
  const auto count = static_cast<std::size_t>(simulation.N);
  if (args.has("conserved")) {
    std::vector<float> rows;
    for (const lab::Balls& balls : {begin, copyBack(simulation)}) {
      const lab::Conserved conserved = lab::conserved_of(balls);
      for (const double part : conserved.momentum) rows.push_back(static_cast<float>(part));
      rows.push_back(static_cast<float>(conserved.energy));
    }
    return lab::save(args.output(), {2, 4}, rows);
  }
  DeviceArray<float> d_rows(6 * count);
  rowsKernel<<<blocksFor(simulation.N), BLOCK_SIZE>>>(d_rows, simulation.P, simulation.N);
  CUDA_CHECK_LAUNCH();
  std::vector<float> rows(6 * count);
  CUDA_CHECK(cudaMemcpy(rows.data(), d_rows, sizeof(float) * rows.size(), cudaMemcpyDeviceToHost));
  lab::save(args.output(), {count, 6}, rows);
}

// ------------------------------------------------------------------------------------------------------ runs

// --pair-index: is pairOf() right at the two ends of each row?
int runPairIndex(const lab::Args& args, int rows) {
  const std::size_t count = 4 * static_cast<std::size_t>(rows);
  DeviceArray<int> d_found(count);
  CUDA_CHECK(cudaMemset(d_found, 0, sizeof(int) * count));
  findPairs(d_found, rows);
  std::vector<int> found(count);
  CUDA_CHECK(cudaMemcpy(found.data(), d_found, sizeof(int) * count, cudaMemcpyDeviceToHost));
  if (!args.output().empty()) {
    lab::save(args.output(), {static_cast<std::size_t>(rows), 4},
              std::vector<float>(found.begin(), found.end()));
    return lab::finish(true);
  }
  int right = 0;
  for (int j = 1; j < rows; ++j) {
    const int* const row = &found[4 * static_cast<std::size_t>(j)];
    right += row[0] == 0 && row[1] == j && row[2] == j - 1 && row[3] == j;
  }
  std::printf("pairOf: %d of %d rows begin and end where they should\n", right, rows - 1);
  return lab::finish(right == rows - 1);
}

// --version gravity: bodies that attract each other; they have a run of their own.
int runGravity(const lab::Args& args, const lab::Balls& begin, int iterations,
               const lab::BallParameters& parameters) {
  const int N = static_cast<int>(begin.count());
  const std::vector<float> rows = lab::rows_of(begin);
  std::vector<float4> position, velocity;
  for (int i = 0; i < N; ++i) {
    const float* const row = &rows[6 * static_cast<std::size_t>(i)];
    position.push_back(make_float4(row[0], row[1], row[2], 0));
    velocity.push_back(make_float4(row[3], row[4], row[5], 0));
  }
  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  Attraction bodies = {};
  bodies.N = N;
  bodies.parts = gravityParts(N, device.multiProcessorCount);
  bodies.softening_squared = static_cast<float>(lab::softening * lab::softening);
  bodies.dt = static_cast<float>(parameters.time_speed);
  bodies.push = static_cast<float>(parameters.gravity * parameters.time_speed / N);
  const std::size_t bytes = sizeof(float4) * static_cast<std::size_t>(N);
  CUDA_CHECK(cudaMalloc(&bodies.position, bytes));
  CUDA_CHECK(cudaMalloc(&bodies.velocity, bytes));
  CUDA_CHECK(cudaMalloc(&bodies.partial, bytes * static_cast<std::size_t>(bodies.parts)));
  CUDA_CHECK(cudaMemcpy(bodies.position, position.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(bodies.velocity, velocity.data(), bytes, cudaMemcpyHostToDevice));
  Attraction still = bodies;
  still.push = still.dt = 0;
  if (iterations > 0) takeGravityStep(still);  // loads the kernels, and moves nothing
  lab::GpuTimer timer;
  timer.start();
  for (int it = 0; it < iterations; ++it) takeGravityStep(bodies);
  timer.stop();
  const double ms = iterations > 0 ? timer.ms() / iterations : 0;
  CUDA_CHECK(cudaMemcpy(position.data(), bodies.position, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(velocity.data(), bodies.velocity, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(bodies.position));
  CUDA_CHECK(cudaFree(bodies.velocity));
  CUDA_CHECK(cudaFree(bodies.partial));
  std::vector<float> got;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const float4 p = position[i], v = velocity[i];
    got.insert(got.end(), {p.x, p.y, p.z, v.x, v.y, v.z});
  }
  const double sequential_ms = sequentialGravityTime(rows);
  std::printf("gravity: %d bodies, %d iterations\n", N, iterations);
  lab::print_time("Time per iteration", ms);
  lab::print_time("Sequential program", sequential_ms);
  if (ms > 0) std::printf("Speed-up: %.2f\n", sequential_ms / ms);
  if (ms > 0) std::printf("Interactions a second: %.4g\n", static_cast<double>(N) * N / (ms * 1e-3));
  if (!args.output().empty()) {
    lab::save(args.output(), {position.size(), 6}, got);
    return lab::finish(true);
  }
  const bool passed = checkGravity(rows, got, iterations, parameters);
  std::printf("Check ok? %s\n", passed ? "Passed." : "Failed.");
  return lab::finish(passed);
}

// Frames of a simulation go to a file of frames, or are printed by a kernel.
struct Frames {
  std::string file;  // empty: none
  bool print = false;
  std::string print_to;  // empty: the standard output
  int ratio = 1;         // a frame after this many steps
};

lab::FramesHead headOf(int N, int frames, const lab::BallParameters& parameters, int ratio) {
  lab::FramesHead head;
  head.points = static_cast<std::uint32_t>(N);
  head.frames = static_cast<std::uint32_t>(frames);
  for (int axis = 0; axis < 3 && !parameters.walls; ++axis) {  // balls may leave: room for them on all sides
    head.low[axis] = -1;
    head.high[axis] = 2;
  }
  head.radius = static_cast<float>(parameters.radius);
  head.seconds = static_cast<float>(parameters.time_speed * ratio);
  head.walls = parameters.walls;
  return head;
}

// While it lives, what is printed goes to a file, as after `> FILE` in a shell: kernels print to the standard output.
class PrintedTo {
 public:
  explicit PrintedTo(const std::string& file) {
    if (file.empty()) return;
    std::fflush(stdout);
    terminal_ = dup(STDOUT_FILENO);
    if (terminal_ < 0 || std::freopen(file.c_str(), "w", stdout) == nullptr)
      lab::usage_error("can't write " + file + ": " + std::strerror(errno));
  }
  ~PrintedTo() {
    if (terminal_ < 0) return;
    std::fflush(stdout);
    dup2(terminal_, STDOUT_FILENO);
    close(terminal_);
  }
  PrintedTo(const PrintedTo&) = delete;
  PrintedTo& operator=(const PrintedTo&) = delete;

 private:
  int terminal_ = -1;
};

// All steps on the device.
struct Times {
  double step_ms = 0;  // on the device, from the first launch to the last
  double run_ms = 0;   // on the host, to the end of the last frame
  double dump_bytes = 0;
};
Times simulate(Simulation& simulation, const NamedVersion& version, int iterations, const Frames& frames,
               const lab::BallParameters& parameters) {
  const int count = iterations / frames.ratio;
  const lab::FramesHead head = headOf(simulation.N, count, parameters, frames.ratio);
  std::unique_ptr<lab::FramesWriter> file;
  std::unique_ptr<FrameStream> stream;
  if (!frames.file.empty()) {
    file = std::make_unique<lab::FramesWriter>(frames.file, head);
    stream =
        std::make_unique<FrameStream>(*file, simulation.N, head.low[0], 65535 / (head.high[0] - head.low[0]));
  }
  const PrintedTo printed(frames.print ? frames.print_to : "");
  CUDA_CHECK(cudaDeviceSynchronize());
  lab::GpuTimer timer;
  lab::Timer whole;
  whole.start();
  timer.start();
  for (int it = 1; it <= iterations; ++it) {
    version.step(simulation);
    if (it % frames.ratio != 0) continue;
    if (stream) stream->add(simulation.P);
    if (frames.print) printFrame(simulation.P, simulation.N, it);
  }
  timer.stop();
  if (stream) stream->finish();
  if (file) file->finish();
  CUDA_CHECK(cudaDeviceSynchronize());
  whole.stop();
  Times times;
  times.step_ms = iterations > 0 ? timer.ms() / iterations : 0;
  times.run_ms = whole.ms();
  times.dump_bytes = file ? head.file_bytes() : 0;
  return times;
}

Times simulateOnHost(lab::Balls& balls, const lab::BallStep& step, int iterations) {
  lab::Balls next = balls;
  lab::Timer timer;
  timer.start();
  for (int it = 0; it < iterations; ++it) lab::sequential_step(balls, next, step);
  timer.stop();
  Times times;
  times.run_ms = timer.ms();
  times.step_ms = iterations > 0 ? times.run_ms / iterations : 0;
  return times;
}

// --frames: what the grader compares is the dump, as it is read again: every other coordinate of each frame, so that
// the result has as many bytes as were copied from the device.
void saveFrames(const lab::Args& args, const std::string& file) {
  const lab::Frames frames = lab::read_frames(file);
  const std::size_t coordinates = 3 * static_cast<std::size_t>(frames.head.points);
  std::vector<float> every_other;
  for (std::size_t frame = 0; frame < frames.head.frames; ++frame) {
    for (std::size_t k = 0; k < coordinates; k += 2)
      every_other.push_back(frames.coordinates[frame * coordinates + k]);
  }
  lab::save(args.output(), {frames.head.frames, (coordinates + 1) / 2}, every_other);
}

// Times; and the result for the grader, which compares it with its own, or the test of the result.
int finish(const lab::Args& args, const NamedVersion& version, const lab::Balls& begin,
           const Simulation& simulation, int iterations, const Frames& frames, const Times& times) {
  const double ms = times.step_ms, sequential_ms = sequentialTime(begin, simulation.step);
  std::printf("%s: %d balls, %d iterations\n", version.name, simulation.N, iterations);
  lab::print_time("Time per iteration", ms);
  lab::print_time("Sequential program", sequential_ms);
  if (ms > 0) std::printf("Speed-up: %.2f\n", sequential_ms / ms);
  if (is(version, "grid")) {
    const double grid_ms = sequentialGridTime(begin, simulation.step, simulation.grid);
    lab::print_time("Sequential program with a grid", grid_ms);
    if (ms > 0) std::printf("Speed-up over it: %.2f\n", grid_ms / ms);
  }
  lab::print_time("Whole run with its frames", times.run_ms);
  std::printf("Bytes of the dump: %.0f\n", times.dump_bytes);
  if (!args.output().empty()) {
    if (args.has("frames"))
      saveFrames(args, frames.file);
    else
      save(args, begin, simulation);
    if (frames.file != args.text("dump")) std::remove(frames.file.c_str());
    return lab::finish(true);
  }
  const bool passed = checkBalls(begin, copyBack(simulation), iterations, parametersOf(args));
  std::printf("Check ok? %s\n", passed ? "Passed." : "Failed.");
  return lab::finish(passed);
}

}  // namespace

int main(int argc, char** argv) {
  const lab::Presets presets = lab::with_parameter_file(argc, argv, defaults);
  const auto preset = [&](const char* name) { return presets.at(name); };
  lab::Args args("nbody", "balls in a box: gravity, walls, collisions");
  args.argument("N", "balls", preset("N"));
  args.argument("iterations", "steps", preset("iterations"));
  args.option("version", "V", "sequential, following, dynamic, pairs, grid or gravity", "pairs");
  args.option("point-radius", "R", "of a ball, in sides of the box", preset("point-radius"));
  args.option("walls", "0|1", "is there a box?", preset("walls"));
  args.option("g", "G", "gravity, downwards", preset("g"));
  args.option("bounce-decay", "B", "what a bounce leaves of a velocity", preset("bounce-decay"));
  args.option("global-decay", "D", "what a step leaves of every velocity", preset("global-decay"));
  args.option("time-speed", "DT", "seconds a step", preset("time-speed"));
  args.option("speed", "V", "balls begin with velocities from -V to V", preset("speed"));
  args.flag("crowded", "balls begin anywhere, also in one another");
  args.option("dump", "FILE", "write positions to a file of frames", preset("dump"));
  args.option("dump-ratio", "K", "a frame after every K steps", preset("dump-ratio"));
  args.flag("print", "print positions from a kernel");
  args.option("print-to", "FILE", "the same, into a file", "");
  args.option("print-fifo", "MIB", "buffer for what kernels print", "1");
  args.option("parameters", "FILE", "read parameters from a file: lines like N = 8192", "");
  args.flag("conserved", "write momentum and energy with --output, before and after");
  args.flag("frames", "write the dump's frames with --output");
  args.flag("pair-index", "test pairOf() in N rows of pairs");
  args.reads({"balls"}).writes("result").parse(argc, argv);

  const int N = static_cast<int>(args.integer("N", 1, lab::most_balls));
  const int iterations = static_cast<int>(args.integer("iterations", 0, 1000000));
  const NamedVersion& version = findVersion(args);
  const lab::BallParameters parameters = parametersOf(args);
  Frames frames;
  frames.file = args.text("dump");
  if (args.has("frames") && frames.file.empty()) frames.file = args.output() + ".frames";
  frames.print_to = args.text("print-to");
  frames.print = args.has("print") || !frames.print_to.empty();
  frames.ratio = static_cast<int>(args.integer("dump-ratio", 1, 1000000));
  const std::int64_t pair_blocks = (static_cast<std::int64_t>(N) * (N - 1) / 2 + BLOCK_SIZE - 1) / BLOCK_SIZE;
  if (is(version, "pairs") && pair_blocks > most_blocks)
    args.fail("the pairs of " + std::to_string(N) + " balls are " + std::to_string(pair_blocks) +
              " blocks of " + std::to_string(BLOCK_SIZE) + " threads, and a grid has at most " +
              std::to_string(most_blocks) + ". Choose fewer balls, or --version grid");
  const bool dumps = !frames.file.empty() || frames.print;
  if (dumps && frames.ratio > iterations)
    args.fail("dump-ratio must be at most " + std::to_string(iterations) +
              ", the number of iterations, or there is no frame; but is " + args.text("dump-ratio"));
  if (dumps && (version.step == onHost)) args.fail(std::string("--version ") + version.name + " has no dump");
  const lab::Balls begin = getBalls(args, N, parameters.radius);
  const auto count = static_cast<std::size_t>(N);
  // Limits are set before the first kernel runs.
  if (frames.print) setPrintBuffer(static_cast<std::size_t>(args.integer("print-fifo", 1, 4096)) << 20);
  if (is(version, "dynamic") && N > 2048) setLaunches(N);
  if (is(version, "gravity")) return runGravity(args, begin, iterations, parameters);

  // 1. The balls' way to the device. By these names messages and findings tell the arrays.
  lab::Position *positions_1 = nullptr, *positions_2 = nullptr;
  lab::Velocity *velocities_1 = nullptr, *velocities_2 = nullptr;
  CUDA_CHECK(cudaMalloc(&positions_1, sizeof(lab::Position) * count));
  CUDA_CHECK(cudaMalloc(&velocities_1, sizeof(lab::Velocity) * count));
  CUDA_CHECK(cudaMalloc(&positions_2, sizeof(lab::Position) * count));
  CUDA_CHECK(cudaMalloc(&velocities_2, sizeof(lab::Velocity) * count));
  Simulation simulation = {};
  simulation.N = N;
  simulation.step = lab::step_of(parameters);
  simulation.P = {positions_1, velocities_1};
  simulation.Q = {positions_2, velocities_2};
  simulation.grid = lab::grid_of(count, parameters.radius);
  CUDA_CHECK(cudaMalloc(&simulation.first, sizeof(int) * static_cast<std::size_t>(simulation.grid.cells())));
  CUDA_CHECK(cudaMalloc(&simulation.behind, sizeof(int) * count));
  const auto copyIn = [&](const lab::Balls& balls) {
    CUDA_CHECK(cudaMemcpy(simulation.P.position, balls.position.data(), sizeof(lab::Position) * count,
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(simulation.P.velocity, balls.velocity.data(), sizeof(lab::Velocity) * count,
                          cudaMemcpyHostToDevice));
  };

  // 2. The steps.
  Times times;
  if (args.has("pair-index")) {
    copyIn(begin);
  } else if (is(version, "sequential")) {
    lab::Balls balls = begin;
    times = simulateOnHost(balls, simulation.step, iterations);
    copyIn(balls);
  } else {
    copyIn(begin);
    if (iterations > 0)
      version.step(simulation);  // loads the kernels, so that the first step is like all others
    copyIn(begin);
    times = simulate(simulation, version, iterations, frames, parameters);
  }
  if (is(version, "dynamic"))
    lab::check_cuda(static_cast<cudaError_t>(dynamicError()), "launch from a kernel", "dynamic.cu", 0);

  // 3. What came out.
  const int code = args.has("pair-index")
                       ? runPairIndex(args, N)
                       : finish(args, version, begin, simulation, iterations, frames, times);
  CUDA_CHECK(cudaFree(positions_1));
  CUDA_CHECK(cudaFree(velocities_1));
  CUDA_CHECK(cudaFree(positions_2));
  CUDA_CHECK(cudaFree(velocities_2));
  CUDA_CHECK(cudaFree(simulation.first));
  CUDA_CHECK(cudaFree(simulation.behind));
  return code;
}
