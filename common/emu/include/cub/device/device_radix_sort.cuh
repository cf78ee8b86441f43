// A part of CUB.
#pragma once

#include "cuemu/push_macros.hpp"

#include "cuemu/radix_sort.hpp"

#include "cuemu/pop_macros.hpp"
