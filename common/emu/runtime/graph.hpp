// Graphs: work with dependencies, for repeated launches.
//
// An executable graph runs its nodes one after another in an order that the edges allow. Each kernel uses all cores, so
// a graph launch is one operation of its stream.
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

/// The value that a conditional node reads; device code sets it by handle.
struct Condition {
  std::atomic<unsigned> value{0};
  unsigned initial = 0;
  bool begins_with_initial = false;  ///< whether the value is reset each time its graph runs
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
/// Creates `count` empty bodies of a conditional node. condition_of() returns null for an unknown handle.
std::shared_ptr<ConditionalBodies> empty_bodies(std::size_t count);
std::shared_ptr<Condition> condition_of(cudaGraphConditionalHandle handle);

/// Returns the plan of a clone's node: nested graphs are cloned, too.
NodePlan clone_plan(const NodePlan& plan);

/// Runs one node's work on the calling thread.
void run_plan(const NodePlan& plan, int device);
cudaGraphNodeType type_of(const NodePlan& plan);

/// Protects all graphs and captures.
std::recursive_mutex& graph_mutex();
using GraphLock = std::lock_guard<std::recursive_mutex>;

}  // namespace cuemu

/// The object of a cudaGraphNode_t.
struct CUgraphNode_st {
  cuemu::NodePlan plan;
  CUgraph_st* graph = nullptr;
  std::vector<CUgraphNode_st*> after;        ///< dependencies
  const CUgraphNode_st* original = nullptr;  ///< in a clone: the node that it copies
  /// A kernel's attributes that have no effect in the emulation. The other attributes are part of the plan.
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes;

  /// Sets new parameters of the same kind; a kernel's attributes remain unchanged.
  void set_parameters(cuemu::NodePlan plan);
};

/// The object of a cudaGraph_t.
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::shared_ptr<cuemu::Condition>> conditions;
  std::vector<std::shared_ptr<CUuserObject_st>> user_objects;  ///< one for each reference, also in clones

  CUgraphNode_st* add(cuemu::NodePlan plan, std::vector<CUgraphNode_st*> after);
  bool contains(const CUgraphNode_st* node) const;
  /// Returns a topological order of the nodes; empty if the edges form a cycle (and there are nodes).
  std::vector<CUgraphNode_st*> order() const;
  /// Returns a copy with copied nodes.
  std::shared_ptr<CUgraph_st> clone() const;
  bool has_conditional_nodes() const;
  /// Resets the conditions that have an initial value. Called when a run begins.
  void set_conditions() const;
  std::string dot() const;
};

/// The object of a cudaUserObject_t, a resource of the program that graphs keep alive.
struct CUuserObject_st {
  void* object = nullptr;
  cudaHostFn_t destroy = nullptr;
  CUuserObject_st(void* what, cudaHostFn_t how) : object(what), destroy(how) {}
  CUuserObject_st(const CUuserObject_st&) = delete;
  CUuserObject_st& operator=(const CUuserObject_st&) = delete;
  ~CUuserObject_st() { destroy(object); }
};

namespace cuemu {

/// The graphs of a conditional node; the program's handles to them live as long as the node.
struct ConditionalBodies {
  std::vector<std::shared_ptr<CUgraph_st>> graphs;
  std::vector<cudaGraph_t> handles;  ///< empty in a clone, which programs cannot see

  ConditionalBodies() = default;
  ConditionalBodies(const ConditionalBodies&) = delete;
  ConditionalBodies& operator=(const ConditionalBodies&) = delete;
  ~ConditionalBodies();
};

/// Returns the graph of a handle; null if there is none.
std::shared_ptr<CUgraph_st> graph_of(cudaGraph_t handle);
cudaGraph_t keep_graph(std::shared_ptr<CUgraph_st> graph);
bool destroy_graph(cudaGraph_t handle);
/// True for a node of a live graph.
inline bool is_node(cudaGraphNode_t node) {
  return node != nullptr && node->graph != nullptr;
}

/// Returns the graph, if a node may be added after `count` of its nodes and returned in `result`; else null. @pre
/// graph_mutex() is held
inline auto graph_to_extend(cudaGraph_t handle, const cudaGraphNode_t* result, const cudaGraphNode_t* after,
                            std::size_t count) -> decltype(graph_of(handle)) {
  const auto graph = graph_of(handle);
  if (result == nullptr || graph == nullptr || (count > 0 && after == nullptr)) return nullptr;
  for (std::size_t i = 0; i < count; ++i)
    if (!graph->contains(after[i])) return nullptr;
  return graph;
}

}  // namespace cuemu
