// Graphs: work with its order, kept to be launched again and again.
//
// An executable graph runs its nodes one after another in an order that the edges allow, and each kernel uses
// all cores, so that a graph launch is one operation of its stream.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "plan.hpp"

namespace cuemu {

struct EmptyPlan {};
struct ChildPlan {
  std::shared_ptr<CUgraph_st> graph;
};
struct RecordPlan {
  cudaEvent_t event = nullptr;
};
struct WaitPlan {
  cudaEvent_t event = nullptr;
};
/// Memory that a graph allocates lives as long as the graph; each launch finds it at the same address.
struct AllocPlan {
  void* memory = nullptr;
  std::size_t bytes = 0;
  std::shared_ptr<void> owner;
};
struct FreePlan {
  void* memory = nullptr;
};

using NodePlan = std::variant<EmptyPlan, KernelPlan, CopyPlan, FillPlan, HostPlan, ChildPlan, RecordPlan,
                              WaitPlan, AllocPlan, FreePlan>;

/// Allocates for a graph.
cudaError_t plan_allocation(std::size_t bytes, AllocPlan& plan);

/// Runs one node's work on the calling thread.
void run_plan(const NodePlan& plan, int device);
cudaGraphNodeType type_of(const NodePlan& plan);

/// One lock for all graphs and captures.
std::recursive_mutex& graph_mutex();
using GraphLock = std::lock_guard<std::recursive_mutex>;

}  // namespace cuemu

/// What cudaGraphNode_t points to.
struct CUgraphNode_st {
  cuemu::NodePlan plan;
  CUgraph_st* graph = nullptr;
  std::vector<CUgraphNode_st*> after;        ///< what it depends on
  const CUgraphNode_st* original = nullptr;  ///< in a clone: what it was made from
};

/// What cudaGraph_t points to.
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;

  CUgraphNode_st* add(cuemu::NodePlan plan, std::vector<CUgraphNode_st*> after);
  bool contains(const CUgraphNode_st* node) const;
  /// An order in which the nodes can run; empty where the edges form a cycle (and there are nodes).
  std::vector<CUgraphNode_st*> order() const;
  /// A copy with nodes of its own.
  std::shared_ptr<CUgraph_st> clone() const;
  std::string dot() const;
};

namespace cuemu {

/// The graph of a handle; null where there is none.
std::shared_ptr<CUgraph_st> graph_of(cudaGraph_t handle);
cudaGraph_t keep_graph(std::shared_ptr<CUgraph_st> graph);
bool destroy_graph(cudaGraph_t handle);
/// True for nodes of graphs that live.
inline bool is_node(cudaGraphNode_t node) {
  return node != nullptr && node->graph != nullptr;
}

}  // namespace cuemu
