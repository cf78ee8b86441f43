// A part of CUB.
#pragma once

#include "cuemu/cub/block_sort.hpp"
