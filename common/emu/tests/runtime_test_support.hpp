// Hand-written kernels in the form that the translator emits, so that the runtime's tests need no translator.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "cuda_runtime.h"

/// The body of a kernel. The built-in variables have CUDA's names in it.
#define KERNEL(name, ...) \
  ::cuemu::kernel_entry(::cuemu::KernelInfo{name}, [=](CUEMU_KERNEL_PARAMS) mutable -> void { __VA_ARGS__ })

/// LAUNCH(k, (grid, block, …), arguments) is the launch k<<<grid, block, …>>>(arguments).
#define LAUNCH(kernel, configuration, ...) (::cuemu::push_launch configuration, kernel(__VA_ARGS__))

/// Device memory that is freed when this object is destroyed.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) : size_(n) {
    EXPECT_EQ(cudaMalloc(&data_, n * sizeof(T)), cudaSuccess);
  }
  explicit DeviceArray(const std::vector<T>& from) : DeviceArray(from.size()) {
    EXPECT_EQ(cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* get() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> result(size_);
    EXPECT_EQ(cudaMemcpy(result.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return result;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};
