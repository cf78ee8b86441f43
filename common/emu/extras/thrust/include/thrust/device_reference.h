// A part of Thrust.
#pragma once

#include "cuemu/push_macros.hpp"

#include "cuemu/thrust/pointer.hpp"

#include "cuemu/pop_macros.hpp"
