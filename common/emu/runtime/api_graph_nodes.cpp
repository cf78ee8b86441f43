// The runtime API's functions for graph nodes, which convert CUDA's parameters to plans and back.
#include "arrays.hpp"
#include "cuda_runtime.h"
#include "errors.hpp"
#include "event.hpp"
#include "graph_exec.hpp"
#include "graph_memory.hpp"
#include "memory.hpp"
#include "runtime.hpp"

namespace cuemu {

cudaError_t plan_of(const cudaKernelNodeParams* params, NodePlan& plan) {
  if (params == nullptr) return cudaErrorInvalidValue;
  if (params->extra != nullptr) return cudaErrorNotSupported;
  KernelPlan kernel;
  const cudaError_t error = plan_kernel(params->func, params->gridDim, params->blockDim, params->kernelParams,
                                        params->sharedMemBytes, kernel);
  if (error == cudaSuccess) plan = kernel;
  return error;
}

cudaError_t plan_of(const cudaMemcpy3DParms* params, NodePlan& plan) {
  if (params == nullptr) return cudaErrorInvalidValue;
  CopyPlan copy;
  Place to, from;
  Box box;
  if (const cudaError_t error = boxes_of(*params, to, from, box); error != cudaSuccess) return error;
  const cudaError_t error = plan_copy(to, from, box, params->kind, copy);
  if (error != cudaSuccess) return error;
  auto asked = std::make_shared<cudaMemcpy3DParms>(*params);
  asked->srcPtr.xsize = asked->dstPtr.xsize = 0;  // CUDA keeps all other members; a copy does not use these
  copy.asked = std::move(asked);
  plan = copy;
  return cudaSuccess;
}

cudaError_t plan_of(const cudaMemsetParams* params, NodePlan& plan) {
  if (params == nullptr) return cudaErrorInvalidValue;
  FillPlan fill;
  const std::size_t width = params->width * params->elementSize;
  const std::size_t row = params->height > 1 ? params->pitch : width;
  const cudaError_t error = plan_fill({static_cast<unsigned char*>(params->dst), row, 0}, params->value,
                                      params->elementSize, {width, params->height, 1}, fill);
  if (error == cudaSuccess) plan = fill;
  return error;
}

cudaError_t plan_of(const cudaHostNodeParams* params, NodePlan& plan) {
  if (params == nullptr || params->fn == nullptr) return cudaErrorInvalidValue;
  plan = HostPlan{params->fn, params->userData};
  return cudaSuccess;
}

cudaError_t plan_of_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, NodePlan& plan) {
  CopyPlan copy;
  const auto place = [&](const void* at) {
    return Place{static_cast<unsigned char*>(const_cast<void*>(at)), bytes, bytes};
  };
  const cudaError_t error = plan_copy(place(to), place(from), {bytes, 1, 1}, kind, copy);
  if (error != cudaSuccess) return error;
  auto asked = std::make_shared<cudaMemcpy3DParms>();
  asked->srcPtr.ptr = const_cast<void*>(from);
  asked->dstPtr.ptr = to;
  asked->extent = {bytes, 1, 1};
  asked->kind = kind;
  copy.asked = std::move(asked);
  plan = copy;
  return cudaSuccess;
}
cudaError_t plan_of_symbol_copy(const SymbolPart& part, const void* other, cudaMemcpyKind kind,
                                bool to_symbol, NodePlan& plan) {
  Place to, from;
  CopyPlan copy;
  if (const cudaError_t error = ends_of_symbol_copy(part, other, kind, to_symbol, to, from);
      error != cudaSuccess)
    return error;
  const cudaError_t error = plan_copy(to, from, {part.count, 1, 1}, kind, copy);
  if (error == cudaSuccess) plan = copy;
  return error;
}

}  // namespace cuemu

using namespace cuemu;

namespace {

cudaError_t add_node(cudaGraphNode_t* result, cudaGraph_t handle, const cudaGraphNode_t* after, size_t count,
                     const NodePlan& plan) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  const auto graph = graph_to_extend(handle, result, after, count);
  if (graph == nullptr) return remember(cudaErrorInvalidValue);
  *result = graph->add(plan, {after, after + count});
  return cudaSuccess;
}

KernelPlan* kernel_of_node(cudaGraphNode_t node) {
  return is_node(node) ? std::get_if<KernelPlan>(&node->plan) : nullptr;
}

/// Returns whether a kernel's node may have this attribute.
bool is_of_nodes(cudaLaunchAttributeID attribute) {
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeCooperative:
    case cudaLaunchAttributeClusterDimension:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return true;
    default:
      return false;
  }
}

/// Returns the parameters of a captured copy, in the form of a copy between pitched memory.
cudaMemcpy3DParms parameters_of(const CopyPlan& plan) {
  const auto pitched = [&](const Place& place) {
    cudaPitchedPtr memory{place.at, 0, 0, 0};
    if (plan.box.height > 1 || plan.box.depth > 1) memory.pitch = place.row;
    if (plan.box.depth > 1 && place.row != 0) memory.ysize = place.slice / place.row;
    return memory;
  };
  cudaMemcpy3DParms params{};
  params.srcPtr = pitched(plan.from);
  params.dstPtr = pitched(plan.to);
  params.extent = {plan.box.width, plan.box.height, plan.box.depth};
  params.kind = plan.direction;
  return params;
}

/// Sets a node's plan to a plan of the same kind.
cudaError_t set_node(cudaGraphNode_t node, const NodePlan& plan) {
  const GraphLock lock(graph_mutex());
  if (!is_node(node) || plan.index() != node->plan.index()) return remember(cudaErrorInvalidValue);
  node->set_parameters(plan);
  return enter();
}

cudaError_t add_symbol_copy(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* after,
                            std::size_t count, const SymbolPart& part, const void* other, cudaMemcpyKind kind,
                            bool to_symbol) {
  NodePlan plan;
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (const cudaError_t error = plan_of_symbol_copy(part, other, kind, to_symbol, plan); error != cudaSuccess)
    return remember(error);
  return add_node(result, graph, after, count, plan);
}
cudaError_t set_symbol_copy(cudaGraphNode_t node, const SymbolPart& part, const void* other,
                            cudaMemcpyKind kind, bool to_symbol) {
  NodePlan plan;
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (const cudaError_t error = plan_of_symbol_copy(part, other, kind, to_symbol, plan); error != cudaSuccess)
    return remember(error);
  return set_node(node, plan);
}

/// Adds a node if its parameters are valid.
template <class Parameters>
cudaError_t add_planned(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* after,
                        size_t count, const Parameters* params) {
  NodePlan plan;
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (const cudaError_t error = plan_of(params, plan); error != cudaSuccess) return remember(error);
  return add_node(result, graph, after, count, plan);
}

template <class Parameters>
cudaError_t set_planned(cudaGraphNode_t node, const Parameters* params) {
  NodePlan plan;
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (!is_node(node)) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = plan_of(params, plan); error != cudaSuccess) return remember(error);
  if (plan.index() != node->plan.index()) return remember(cudaErrorInvalidValue);
  const GraphLock lock(graph_mutex());
  node->set_parameters(plan);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const struct cudaKernelNodeParams* params) {
  return add_planned(result, graph, after, count, params);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams* params) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const KernelPlan* const plan = kernel_of_node(node);
  if (plan == nullptr || params == nullptr) return remember(cudaErrorInvalidValue);
  *params = {};
  params->func = const_cast<void*>(function_of(*plan->kernel));
  params->gridDim = plan->grid;
  params->blockDim = plan->block;
  params->sharedMemBytes = static_cast<unsigned>(plan->dynamic_shared);
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams* params) {
  return set_planned(node, params);
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, enum cudaLaunchAttributeID attr,
                                            const union cudaLaunchAttributeValue* value) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  KernelPlan* const plan = kernel_of_node(node);
  if (plan == nullptr || value == nullptr || !is_of_nodes(attr)) return remember(cudaErrorInvalidValue);
  if (attr == cudaLaunchAttributeCooperative) {
    plan->cooperative = value->cooperative != 0;
  } else if (attr == cudaLaunchAttributeClusterDimension) {
    const auto& size = value->clusterDim;
    const bool none = size.x == 0 && size.y == 0 && size.z == 0;
    if (!none && (size.x == 0 || size.y == 0 || size.z == 0)) return remember(cudaErrorInvalidValue);
    plan->cluster = none ? plan->kernel->info.cluster : dim3(size.x, size.y, size.z);
  } else {
    node->attributes[attr] = *value;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, enum cudaLaunchAttributeID attr,
                                            union cudaLaunchAttributeValue* value) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  const KernelPlan* const plan = kernel_of_node(node);
  if (plan == nullptr || value == nullptr || !is_of_nodes(attr)) return remember(cudaErrorInvalidValue);
  *value = {};
  if (attr == cudaLaunchAttributeCooperative) {
    value->cooperative = plan->cooperative;
  } else if (attr == cudaLaunchAttributeClusterDimension) {
    const dim3& size = plan->cluster;
    if (size.x * size.y * size.z > 1) value->clusterDim = {size.x, size.y, size.z};
  } else if (const auto kept = node->attributes.find(attr); kept != node->attributes.end()) {
    *value = kept->second;
  } else if (attr == cudaLaunchAttributeMemSyncDomainMap) {
    value->memSyncDomainMap = {cudaLaunchMemSyncDomainDefault, cudaLaunchMemSyncDomainRemote};
  }
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  KernelPlan* const target = kernel_of_node(to);
  const KernelPlan* const source = kernel_of_node(from);
  if (target == nullptr || source == nullptr) return remember(cudaErrorInvalidValue);
  target->cooperative = source->cooperative;
  target->cluster = source->cluster;
  to->attributes = from->attributes;
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const struct cudaMemcpy3DParms* params) {
  return add_planned(result, graph, after, count, params);
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms* params) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  const auto* const plan = is_node(node) ? std::get_if<CopyPlan>(&node->plan) : nullptr;
  if (plan == nullptr || params == nullptr) return remember(cudaErrorInvalidValue);
  *params = plan->asked != nullptr ? *plan->asked : parameters_of(*plan);
  return cudaSuccess;
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms* params) {
  return set_planned(node, params);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t numAfter, void* dst, const void* src, size_t count,
                                     enum cudaMemcpyKind kind) {
  NodePlan plan;
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (const cudaError_t error = plan_of_copy(dst, src, count, kind, plan); error != cudaSuccess)
    return remember(error);
  return add_node(result, graph, after, numAfter, plan);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* dst, const void* src, size_t count,
                                           enum cudaMemcpyKind kind) {
  NodePlan plan;
  if (const cudaError_t error = plan_of_copy(dst, src, count, kind, plan); error != cudaSuccess)
    return remember(error);
  return set_node(node, plan);
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* result, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, size_t numAfter, const void* symbol,
                                           const void* src, size_t count, size_t offset,
                                           enum cudaMemcpyKind kind) {
  return add_symbol_copy(result, graph, after, numAfter, {symbol, offset, count}, src, kind, true);
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* result, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t numAfter, void* dst,
                                             const void* symbol, size_t count, size_t offset,
                                             enum cudaMemcpyKind kind) {
  return add_symbol_copy(result, graph, after, numAfter, {symbol, offset, count}, dst, kind, false);
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* src,
                                                 size_t count, size_t offset, enum cudaMemcpyKind kind) {
  return set_symbol_copy(node, {symbol, offset, count}, src, kind, true);
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* dst, const void* symbol,
                                                   size_t count, size_t offset, enum cudaMemcpyKind kind) {
  return set_symbol_copy(node, {symbol, offset, count}, dst, kind, false);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const struct cudaMemsetParams* params) {
  return add_planned(result, graph, after, count, params);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams* params) {
  return set_planned(node, params);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams* params) {
  const auto* const plan = is_node(node) ? std::get_if<FillPlan>(&node->plan) : nullptr;
  if (plan == nullptr || params == nullptr) return remember(cudaErrorInvalidValue);
  *params = {plan->to.at,     plan->to.row, plan->value, plan->element, plan->box.width / plan->element,
             plan->box.height};
  return enter();
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, struct cudaMemAllocNodeParams* params) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (params == nullptr || params->bytesize == 0) return remember(cudaErrorInvalidValue);
  AllocPlan plan;
  if (const cudaError_t error = plan_allocation(params->bytesize, plan); error != cudaSuccess)
    return remember(error);
  params->dptr = plan.memory->at;
  return add_node(result, graph, after, count, plan);
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void* dptr) {
  if (!is_device_range(dptr, 1)) return remember(cudaErrorInvalidValue);
  return add_node(result, graph, after, count, FreePlan{dptr});
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 size_t count, const struct cudaHostNodeParams* params) {
  return add_planned(result, graph, after, count, params);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams* params) {
  const auto* const plan = is_node(node) ? std::get_if<HostPlan>(&node->plan) : nullptr;
  if (plan == nullptr || params == nullptr) return remember(cudaErrorInvalidValue);
  *params = {plan->function, plan->data};
  return enter();
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams* params) {
  return set_planned(node, params);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* result, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, size_t count, cudaGraph_t childGraph) {
  const auto child = graph_of(childGraph);
  if (child == nullptr) return remember(cudaErrorInvalidValue);
  return add_node(result, graph, after, count, ChildPlan{child->clone()});
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* pGraph) {
  const auto* const plan = is_node(node) ? std::get_if<ChildPlan>(&node->plan) : nullptr;
  if (plan == nullptr || pGraph == nullptr) return remember(cudaErrorInvalidValue);
  *pGraph = keep_graph(plan->graph);
  return enter();
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count) {
  return add_node(result, graph, after, count, EmptyPlan{});
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* result, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t count, cudaEvent_t event) {
  if (event_of(event) == nullptr) return remember(cudaErrorInvalidValue);
  return add_node(result, graph, after, count, RecordPlan{event});
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* result, cudaGraph_t graph,
                                      const cudaGraphNode_t* after, size_t count, cudaEvent_t event) {
  if (event_of(event) == nullptr) return remember(cudaErrorInvalidValue);
  return add_node(result, graph, after, count, WaitPlan{event});
}
}
