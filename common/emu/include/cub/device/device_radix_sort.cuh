// A part of CUB.
#pragma once

#include "cuemu/cub/device_sort.hpp"
