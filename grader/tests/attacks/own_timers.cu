// Defines CUDA's own timers and copies.
// happens: does not compile: a submission may not define functions of CUDA, CUPTI or the kit's timers
// verdict: compile_error
// says: defines cuda
extern "C" cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) {
  *ms = 1e-6f;
  return cudaSuccess;
}
extern "C" cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind) {
  return cudaSuccess;
}
#include "program.h"
