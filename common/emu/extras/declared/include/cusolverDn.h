// cuSOLVER, declared only: see cuemu/declared/names.h.
#pragma once
#define CUSOLVERDN_H_
#define CUSOLVER_COMMON_H_
#define CUSOLVERAPI
#define CUSOLVER_VER_MAJOR 12
#define CUSOLVER_VER_MINOR 0
#define CUSOLVER_VER_PATCH 4

#include <stddef.h>
#include <stdint.h>

#include "cublas_v2.h"

#define CUEMU_LIBRARY "cuSOLVER"
#define CUEMU_NAMES "cuemu/declared/cusolver.inc"
#include "cuemu/declared/names.h"
