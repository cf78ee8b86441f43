// The runtime API's functions for streams.
#include <algorithm>

#include "capture.hpp"
#include "cuda_runtime.h"
#include "device.hpp"
#include "device_launch.hpp"
#include "errors.hpp"
#include "event.hpp"
#include "memory.hpp"
#include "observer.hpp"
#include "print.hpp"
#include "runtime.hpp"
#include "stream.hpp"

using namespace cuemu;

namespace {

constexpr int highest_priority = -5;

/// Finds the stream of a handle, after the checks common to all calls.
cudaError_t find_stream(cudaStream_t handle, Stream*& stream) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  stream = stream_of(handle);
  return remember(stream != nullptr ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

}  // namespace

namespace cuemu {
bool use_per_thread_default_streams();
bool use_per_thread_default_streams() {
  make_per_thread_default();
  return true;
}
}  // namespace cuemu

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* pStream) {
  return cudaStreamCreateWithPriority(pStream, 0, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* pStream, unsigned int flags) {
  return cudaStreamCreateWithPriority(pStream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* pStream, unsigned int flags, int priority) {
  if (in_kernel()) return remember(create_device_stream(pStream, flags));
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (pStream == nullptr || flags > cudaStreamNonBlocking) return remember(cudaErrorInvalidValue);
  *pStream = create_stream(flags, std::clamp(priority, highest_priority, 0));
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  if (in_kernel()) return remember(destroy_device_stream(handle));
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  return remember(destroy_stream(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  Stream* stream = nullptr;
  if (const cudaError_t error = find_stream(handle, stream); error != cudaSuccess) return error;
  if (const cudaError_t error = check_wait(*stream); error != cudaSuccess) return remember(error);
  wait_for_stream(*stream);
  flush_device_output();
  return remember(observe_context());
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  Stream* stream = nullptr;
  if (const cudaError_t error = find_stream(handle, stream); error != cudaSuccess) return error;
  if (const cudaError_t error = check_wait(*stream); error != cudaSuccess) return remember(error);
  if (!is_idle(*stream)) return cudaErrorNotReady;  // not an error, so the last error remains unchanged
  return remember(observe_context());
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int flags) {
  if (in_kernel())  // launches from kernels run in order
    return remember(is_device_event(event) && is_device_stream(handle) ? cudaSuccess
                                                                       : cudaErrorInvalidResourceHandle);
  Stream* stream = nullptr;
  if (const cudaError_t error = find_stream(handle, stream); error != cudaSuccess) return error;
  const auto known = event_of(event);
  if (known == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (flags > cudaEventWaitExternal) return remember(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  if (capture_wait(*stream, event, *known, flags == cudaEventWaitExternal, error)) return remember(error);
  enqueue_wait(*stream, known->marker);
  return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID attr,
                                   const cudaStreamAttrValue* value) {
  Stream* stream = nullptr;
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find_stream(handle, stream); error != cudaSuccess) return error;
  attributes_of(*stream)[attr] = *value;
  return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID attr, cudaStreamAttrValue* value) {
  Stream* stream = nullptr;
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find_stream(handle, stream); error != cudaSuccess) return error;
  const auto& known = attributes_of(*stream);
  const auto found = known.find(attr);
  *value = found != known.end() ? found->second : cudaStreamAttrValue{};
  if (attr == cudaLaunchAttributePriority && found == known.end()) value->priority = priority_of(*stream);
  return cudaSuccess;
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to_handle, cudaStream_t from_handle) {
  Stream *to = nullptr, *from = nullptr;
  if (const cudaError_t error = find_stream(to_handle, to); error != cudaSuccess) return error;
  if (const cudaError_t error = find_stream(from_handle, from); error != cudaSuccess) return error;
  attributes_of(*to) = attributes_of(*from);
  return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache(void) {
  return enter();
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* streamId) {
  Stream* stream = nullptr;
  if (streamId == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find_stream(handle, stream); error != cudaSuccess) return error;
  *streamId = number_of(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  Stream* stream = nullptr;
  if (device == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find_stream(handle, stream); error != cudaSuccess) return error;
  *device = device_of(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
  Stream* stream = nullptr;
  if (flags == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find_stream(handle, stream); error != cudaSuccess) return error;
  *flags = flags_of(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  Stream* stream = nullptr;
  if (priority == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find_stream(handle, stream); error != cudaSuccess) return error;
  *priority = priority_of(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* userData,
                                  unsigned int flags) {
  Stream* stream = nullptr;
  if (callback == nullptr || flags != 0) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find_stream(handle, stream); error != cudaSuccess) return error;
  if (const cudaError_t error = check_wait(*stream); error != cudaSuccess) return remember(error);
  enqueue(
      *stream,
      [=] {
        notify(&Observer::host_function_begins);
        const HostOnly host;
        callback(handle, observe_context(), userData);
      },
      true);
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t fn, void* userData) {
  Stream* stream = nullptr;
  if (fn == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find_stream(handle, stream); error != cudaSuccess) return error;
  return remember(submit(*stream, HostPlan{fn, userData}));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void*, size_t, unsigned int) {
  Stream* stream = nullptr;
  return find_stream(handle, stream);
}
}
