#include "capture.hpp"

#include <algorithm>
#include <atomic>

#include "errors.hpp"
#include "event.hpp"
#include "stream.hpp"

namespace cuemu {

namespace {

/// Active captures.
std::vector<std::shared_ptr<Capture>>& captures() {
  static auto* const all = new std::vector<std::shared_ptr<Capture>>;
  return *all;
}
/// Number of active captures, so that calls outside captures need no lock.
std::atomic<int> capture_count{0};

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

cudaError_t capture_node(CaptureState& state, const NodePlan& plan) {
  if (state.capture->invalid) return cudaErrorStreamCaptureInvalidated;
  CUgraphNode_st* const node = state.capture->graph->add(plan, state.last);
  state.last = {node};
  return cudaSuccess;
}

void merge(std::vector<cudaGraphNode_t>& into, const std::vector<cudaGraphNode_t>& from) {
  for (const cudaGraphNode_t node : from)
    if (std::find(into.begin(), into.end(), node) == into.end()) into.push_back(node);
}

/// Returns whether the last nodes of all other streams are predecessors of the origin's last nodes.
bool joined(const Capture& capture, const std::vector<cudaGraphNode_t>& last) {
  std::vector<cudaGraphNode_t> reached = last;
  for (std::size_t i = 0; i < reached.size(); ++i) merge(reached, reached[i]->after);
  const auto all_reached = [&](const std::vector<cudaGraphNode_t>& nodes) {
    return std::all_of(nodes.begin(), nodes.end(), [&](const cudaGraphNode_t node) {
      return std::find(reached.begin(), reached.end(), node) != reached.end();
    });
  };
  return all_reached(capture.left) &&
         std::all_of(capture.streams.begin(), capture.streams.end(),
                     [&](Stream* const stream) { return all_reached(capture_state(*stream).last); });
}

/// Ends the capture. @pre graph_mutex() is held
void end_capture(const std::shared_ptr<Capture>& capture, bool keep_graph) {
  for (Stream* const member : capture->streams) capture_state(*member) = {};
  captures().erase(std::find(captures().begin(), captures().end(), capture));
  capture_count.fetch_sub(1);
  if (!keep_graph && capture->owns_graph) destroy_graph(capture->graph);
}

}  // namespace

bool is_capturing(Stream& stream) {
  if (capture_count.load(std::memory_order_relaxed) == 0) return false;
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  return capture_state(stream).capture != nullptr;
}

void leave_capture(Stream& stream) {
  if (capture_count.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  CaptureState& state = capture_state(stream);
  const std::shared_ptr<Capture> capture = state.capture;
  if (capture == nullptr) return;
  if (capture->origin == &stream) {
    capture->invalid = true;  // for events recorded in the capture
    return end_capture(capture, false);
  }
  merge(capture->left, state.last);
  auto& streams = capture->streams;
  streams.erase(std::find(streams.begin(), streams.end(), &stream));
  state = {};
}

cudaError_t submit(Stream& stream, const NodePlan& plan) {
  if (capture_count.load(std::memory_order_relaxed) != 0) {
    const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
    if (const cudaError_t error = check_legacy(stream); error != cudaSuccess) return error;
    CaptureState& state = capture_state(stream);
    if (state.capture != nullptr) return capture_node(state, plan);
  }
  enqueue(stream, [plan, device = device_of(stream)] { run_plan(plan, device); });
  return cudaSuccess;
}

cudaError_t check_wait(Stream& stream) {
  if (capture_count.load(std::memory_order_relaxed) == 0) return cudaSuccess;
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  if (const cudaError_t error = check_legacy(stream); error != cudaSuccess) return error;
  const auto& capture = capture_state(stream).capture;
  if (capture == nullptr) return cudaSuccess;
  capture->invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t check_unsafe_call() {
  if (capture_count.load(std::memory_order_relaxed) == 0 || thread_mode == cudaStreamCaptureModeRelaxed)
    return cudaSuccess;
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  bool found = false;
  for (const auto& capture : captures()) {
    const bool own = capture->thread == std::this_thread::get_id();
    if (capture->mode == cudaStreamCaptureModeRelaxed) continue;
    if (!own && (capture->mode != cudaStreamCaptureModeGlobal || thread_mode != cudaStreamCaptureModeGlobal))
      continue;
    capture->invalid = found = true;
  }
  return found ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t check_legacy(Stream& stream) {
  if (capture_count.load(std::memory_order_relaxed) == 0 || !is_legacy(stream)) return cudaSuccess;
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  bool found = false;
  for (const auto& capture : captures())
    for (const Stream* const other : capture->streams)
      if ((flags_of(*other) & cudaStreamNonBlocking) == 0 && device_of(*other) == device_of(stream))
        capture->invalid = found = true;
  return found ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

bool capture_record(Stream& stream, CUevent_st& event, cudaError_t& error) {
  if (capture_count.load(std::memory_order_relaxed) == 0) return false;
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  if (error = check_legacy(stream); error != cudaSuccess) return true;
  const CaptureState& state = capture_state(stream);
  if (state.capture == nullptr) return false;
  if (state.capture->invalid) {
    error = cudaErrorStreamCaptureInvalidated;
    return true;
  }
  event.capture = state.capture;
  event.nodes = state.last;
  return true;
}

bool capture_wait(Stream& stream, cudaEvent_t handle, CUevent_st& event, bool external, cudaError_t& error) {
  if (capture_count.load(std::memory_order_relaxed) == 0) return false;
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  CaptureState& state = capture_state(stream);
  error = cudaSuccess;
  if (event.capture == nullptr) {
    if (state.capture == nullptr) return false;
    if (external) {
      error = capture_node(state, WaitPlan{handle});
    } else {
      state.capture->invalid = true;
      error = cudaErrorStreamCaptureIsolation;
    }
    return true;
  }
  if (event.capture->invalid)
    error = cudaErrorStreamCaptureInvalidated;
  else if (is_legacy(stream))
    error = cudaErrorStreamCaptureImplicit;
  else if (state.capture != nullptr && state.capture != event.capture)
    error = cudaErrorStreamCaptureMerge;
  if (error != cudaSuccess) {
    event.capture->invalid = true;
    return true;
  }
  if (state.capture == nullptr) {
    state.capture = event.capture;
    state.capture->streams.push_back(&stream);
  }
  merge(state.last, event.nodes);
  return true;
}

}  // namespace cuemu

using namespace cuemu;

extern "C" {

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                                          size_t numDependencies, cudaStreamCaptureMode mode) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  Stream* const stream = stream_of(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (mode > cudaStreamCaptureModeRelaxed || graph == nullptr) return remember(cudaErrorInvalidValue);
  if (is_legacy(*stream)) return remember(cudaErrorStreamCaptureUnsupported);
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  CaptureState& state = capture_state(*stream);
  if (state.capture != nullptr) return remember(cudaErrorIllegalState);
  static unsigned long long made = 0;
  state.capture = std::make_shared<Capture>();
  state.capture->graph = graph;
  state.capture->mode = mode;
  state.capture->id = ++made;
  state.capture->origin = stream;
  state.capture->thread = std::this_thread::get_id();
  state.capture->streams.assign(1, stream);
  state.capture->owns_graph = false;
  state.last.assign(dependencies, dependencies + (dependencies != nullptr ? numDependencies : 0));
  captures().push_back(state.capture);
  capture_count.fetch_add(1);
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  const cudaGraph_t graph = keep_graph(std::make_shared<CUgraph_st>());
  const cudaError_t error = cudaStreamBeginCaptureToGraph(handle, graph, nullptr, nullptr, 0, mode);
  if (error != cudaSuccess)
    destroy_graph(graph);
  else
    capture_state(*stream_of(handle)).capture->owns_graph = true;
  return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* result) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  Stream* const stream = stream_of(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (result == nullptr) return remember(cudaErrorInvalidValue);
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  *result = nullptr;
  const std::shared_ptr<Capture> capture = capture_state(*stream).capture;
  if (capture == nullptr) return remember(cudaErrorIllegalState);
  cudaError_t error = cudaSuccess;
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
    return remember(cudaErrorStreamCaptureWrongThread);
  if (capture->invalid)
    error = cudaErrorStreamCaptureInvalidated;
  else if (capture->origin != stream)
    error = cudaErrorStreamCaptureUnmatched;
  else if (!joined(*capture, capture_state(*stream).last))
    error = cudaErrorStreamCaptureUnjoined;
  if (error == cudaErrorStreamCaptureUnmatched) {
    capture->invalid = true;
    return remember(error);
  }
  end_capture(capture, error == cudaSuccess);
  if (error == cudaSuccess) *result = capture->graph;
  return remember(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(handle, status, nullptr, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                     size_t* numDependencies) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  Stream* const stream = stream_of(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (status == nullptr) return remember(cudaErrorInvalidValue);
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  if (const cudaError_t error = check_legacy(*stream); error != cudaSuccess) return remember(error);
  const CaptureState& state = capture_state(*stream);
  *status = state.capture == nullptr ? cudaStreamCaptureStatusNone
            : state.capture->invalid ? cudaStreamCaptureStatusInvalidated
                                     : cudaStreamCaptureStatusActive;
  if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
  if (id != nullptr) *id = state.capture->id;
  if (graph != nullptr) *graph = state.capture->graph;
  if (dependencies != nullptr) *dependencies = state.last.data();
  if (edges != nullptr) *edges = nullptr;
  if (numDependencies != nullptr) *numDependencies = state.last.size();
  return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, size_t count, unsigned int flags) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  Stream* const stream = stream_of(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  CaptureState& state = capture_state(*stream);
  if (state.capture == nullptr) return remember(cudaErrorIllegalState);
  if (flags > cudaStreamSetCaptureDependencies || (count > 0 && dependencies == nullptr))
    return remember(cudaErrorInvalidValue);
  if (flags == cudaStreamSetCaptureDependencies) state.last.clear();
  merge(state.last, {dependencies, dependencies + count});
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (mode == nullptr || *mode > cudaStreamCaptureModeRelaxed) return remember(cudaErrorInvalidValue);
  std::swap(*mode, thread_mode);
  return enter();
}
}
