// computeQ.h: the parameters of this lab, and what its sources share.
//
//   mriQ.cu             main: files, copies, timers; the host's side
//   computeQ.cu         ComputePhiMag_GPU, ComputeQ_GPU and their launches: what is tuned
//   computeQ_gold.cpp   Q at some voxels on the CPU, to compare with
//   explanation.cpp     your reasons for the combination below (part 6)
//   computeQ_expert.cu  the same Q as an expert computes it (level 3)
//
// Edit the six values, or try others without editing: nvcc -DUNROLL=4 -DTRIG=1 …
#ifndef COMPUTEQ_H
#define COMPUTEQ_H

#include <lab/mri.hpp>

// Values given with -D are a trial: only the combination in this file is the one to be explained.
#if defined(BLOCK_SIZE) || defined(UNROLL) || defined(REGISTERS) || defined(CONSTANT) || \
    defined(CONDITIONALS) || defined(TRIG)
#define TRIAL 1
#else
#define TRIAL 0
#endif

//@part 6 "A combination near the best, and why" levels=1-2
// Threads of a block.   a multiple of 32, up to 1024
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 128
#endif

// How many samples stand in one round of the loop over them.   0 (as written), 2, 4, 8, 16
#ifndef UNROLL
#define UNROLL 16
#endif

// 1: a voxel's place and its two sums are kept in registers, not read and written at each sample.   0, 1
#ifndef REGISTERS
#define REGISTERS 1
#endif

// 1: the samples are read from constant memory instead of global memory.   0, 1
#ifndef CONSTANT
#define CONSTANT 0
#endif

// 1: the conditions are evaluated once, before the loop, and not at each sample.   0, 1
#ifndef CONDITIONALS
#define CONDITIONALS 1
#endif

// 0: cosf and sinf; 1: sincosf; 2: the phase reduced to one cycle, __cosf and __sinf.
#ifndef TRIG
#define TRIG 2
#endif
//@stub 1-2
//| // TODO part 6: find six values for which Q of 10,000 samples on 128³ voxels is computed nearly as fast as with
//| // the best combination, and explain them in explanation.cpp. The tables of the handout show what each of them
//| // does alone.
//|
//| // Threads of a block.   a multiple of 32, up to 1024
//| #ifndef BLOCK_SIZE
//| #define BLOCK_SIZE 32
//| #endif
//|
//| // How many samples stand in one round of the loop over them.   0 (as written), 2, 4, 8, 16
//| #ifndef UNROLL
//| #define UNROLL 0
//| #endif
//|
//| // 1: a voxel's place and its two sums are kept in registers, not read and written at each sample.   0, 1
//| #ifndef REGISTERS
//| #define REGISTERS 0
//| #endif
//|
//| // 1: the samples are read from constant memory instead of global memory.   0, 1
//| #ifndef CONSTANT
//| #define CONSTANT 0
//| #endif
//|
//| // 1: the conditions are evaluated once, before the loop, and not at each sample.   0, 1
//| #ifndef CONDITIONALS
//| #define CONDITIONALS 0
//| #endif
//|
//| // 0: cosf and sinf; 1: sincosf; 2: the phase reduced to one cycle, __cosf and __sinf.
//| #ifndef TRIG
//| #define TRIG 0
//| #endif
//@end

// Samples that one launch takes: 16 bytes each, and constant memory has 64 KiB for the whole program.
#define K_TILE 1024

static_assert(BLOCK_SIZE >= 1 && BLOCK_SIZE <= 1024, "BLOCK_SIZE must be from 1 to 1024");
static_assert(UNROLL >= 0, "UNROLL must be 0 or more");
static_assert((REGISTERS == 0 || REGISTERS == 1) && (CONSTANT == 0 || CONSTANT == 1) &&
                  (CONDITIONALS == 0 || CONDITIONALS == 1),
              "REGISTERS, CONSTANT and CONDITIONALS are 0 or 1");
static_assert(TRIG >= 0 && TRIG <= 2, "TRIG must be 0, 1 or 2");

// A sample as the kernels read it: 16 bytes, one load.
struct alignas(16) KSample {
  float kx, ky, kz;  // its place in k-space, in cycles per unit of length
  float phiMag;      // phiR² + phiI²
};

// The arrays on the device.
struct DeviceScan {
  int numK = 0;                                       // samples that are used
  int numX = 0;                                       // voxels
  float *kx = nullptr, *ky = nullptr, *kz = nullptr;  // (numK)
  float *phiR = nullptr, *phiI = nullptr;             // (numK)
  float *x = nullptr, *y = nullptr, *z = nullptr;     // (numX)
  KSample* samples = nullptr;                         // (numK), written by computePhiMag
  float *Qr = nullptr, *Qi = nullptr;                 // (numX), the result
};

// Launch the kernels of computeQ.cu; they may still be running when these return.
void computePhiMag(const DeviceScan& scan);  // fills scan.samples
void computeQ(const DeviceScan& scan);       // fills scan.Qr and scan.Qi

// The same Q by the kernels of computeQ_expert.cu.
void computeQExpert(const DeviceScan& scan);

// The CPU's check (computeQ_gold.cpp): is `q` the Q of the scan's first numK samples?
//   reference   a file with the right values; empty: they are computed here, for some of the voxels
bool checkQ(const lab::Q& q, const lab::Scan& scan, int numK, const std::string& reference);

// Why these values? (explanation.cpp)
const char* explanation();

#endif
