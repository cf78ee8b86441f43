// The runtime API's functions for nodes of any kind, for conditional nodes, and for objects that graphs own.
#include <algorithm>
#include <map>

#include "cuda_runtime.h"
#include "errors.hpp"
#include "event.hpp"
#include "graph_exec.hpp"
#include "graph_memory.hpp"
#include "runtime.hpp"

namespace cuemu {

namespace {

/// All conditional handles of the program. The handles have a separate lock, because kernels set values while a launch
/// holds graph_mutex().
struct Conditions {
  std::mutex mutex;
  std::map<cudaGraphConditionalHandle, std::weak_ptr<Condition>> all;
  cudaGraphConditionalHandle last = 0;

  static Conditions& get() {
    static auto* const conditions = new Conditions;
    return *conditions;
  }
};

cudaError_t plan_of_conditional(cudaConditionalNodeParams& params, NodePlan& plan) {
  ConditionalPlan conditional;
  conditional.type = params.type;
  conditional.condition = condition_of(params.handle);
  if (conditional.condition == nullptr || params.size == 0) return cudaErrorInvalidValue;
  if (params.type < cudaGraphCondTypeIf || params.type > cudaGraphCondTypeSwitch)
    return cudaErrorInvalidValue;
  if (params.type == cudaGraphCondTypeIf && params.size > 2) return cudaErrorInvalidValue;
  if (params.type == cudaGraphCondTypeWhile && params.size > 1) return cudaErrorInvalidValue;
  conditional.bodies = empty_bodies(params.size);
  params.phGraph_out = conditional.bodies->handles.data();
  plan = conditional;
  return cudaSuccess;
}

}  // namespace

std::shared_ptr<Condition> condition_of(cudaGraphConditionalHandle handle) {
  Conditions& conditions = Conditions::get();
  const std::lock_guard<std::mutex> lock(conditions.mutex);
  const auto found = conditions.all.find(handle);
  return found != conditions.all.end() ? found->second.lock() : nullptr;
}

cudaError_t plan_of(cudaGraphNodeParams* params, NodePlan& plan) {
  if (params == nullptr) return cudaErrorInvalidValue;
  switch (params->type) {
    case cudaGraphNodeTypeKernel: {
      const cudaKernelNodeParamsV2& given = params->kernel;
      const cudaKernelNodeParams kernel = {given.func,           given.gridDim,      given.blockDim,
                                           given.sharedMemBytes, given.kernelParams, given.extra};
      return plan_of(&kernel, plan);
    }
    case cudaGraphNodeTypeMemcpy:
      return plan_of(&params->memcpy.copyParams, plan);
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParamsV2& given = params->memset;
      const cudaMemsetParams fill = {given.dst,         given.pitch, given.value,
                                     given.elementSize, given.width, given.height};
      return plan_of(&fill, plan);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams host = {params->host.fn, params->host.userData};
      return plan_of(&host, plan);
    }
    case cudaGraphNodeTypeGraph: {
      const auto child = graph_of(params->graph.graph);
      if (child == nullptr || child->has_conditional_nodes()) return cudaErrorInvalidValue;
      const bool moved = params->graph.ownership == cudaGraphChildGraphOwnershipMove;
      plan = ChildPlan{moved ? child : child->clone()};
      return cudaSuccess;
    }
    case cudaGraphNodeTypeEmpty:
      plan = EmptyPlan{};
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      if (event_of(params->eventWait.event) == nullptr) return cudaErrorInvalidValue;
      plan = WaitPlan{params->eventWait.event};
      return cudaSuccess;
    case cudaGraphNodeTypeEventRecord:
      if (event_of(params->eventRecord.event) == nullptr) return cudaErrorInvalidValue;
      plan = RecordPlan{params->eventRecord.event};
      return cudaSuccess;
    case cudaGraphNodeTypeMemAlloc: {
      AllocPlan alloc;
      if (params->alloc.bytesize == 0) return cudaErrorInvalidValue;
      if (const cudaError_t error = plan_allocation(params->alloc.bytesize, alloc); error != cudaSuccess)
        return error;
      params->alloc.dptr = alloc.memory->at;
      plan = alloc;
      return cudaSuccess;
    }
    case cudaGraphNodeTypeMemFree:
      if (params->free.dptr == nullptr) return cudaErrorInvalidValue;
      plan = FreePlan{params->free.dptr};
      return cudaSuccess;
    case cudaGraphNodeTypeConditional:
      return plan_of_conditional(params->conditional, plan);
    default:
      return cudaErrorNotSupported;
  }
}

}  // namespace cuemu

using namespace cuemu;

namespace {

/// User objects by handle. Each element is one of the program's references; a graph has a copy for each of its
/// references.
std::map<cudaUserObject_t, std::vector<std::shared_ptr<CUuserObject_st>>>& user_objects() {
  static auto* const objects = new std::map<cudaUserObject_t, std::vector<std::shared_ptr<CUuserObject_st>>>;
  return *objects;
}

/// Returns the object of a handle, if the program or a graph still has a reference.
std::shared_ptr<CUuserObject_st> find_object(cudaUserObject_t handle) {
  const auto found = user_objects().find(handle);
  return found != user_objects().end() && !found->second.empty() ? found->second.front() : nullptr;
}

template <class Plan>
cudaError_t event_of_node(cudaGraphNode_t node, cudaEvent_t* event) {
  const auto* const plan = is_node(node) ? std::get_if<Plan>(&node->plan) : nullptr;
  if (plan == nullptr || event == nullptr) return remember(cudaErrorInvalidValue);
  *event = plan->event;
  return enter();
}

/// Replaces the plan of a node by a plan of the same kind.
cudaError_t replace_plan(CUgraphNode_st* node, const NodePlan& plan) {
  if (node == nullptr || plan.index() != node->plan.index() || std::holds_alternative<AllocPlan>(plan) ||
      std::holds_alternative<FreePlan>(plan) || std::holds_alternative<ConditionalPlan>(plan))
    return remember(cudaErrorInvalidValue);
  node->set_parameters(plan);
  return cudaSuccess;
}

template <class Plan>
cudaError_t set_event(CUgraphNode_st* node, cudaEvent_t event) {
  if (event_of(event) == nullptr) return remember(cudaErrorInvalidValue);
  return replace_plan(node, Plan{event});
}

CUgraphNode_st* node_of(cudaGraphExec_t handle, cudaGraphNode_t node) {
  const auto exec = exec_of(handle);
  return exec != nullptr ? exec->of(node) : nullptr;
}

}  // namespace

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  const Uninterrupted here(*current_fiber);
  if (const auto condition = condition_of(handle)) condition->value = value;
}

extern "C" {

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* result, cudaGraph_t handle,
                                             unsigned int defaultLaunchValue, unsigned int flags) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  const auto graph = graph_of(handle);
  if (result == nullptr || graph == nullptr || flags > cudaGraphCondAssignDefault)
    return remember(cudaErrorInvalidValue);
  auto condition = std::make_shared<Condition>();
  condition->initial = defaultLaunchValue;
  condition->begins_with_initial = flags == cudaGraphCondAssignDefault;
  Conditions& conditions = Conditions::get();
  const std::lock_guard<std::mutex> all(conditions.mutex);
  *result = ++conditions.last;
  conditions.all[*result] = condition;
  graph->conditions.push_back(std::move(condition));
  return cudaSuccess;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* result, cudaGraph_t handle, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData*, size_t count, struct cudaGraphNodeParams* params) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  const auto graph = graph_to_extend(handle, result, after, count);
  if (graph == nullptr) return remember(cudaErrorInvalidValue);
  NodePlan plan;
  if (const cudaError_t error = plan_of(params, plan); error != cudaSuccess) return remember(error);
  *result = graph->add(std::move(plan), {after, after + count});
  return cudaSuccess;
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams* params) {
  NodePlan plan;
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  if (const cudaError_t error = plan_of(params, plan); error != cudaSuccess) return remember(error);
  return replace_plan(is_node(node) ? node : nullptr, plan);
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams* params) {
  NodePlan plan;
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const GraphLock lock(graph_mutex());
  if (const cudaError_t error = plan_of(params, plan); error != cudaSuccess) return remember(error);
  return replace_plan(node_of(exec, node), plan);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams* params) {
  const auto* const plan = is_node(node) ? std::get_if<AllocPlan>(&node->plan) : nullptr;
  if (plan == nullptr || params == nullptr) return remember(cudaErrorInvalidValue);
  *params = {};
  params->poolProps.allocType = cudaMemAllocationTypePinned;
  params->poolProps.location.type = cudaMemLocationTypeDevice;
  params->poolProps.location.id = plan->memory->device;
  params->bytesize = plan->memory->bytes;
  params->dptr = plan->memory->at;
  return enter();
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* result) {
  const auto* const plan = is_node(node) ? std::get_if<FreePlan>(&node->plan) : nullptr;
  if (plan == nullptr || result == nullptr) return remember(cudaErrorInvalidValue);
  *static_cast<void**>(result) = plan->memory;
  return enter();
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return event_of_node<RecordPlan>(node, event);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return event_of_node<WaitPlan>(node, event);
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  const GraphLock lock(graph_mutex());
  return set_event<RecordPlan>(is_node(node) ? node : nullptr, event);
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  const GraphLock lock(graph_mutex());
  return set_event<WaitPlan>(is_node(node) ? node : nullptr, event);
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  const GraphLock lock(graph_mutex());
  return set_event<RecordPlan>(node_of(exec, node), event);
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  const GraphLock lock(graph_mutex());
  return set_event<WaitPlan>(node_of(exec, node), event);
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t* result, void* object, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (result == nullptr || destroy == nullptr || references == 0 || flags != cudaUserObjectNoDestructorSync)
    return remember(cudaErrorInvalidValue);
  const GraphLock lock(graph_mutex());
  auto made = std::make_shared<CUuserObject_st>(object, destroy);
  *result = made.get();
  user_objects()[*result].assign(references, made);
  return cudaSuccess;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned int count) {
  const GraphLock lock(graph_mutex());
  const auto object = find_object(handle);
  if (object == nullptr || count == 0) return remember(cudaErrorInvalidValue);
  auto& references = user_objects()[handle];
  references.insert(references.end(), count, object);
  return enter();
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned int count) {
  const GraphLock lock(graph_mutex());
  const auto found = user_objects().find(handle);
  if (found == user_objects().end() || count == 0 || count > found->second.size())
    return remember(cudaErrorInvalidValue);
  found->second.resize(found->second.size() - count);
  if (found->second.empty()) user_objects().erase(found);
  return enter();
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph_handle, cudaUserObject_t handle, unsigned int count,
                                      unsigned int flags) {
  const GraphLock lock(graph_mutex());
  const auto graph = graph_of(graph_handle);
  const auto object = find_object(handle);
  if (graph == nullptr || object == nullptr || count == 0 || flags > cudaGraphUserObjectMove)
    return remember(cudaErrorInvalidValue);
  graph->user_objects.insert(graph->user_objects.end(), count, object);
  return flags == cudaGraphUserObjectMove ? cudaUserObjectRelease(handle, count) : enter();
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph_handle, cudaUserObject_t handle,
                                       unsigned int count) {
  const GraphLock lock(graph_mutex());
  const auto graph = graph_of(graph_handle);
  if (graph == nullptr || count == 0) return remember(cudaErrorInvalidValue);
  auto& held = graph->user_objects;
  for (unsigned i = 0; i < count; ++i) {
    const auto found =
        std::find_if(held.begin(), held.end(), [&](const auto& one) { return one.get() == handle; });
    if (found == held.end()) return remember(cudaErrorInvalidValue);
    held.erase(found);
  }
  return enter();
}
}
