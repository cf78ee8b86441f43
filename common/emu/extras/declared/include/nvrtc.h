// NVRTC, declared only: see cuemu/declared/names.h.
#pragma once
#define __NVRTC_H__

#include <stddef.h>

#define CUEMU_LIBRARY "NVRTC"
#define CUEMU_NAMES "cuemu/declared/nvrtc.inc"
#include "cuemu/declared/names.h"
