#include "graph_memory.hpp"

#include <algorithm>
#include <map>

#include "cuda_runtime_api.h"
#include "device.hpp"
#include "errors.hpp"
#include "graph_exec.hpp"
#include "memory.hpp"
#include "runtime.hpp"

namespace cuemu {

namespace {

/// Granularity of the devices' mappings.
constexpr std::size_t mapping_unit = std::size_t{2} << 20;

std::size_t mapped_bytes(std::size_t bytes) {
  return (bytes + mapping_unit - 1) / mapping_unit * mapping_unit;
}

/// Memory that an executable graph has mapped since its first launch. Graphs of one stream share this memory, since
/// they run one after another.
struct Mapped {
  int device = 0;
  const Stream* stream = nullptr;
  std::size_t bytes = 0;
};

struct Counts {
  std::size_t used_high = 0, reserved = 0, reserved_high = 0;
};

/// Protected by graph_mutex().
struct GraphMemories {
  std::map<const void*, std::weak_ptr<GraphMemory>> all;
  std::map<const void*, std::shared_ptr<GraphMemory>> live;
  std::map<const CUgraphExec_st*, Mapped> mapped;
  Counts counts[most_devices];

  static GraphMemories& get() {
    static auto* const memories = new GraphMemories;
    return *memories;
  }

  std::size_t used(int device) const {
    std::map<const Stream*, std::size_t> by_stream;
    for (const auto& [exec, one] : mapped)
      if (one.device == device) by_stream[one.stream] = std::max(by_stream[one.stream], one.bytes);
    std::size_t shared = 0, lives = 0;
    for (const auto& [stream, bytes] : by_stream) shared += bytes;
    for (const auto& [at, memory] : live)
      if (memory->device == device) lives += mapped_bytes(memory->bytes);
    return std::max(shared, lives);
  }
  void count(int device) {
    Counts& now = counts[device];
    const std::size_t bytes = used(device);
    now.used_high = std::max(now.used_high, bytes);
    now.reserved = std::max(now.reserved, bytes);
    now.reserved_high = std::max(now.reserved_high, now.reserved);
  }
};

/// Visits the nodes in the order of a launch.
struct Walk {
  std::map<const void*, std::shared_ptr<GraphMemory>> allocated;
  std::vector<const void*> freed;  ///< allocations of other graphs
  std::size_t bytes = 0, most = 0;

  void through(const NodePlan& plan) {
    if (const auto* const alloc = std::get_if<AllocPlan>(&plan)) {
      allocated[alloc->memory->at] = alloc->memory;
      bytes += mapped_bytes(alloc->memory->bytes);
      most = std::max(most, bytes);
    } else if (const auto* const free = std::get_if<FreePlan>(&plan)) {
      const auto mine = allocated.find(free->memory);
      if (mine == allocated.end()) {
        freed.push_back(free->memory);
        return;
      }
      bytes -= mapped_bytes(mine->second->bytes);
      allocated.erase(mine);
    } else if (const auto* const child = std::get_if<ChildPlan>(&plan)) {
      for (const CUgraphNode_st* const node : child->graph->order()) through(node->plan);
    }
  }
};

}  // namespace

GraphMemory::~GraphMemory() {
  if (at == nullptr) return;
  {
    const GraphLock lock(graph_mutex());
    GraphMemories::get().all.erase(at);
  }
  release(MemoryKind::device, at);
}

cudaError_t plan_allocation(std::size_t bytes, AllocPlan& plan) {
  auto memory = std::make_shared<GraphMemory>();
  const cudaError_t error = allocate(MemoryKind::device, bytes, 0, &memory->at);
  if (error != cudaSuccess) return error;
  memory->bytes = bytes;
  memory->device = current_device();
  const GraphLock lock(graph_mutex());
  GraphMemories::get().all[memory->at] = memory;
  plan.memory = std::move(memory);
  return cudaSuccess;
}

cudaError_t launch_graph_memory(const CUgraphExec_st& exec, const std::vector<const CUgraphNode_st*>& order,
                                const Stream& stream) {
  GraphMemories& memories = GraphMemories::get();
  Walk before;  // only its allocations are used, none of which may still be live
  for (const CUgraphNode_st* const node : order) before.through(node->plan);
  if (before.most == 0 && before.freed.empty()) return cudaSuccess;
  const bool frees = (exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0;
  for (const auto& [at, memory] : before.allocated) {
    if (memory->live && !frees) return cudaErrorInvalidValue;
    memory->live = true;
    memories.live[at] = memory;
  }
  for (const void* const at : before.freed) free_graph_memory(at);
  const int device = device_of(stream);
  memories.mapped[&exec] = {device, &stream, before.most};
  memories.count(device);
  return cudaSuccess;
}

void forget_graph_memory(const CUgraphExec_st& exec) {
  GraphMemories::get().mapped.erase(&exec);
}

std::shared_ptr<GraphMemory> free_graph_memory(const void* at) {
  const GraphLock lock(graph_mutex());
  auto& live = GraphMemories::get().live;
  const auto found = live.find(at);
  if (found == live.end()) return nullptr;
  auto memory = std::move(found->second);
  live.erase(found);
  memory->live = false;
  return memory;
}

}  // namespace cuemu

using namespace cuemu;

extern "C" {

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void* value) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (device < 0 || device >= device_count()) return remember(cudaErrorInvalidDevice);
  const GraphLock lock(graph_mutex());
  const GraphMemories& memories = GraphMemories::get();
  const Counts& counts = memories.counts[device];
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  auto& result = *static_cast<std::uint64_t*>(value);
  switch (attr) {
    case cudaGraphMemAttrUsedMemCurrent:
      result = memories.used(device);
      return cudaSuccess;
    case cudaGraphMemAttrUsedMemHigh:
      result = counts.used_high;
      return cudaSuccess;
    case cudaGraphMemAttrReservedMemCurrent:
      result = counts.reserved;
      return cudaSuccess;
    case cudaGraphMemAttrReservedMemHigh:
      result = counts.reserved_high;
      return cudaSuccess;
  }
  return remember(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void* value) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (device < 0 || device >= device_count()) return remember(cudaErrorInvalidDevice);
  // Only the high-water marks can be set, and only to zero.
  const bool is_mark = attr == cudaGraphMemAttrUsedMemHigh || attr == cudaGraphMemAttrReservedMemHigh;
  if (!is_mark || value == nullptr || *static_cast<const std::uint64_t*>(value) != 0)
    return remember(cudaErrorInvalidValue);
  const GraphLock lock(graph_mutex());
  GraphMemories& memories = GraphMemories::get();
  Counts& counts = memories.counts[device];
  if (attr == cudaGraphMemAttrUsedMemHigh)
    counts.used_high = memories.used(device);
  else
    counts.reserved_high = counts.reserved;
  return cudaSuccess;
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (device < 0 || device >= device_count()) return remember(cudaErrorInvalidDevice);
  const GraphLock lock(graph_mutex());
  GraphMemories& memories = GraphMemories::get();
  memories.counts[device].reserved = memories.used(device);
  return cudaSuccess;
}
}
