#pragma once
#include <cuda_runtime.h>
#include "vec.h"
template <typename T>
class BodySystem {
 public:
  virtual ~BodySystem() {}
  virtual void update(T deltaTime) = 0;
  virtual void getPosition(T* out) = 0;
};
BodySystem<float>* createCuda(int n, const float* position, const float* velocity);
BodySystem<float>* createCpu(int n, const float* position, const float* velocity);
