// Executable graphs.
#pragma once

#include <memory>
#include <vector>

#include "graph.hpp"
#include "stream.hpp"
#include "symbols.hpp"

/// The object of a cudaGraphExec_t: a copy of the graph's nodes in execution order.
struct CUgraphExec_st {
  std::shared_ptr<CUgraph_st> graph;
  std::vector<const CUgraphNode_st*> enabled_order;  ///< without disabled nodes
  std::vector<const CUgraphNode_st*> disabled;
  unsigned long long flags = 0;
  cuemu::MarkerPtr last;  ///< marker of the last queued launch

  CUgraphExec_st() = default;
  CUgraphExec_st(const CUgraphExec_st&) = delete;
  CUgraphExec_st& operator=(const CUgraphExec_st&) = delete;
  ~CUgraphExec_st();

  void rebuild();
  /// Returns the node made from a node of the original graph.
  CUgraphNode_st* of(const CUgraphNode_st* original) const;
};

namespace cuemu {

std::shared_ptr<CUgraphExec_st> exec_of(cudaGraphExec_t handle);

/// Converts the API's parameters to plans; returns the error for the API's call.
cudaError_t plan_of(const cudaKernelNodeParams* params, NodePlan& plan);
cudaError_t plan_of(const cudaMemcpy3DParms* params, NodePlan& plan);
cudaError_t plan_of(const cudaMemsetParams* params, NodePlan& plan);
cudaError_t plan_of(const cudaHostNodeParams* params, NodePlan& plan);
/// Converts the parameters of a node of any kind, and writes CUDA's outputs: an allocation's address, a conditional
/// node's graphs.
cudaError_t plan_of(cudaGraphNodeParams* params, NodePlan& plan);
cudaError_t plan_of_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, NodePlan& plan);
cudaError_t plan_of_symbol_copy(const SymbolPart& part, const void* other, cudaMemcpyKind kind,
                                bool to_symbol, NodePlan& plan);

}  // namespace cuemu
