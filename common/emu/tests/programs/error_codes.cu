// Results of wrong calls, and stored errors: cudaGetLastError clears the error, a success does not.
#include <cstdio>
__global__ void kernel(int*) {}
__global__ void __launch_bounds__(64) bounded() {}
__global__ void greedy() {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
}
static void say(const char* what, cudaError_t e) {
  const cudaError_t last = cudaGetLastError();
  printf("%s: %d %s%s\n", what, e, cudaGetErrorName(e), last == e ? "" : " (last differs)");
}
#define SAY(call) say(#call, call)
#define LAUNCH(...)                                                         \
  do {                                                                      \
    __VA_ARGS__;                                                            \
    printf("%s: %s\n", #__VA_ARGS__, cudaGetErrorName(cudaGetLastError())); \
  } while (0)
int main() {
  int *p = nullptr, host[4], device;
  SAY(cudaMalloc(&p, 16));
  SAY(cudaMalloc((void**)nullptr, 16));
  SAY(cudaMalloc(&p, size_t(1) << 60));
  SAY(cudaMalloc(&p, 0));
  printf("%d\n", p == nullptr);
  SAY(cudaMalloc(&p, 16));
  SAY(cudaMemcpy(host, p, 16, static_cast<cudaMemcpyKind>(9)));
  SAY(cudaMemcpy(nullptr, p, 16, cudaMemcpyDeviceToHost));
  SAY(cudaFree(host));
  SAY(cudaFree(p + 1));
  SAY(cudaSetDevice(99));
  SAY(cudaSetDevice(-1));
  SAY(cudaGetDevice(&device));
  SAY(cudaGetDeviceCount(nullptr));
  cudaDeviceProp properties;
  SAY(cudaGetDeviceProperties(&properties, 77));
  SAY(cudaDeviceGetAttribute(host, static_cast<cudaDeviceAttr>(-5), 0));
  SAY(cudaMemset(nullptr, 0, 4));
  SAY(cudaMemset(p, 0, 0));
  SAY(cudaEventDestroy(nullptr));
  SAY(cudaStreamCreate(nullptr));
  SAY(cudaHostAlloc(&p, 16, 0x1000));
  SAY(cudaMallocManaged(&p, 16, 5));
  SAY(cudaMallocManaged(&p, 0, cudaMemAttachGlobal));
  SAY(cudaGetSymbolAddress((void**)&p, host));
  SAY(cudaLaunchKernel((const void*)host, dim3(1), dim3(1), nullptr, 0, nullptr));
  cudaFuncAttributes attributes;
  SAY(cudaFuncGetAttributes(&attributes, (const void*)host));
  LAUNCH(kernel<<<0, 1>>>(nullptr));
  LAUNCH(kernel<<<1, 0>>>(nullptr));
  LAUNCH(kernel<<<1, 1025>>>(nullptr));
  LAUNCH(kernel<<<1, dim3(1, 1, 65)>>>(nullptr));
  LAUNCH(kernel<<<1, dim3(32, 33)>>>(nullptr));
  LAUNCH(kernel<<<dim3(1, 65536), 1>>>(nullptr));
  LAUNCH(kernel<<<dim3(1, 1, 65536), 1>>>(nullptr));
  LAUNCH(kernel<<<1, 1, 1 << 20>>>(nullptr));
  LAUNCH(greedy<<<1, 1, 100000>>>());
  LAUNCH(bounded<<<1, 65>>>());
  LAUNCH(bounded<<<1, 64>>>());
  LAUNCH(kernel<<<dim3(70000), 1>>>(nullptr));
  // The error of a failed launch is stored until the program reads it.
  kernel<<<1, 2000>>>(nullptr);
  cudaDeviceSynchronize();
  cudaGetDevice(&device);
  printf("peek %s\n", cudaGetErrorName(cudaPeekAtLastError()));
  printf("peek %s\n", cudaGetErrorName(cudaPeekAtLastError()));
  printf("get %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("get %s\n", cudaGetErrorName(cudaGetLastError()));
  const cudaError_t all[] = {cudaSuccess,
                             cudaErrorInvalidValue,
                             cudaErrorMemoryAllocation,
                             cudaErrorInitializationError,
                             cudaErrorInvalidConfiguration,
                             cudaErrorInvalidSymbol,
                             cudaErrorInvalidDevicePointer,
                             cudaErrorInvalidMemcpyDirection,
                             cudaErrorInvalidDeviceFunction,
                             cudaErrorNoDevice,
                             cudaErrorInvalidDevice,
                             cudaErrorInvalidResourceHandle,
                             cudaErrorNotReady,
                             cudaErrorIllegalAddress,
                             cudaErrorLaunchOutOfResources,
                             cudaErrorLaunchTimeout,
                             cudaErrorPeerAccessAlreadyEnabled,
                             cudaErrorPeerAccessNotEnabled,
                             cudaErrorAssert,
                             cudaErrorHostMemoryAlreadyRegistered,
                             cudaErrorHostMemoryNotRegistered,
                             cudaErrorIllegalInstruction,
                             cudaErrorMisalignedAddress,
                             cudaErrorLaunchFailure,
                             cudaErrorCooperativeLaunchTooLarge,
                             cudaErrorNotSupported,
                             cudaErrorStreamCaptureUnsupported,
                             cudaErrorUnknown,
                             cudaErrorInsufficientDriver,
                             cudaErrorNoKernelImageForDevice,
                             cudaErrorInvalidPitchValue,
                             static_cast<cudaError_t>(12345)};
  for (cudaError_t e : all) printf("%d %s: %s\n", e, cudaGetErrorName(e), cudaGetErrorString(e));
}
