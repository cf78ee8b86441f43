// Memory that graphs allocate, and what devices say of it (cudaDeviceGetGraphMemAttribute).
//
// An allocation has one address in all launches of its graph. A launch that reaches its node makes it live; a free
// node, cudaFree or cudaFreeAsync ends that, the end of the graph does not. What is counted here is counted in the
// order of the host's calls, so that it is the same in each run.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "graph.hpp"

namespace cuemu {

class Stream;

/// Memory of one allocation node and its copies.
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

/// What a launch of these nodes does to graphs' memory; an error where an allocation still lives.
cudaError_t launch_graph_memory(const CUgraphExec_st& exec, const std::vector<const CUgraphNode_st*>& order,
                                const Stream& stream);
/// An executable graph ends: what it had mapped may go back.
void forget_graph_memory(const CUgraphExec_st& exec);
/// Ends the life of a graph's allocation. @return what keeps its memory as long as queued work may use it; null:
/// nothing of a graph that lives begins there
std::shared_ptr<GraphMemory> free_graph_memory(const void* at);

}  // namespace cuemu
