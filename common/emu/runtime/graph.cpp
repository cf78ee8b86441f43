#include "graph.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "clock.hpp"
#include "errors.hpp"
#include "event.hpp"
#include "graph_memory.hpp"
#include "memory.hpp"
#include "observer.hpp"

namespace cuemu {

namespace {

std::map<cudaGraph_t, std::shared_ptr<CUgraph_st>>& graphs() {
  static auto* const known = new std::map<cudaGraph_t, std::shared_ptr<CUgraph_st>>;
  return *known;
}

/// Visits a plan and runs it.
struct Runner {
  int device;
  void operator()(const EmptyPlan&) const {}
  void operator()(const KernelPlan& plan) const { plan.run(device); }
  void operator()(const CopyPlan& plan) const { plan.run(device); }
  void operator()(const FillPlan& plan) const { plan.run(device); }
  void operator()(const HostPlan& plan) const { plan.run(device); }
  void operator()(const ChildPlan& plan) const { run_graph(*plan.graph, plan.graph->order()); }
  void operator()(const ConditionalPlan& plan) const {
    const auto& bodies = plan.bodies->graphs;
    const auto run_body = [&](std::size_t i) {
      if (i < bodies.size()) run_graph(*bodies[i], bodies[i]->order());
    };
    switch (plan.type) {
      case cudaGraphCondTypeIf:
        run_body(plan.condition->value != 0 ? 0 : 1);
        break;
      case cudaGraphCondTypeSwitch:
        run_body(plan.condition->value);
        break;
      case cudaGraphCondTypeWhile: {
        const auto order = bodies[0]->order();
        while (plan.condition->value != 0 && !context_destroyed(device)) run_graph(*bodies[0], order);
        break;
      }
    }
  }
  void run_graph(const CUgraph_st& graph, const std::vector<CUgraphNode_st*>& order) const {
    graph.set_conditions();
    for (const CUgraphNode_st* const node : order) run_plan(node->plan, device);
  }
  void operator()(const RecordPlan& plan) const {
    const auto event = event_of(plan.event);
    if (event == nullptr) return;
    auto marker = std::make_shared<Marker>();
    notify(&Observer::event_recorded, *marker);
    finish_marker(*marker);
    event->marker = std::move(marker);
  }
  void operator()(const WaitPlan& plan) const {
    const auto event = event_of(plan.event);
    if (event != nullptr && event->marker != nullptr) wait_for(event->marker);
  }
  void operator()(const AllocPlan& plan) const { poison_memory(plan.memory->at, plan.memory->bytes); }
  void operator()(const FreePlan&) const {}
};

}  // namespace

std::shared_ptr<ConditionalBodies> empty_bodies(std::size_t count) {
  auto bodies = std::make_shared<ConditionalBodies>();
  for (std::size_t i = 0; i < count; ++i) {
    bodies->graphs.push_back(std::make_shared<CUgraph_st>());
    bodies->handles.push_back(keep_graph(bodies->graphs.back()));
  }
  return bodies;
}

ConditionalBodies::~ConditionalBodies() {
  for (const cudaGraph_t handle : handles) destroy_graph(handle);
}

NodePlan clone_plan(const NodePlan& plan) {
  NodePlan copy = plan;
  if (auto* const child = std::get_if<ChildPlan>(&copy)) child->graph = child->graph->clone();
  if (auto* const conditional = std::get_if<ConditionalPlan>(&copy)) {
    auto bodies = std::make_shared<ConditionalBodies>();
    for (const auto& graph : conditional->bodies->graphs) bodies->graphs.push_back(graph->clone());
    conditional->bodies = std::move(bodies);
  }
  return copy;
}

void run_plan(const NodePlan& plan, int device) {
  if (!context_destroyed(device)) std::visit(Runner{device}, plan);
}

cudaGraphNodeType type_of(const NodePlan& plan) {
  static constexpr cudaGraphNodeType types[] = {
      cudaGraphNodeTypeEmpty,       cudaGraphNodeTypeKernel,     cudaGraphNodeTypeMemcpy,
      cudaGraphNodeTypeMemset,      cudaGraphNodeTypeHost,       cudaGraphNodeTypeGraph,
      cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,  cudaGraphNodeTypeMemAlloc,
      cudaGraphNodeTypeMemFree,     cudaGraphNodeTypeConditional};
  static_assert(std::size(types) == std::variant_size_v<NodePlan>);
  return types[plan.index()];
}

std::recursive_mutex& graph_mutex() {
  static auto* const mutex = new std::recursive_mutex;
  return *mutex;
}

std::shared_ptr<CUgraph_st> graph_of(cudaGraph_t handle) {
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  const auto found = graphs().find(handle);
  return found != graphs().end() ? found->second : nullptr;
}

cudaGraph_t keep_graph(std::shared_ptr<CUgraph_st> graph) {
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  const cudaGraph_t handle = graph.get();
  graphs()[handle] = std::move(graph);
  return handle;
}

bool destroy_graph(cudaGraph_t handle) {
  const std::lock_guard<std::recursive_mutex> lock(graph_mutex());
  const auto found = graphs().find(handle);
  if (found == graphs().end()) return false;
  // The graph is destroyed only after the list is consistent, since conditional nodes remove their graphs from the
  // list.
  const std::shared_ptr<CUgraph_st> graph = std::move(found->second);
  graphs().erase(found);
  return true;
}

}  // namespace cuemu

void CUgraphNode_st::set_parameters(cuemu::NodePlan changed) {
  const auto* const mine = std::get_if<cuemu::KernelPlan>(&plan);
  if (auto* const kernel = std::get_if<cuemu::KernelPlan>(&changed); kernel != nullptr && mine != nullptr) {
    kernel->cooperative = mine->cooperative;
    const dim3 &asked = mine->cluster, &fixed = mine->kernel->info.cluster;
    if (asked.x != fixed.x || asked.y != fixed.y || asked.z != fixed.z) kernel->cluster = asked;
  }
  plan = std::move(changed);
}

CUgraphNode_st* CUgraph_st::add(cuemu::NodePlan plan, std::vector<CUgraphNode_st*> after) {
  nodes.push_back(std::make_unique<CUgraphNode_st>());
  CUgraphNode_st& node = *nodes.back();
  node.plan = std::move(plan);
  node.graph = this;
  node.after = std::move(after);
  return &node;
}

bool CUgraph_st::contains(const CUgraphNode_st* node) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const auto& mine) { return mine.get() == node; });
}

std::vector<CUgraphNode_st*> CUgraph_st::order() const {
  // Nodes are placed in the order of creation, but each only after all its dependencies.
  std::vector<CUgraphNode_st*> result;
  std::set<const CUgraphNode_st*> placed;
  while (result.size() < nodes.size()) {
    const std::size_t before = result.size();
    for (const auto& node : nodes) {
      if (placed.count(node.get()) > 0) continue;
      const auto& after = node->after;
      if (!std::all_of(after.begin(), after.end(), [&](const auto* one) { return placed.count(one) > 0; }))
        continue;
      placed.insert(node.get());
      result.push_back(node.get());
    }
    if (result.size() == before) return {};
  }
  return result;
}

std::shared_ptr<CUgraph_st> CUgraph_st::clone() const {
  auto copy = std::make_shared<CUgraph_st>();
  copy->conditions = conditions;
  copy->user_objects = user_objects;
  std::map<const CUgraphNode_st*, CUgraphNode_st*> made;
  for (const auto& node : nodes) {
    made[node.get()] = copy->add(cuemu::clone_plan(node->plan), {});
    made[node.get()]->original = node.get();
    made[node.get()]->attributes = node->attributes;
  }
  for (const auto& node : nodes)
    for (const CUgraphNode_st* const before : node->after) made[node.get()]->after.push_back(made[before]);
  return copy;
}

bool CUgraph_st::has_conditional_nodes() const {
  return std::any_of(nodes.begin(), nodes.end(), [](const auto& node) {
    return std::holds_alternative<cuemu::ConditionalPlan>(node->plan);
  });
}

void CUgraph_st::set_conditions() const {
  for (const auto& condition : conditions)
    if (condition->begins_with_initial) condition->value = condition->initial;
}

std::string CUgraph_st::dot() const {
  static constexpr const char* names[] = {"empty", "kernel", "memcpy",       "memset",
                                          "host",  "graph",  "event record", "event wait",
                                          "alloc", "free",   "conditional"};
  std::string text = "digraph graph_1 {\n";
  std::map<const CUgraphNode_st*, std::size_t> numbers;
  for (const auto& node : nodes) {
    const std::size_t number = numbers.size();
    numbers[node.get()] = number;
    std::string label = names[node->plan.index()];
    if (const auto* const kernel = std::get_if<cuemu::KernelPlan>(&node->plan))
      label += std::string(" ") + kernel->kernel->info.name;
    text += "  node_" + std::to_string(number) + " [label=\"" + label + "\"];\n";
  }
  for (const auto& node : nodes)
    for (const CUgraphNode_st* const before : node->after)
      text += "  node_" + std::to_string(numbers[before]) + " -> node_" +
              std::to_string(numbers[node.get()]) + ";\n";
  return text + "}\n";
}
