// Streams: queues of work, each with a thread that starts with the stream's first operation.
//
// Within a stream, work runs in order. The legacy default stream waits for all earlier work in every blocking stream,
// and blocking streams wait for its earlier work. The host waits only in blocking calls.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "driver_types.h"
#include "services.hpp"

namespace cuemu {

class Stream;
struct CaptureState;

/// Returns the stream of a handle; for null and cudaStreamLegacy, the current device's default stream. Returns null if
/// there is no such stream.
Stream* stream_of(cudaStream_t handle);

/// Creates a stream on the current device.
cudaStream_t create_stream(unsigned flags, int priority);
/// Destroys the stream when its work is done. False if there is no such stream.
bool destroy_stream(cudaStream_t handle);
/// Destroys every stream that the program created on a device.
void destroy_streams(int device);
unsigned flags_of(const Stream& stream);
int priority_of(const Stream& stream);
int device_of(const Stream& stream);
unsigned long long number_of(const Stream& stream);
bool is_legacy(const Stream& stream);
StreamView view_of(const Stream& stream);
/// Returns the stream's capture state; only capture.cpp interprets it.
CaptureState& capture_state(Stream& stream);
/// Attributes set with cudaStreamSetAttribute.
std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>& attributes_of(Stream& stream);
/// After this call, null handles mean the calling thread's own stream.
void make_per_thread_default();

/// Queues `work` for the stream's thread. If the context is destroyed first, the work is dropped, unless `always`.
MarkerPtr enqueue(Stream& stream, std::function<void()> work, bool always = false);
/// Queues a wait for an operation of any stream.
void enqueue_wait(Stream& stream, MarkerPtr marker);
/// Runs `work` at once on the calling thread if the stream is idle, else queues it and waits.
void run_now(Stream& stream, std::function<void()> work);
/// Returns a marker that is done when all work queued so far is done; if there is none, it is already done.
MarkerPtr mark(Stream& stream);

/// Marks the end of an operation that is in no queue.
void finish_marker(Marker& marker);

bool is_idle(Stream& stream);
/// Calls `done` when all work queued so far in all streams has ended, or at once if all streams are idle.
void after_queued_work(std::function<void()> done);
void wait_for(const MarkerPtr& marker);
void wait_for_stream(Stream& stream);
void wait_for_device(int device);
void wait_for_all_devices();

}  // namespace cuemu
