// Code that all hunts share: numbers to work on, copies between host and device, and the comparison with the CPU's
// result. The mistakes are never in this file.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("CUDA error: %s\n", cudaGetErrorString(error));
  std::exit(3);
}

/// Numbers from 1 to `most` in no order, the same in each run.
inline std::vector<int> numbers(int count, int most = 99) {
  std::vector<int> out(count);
  unsigned state = 20111u + count;
  for (int& number : out) {
    state = state * 1664525u + 1013904223u;
    number = 1 + static_cast<int>((state >> 16) % most);
  }
  return out;
}

/// Memory on the device for `count` elements; nothing is in it yet.
template <class T>
T* device_array(int count) {
  T* out = nullptr;
  check(cudaMalloc(&out, count * sizeof(T)));
  return out;
}

template <class T>
T* to_device(const std::vector<T>& from) {
  T* out = device_array<T>(static_cast<int>(from.size()));
  check(cudaMemcpy(out, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  return out;
}

template <class T>
std::vector<T> from_device(const T* from, int count) {
  std::vector<T> out(count);
  check(cudaGetLastError());
  check(cudaMemcpy(out.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
  return out;
}

/// Prints whether an array is right. @return the program's exit code
inline int compare(const char* name, const std::vector<int>& got, const std::vector<int>& expected) {
  int wrong = 0, first = 0;
  for (int i = static_cast<int>(expected.size()) - 1; i >= 0; --i)
    if (got[i] != expected[i]) ++wrong, first = i;
  if (wrong == 0) {
    std::printf("%s: all %zu elements are right\n", name, expected.size());
    return 0;
  }
  std::printf("%s: %d of %zu elements are wrong, first %s[%d]: %d instead of %d\n", name, wrong,
              expected.size(), name, first, got[first], expected[first]);
  return 1;
}
