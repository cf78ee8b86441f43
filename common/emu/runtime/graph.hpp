// Graphs: work with its order, kept to be launched again and again.
//
// An executable graph runs its nodes one after another in an order that the edges allow, and each kernel uses
// all cores, so that a graph launch is one operation of its stream.
#pragma once

#include <atomic>
#include <map>
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
struct GraphMemory;
struct AllocPlan {
  std::shared_ptr<GraphMemory> memory;  ///< graph_memory.hpp
};
struct FreePlan {
  void* memory = nullptr;
};

/// What a conditional node asks: the value that device code sets by its handle.
struct Condition {
  std::atomic<unsigned> value{0};
  unsigned initial = 0;
  bool begins_with_initial = false;  ///< each time its graph runs
};
struct ConditionalBodies;
struct ConditionalPlan {
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::shared_ptr<Condition> condition;
  std::shared_ptr<ConditionalBodies> bodies;
};

using NodePlan = std::variant<EmptyPlan, KernelPlan, CopyPlan, FillPlan, HostPlan, ChildPlan, RecordPlan,
                              WaitPlan, AllocPlan, FreePlan, ConditionalPlan>;

/// Allocates for a graph.
cudaError_t plan_allocation(std::size_t bytes, AllocPlan& plan);
/// A conditional node with as many empty bodies; null where nothing has that handle.
std::shared_ptr<ConditionalBodies> empty_bodies(std::size_t count);
std::shared_ptr<Condition> condition_of(cudaGraphConditionalHandle handle);

/// The plan of a clone's node: graphs within it are its own.
NodePlan clone_plan(const NodePlan& plan);

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
  /// A kernel's that have no effect here; the others are part of the plan.
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;

  /// A new plan of the same kind, from parameters: a kernel's attributes stay.
  void set_parameters(cuemu::NodePlan plan);
};

/// What cudaGraph_t points to.
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::shared_ptr<cuemu::Condition>> conditions;
  std::vector<std::shared_ptr<CUuserObject_st>> user_objects;  ///< one for each reference, clones' too

  CUgraphNode_st* add(cuemu::NodePlan plan, std::vector<CUgraphNode_st*> after);
  bool contains(const CUgraphNode_st* node) const;
  /// An order in which the nodes can run; empty where the edges form a cycle (and there are nodes).
  std::vector<CUgraphNode_st*> order() const;
  /// A copy with nodes of its own.
  std::shared_ptr<CUgraph_st> clone() const;
  bool has_conditional_nodes() const;
  /// What each run begins with: conditions that have an initial value.
  void set_conditions() const;
  std::string dot() const;
};

/// What cudaUserObject_t points to: something of the program's that graphs keep.
struct CUuserObject_st {
  void* object = nullptr;
  cudaHostFn_t destroy = nullptr;
  CUuserObject_st(void* what, cudaHostFn_t how) : object(what), destroy(how) {}
  CUuserObject_st(const CUuserObject_st&) = delete;
  CUuserObject_st& operator=(const CUuserObject_st&) = delete;
  ~CUuserObject_st() { destroy(object); }
};

namespace cuemu {

/// The graphs of a conditional node; a program's handles of them live as long as the node.
struct ConditionalBodies {
  std::vector<std::shared_ptr<CUgraph_st>> graphs;
  std::vector<cudaGraph_t> handles;  ///< empty in a clone, which no program sees

  ConditionalBodies() = default;
  ConditionalBodies(const ConditionalBodies&) = delete;
  ConditionalBodies& operator=(const ConditionalBodies&) = delete;
  ~ConditionalBodies();
};

/// The graph of a handle; null where there is none.
std::shared_ptr<CUgraph_st> graph_of(cudaGraph_t handle);
cudaGraph_t keep_graph(std::shared_ptr<CUgraph_st> graph);
bool destroy_graph(cudaGraph_t handle);
/// True for nodes of graphs that live.
inline bool is_node(cudaGraphNode_t node) {
  return node != nullptr && node->graph != nullptr;
}

/// The graph, if a node behind `count` nodes of it may be added and told in `result`; else null. Under graph_mutex().
inline auto graph_to_extend(cudaGraph_t handle, const cudaGraphNode_t* result, const cudaGraphNode_t* after,
                            std::size_t count) -> decltype(graph_of(handle)) {
  const auto graph = graph_of(handle);
  if (result == nullptr || graph == nullptr || (count > 0 && after == nullptr)) return nullptr;
  for (std::size_t i = 0; i < count; ++i)
    if (!graph->contains(after[i])) return nullptr;
  return graph;
}

}  // namespace cuemu
