// Streams: queues of work, each with a thread of its own that is started with its first operation.
//
// Within a stream work runs in order. The legacy default stream waits for all that went before in every
// blocking stream, and they wait for it. The host never waits unless it asks to.
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

/// What a handle stands for: null and cudaStreamLegacy the default stream of the current device;
/// null result: no such stream.
Stream* stream_of(cudaStream_t handle);

/// A stream of the current device.
cudaStream_t create_stream(unsigned flags, int priority);
/// The stream goes when its work is done. False: no such stream.
bool destroy_stream(cudaStream_t handle);
/// The same for every stream that the program made on a device.
void destroy_streams(int device);
unsigned flags_of(const Stream& stream);
int priority_of(const Stream& stream);
int device_of(const Stream& stream);
unsigned long long number_of(const Stream& stream);
bool is_legacy(const Stream& stream);
StreamView view_of(const Stream& stream);
/// The part that the stream takes in a capture; the capture's own business.
CaptureState& capture_state(Stream& stream);
/// What cudaStreamSetAttribute has left.
std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>& attributes_of(Stream& stream);
/// From now on null handles stand for the calling thread's own stream.
void make_per_thread_default();

/// Queues `work`; it runs on the stream's thread.
/// Dropped unrun once the context is destroyed, unless `always`.
MarkerPtr enqueue(Stream& stream, std::function<void()> work, bool always = false);
/// Queues a wait for an operation of any stream.
void enqueue_wait(Stream& stream, MarkerPtr marker);
/// Runs `work` at once on the calling thread when nothing stands before it, else queues it and waits.
void run_now(Stream& stream, std::function<void()> work);
/// A marker that is done when everything queued so far is; done at once when nothing is pending.
MarkerPtr mark(Stream& stream);

/// Marks the end of an operation that no queue knows.
void finish_marker(Marker& marker);

bool is_idle(Stream& stream);
/// Calls `done` when what all streams have queued so far has ended: at once where they are idle.
void after_queued_work(std::function<void()> done);
void wait_for(const MarkerPtr& marker);
void wait_for_stream(Stream& stream);
void wait_for_device(int device);
void wait_for_all_devices();

}  // namespace cuemu
