// The runtime API's functions for graphs and for the edges between their nodes.
#include <algorithm>
#include <cstdio>

#include "arrays.hpp"
#include "cuda_runtime.h"
#include "errors.hpp"
#include "event.hpp"
#include "graph_exec.hpp"
#include "memory.hpp"
#include "runtime.hpp"

using namespace cuemu;

namespace {

/// Copies a list to the caller's array, as CUDA's functions do. Without an array, it returns only the number of
/// elements.
template <class T>
cudaError_t give_list(const std::vector<T>& list, T* array, size_t* count) {
  if (count == nullptr) return remember(cudaErrorInvalidValue);
  if (array != nullptr)
    for (size_t i = 0; i < *count; ++i) array[i] = i < list.size() ? list[i] : T{};
  *count = array != nullptr ? std::min(*count, list.size()) : list.size();
  return cudaSuccess;
}

std::vector<cudaGraphNode_t> dependents(const CUgraphNode_st& node) {
  std::vector<cudaGraphNode_t> result;
  for (const auto& other : node.graph->nodes)
    if (std::find(other->after.begin(), other->after.end(), &node) != other->after.end())
      result.push_back(other.get());
  return result;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* pGraph, unsigned int flags) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (pGraph == nullptr || flags != 0) return remember(cudaErrorInvalidValue);
  *pGraph = keep_graph(std::make_shared<CUgraph_st>());
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  return remember(destroy_graph(graph) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphClone(cudaGraph_t* pGraphClone, cudaGraph_t originalGraph) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  const auto graph = graph_of(originalGraph);
  if (pGraphClone == nullptr || graph == nullptr) return remember(cudaErrorInvalidValue);
  if (graph->has_conditional_nodes()) return remember(cudaErrorNotSupported);
  *pGraphClone = keep_graph(graph->clone());
  return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* pNode, cudaGraphNode_t originalNode,
                                     cudaGraph_t clonedGraph) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  const auto graph = graph_of(clonedGraph);
  if (pNode == nullptr || graph == nullptr) return remember(cudaErrorInvalidValue);
  for (const auto& node : graph->nodes)
    if (node->original == originalNode) {
      *pNode = node.get();
      return cudaSuccess;
    }
  return remember(cudaErrorInvalidValue);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char* path, unsigned int) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  const auto graph = graph_of(handle);
  if (graph == nullptr || path == nullptr) return remember(cudaErrorInvalidValue);
  std::FILE* const file = std::fopen(path, "w");
  if (file == nullptr) return remember(cudaErrorOperatingSystem);
  const std::string text = graph->dot();
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return remember(std::fclose(file) == 0 && written ? cudaSuccess : cudaErrorOperatingSystem);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, size_t* numNodes) {
  const GraphLock lock(graph_mutex());
  const auto graph = graph_of(handle);
  if (graph == nullptr) return remember(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> list;
  for (const auto& node : graph->nodes) list.push_back(node.get());
  return give_list(list, nodes, numNodes);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* pRootNodes, size_t* pNumRootNodes) {
  const GraphLock lock(graph_mutex());
  const auto graph = graph_of(handle);
  if (graph == nullptr) return remember(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> list;
  for (const auto& node : graph->nodes)
    if (node->after.empty()) list.push_back(node.get());
  return give_list(list, pRootNodes, pNumRootNodes);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edgeData, size_t* numEdges) {
  const GraphLock lock(graph_mutex());
  const auto graph = graph_of(handle);
  if (graph == nullptr || numEdges == nullptr || (from == nullptr) != (to == nullptr))
    return remember(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> froms, tos;
  for (const auto& node : graph->nodes)
    for (const cudaGraphNode_t before : node->after) {
      froms.push_back(before);
      tos.push_back(node.get());
    }
  size_t count = *numEdges;
  if (edgeData != nullptr) std::fill(edgeData, edgeData + count, cudaGraphEdgeData{});
  give_list(froms, from, &count);
  return give_list(tos, to, numEdges);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType* pType) {
  if (!is_node(node) || pType == nullptr) return remember(cudaErrorInvalidValue);
  *pType = type_of(node->plan);
  return enter();
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* pDependencies,
                                         cudaGraphEdgeData*, size_t* pNumDependencies) {
  const GraphLock lock(graph_mutex());
  if (!is_node(node)) return remember(cudaErrorInvalidValue);
  return give_list(node->after, pDependencies, pNumDependencies);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* pDependentNodes,
                                           cudaGraphEdgeData*, size_t* pNumDependentNodes) {
  const GraphLock lock(graph_mutex());
  if (!is_node(node)) return remember(cudaErrorInvalidValue);
  return give_list(dependents(*node), pDependentNodes, pNumDependentNodes);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count) {
  const GraphLock lock(graph_mutex());
  const auto graph = graph_of(handle);
  if (graph == nullptr || (count > 0 && (from == nullptr || to == nullptr)))
    return remember(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    if (!graph->contains(from[i]) || !graph->contains(to[i]) || from[i] == to[i])
      return remember(cudaErrorInvalidValue);
    auto& after = to[i]->after;
    if (std::find(after.begin(), after.end(), from[i]) != after.end()) return remember(cudaErrorInvalidValue);
    after.push_back(from[i]);
  }
  return enter();
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count) {
  const GraphLock lock(graph_mutex());
  const auto graph = graph_of(handle);
  if (graph == nullptr || (count > 0 && (from == nullptr || to == nullptr)))
    return remember(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    if (!graph->contains(to[i])) return remember(cudaErrorInvalidValue);
    auto& after = to[i]->after;
    const auto found = std::find(after.begin(), after.end(), from[i]);
    if (found == after.end()) return remember(cudaErrorInvalidValue);
    after.erase(found);
  }
  return enter();
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  const GraphLock lock(graph_mutex());
  if (!is_node(node)) return remember(cudaErrorInvalidValue);
  for (const cudaGraphNode_t other : dependents(*node))
    other->after.erase(std::find(other->after.begin(), other->after.end(), node));
  auto& nodes = node->graph->nodes;
  nodes.erase(std::find_if(nodes.begin(), nodes.end(), [&](const auto& mine) { return mine.get() == node; }));
  return enter();
}
}
