// Stream capture: while a stream captures, calls add nodes to a graph, and no work runs.
#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "graph.hpp"

namespace cuemu {

class Stream;

/// A capture, from its beginning to its end. Streams that have joined the capture share this object.
struct Capture {
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  unsigned long long id = 0;
  const Stream* origin = nullptr;
  std::thread::id thread;
  std::vector<Stream*> streams;       ///< the origin, and the streams that joined
  std::vector<cudaGraphNode_t> left;  ///< last nodes of streams that joined and were destroyed
  bool invalid = false;
  bool owns_graph = true;
};

/// A stream's state in a capture: the nodes that its next operation depends on.
struct CaptureState {
  std::shared_ptr<Capture> capture;
  std::vector<cudaGraphNode_t> last;
};

/// Queues the work, or adds it to the captured graph.
cudaError_t submit(Stream& stream, const NodePlan& plan);

bool is_capturing(Stream& stream);
/// Called before a stream is destroyed. The nodes of a joined stream remain in the graph; if the stream is the origin,
/// the capture ends.
void leave_capture(Stream& stream);
/// Returns the result of a call that would wait for the stream. While the stream captures, such a call is an error,
/// which also invalidates the capture.
cudaError_t check_wait(Stream& stream);
/// Returns the result of a call that no capture allows: an allocation, or a wait for a whole device.
cudaError_t check_unsafe_call();
/// Returns the result of a call that uses the legacy default stream.
cudaError_t check_legacy(Stream& stream);

/// Handles cudaEventRecord and cudaStreamWaitEvent during a capture. Returns false if the stream does not capture.
bool capture_record(Stream& stream, CUevent_st& event, cudaError_t& error);
bool capture_wait(Stream& stream, cudaEvent_t handle, CUevent_st& event, bool external, cudaError_t& error);

}  // namespace cuemu
