// A part of CUB.
#pragma once

#include "cuemu/cub/common.hpp"
