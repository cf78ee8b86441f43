// The runtime API's functions for memory pools. A pool only keeps counters: it takes its memory from the device as
// other allocations do. The memory is released as soon as the stream reaches the operation that frees it.
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>

#include "capture.hpp"
#include "cuda_runtime_api.h"
#include "device.hpp"
#include "errors.hpp"
#include "graph_memory.hpp"
#include "memory.hpp"
#include "observer.hpp"
#include "pool.hpp"
#include "runtime.hpp"
#include "stream.hpp"

namespace cuemu {

namespace {

/// Bytes of one unit in which a pool reserves memory; it keeps whole units up to the pool's threshold.
constexpr std::size_t reserve_unit = std::size_t{32} << 20;

/// The type and the location of a pool's memory. Each pair of a type and a location has a standard pool.
struct Source {
  cudaMemAllocationType type;
  cudaMemLocation place;
  bool operator<(const Source& other) const {
    return std::tie(type, place.type, place.id) < std::tie(other.type, other.place.type, other.place.id);
  }
};

Source of_device(int device) {
  return {cudaMemAllocationTypePinned, {cudaMemLocationTypeDevice, device}};
}

MemoryKind kind_of(const Pool& pool) {
  if (pool.type == cudaMemAllocationTypeManaged) return MemoryKind::managed;
  return pool.place.type == cudaMemLocationTypeDevice ? MemoryKind::device : MemoryKind::pinned;
}

struct Pools {
  std::mutex mutex;
  std::map<cudaMemPool_t, std::unique_ptr<Pool>> all;
  std::map<Source, cudaMemPool_t> standard, current;
  std::map<void*, Pool*> owners;  ///< pools of allocations; null: the pool was destroyed
  std::map<void*, std::size_t> sizes;

  static Pools& get() {
    static auto* const pools = new Pools;
    return *pools;
  }

  cudaMemPool_t make(const Source& source) {
    auto pool = std::make_unique<Pool>();
    pool->type = source.type;
    pool->place = source.place;
    const auto handle = reinterpret_cast<cudaMemPool_t>(pool.get());
    all[handle] = std::move(pool);
    return handle;
  }
  cudaMemPool_t standard_of(const Source& source) {
    cudaMemPool_t& pool = standard[source];
    if (pool == nullptr) pool = make(source);
    return pool;
  }
  cudaMemPool_t current_of(const Source& source) {
    const auto set = current.find(source);
    return set != current.end() ? set->second : standard_of(source);
  }
  Pool* find(cudaMemPool_t handle) {
    const auto found = all.find(handle);
    return found != all.end() ? found->second.get() : nullptr;
  }
};

/// Memory whose free is queued in a stream. After this call, the memory may not be freed again.
struct Leaving {
  std::mutex mutex;  // held while memory is released, so that it is either in `memory` or released
  std::set<void*> memory;

  static Leaving& get() {
    static auto* const leaving = new Leaving;
    return *leaving;
  }
};

void count_taken(Pool& pool, std::size_t bytes) {
  pool.used += bytes;
  pool.used_high = std::max(pool.used_high, pool.used);
  pool.reserved = std::max(pool.reserved, (pool.used + reserve_unit - 1) / reserve_unit * reserve_unit);
  pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
}

}  // namespace

cudaError_t take_from_pool(cudaMemPool_t handle, std::size_t bytes, void** result) {
  Pools& pools = Pools::get();
  MemoryKind kind = MemoryKind::device;
  {
    const std::lock_guard<std::mutex> lock(pools.mutex);
    if (handle == nullptr) handle = pools.current_of(of_device(current_device()));
    const Pool* const pool = pools.find(handle);
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (pool->limit != 0 && pool->used + bytes > pool->limit) return cudaErrorMemoryAllocation;
    kind = kind_of(*pool);
  }
  const unsigned flags = kind == MemoryKind::managed ? cudaMemAttachGlobal : 0;
  const cudaError_t error = allocate(kind, bytes, flags, result);
  if (error != cudaSuccess) return error;
  const std::lock_guard<std::mutex> lock(pools.mutex);
  Pool* const pool = pools.find(handle);
  if (pool == nullptr) return cudaSuccess;
  count_taken(*pool, bytes);
  pools.owners[*result] = pool;
  pools.sizes[*result] = bytes;
  return cudaSuccess;
}

bool is_from_pool(void* memory) {
  Pools& pools = Pools::get();
  const std::lock_guard<std::mutex> lock(pools.mutex);
  return pools.owners.count(memory) != 0;
}

void returned_to_pool(void* memory) {
  Pools& pools = Pools::get();
  const std::lock_guard<std::mutex> lock(pools.mutex);
  const auto found = pools.owners.find(memory);
  if (found == pools.owners.end()) return;
  if (found->second != nullptr) found->second->used -= pools.sizes[memory];
  pools.owners.erase(found);
  pools.sizes.erase(memory);
}

void trim_pools() {
  Pools& pools = Pools::get();
  const std::lock_guard<std::mutex> lock(pools.mutex);
  for (const auto& [handle, pool] : pools.all) {
    const std::size_t kept = std::max(pool->used, pool->threshold);
    pool->reserved = std::min(pool->reserved, (kept + reserve_unit - 1) / reserve_unit * reserve_unit);
  }
}

}  // namespace cuemu

using namespace cuemu;

namespace {

/// Runs `use` on a pool under the lock; cudaErrorInvalidValue if there is no such pool.
template <class Use>
cudaError_t with_pool(cudaMemPool_t handle, const Use use) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  Pools& pools = Pools::get();
  const std::lock_guard<std::mutex> lock(pools.mutex);
  Pool* const pool = pools.find(handle);
  return remember(pool != nullptr ? use(*pool) : cudaErrorInvalidValue);
}

cudaError_t pool_of(cudaMemPool_t* pool, const Source& source, bool standard) {
  if (pool == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  Pools& pools = Pools::get();
  const std::lock_guard<std::mutex> lock(pools.mutex);
  *pool = standard ? pools.standard_of(source) : pools.current_of(source);
  return cudaSuccess;
}

bool is_device(int device) {
  return device >= 0 && device < device_count();
}

bool is_numa_node(int node) {
  return node == 0 ||
         (node > 0 && access(("/sys/devices/system/node/node" + std::to_string(node)).c_str(), F_OK) == 0);
}

bool is_own_device(const Pool& pool, int device) {
  return kind_of(pool) == MemoryKind::device && pool.place.id == device;
}

bool is_on_host(const cudaMemLocation& place) {
  return place.type == cudaMemLocationTypeHost || place.type == cudaMemLocationTypeHostNuma;
}

/// Checks that pools of this type of memory exist at this location, and clears an id that has no meaning for the
/// location.
cudaError_t check_source(Source& source) {
  const bool managed = source.type == cudaMemAllocationTypeManaged;
  if (!managed && source.type != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
  switch (source.place.type) {
    case cudaMemLocationTypeDevice:
      return is_device(source.place.id) ? cudaSuccess : cudaErrorInvalidDevice;
    case cudaMemLocationTypeHostNuma:
      return is_numa_node(source.place.id) ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemLocationTypeHost:
      source.place.id = 0;
      return cudaSuccess;
    case cudaMemLocationTypeNone:  // managed memory may have no preferred location
      source.place.id = 0;
      return managed ? cudaSuccess : cudaErrorInvalidValue;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t pool_at(cudaMemPool_t* pool, const cudaMemLocation* location, cudaMemAllocationType type,
                    bool standard) {
  if (pool == nullptr || location == nullptr) return remember(cudaErrorInvalidValue);
  Source source{type, *location};
  if (check_source(source) != cudaSuccess) return remember(cudaErrorInvalidValue);
  return pool_of(pool, source, standard);
}

/// Returns whether a pool provides device memory; null means the current device's pool.
bool gives_device_memory(cudaMemPool_t handle) {
  Pools& pools = Pools::get();
  const std::lock_guard<std::mutex> lock(pools.mutex);
  const Pool* const pool = pools.find(handle);
  return handle == nullptr || (pool != nullptr && kind_of(*pool) == MemoryKind::device);
}

/// Makes a pool the current pool for its type and location.
cudaError_t use_pool(const Source& source, cudaMemPool_t handle) {
  return with_pool(handle, [&](const Pool& pool) {
    const Source own{pool.type, pool.place};
    if (own < source || source < own) return cudaErrorInvalidValue;
    Pools::get().current[source] = handle;
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* memPool, int device) {
  if (!is_device(device)) return remember(cudaErrorInvalidDevice);
  return pool_of(memPool, of_device(device), true);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* memPool, int device) {
  if (!is_device(device)) return remember(cudaErrorInvalidDevice);
  return pool_of(memPool, of_device(device), false);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
  if (!is_device(device)) return remember(cudaErrorInvalidDevice);
  return use_pool(of_device(device), memPool);
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* memPool, struct cudaMemLocation* location,
                                     enum cudaMemAllocationType type) {
  return pool_at(memPool, location, type, true);
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t* memPool, struct cudaMemLocation* location,
                              enum cudaMemAllocationType type) {
  return pool_at(memPool, location, type, false);
}
cudaError_t cudaMemSetMemPool(struct cudaMemLocation* location, enum cudaMemAllocationType type,
                              cudaMemPool_t memPool) {
  if (location == nullptr) return remember(cudaErrorInvalidValue);
  Source source{type, *location};
  if (check_source(source) != cudaSuccess) return remember(cudaErrorInvalidValue);
  return use_pool(source, memPool);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* memPool, const struct cudaMemPoolProps* props) {
  if (memPool == nullptr || props == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  Source source{props->allocType, props->location};
  if (const cudaError_t error = check_source(source); error != cudaSuccess) return remember(error);
  const bool managed = props->allocType == cudaMemAllocationTypeManaged;
  if (props->handleTypes != cudaMemHandleTypeNone)  // GPUs do not share these two types of pools, either
    return remember(managed || source.place.type == cudaMemLocationTypeHost ? cudaErrorInvalidValue
                                                                            : cudaErrorNotSupported);
  if (managed && props->maxSize != 0) return remember(cudaErrorInvalidValue);
  Pools& pools = Pools::get();
  const std::lock_guard<std::mutex> lock(pools.mutex);
  *memPool = pools.make(source);
  pools.find(*memPool)->limit = props->maxSize;
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
  return with_pool(memPool, [&](Pool& pool) {
    Pools& pools = Pools::get();
    const Source source{pool.type, pool.place};
    if (pools.standard_of(source) == memPool) return cudaErrorInvalidValue;
    if (pools.current_of(source) == memPool) pools.current.erase(source);
    for (auto& owner : pools.owners)  // the pool's allocations remain valid
      if (owner.second == &pool) owner.second = nullptr;
    pools.all.erase(memPool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep) {
  return with_pool(memPool, [&](Pool& pool) {
    const std::size_t kept = std::max(pool.used, minBytesToKeep);
    pool.reserved = std::min(pool.reserved, (kept + reserve_unit - 1) / reserve_unit * reserve_unit);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void* value) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  return with_pool(memPool, [&](Pool& pool) {
    switch (attr) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        pool.reuse[attr - cudaMemPoolReuseFollowEventDependencies] = *static_cast<int*>(value);
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold:
        pool.threshold = *static_cast<std::uint64_t*>(value);
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        if (*static_cast<std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;  // it can only be reset
        (attr == cudaMemPoolAttrUsedMemHigh ? pool.used_high : pool.reserved_high) =
            attr == cudaMemPoolAttrUsedMemHigh ? pool.used : pool.reserved;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, enum cudaMemPoolAttr attr, void* value) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  return with_pool(memPool, [&](const Pool& pool) {
    const auto give = [&](std::uint64_t bytes) {
      *static_cast<std::uint64_t*>(value) = bytes;
      return cudaSuccess;
    };
    switch (attr) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        *static_cast<int*>(value) = pool.reuse[attr - cudaMemPoolReuseFollowEventDependencies];
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold:
        return give(pool.threshold);
      case cudaMemPoolAttrReservedMemCurrent:
        return give(pool.reserved);
      case cudaMemPoolAttrReservedMemHigh:
        return give(pool.reserved_high);
      case cudaMemPoolAttrUsedMemCurrent:
        return give(pool.used);
      case cudaMemPoolAttrUsedMemHigh:
        return give(pool.used_high);
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const struct cudaMemAccessDesc* descList,
                                 size_t count) {
  if (count > 0 && descList == nullptr) return remember(cudaErrorInvalidValue);
  return with_pool(memPool, [&](Pool& pool) {
    for (std::size_t i = 0; i < count; ++i) {
      const cudaMemLocation& where = descList[i].location;
      const bool keeps_all = descList[i].flags == cudaMemAccessFlagsProtReadWrite;
      if (where.type != cudaMemLocationTypeDevice) {
        if (!is_on_host(where) || kind_of(pool) == MemoryKind::device || !keeps_all)
          return cudaErrorInvalidValue;
        continue;
      }
      if (!is_device(where.id)) return cudaErrorInvalidDevice;
      // A device always has access to its pool.
      if (is_own_device(pool, where.id) && !keeps_all) return cudaErrorInvalidValue;
      pool.access[where.id] = descList[i].flags;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t memPool,
                                 struct cudaMemLocation* location) {
  if (flags == nullptr || location == nullptr) return remember(cudaErrorInvalidValue);
  return with_pool(memPool, [&](const Pool& pool) {
    if (location->type != cudaMemLocationTypeDevice) {
      if (!is_on_host(*location) || kind_of(pool) == MemoryKind::device) return cudaErrorInvalidValue;
      *flags = cudaMemAccessFlagsProtReadWrite;
      return cudaSuccess;
    }
    if (!is_device(location->id)) return cudaErrorInvalidDevice;
    *flags = is_own_device(pool, location->id) ? cudaMemAccessFlagsProtReadWrite : pool.access[location->id];
    return cudaSuccess;
  });
}

cudaError_t cudaMallocFromPoolAsync(void** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t handle) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (ptr == nullptr) return remember(cudaErrorInvalidValue);
  Stream* const stream = stream_of(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  *ptr = nullptr;
  if (size == 0) return cudaSuccess;
  if (!is_capturing(*stream)) return remember(take_from_pool(memPool, size, ptr));
  // Graph nodes allocate device memory only.
  if (!gives_device_memory(memPool)) return remember(cudaErrorNotSupported);
  AllocPlan plan;
  if (const cudaError_t error = plan_allocation(size, plan); error != cudaSuccess) return remember(error);
  *ptr = plan.memory->at;
  return remember(submit(*stream, plan));
}

cudaError_t cudaMallocAsync(void** devPtr, size_t size, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(devPtr, size, nullptr, stream);
}

cudaError_t cudaFreeAsync(void* devPtr, cudaStream_t handle) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  Stream* const stream = stream_of(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (devPtr == nullptr) return cudaSuccess;
  Allocation found;
  const auto is_known = [&] {
    return find_allocation(devPtr, found) && found.begin == reinterpret_cast<std::uintptr_t>(devPtr) &&
           (found.kind == MemoryKind::device || is_from_pool(devPtr));
  };
  const auto refused = [&] {
    notify(&Observer::free_refused, devPtr);
    return remember(cudaErrorInvalidValue);
  };
  if (is_capturing(*stream)) return is_known() ? remember(submit(*stream, FreePlan{devPtr})) : refused();
  if (auto memory = free_graph_memory(devPtr); memory != nullptr) {
    enqueue(*stream, [kept = std::move(memory)] {});
    return cudaSuccess;
  }
  Leaving& leaving = Leaving::get();
  {
    const std::lock_guard<std::mutex> lock(leaving.mutex);
    if (leaving.memory.count(devPtr) != 0 || !is_known()) return refused();
    leaving.memory.insert(devPtr);
  }
  enqueue(*stream, [&leaving, devPtr, kind = found.kind] {
    const std::lock_guard<std::mutex> lock(leaving.mutex);
    returned_to_pool(devPtr);
    release(kind, devPtr);
    leaving.memory.erase(devPtr);
  });
  return cudaSuccess;
}
}
