// Math functions of device code, exact and fast ones, and intrinsics for conversion and rounding.
#pragma once
#define __MATH_FUNCTIONS_H__
#define __MATH_FUNCTIONS_HPP__

#include "cuemu/push_macros.hpp"

#include "cuemu/convert.hpp"
#include "cuemu/intrinsics.hpp"
#include "cuemu/math.hpp"
#include "cuemu/packed.hpp"
#include "cuemu/rounding.hpp"

#include "cuemu/pop_macros.hpp"
