// A part of NVTX that names handles. It has no effect, since there is no profiler that shows the names.
#pragma once

#include "nvtx3/nvToolsExt.h"

#include "cuda_runtime_api.h"

#if defined(__cplusplus)
inline void nvtxNameCudaDeviceA(int, const char*) {}
inline void nvtxNameCudaStreamA(cudaStream_t, const char*) {}
inline void nvtxNameCudaEventA(cudaEvent_t, const char*) {}
#endif
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
