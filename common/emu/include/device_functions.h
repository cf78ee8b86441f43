// Everything that device code may call besides barriers, indices and warp functions:
// atomics, math, intrinsics, loads.
#pragma once

#include "cuemu/push_macros.hpp"

// nvcc's own headers bring these in, and programs rely on it.
#include <limits.h>
#include <string.h>
#include <time.h>

#include "cuemu/atomics.hpp"
#include "cuemu/atomics_wide.hpp"
#include "cuemu/loads.hpp"
#include "math_functions.h"
#include "vector_functions.h"

#include "cuemu/pop_macros.hpp"
