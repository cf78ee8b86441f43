// cuBLASLt, declared only: see cuemu/declared/names.h.
#pragma once

#include "cublas_api.h"

#define CUEMU_LIBRARY "cuBLAS"
#define CUEMU_NAMES "cuemu/declared/cublasLt.inc"
#include "cuemu/declared/names.h"
