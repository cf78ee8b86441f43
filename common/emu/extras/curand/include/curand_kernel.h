// Random numbers within kernels: the generators XORWOW, Philox4x32-10, MRG32k3a and Sobol with cuRAND's own
// sequences, and the distributions.
#pragma once
#define CURAND_KERNEL_H_
#define CURAND_UNIFORM_H_
#define CURAND_NORMAL_H_
#define CURAND_LOGNORMAL_H_
#define CURAND_POISSON_H_
#define CURAND_PHILOX4X32_X__H_
#define CURAND_GLOBALS_H

#include "cuemu/push_macros.hpp"

#include "cuda_runtime.h"
#include "cuemu/curand/missing.hpp"
#include "cuemu/curand/poisson.hpp"
#include "cuemu/curand/sobol.hpp"

#include "cuemu/pop_macros.hpp"
