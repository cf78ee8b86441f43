// CUB for the emulation: cooperative algorithms for a warp, a block and the device.
#pragma once

#include "cuemu/push_macros.hpp"

#include "cuemu/cub/block.hpp"
#include "cuemu/cub/block_neighbours.hpp"
#include "cuemu/cub/block_sort.hpp"
#include "cuemu/cub/device.hpp"
#include "cuemu/cub/device_sort.hpp"
#include "cuemu/cub/iterators.hpp"
#include "cuemu/cub/segmented_sort.hpp"
#include "cuemu/cub/warp.hpp"

#include "cuemu/pop_macros.hpp"

#include "cub/util_allocator.cuh"
