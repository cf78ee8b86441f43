#pragma once
#include <cuda_runtime.h>
#include <cstring>
#include <new>
// Everything that derives from this lives in unified memory.
class Managed {
 public:
  void *operator new(size_t len) {
    void *ptr;
    if (cudaMallocManaged(&ptr, len) != cudaSuccess) throw std::bad_alloc();
    cudaDeviceSynchronize();
    return ptr;
  }
  void *operator new[](size_t len) { return Managed::operator new(len); }
  void operator delete(void *ptr) {
    cudaDeviceSynchronize();
    cudaFree(ptr);
  }
  void operator delete[](void *ptr) { Managed::operator delete(ptr); }
};
