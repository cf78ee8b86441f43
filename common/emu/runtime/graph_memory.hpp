// Memory that graphs allocate, and the counters that devices report for it (cudaDeviceGetGraphMemAttribute).
//
// An allocation has one address in all launches of its graph. It is live from the launch that reaches its node until a
// free node, cudaFree or cudaFreeAsync frees it; the end of the graph's run does not free it. The counters change in
// the order of the host's calls, so they are the same in each run.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "graph.hpp"

namespace cuemu {

class Stream;

/// Memory of one allocation node and of the node's copies.
struct GraphMemory {
  void* at = nullptr;
  std::size_t bytes = 0;
  int device = 0;
  bool live = false;  ///< launched, and not freed since

  GraphMemory() = default;
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  ~GraphMemory();
};

/// Applies a launch of these nodes to graph memory; an error if an allocation is still live.
cudaError_t launch_graph_memory(const CUgraphExec_st& exec, const std::vector<const CUgraphNode_st*>& order,
                                const Stream& stream);
/// Called when an executable graph is destroyed, after which its mapped memory may be released.
void forget_graph_memory(const CUgraphExec_st& exec);
/// Frees a graph's allocation. @return the owner, which keeps the memory while queued work may use it; null if no live
/// graph allocation begins at `at`
std::shared_ptr<GraphMemory> free_graph_memory(const void* at);

}  // namespace cuemu
