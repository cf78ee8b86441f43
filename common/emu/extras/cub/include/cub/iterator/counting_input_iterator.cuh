// A part of CUB.
#pragma once

#include "cuemu/push_macros.hpp"

#include "cuemu/cub/iterators.hpp"

#include "cuemu/pop_macros.hpp"
