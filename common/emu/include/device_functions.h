// All functions of device code except barriers, indices and warp functions: atomics, math, intrinsics, loads.
#pragma once
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_HPP__

#include "cuemu/push_macros.hpp"

// nvcc's own headers include the following headers, and programs rely on them.
#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuemu/atomics.hpp"
#include "cuemu/atomics_ordered.hpp"
#include "cuemu/atomics_wide.hpp"
#include "cuemu/loads.hpp"
#include "math_functions.h"
#include "vector_functions.h"

#include "cuemu/pop_macros.hpp"
