// The driver API, declared only (see cuemu/declared/names.h): its version, handles, values and the names of functions.
#pragma once
#define __cuda_cuda_h__

#include <stdint.h>

#include "driver_types.h"

#define CUDA_VERSION 13000

typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef uintptr_t CUdeviceptr;
typedef int CUdevice;
typedef struct CUarray_st* CUarray;
typedef struct CUmipmappedArray_st* CUmipmappedArray;
typedef struct CUtexref_st* CUtexref;
typedef struct CUsurfref_st* CUsurfref;
typedef struct CUlinkState_st* CUlinkState;
typedef struct CUlib_st* CUlibrary;
typedef struct CUkern_st* CUkernel;

#define CUEMU_LIBRARY "the driver API"
#define CUEMU_NAMES "cuemu/declared/driver.inc"
#include "cuemu/declared/names.h"
