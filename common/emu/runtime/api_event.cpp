// The runtime API's functions for events.
#include <map>
#include <mutex>

#include "capture.hpp"
#include "cuda_runtime.h"
#include "device.hpp"
#include "device_launch.hpp"
#include "errors.hpp"
#include "event.hpp"
#include "observer.hpp"
#include "print.hpp"
#include "runtime.hpp"

namespace cuemu {

namespace {
struct Events {
  std::mutex mutex;
  std::map<cudaEvent_t, std::shared_ptr<CUevent_st>> all;
  static Events& get() {
    static auto* const events = new Events;
    return *events;
  }
};
}  // namespace

std::shared_ptr<CUevent_st> event_of(cudaEvent_t handle) {
  Events& events = Events::get();
  const std::lock_guard<std::mutex> lock(events.mutex);
  const auto found = events.all.find(handle);
  return found != events.all.end() ? found->second : nullptr;
}

cudaEvent_t create_event(unsigned flags) {
  auto event = std::make_shared<CUevent_st>();
  event->flags = flags;
  event->device = current_device();
  Events& events = Events::get();
  const std::lock_guard<std::mutex> lock(events.mutex);
  const cudaEvent_t handle = event.get();
  events.all[handle] = std::move(event);
  return handle;
}

bool destroy_event(cudaEvent_t handle) {
  Events& events = Events::get();
  const std::lock_guard<std::mutex> lock(events.mutex);
  return events.all.erase(handle) > 0;
}

void destroy_events(int device) {
  Events& events = Events::get();
  const std::lock_guard<std::mutex> lock(events.mutex);
  for (auto event = events.all.begin(); event != events.all.end();)
    event = event->second->device == device ? events.all.erase(event) : std::next(event);
}

}  // namespace cuemu

using namespace cuemu;

namespace {

/// Finds the event of a handle, after the checks common to all calls.
cudaError_t find_event(cudaEvent_t handle, std::shared_ptr<CUevent_st>& event) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  event = event_of(handle);
  return remember(event != nullptr ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (in_kernel()) return remember(create_device_event(event, flags));
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const bool timed_between_processes =
      (flags & cudaEventInterprocess) != 0 && (flags & cudaEventDisableTiming) == 0;
  if (event == nullptr || flags > 7 || timed_between_processes) return remember(cudaErrorInvalidValue);
  *event = create_event(flags);
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (in_kernel()) return remember(destroy_device_event(event));
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  return remember(destroy_event(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
  return cudaEventRecordWithFlags(handle, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t stream_handle, unsigned int flags) {
  if (in_kernel())
    return remember(is_device_event(handle) && is_device_stream(stream_handle)
                        ? cudaSuccess
                        : cudaErrorInvalidResourceHandle);
  std::shared_ptr<CUevent_st> event;
  if (const cudaError_t error = find_event(handle, event); error != cudaSuccess) return error;
  if (flags > cudaEventRecordExternal) return remember(cudaErrorInvalidValue);
  Stream* const stream = stream_of(stream_handle);
  if (stream == nullptr || device_of(*stream) != event->device)
    return remember(cudaErrorInvalidResourceHandle);
  cudaError_t error = cudaSuccess;
  if (flags == cudaEventRecordExternal && is_capturing(*stream))
    return remember(submit(*stream, RecordPlan{handle}));
  if (capture_record(*stream, *event, error)) return remember(error);
  event->capture = nullptr;
  event->nodes.clear();
  event->marker = mark(*stream);
  notify(&Observer::event_queued, *event->marker);
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  std::shared_ptr<CUevent_st> event;
  if (const cudaError_t error = find_event(handle, event); error != cudaSuccess) return error;
  if (event->capture != nullptr) return remember(cudaErrorCapturedEvent);
  if (event->marker == nullptr) return cudaSuccess;
  wait_for(event->marker);
  flush_device_output();
  return remember(observe_context());
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  std::shared_ptr<CUevent_st> event;
  if (const cudaError_t error = find_event(handle, event); error != cudaSuccess) return error;
  if (event->capture != nullptr) return remember(cudaErrorCapturedEvent);
  if (event->marker != nullptr && !event->marker->done.load()) return cudaErrorNotReady;
  if (event->marker != nullptr) notify(&Observer::waited, *event->marker);
  return remember(observe_context());
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start_handle, cudaEvent_t end_handle) {
  std::shared_ptr<CUevent_st> start, end;
  if (ms == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = find_event(start_handle, start); error != cudaSuccess) return error;
  if (const cudaError_t error = find_event(end_handle, end); error != cudaSuccess) return error;
  if (start->capture != nullptr || end->capture != nullptr) return remember(cudaErrorCapturedEvent);
  if (start->marker == nullptr || end->marker == nullptr || start->device != end->device ||
      ((start->flags | end->flags) & cudaEventDisableTiming) != 0)
    return remember(cudaErrorInvalidResourceHandle);
  notify(&Observer::events_compared, *start->marker, *end->marker);
  if (!start->marker->done.load() || !end->marker->done.load()) return remember(cudaErrorNotReady);
  *ms = static_cast<float>(static_cast<double>(end->marker->time_ns - start->marker->time_ns) * 1e-6);
  return cudaSuccess;
}
}
