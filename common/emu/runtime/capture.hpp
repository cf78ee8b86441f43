// Stream capture: while a stream captures, what is queued to it becomes nodes of a graph instead of running.
#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "graph.hpp"

namespace cuemu {

class Stream;

/// A capture from its beginning to its end; streams that joined it share it.
struct Capture {
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  unsigned long long id = 0;
  const Stream* origin = nullptr;
  std::thread::id thread;
  std::vector<Stream*> streams;       ///< the origin, and those that joined
  std::vector<cudaGraphNode_t> left;  ///< what streams that joined and were destroyed captured last
  bool invalid = false;
  bool owns_graph = true;
};

/// A stream's part in a capture: the nodes that its next operation comes after.
struct CaptureState {
  std::shared_ptr<Capture> capture;
  std::vector<cudaGraphNode_t> last;
};

/// Queues the work, or adds it to the graph that is captured.
cudaError_t submit(Stream& stream, const NodePlan& plan);

bool is_capturing(Stream& stream);
/// A stream is about to be destroyed. What one that joined has captured stays; without its origin a capture ends.
void leave_capture(Stream& stream);
/// What a call that would wait for the stream returns: an error while it captures, and the capture is spoilt.
cudaError_t check_wait(Stream& stream);
/// The same for calls that no capture allows while it goes on: allocations, and waits for a whole device.
cudaError_t check_unsafe_call();
/// The same for calls that use the legacy default stream.
cudaError_t check_legacy(Stream& stream);

/// The parts that cudaEventRecord and cudaStreamWaitEvent have in a capture.
/// False: the stream does not capture.
bool capture_record(Stream& stream, CUevent_st& event, cudaError_t& error);
bool capture_wait(Stream& stream, cudaEvent_t handle, CUevent_st& event, bool external, cudaError_t& error);

}  // namespace cuemu
