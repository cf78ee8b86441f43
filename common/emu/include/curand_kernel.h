// Random numbers within kernels: the generators XORWOW, Philox4x32-10 and MRG32k3a with cuRAND's own
// sequences, and the distributions.
#pragma once

#include "cuemu/push_macros.hpp"

#include "cuda_runtime.h"
#include "cuemu/curand/missing.hpp"
#include "cuemu/curand/poisson.hpp"

#include "cuemu/pop_macros.hpp"
