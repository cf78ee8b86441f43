// The driver API's header, as far as programs of the runtime API use it:
// its version and the names of its handles.
#pragma once
#define __cuda_cuda_h__

#include <cstdint>

#include "driver_types.h"

#define CUDA_VERSION 13000

typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef std::uintptr_t CUdeviceptr;
typedef int CUdevice;
