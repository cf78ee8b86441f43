// cuFFT, declared only: see cuemu/declared/names.h.
#pragma once
#define _CUFFT_H_
#define CUFFTAPI
#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VER_BUILD 61
#define CUFFT_VERSION 12000
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUEMU_LIBRARY "cuFFT"
#define CUEMU_NAMES "cuemu/declared/cufft.inc"
#include "cuemu/declared/names.h"
