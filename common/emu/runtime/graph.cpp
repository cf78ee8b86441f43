#include "graph.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "clock.hpp"
#include "errors.hpp"
#include "event.hpp"
#include "memory.hpp"
#include "observer.hpp"

namespace cuemu {

namespace {

std::map<cudaGraph_t, std::shared_ptr<CUgraph_st>>& graphs() {
  static auto* const known = new std::map<cudaGraph_t, std::shared_ptr<CUgraph_st>>;
  return *known;
}

/// Called for the one of the overloads that fits the plan.
struct Runner {
  int device;
  void operator()(const EmptyPlan&) const {}
  void operator()(const KernelPlan& plan) const { plan.run(device); }
  void operator()(const CopyPlan& plan) const { plan.run(device); }
  void operator()(const FillPlan& plan) const { plan.run(device); }
  void operator()(const HostPlan& plan) const { plan.run(device); }
  void operator()(const ChildPlan& plan) const {
    for (const CUgraphNode_st* const node : plan.graph->order()) run_plan(node->plan, device);
  }
  void operator()(const RecordPlan& plan) const {
    const auto event = event_of(plan.event);
    if (event == nullptr) return;
    auto marker = std::make_shared<Marker>();
    if (is_observed()) observer->event_recorded(*marker);
    finish_marker(*marker);
    event->marker = std::move(marker);
  }
  void operator()(const WaitPlan& plan) const {
    const auto event = event_of(plan.event);
    if (event != nullptr && event->marker != nullptr) wait_for(event->marker);
  }
  void operator()(const AllocPlan& plan) const { poison_memory(plan.memory, plan.bytes); }
  void operator()(const FreePlan&) const {}
};

}  // namespace

cudaError_t plan_allocation(std::size_t bytes, AllocPlan& plan) {
  const cudaError_t error = allocate(MemoryKind::device, bytes, 0, &plan.memory);
  if (error != cudaSuccess) return error;
  plan.bytes = bytes;
  plan.owner = std::shared_ptr<void>(plan.memory, [](void* memory) { release(MemoryKind::device, memory); });
  return cudaSuccess;
}

void run_plan(const NodePlan& plan, int device) {
  if (!context_destroyed(device)) std::visit(Runner{device}, plan);
}

cudaGraphNodeType type_of(const NodePlan& plan) {
  static constexpr cudaGraphNodeType types[] = {cudaGraphNodeTypeEmpty,       cudaGraphNodeTypeKernel,
                                                cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemset,
                                                cudaGraphNodeTypeHost,        cudaGraphNodeTypeGraph,
                                                cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,
                                                cudaGraphNodeTypeMemAlloc,    cudaGraphNodeTypeMemFree};
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
  return graphs().erase(handle) > 0;
}

}  // namespace cuemu

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
  // Nodes in the order in which they were made, each as soon as all that it depends on are placed.
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
  std::map<const CUgraphNode_st*, CUgraphNode_st*> made;
  for (const auto& node : nodes) {
    cuemu::NodePlan plan = node->plan;
    if (auto* const child = std::get_if<cuemu::ChildPlan>(&plan)) child->graph = child->graph->clone();
    made[node.get()] = copy->add(std::move(plan), {});
    made[node.get()]->original = node.get();
  }
  for (const auto& node : nodes)
    for (const CUgraphNode_st* const before : node->after) made[node.get()]->after.push_back(made[before]);
  return copy;
}

std::string CUgraph_st::dot() const {
  static constexpr const char* names[] = {"empty", "kernel",       "memcpy",     "memset", "host",
                                          "graph", "event record", "event wait", "alloc",  "free"};
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
