// storms.h: declarations for the sources of this lab.
//
//   storms.cu           main: the command line, files, timers, what is printed
//   storms_gpu.cu       the kernels, and the versions v1, v3 and v4 of the program: yours
//   storms_v2.cu        version v2, wrong on purpose: to read, and to run under the checker
//   storms_expert.cu    the same storms as an expert computes them (level 3)
//   storms_gold.cpp     the sequential program; what versions leave to the CPU; the test of a result
#ifndef STORMS_H
#define STORMS_H

#include <lab/timer.hpp>

#include <string>
#include <vector>

#include "storm_rules.hpp"

// A particle as the kernels take it. Its numbers contain both rules of storm_rules.hpp:
// a cell at the distance d = |position - cell| + 1 gets energy / sqrt(d), if d <= reach.
struct Particle {
  int position;  // the cell that it hits; may lie outside the layer
  float energy;
  int reach;
};

// The input of all versions.
struct Problem {
  int size = 0;                               // cells of the layer, at least 1
  std::vector<std::vector<Particle>> storms;  // may be empty storms

  std::size_t mostParticles() const;  // of a storm
};

// A local maximum: its cell and its energy; {0, 0} if there is none.
struct Maximum {
  int position;
  float value;
};

// A version of the program: computes the maximum after each storm.
//   layer    (problem.size), host memory, all 0: for versions that need a layer on the host
//   maxima   (problem.storms.size()), host memory, written
using Version = void (*)(const Problem& problem, float* layer, Maximum* maxima);
void stormsV1(const Problem& problem, float* layer, Maximum* maxima);
void stormsV2(const Problem& problem, float* layer, Maximum* maxima);
void stormsV3(const Problem& problem, float* layer, Maximum* maxima);
void stormsV4(const Problem& problem, float* layer, Maximum* maxima);
void stormsExpert(const Problem& problem, float* layer, Maximum* maxima);
const char* handedIn();  // the version that runs when none is named: "v1" … "v4" (part 6)

// On the CPU (storms_gold.cpp).
void bombardOnHost(float* layer, int size, const std::vector<Particle>& storm);
void relaxOnHost(float* layer, int size);
Maximum maximumOnHost(const float* layer, int size);
void stormsSequential(const Problem& problem, float* layer, Maximum* maxima);
double sequentialTime(const Problem& problem);  // ms; of large problems measured in part, and scaled up

#ifdef __CUDACC__
#include <lab/check.hpp>

// How long cudaMalloc and cudaFree have taken so far.
inline lab::Timer allocating;

// Memory of the device that is freed at the end of its scope.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) {
    if (count == 0) return;
    allocating.start();
    CUDA_CHECK(cudaMalloc(&data_, count * sizeof(T)));
    allocating.stop();
  }
  ~DeviceArray() {
    allocating.start();
    cudaFree(data_);  // a failure here could only repeat an earlier one
    allocating.stop();
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  operator T*() const { return data_; }  // a pointer wherever one is expected

 private:
  T* data_ = nullptr;
};

// Launches the kernel of part 1: adds the storm's particles to the layer.
//   layer       (size), device memory, read and written
//   particles   device memory for the largest storm: the storm is copied there first
void bombard(float* layer, int size, Particle* particles, const std::vector<Particle>& storm);
#endif

#endif
