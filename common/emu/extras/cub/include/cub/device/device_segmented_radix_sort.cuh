// A part of CUB.
#pragma once

#include "cuemu/push_macros.hpp"

#include "cuemu/cub/segmented_sort.hpp"

#include "cuemu/pop_macros.hpp"
