// Streams: queues of work, each with a thread of its own that is started with its first operation.
//
// Within a stream work runs in order. The legacy default stream waits for all that went before in every
// blocking stream, and they wait for it. The host never waits unless it asks to.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "driver_types.h"

namespace cuemu {

/// The end of one operation: what others wait for, and what an event records.
struct Marker {
  std::atomic<bool> done{false};
  std::int64_t time_ns = 0;  ///< valid when done
};
using MarkerPtr = std::shared_ptr<Marker>;

class Stream;

/// What a handle stands for: null and cudaStreamLegacy the default stream; null result: no such stream.
Stream* stream_of(cudaStream_t handle);

cudaStream_t create_stream(unsigned flags, int priority);
/// The stream goes when its work is done. False: no such stream.
bool destroy_stream(cudaStream_t handle);
unsigned flags_of(const Stream& stream);
int priority_of(const Stream& stream);

/// Queues `work`; it runs on the stream's thread. Dropped unrun once the context is destroyed, unless
/// `always`.
MarkerPtr enqueue(Stream& stream, std::function<void()> work, bool always = false);
/// Queues a wait for an operation of any stream.
void enqueue_wait(Stream& stream, MarkerPtr marker);
/// Runs `work` at once on the calling thread when nothing stands before it, else queues it and waits.
void run_now(Stream& stream, std::function<void()> work);
/// A marker that is done when everything queued so far is; done at once when nothing is pending.
MarkerPtr mark(Stream& stream);

bool is_idle(Stream& stream);
void wait_for(const MarkerPtr& marker);
void wait_for_stream(Stream& stream);
void wait_for_device();

}  // namespace cuemu

/// What cudaEvent_t points to.
struct CUevent_st {
  unsigned flags = 0;
  cuemu::MarkerPtr marker;
};
