// vector_reduction.h: declarations for the sources of this lab.
//
//   vector_reduction.cu         main and computeOnDevice: the host's side of the sum
//   vector_reduction_kernel.cu  the kernels: one for each scheme, in one block
//   vector_reduction_expert.cu  one more kernel, for level 3
//   vector_reduction_gold.cpp   the same sum on the CPU, and the reader of data.txt
#ifndef VECTOR_REDUCTION_H
#define VECTOR_REDUCTION_H

#include <cstddef>
#include <string_view>
#include <vector>

// Partial sums in shared memory, and threads of the block: one thread for each. A power of two.
constexpr int NUM_ELEMENTS = 512;

// The CPU's side (vector_reduction_gold.cpp).
//   data   (n), host memory
// Returns whether `device_sum` is the sum of data, and prints "Test PASSED" or "Test FAILED" and both sums.
bool checkSum(float device_sum, const std::vector<float>& data, std::string_view source);

// Reads exactly n numbers from a text file, separated by blanks, tabs or line ends. Any other text in the
// file ends the program with a message that says where it is.
std::vector<float> readNumbers(std::string_view path, std::size_t n);

#ifdef __CUDACC__  // only CUDA compilers know the word __global__; vector_reduction_gold.cpp is plain C++
// Each kernel adds up data, (n) in device memory, and leaves the sum in data[0].
__global__ void reduction1a(float* data, int n);      // adjacent pairs; thread t adds to element t
__global__ void reduction1b(float* data, int n);      // adjacent pairs; the working threads are neighbours
__global__ void reduction2(float* data, int n);       // halves
__global__ void reduction3(float* data, int n);       // mirror images
__global__ void reductionExpert(float* data, int n);  // shuffles: vector_reduction_expert.cu, level 3

using Reduction = void (*)(float* data, int n);  // any of them
#endif

#endif
