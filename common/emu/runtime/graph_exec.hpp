// Executable graphs.
#pragma once

#include <memory>
#include <vector>

#include "graph.hpp"
#include "stream.hpp"
#include "symbols.hpp"

/// What cudaGraphExec_t points to: a copy of the graph's nodes in the order in which they run.
struct CUgraphExec_st {
  std::shared_ptr<CUgraph_st> graph;
  std::vector<const CUgraphNode_st*> enabled_order;  ///< without nodes that were switched off
  std::vector<const CUgraphNode_st*> disabled;
  unsigned long long flags = 0;
  cuemu::MarkerPtr last;  ///< of the launch queued last

  CUgraphExec_st() = default;
  CUgraphExec_st(const CUgraphExec_st&) = delete;
  CUgraphExec_st& operator=(const CUgraphExec_st&) = delete;
  ~CUgraphExec_st();

  void rebuild();
  /// The node that was made from one of the original graph's.
  CUgraphNode_st* of(const CUgraphNode_st* original) const;
};

namespace cuemu {

std::shared_ptr<CUgraphExec_st> exec_of(cudaGraphExec_t handle);

/// Parameters of the API as plans; the errors that the calls return.
cudaError_t plan_of(const cudaKernelNodeParams* params, NodePlan& plan);
cudaError_t plan_of(const cudaMemcpy3DParms* params, NodePlan& plan);
cudaError_t plan_of(const cudaMemsetParams* params, NodePlan& plan);
cudaError_t plan_of(const cudaHostNodeParams* params, NodePlan& plan);
/// Of a node of any kind. Writes what CUDA answers there: an allocation's address, a conditional node's graphs.
cudaError_t plan_of(cudaGraphNodeParams* params, NodePlan& plan);
cudaError_t plan_of_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, NodePlan& plan);
cudaError_t plan_of_symbol_copy(const SymbolPart& part, const void* other, cudaMemcpyKind kind,
                                bool to_symbol, NodePlan& plan);

}  // namespace cuemu
