// mriQ.h: what the sources of this lab share.
//
//   mriQ.cu             main: files, copies, timers; the host's side
//   computeQ.cu         ComputePhiMag_GPU, ComputeQ_GPU and their launches: what is tuned
//   computeQ.h          the parameters that are tuned
//   computeQ_gold.cpp   Q at some voxels on the CPU, to compare with
//   explanation.cpp     your reasons for the combination in computeQ.h (part 6)
//   computeQ_expert.cu  the same Q as an expert computes it (level 3)
#ifndef MRIQ_H
#define MRIQ_H

#include <lab/mri.hpp>

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
