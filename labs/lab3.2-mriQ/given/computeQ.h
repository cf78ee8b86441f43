// computeQ.h: the arrays on the device, and the functions that compute with them.
//
//   mriQ.cu             main: files, copies, timers; the host's side
//   computeQ.cu         ComputePhiMag_GPU, ComputeQ_GPU and their launches: the code to tune
//   parameters.h        the parameters that are tuned; computeQ.cu alone includes them
//   explanation.cpp     your reasons for the combination in parameters.h (part 6)
//   mriQ.h, computeQ_gold.cpp
//                       Q at some voxels on the CPU, to compare with
//   computeQ_expert.cu, computeQ_tensor.cu, computeQ_hopper.cu, computeQ_lines.h, computeQ_factors.h
//                       the same Q as an expert computes it (level 3)
#ifndef COMPUTEQ_H
#define COMPUTEQ_H

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

// Launch the kernels of computeQ.cu, which may still be running when these functions return.
void computePhiMag(const DeviceScan& scan);  // fills scan.samples
void computeQ(const DeviceScan& scan);       // fills scan.Qr and scan.Qi

// Whether some of the parameters were given when compiling instead of in parameters.h (computeQ.cu).
extern const bool is_trial;

// The reasons for these values (explanation.cpp).
const char* explanation();

// The same Q by the kernels of computeQ_expert.cu; of voxels on lines by those of one of three files.
enum class OnLines {
  expert,  // computeQ_expert.cu
  tensor,  // computeQ_tensor.cu
  hopper,  // computeQ_hopper.cu
};
void computeQExpert(const DeviceScan& scan, OnLines by);

#endif
