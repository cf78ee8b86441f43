// A part of CUB.
#pragma once

#include "cuemu/push_macros.hpp"

#include "cuemu/cub/block_neighbours.hpp"

#include "cuemu/pop_macros.hpp"
