// nbody.h: what the sources of this lab share.
//
//   nbody.cu         main: the command line, parameters, times, what is printed
//   bodies.cu        a step around its pairs; one thread for each ball (parts 1 and 2)
//   pairs.h          a pair from its number (part 3)
//   pairs.cu         one thread for each pair (part 4)
//   dump.cu          positions to a file while the simulation goes on (part 5); frame_stream.cu: its streams and buffers
//   dynamic.cu       kernels that launch kernels (part 6)
//   grid.cu          only neighbours are looked at (level 3: part 7)
//   gravity.cu       another exercise: every ball attracts every other (level 3: part 8)
//   print.cu         positions printed by a kernel
//   nbody_gold.cpp   the sequential programs, and the test of a result
//
// balls.hpp moves a ball by one step and computes a collision of two balls. The sequential program and all
// kernels call these functions.
#ifndef NBODY_H
#define NBODY_H

#include <cstddef>
#include <vector>

#include "balls.hpp"

#ifndef BLOCK_SIZE
#define BLOCK_SIZE 128  // threads of a block
#endif
static_assert(BLOCK_SIZE >= 32 && BLOCK_SIZE <= 1024, "BLOCK_SIZE must be from 32 to 1024");

// Blocks for `count` threads, rounded up.
LAB_ON_BOTH constexpr unsigned blocksFor(long long count) {
  return static_cast<unsigned>((count + BLOCK_SIZE - 1) / BLOCK_SIZE);
}

// The state of all balls, in device memory.
struct DeviceBalls {
  lab::Position* position;  // (N)
  lab::Velocity* velocity;  // (N)
};

// A simulation on the device. A step reads P, leaves the next state in Q, and exchanges the two.
struct Simulation {
  int N;
  lab::BallStep step;
  DeviceBalls P, Q;
  // For grid.cu: the box's cells, and a list of balls for each of them.
  lab::BallGrid grid;
  int* first;   // (grid.cells()): a ball of the cell; -1: it has none
  int* behind;  // (N): the next ball of the same cell; -1: there is none
};

// Adds what all pairs do to the velocities.
//   P      read: the state after gravity and walls
//   sums   (N), device memory: velocities, to which the changes are added
using Pairs = void (*)(const DeviceBalls& P, lab::Velocity* sums, int N, const lab::BallStep& step);
void followingPairs(const DeviceBalls& P, lab::Velocity* sums, int N,
                    const lab::BallStep& step);                                                  // bodies.cu
void indexedPairs(const DeviceBalls& P, lab::Velocity* sums, int N, const lab::BallStep& step);  // pairs.cu
void dynamicPairs(const DeviceBalls& P, lab::Velocity* sums, int N, const lab::BallStep& step);  // dynamic.cu

void takeStep(Simulation& simulation, Pairs pairs);  // bodies.cu: a step whose pairs are done by one of these

// pairs.cu: rows j = 1 … rows - 1 of the triangle of pairs. found (rows, 4) int32, device memory, becomes i and j of
// the first and of the last pair of each row; row 0, which has no pair, is left alone.
void findPairs(int* found, int rows);

// dynamic.cu
void setLaunches(int launches);  // how many launches from kernels may wait
int dynamicError();              // cudaError_t of the first launch from a kernel that failed; 0: none did

void takeGridStep(Simulation& simulation);  // grid.cu: a step with neighbours alone

// print.cu
void setPrintBuffer(std::size_t bytes);  // before the first kernel runs
void printFrame(const DeviceBalls& state, int N, int frame);

// On the CPU (nbody_gold.cpp).
double sequentialTime(const lab::Balls& balls,
                      const lab::BallStep& step);  // ms for a step, of many balls scaled up
double sequentialGridTime(const lab::Balls& balls, const lab::BallStep& step, const lab::BallGrid& grid);
double sequentialGravityTime(const std::vector<float>& rows);
// Are these the bodies, (N, 6), that `begin` become after that many steps? Of many bodies a few are looked at, for one step.
bool checkGravity(const std::vector<float>& begin, const std::vector<float>& got, int iterations,
                  const lab::BallParameters& parameters);
// Are these the balls that the sequential program has after that many steps? And has nothing been lost on the way?
bool checkBalls(const lab::Balls& begin, const lab::Balls& got, int iterations,
                const lab::BallParameters& parameters);

#ifdef __CUDACC__
#include <lab/check.hpp>

// Memory of the device that is freed at the end of its scope.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) {
    if (count > 0) CUDA_CHECK(cudaMalloc(&data_, count * sizeof(T)));
  }
  ~DeviceArray() {
    cudaFree(data_);  // a failure here could only repeat an earlier one
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  operator T*() const { return data_; }  // a pointer wherever one is expected

 private:
  T* data_ = nullptr;
};

namespace lab {
class FramesWriter;  // <lab/frames.hpp>
}

// Frames on their way from the device to a file, while the simulation goes on. What add(), writeOut() and finish() do
// is in dump.cu, all else in frame_stream.cu.
class FrameStream {
 public:
  FrameStream(lab::FramesWriter& file, int N, float low, float scale);
  ~FrameStream();
  FrameStream(const FrameStream&) = delete;
  FrameStream& operator=(const FrameStream&) = delete;

  void add(const DeviceBalls& state);
  void finish();

 private:
  struct Slot {
    std::uint16_t* packed = nullptr;  // (N, 3), device memory
    std::uint16_t* host = nullptr;    // (N, 3), pinned host memory
    cudaEvent_t copied = nullptr;     // the copy from one to the other has ended
    bool full = false;                // holds a frame that has not been written yet, or is on its way
  };
  void writeOut(Slot& slot);

  lab::FramesWriter& file_;
  int N_;
  float low_, scale_;  // of coordinates in 16 bits (lab::quantised)
  std::size_t bytes_;  // of a frame
  Slot slots_[2];
  cudaStream_t copies_ = nullptr;
  cudaEvent_t packed_ = nullptr;  // the last packing has ended
  std::size_t frames_ = 0;        // so far
};

// gravity.cu: bodies that attract each other, on the device.
struct Attraction {
  int N;
  int parts;                    // the bodies j are divided into this many
  float4 *position, *velocity;  // (N), the fourth number is not used
  float4* partial;              // (parts, N)
  float softening_squared;      // ε²
  float push, dt;               // G · dt / N, and dt
};
int gravityParts(int N, int multiprocessors);
void takeGravityStep(const Attraction& bodies);
#endif

#endif
