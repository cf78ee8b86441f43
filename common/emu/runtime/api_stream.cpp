// The runtime API's part on streams, events and kernels by address.
#include "cuda_runtime.h"
#include "errors.hpp"
#include "memory.hpp"
#include "print.hpp"
#include "runtime.hpp"
#include "stream.hpp"

using namespace cuemu;

namespace {

cudaError_t enter() {
  start_runtime();
  return remember(context_error());
}

/// The stream of a handle, after the checks that every call begins with.
cudaError_t find(cudaStream_t handle, Stream*& stream) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  stream = stream_of(handle);
  return remember(stream != nullptr ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* pStream) {
  return cudaStreamCreateWithPriority(pStream, 0, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* pStream, unsigned int flags) {
  return cudaStreamCreateWithPriority(pStream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* pStream, unsigned int flags, int priority) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (pStream == nullptr || flags > cudaStreamNonBlocking) return remember(cudaErrorInvalidValue);
  *pStream = create_stream(flags, priority);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  return remember(destroy_stream(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  Stream* stream = nullptr;
  if (const cudaError_t error = find(handle, stream); error != cudaSuccess) return error;
  wait_for_stream(*stream);
  flush_device_output();
  return remember(observe_context());
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  Stream* stream = nullptr;
  if (const cudaError_t error = find(handle, stream); error != cudaSuccess) return error;
  if (!is_idle(*stream)) return cudaErrorNotReady;  // not an error: leaves the last error alone
  return remember(observe_context());
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int) {
  Stream* stream = nullptr;
  if (const cudaError_t error = find(handle, stream); error != cudaSuccess) return error;
  if (event == nullptr) return remember(cudaErrorInvalidResourceHandle);
  enqueue_wait(*stream, event->marker);
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
  Stream* stream = nullptr;
  if (flags == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find(handle, stream); error != cudaSuccess) return error;
  *flags = flags_of(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  Stream* stream = nullptr;
  if (priority == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find(handle, stream); error != cudaSuccess) return error;
  *priority = priority_of(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* userData,
                                  unsigned int) {
  Stream* stream = nullptr;
  if (callback == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find(handle, stream); error != cudaSuccess) return error;
  enqueue(
      *stream,
      [=] {
        const HostOnly host;
        callback(handle, context_error(), userData);
      },
      true);
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t fn, void* userData) {
  Stream* stream = nullptr;
  if (fn == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find(handle, stream); error != cudaSuccess) return error;
  enqueue(*stream, [=] {
    const HostOnly host;
    fn(userData);
  });
  return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void*, size_t, unsigned int) {
  Stream* stream = nullptr;
  return find(handle, stream);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (event == nullptr || flags > 7) return remember(cudaErrorInvalidValue);
  *event = new CUevent_st{flags, nullptr};
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (event == nullptr) return remember(cudaErrorInvalidResourceHandle);
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
  Stream* stream = nullptr;
  if (const cudaError_t error = find(handle, stream); error != cudaSuccess) return error;
  if (event == nullptr) return remember(cudaErrorInvalidResourceHandle);
  event->marker = mark(*stream);
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (event == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (event->marker == nullptr) return cudaSuccess;
  wait_for(event->marker);
  flush_device_output();
  return remember(observe_context());
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (event == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (event->marker != nullptr && !event->marker->done.load()) return cudaErrorNotReady;
  return remember(observe_context());
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (ms == nullptr) return remember(cudaErrorInvalidValue);
  if (start == nullptr || end == nullptr || start->marker == nullptr || end->marker == nullptr ||
      ((start->flags | end->flags) & cudaEventDisableTiming) != 0)
    return remember(cudaErrorInvalidResourceHandle);
  if (!start->marker->done.load() || !end->marker->done.load()) return remember(cudaErrorNotReady);
  *ms = static_cast<float>(static_cast<double>(end->marker->time_ns - start->marker->time_ns) * 1e-6);
  return cudaSuccess;
}

namespace {
cudaError_t launch_registered(const void* func, dim3 grid, dim3 block, void** args, size_t shared,
                              cudaStream_t stream, bool cooperative) {
  detail::KernelFunction how{};
  if (registered_kernel(func, &how) == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  return detail::launch_kernel(func, how, grid, block, args, shared, stream, cooperative);
}
}  // namespace

cudaError_t cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem,
                             cudaStream_t stream) {
  return launch_registered(func, gridDim, blockDim, args, sharedMem, stream, false);
}
cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args,
                                        size_t sharedMem, cudaStream_t stream) {
  return launch_registered(func, gridDim, blockDim, args, sharedMem, stream, true);
}
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attr, const void* func) {
  detail::KernelFunction how{};
  return detail::function_attributes(attr, registered_kernel(func, &how));
}
cudaError_t cudaFuncSetAttribute(const void* func, enum cudaFuncAttribute attr, int value) {
  detail::KernelFunction how{};
  return detail::set_function_attribute(registered_kernel(func, &how), attr, value);
}
cudaError_t cudaFuncSetCacheConfig(const void*, enum cudaFuncCache) {
  return enter();
}
cudaError_t cudaFuncSetSharedMemConfig(const void*, enum cudaSharedMemConfig) {
  return enter();
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, const void* func, int blockSize,
                                                          size_t dynamicSMemSize) {
  detail::KernelFunction how{};
  return detail::max_active_blocks(numBlocks, registered_kernel(func, &how), blockSize, dynamicSMemSize);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, const void* func,
                                                                   int blockSize, size_t dynamicSMemSize,
                                                                   unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, func, blockSize, dynamicSMemSize);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, const void* func,
                                                      int numBlocks, int blockSize) {
  if (dynamicSmemSize == nullptr || numBlocks <= 0 || blockSize <= 0) return remember(cudaErrorInvalidValue);
  cudaDeviceProp prop{};
  if (const cudaError_t error = cudaGetDeviceProperties(&prop, 0); error != cudaSuccess) return error;
  cudaFuncAttributes attributes{};
  if (const cudaError_t error = cudaFuncGetAttributes(&attributes, func); error != cudaSuccess) return error;
  const size_t share = prop.sharedMemPerMultiprocessor / static_cast<size_t>(numBlocks);
  const size_t taken = prop.reservedSharedMemPerBlock + attributes.sharedSizeBytes;
  *dynamicSmemSize = share > taken ? share - taken : 0;
  return cudaSuccess;
}
}
