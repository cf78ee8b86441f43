// The runtime API's functions for executable graphs.
#include <algorithm>
#include <functional>
#include <map>

#include "capture.hpp"
#include "cuda_runtime.h"
#include "errors.hpp"
#include "graph_exec.hpp"
#include "graph_memory.hpp"
#include "observer.hpp"
#include "runtime.hpp"
#include "stream.hpp"

namespace cuemu {

namespace {
std::map<cudaGraphExec_t, std::shared_ptr<CUgraphExec_st>>& execs() {
  static auto* const known = new std::map<cudaGraphExec_t, std::shared_ptr<CUgraphExec_st>>;
  return *known;
}
}  // namespace

std::shared_ptr<CUgraphExec_st> exec_of(cudaGraphExec_t handle) {
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  const auto found = execs().find(handle);
  return found != execs().end() ? found->second : nullptr;
}

}  // namespace cuemu

using namespace cuemu;

CUgraphExec_st::~CUgraphExec_st() {
  const GraphLock lock(graph_mutex());
  forget_graph_memory(*this);
}

void CUgraphExec_st::rebuild() {
  enabled_order.clear();
  for (const CUgraphNode_st* const node : graph->order())
    if (std::find(disabled.begin(), disabled.end(), node) == disabled.end()) enabled_order.push_back(node);
}

CUgraphNode_st* CUgraphExec_st::of(const CUgraphNode_st* original) const {
  for (const auto& node : graph->nodes)
    if (node->original == original) return node.get();
  return nullptr;
}

namespace {

/// Replaces a node's plan in an executable graph; queued launches keep the old plan.
cudaError_t set_plan(cudaGraphExec_t handle, cudaGraphNode_t node, const NodePlan& plan) {
  const GraphLock lock(graph_mutex());
  const auto exec = exec_of(handle);
  CUgraphNode_st* const mine = exec != nullptr ? exec->of(node) : nullptr;
  if (mine == nullptr || mine->plan.index() != plan.index()) return remember(cudaErrorInvalidValue);
  mine->set_parameters(plan);
  return cudaSuccess;
}

template <class Parameters>
cudaError_t set_params(cudaGraphExec_t exec, cudaGraphNode_t node, const Parameters* params) {
  NodePlan plan;
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (const cudaError_t error = plan_of(params, plan); error != cudaSuccess) return remember(error);
  return set_plan(exec, node, plan);
}

/// Returns the first difference between two corresponding nodes that makes an update impossible.
cudaGraphExecUpdateResult compare(const CUgraphNode_st& mine, const CUgraphNode_st& other) {
  if (mine.plan.index() != other.plan.index()) return cudaGraphExecUpdateErrorNodeTypeChanged;
  const auto* const kernel = std::get_if<KernelPlan>(&mine.plan);
  if (kernel != nullptr && kernel->cooperative != std::get<KernelPlan>(other.plan).cooperative)
    return cudaGraphExecUpdateErrorAttributesChanged;
  const auto* const copy = std::get_if<CopyPlan>(&mine.plan);
  if (copy != nullptr && copy->direction != std::get<CopyPlan>(other.plan).direction)
    return cudaGraphExecUpdateErrorParametersChanged;
  return cudaGraphExecUpdateSuccess;
}

/// Returns whether the dependencies between nodes correspond in both graphs.
bool same_edges(const std::vector<CUgraphNode_st*>& mine, const std::vector<CUgraphNode_st*>& others,
                std::size_t at) {
  if (mine[at]->after.size() != others[at]->after.size()) return false;
  for (const CUgraphNode_st* const before : mine[at]->after) {
    const auto place = std::find(mine.begin(), mine.end(), before) - mine.begin();
    const auto& theirs = others[at]->after;
    if (std::find(theirs.begin(), theirs.end(), others[static_cast<std::size_t>(place)]) == theirs.end())
      return false;
  }
  return true;
}

/// Launches a graph, and notifies the observer of each node's beginning and dependencies. In the dependencies, a
/// disabled node is replaced by its own dependencies.
void launch_observed(CUgraphExec_st& exec, Stream& stream, std::vector<NodePlan> plans) {
  const std::vector<const CUgraphNode_st*>& order = exec.enabled_order;
  std::vector<std::vector<std::size_t>> after(order.size());
  const std::function<void(const CUgraphNode_st&, std::vector<std::size_t>&)> add =
      [&](const CUgraphNode_st& node, std::vector<std::size_t>& places) {
        for (const CUgraphNode_st* const before : node.after)
          if (const auto at = std::find(order.begin(), order.end(), before); at != order.end())
            places.push_back(static_cast<std::size_t>(at - order.begin()));
          else
            add(*before, places);
      };
  for (std::size_t i = 0; i < order.size(); ++i) add(*order[i], after[i]);
  if (exec.last != nullptr) enqueue_wait(stream, exec.last);
  exec.last = enqueue(stream, [plans = std::move(plans), after = std::move(after), graph = exec.graph,
                               device = device_of(stream)] {
    graph->set_conditions();
    for (std::size_t i = 0; i < plans.size(); ++i) {
      notify(&Observer::graph_node_begins, i, after[i]);
      run_plan(plans[i], device);
    }
    notify(&Observer::graph_ends);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t handle, unsigned long long flags) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  const auto graph = graph_of(handle);
  if (pGraphExec == nullptr || graph == nullptr || flags > 15) return remember(cudaErrorInvalidValue);
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) return remember(cudaErrorNotSupported);
  if (graph->order().size() != graph->nodes.size()) return remember(cudaErrorInvalidValue);  // a cycle
  auto exec = std::make_shared<CUgraphExec_st>();
  exec->graph = graph->clone();
  exec->flags = flags;
  exec->rebuild();
  *pGraphExec = exec.get();
  execs()[*pGraphExec] = std::move(exec);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(pGraphExec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
  if (params == nullptr) return remember(cudaErrorInvalidValue);
  const cudaError_t error = cudaGraphInstantiate(pGraphExec, graph, params->flags);
  params->errNode_out = nullptr;
  params->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
  const auto exec = exec_of(handle);
  if (exec == nullptr || flags == nullptr) return remember(cudaErrorInvalidValue);
  *flags = exec->flags;
  return enter();
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (exec_of(handle) == nullptr) return remember(cudaErrorInvalidValue);
  return remember(stream_of(stream) != nullptr ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  const auto exec = exec_of(handle);
  if (exec == nullptr) return remember(cudaErrorInvalidValue);
  Stream* const stream = stream_of(stream_handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (is_capturing(*stream)) return remember(submit(*stream, ChildPlan{exec->graph->clone()}));
  if (const cudaError_t error = check_legacy(*stream); error != cudaSuccess) return remember(error);
  if (const cudaError_t error = launch_graph_memory(*exec, exec->enabled_order, *stream);
      error != cudaSuccess)
    return remember(error);
  std::vector<NodePlan> plans;  // copies: later updates apply to later launches
  for (const CUgraphNode_st* const node : exec->enabled_order) plans.push_back(node->plan);
  if (is_observed()) {
    launch_observed(*exec, *stream, std::move(plans));
    return cudaSuccess;
  }
  // Launches of one executable graph run one after another, on any streams.
  if (exec->last != nullptr) enqueue_wait(*stream, exec->last);
  exec->last = enqueue(*stream, [plans = std::move(plans), graph = exec->graph, device = device_of(*stream)] {
    graph->set_conditions();
    for (const NodePlan& plan : plans) run_plan(plan, device);
  });
  return cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph_handle,
                                cudaGraphExecUpdateResultInfo* info) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  const auto exec = exec_of(handle);
  const auto graph = graph_of(graph_handle);
  if (exec == nullptr || graph == nullptr || info == nullptr) return remember(cudaErrorInvalidValue);
  *info = {};
  const auto fail = [&](cudaGraphExecUpdateResult why, cudaGraphNode_t node) {
    info->result = why;
    info->errorNode = node;
    return remember(cudaErrorGraphExecUpdateFailure);
  };
  const auto mine = exec->graph->order();
  const auto others = graph->order();
  if (mine.size() != others.size()) return fail(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (!same_edges(mine, others, i)) return fail(cudaGraphExecUpdateErrorTopologyChanged, others[i]);
    const cudaGraphExecUpdateResult why = compare(*mine[i], *others[i]);
    if (why != cudaGraphExecUpdateSuccess) return fail(why, others[i]);
  }
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i]->plan = clone_plan(others[i]->plan);
  return cudaSuccess;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams* params) {
  return set_params(exec, node, params);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms* params) {
  return set_params(exec, node, params);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* dst,
                                               const void* src, size_t count, enum cudaMemcpyKind kind) {
  NodePlan plan;
  if (const cudaError_t error = plan_of_copy(dst, src, count, kind, plan); error != cudaSuccess)
    return remember(error);
  return set_plan(exec, node, plan);
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* src, size_t count,
                                                     size_t offset, enum cudaMemcpyKind kind) {
  NodePlan plan;
  if (const cudaError_t error = plan_of_symbol_copy({symbol, offset, count}, src, kind, true, plan);
      error != cudaSuccess)
    return remember(error);
  return set_plan(exec, node, plan);
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* dst,
                                                       const void* symbol, size_t count, size_t offset,
                                                       enum cudaMemcpyKind kind) {
  NodePlan plan;
  if (const cudaError_t error = plan_of_symbol_copy({symbol, offset, count}, dst, kind, false, plan);
      error != cudaSuccess)
    return remember(error);
  return set_plan(exec, node, plan);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams* params) {
  return set_params(exec, node, params);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams* params) {
  return set_params(exec, node, params);
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t childGraph) {
  const auto child = graph_of(childGraph);
  if (child == nullptr) return remember(cudaErrorInvalidValue);
  return set_plan(exec, node, ChildPlan{child->clone()});
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned int isEnabled) {
  const GraphLock lock(graph_mutex());
  const auto exec = exec_of(handle);
  const CUgraphNode_st* const mine = exec != nullptr ? exec->of(node) : nullptr;
  if (mine == nullptr) return remember(cudaErrorInvalidValue);
  const cudaGraphNodeType type = type_of(mine->plan);
  if (type != cudaGraphNodeTypeKernel && type != cudaGraphNodeTypeMemcpy && type != cudaGraphNodeTypeMemset)
    return remember(cudaErrorInvalidValue);
  auto& disabled = exec->disabled;
  disabled.erase(std::remove(disabled.begin(), disabled.end(), mine), disabled.end());
  if (isEnabled == 0) disabled.push_back(mine);
  exec->rebuild();
  return enter();
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t handle, cudaGraphNode_t node, unsigned int* isEnabled) {
  const GraphLock lock(graph_mutex());
  const auto exec = exec_of(handle);
  const CUgraphNode_st* const mine = exec != nullptr ? exec->of(node) : nullptr;
  if (mine == nullptr || isEnabled == nullptr) return remember(cudaErrorInvalidValue);
  *isEnabled = std::find(exec->disabled.begin(), exec->disabled.end(), mine) == exec->disabled.end() ? 1 : 0;
  return enter();
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  return remember(execs().erase(handle) > 0 ? cudaSuccess : cudaErrorInvalidValue);
}
}
