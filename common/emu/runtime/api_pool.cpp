// The runtime API's part on memory pools. A pool counts; its memory comes from the device's like any other,
// and goes back at once when the stream has reached the free.
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "capture.hpp"
#include "cuda_runtime_api.h"
#include "device.hpp"
#include "errors.hpp"
#include "graph_memory.hpp"
#include "memory.hpp"
#include "pool.hpp"
#include "runtime.hpp"
#include "stream.hpp"

namespace cuemu {

namespace {

/// Pages that a pool keeps once it has them, up to its threshold.
constexpr std::size_t reserve_unit = std::size_t{32} << 20;

struct Pools {
  std::mutex mutex;
  std::map<cudaMemPool_t, std::unique_ptr<Pool>> all;
  cudaMemPool_t standard[most_devices] = {};
  cudaMemPool_t current[most_devices] = {};
  std::map<void*, Pool*> owners;  ///< of memory that a pool gave
  std::map<void*, std::size_t> sizes;

  static Pools& get() {
    static auto* const pools = new Pools;
    return *pools;
  }

  cudaMemPool_t make(int device) {
    auto pool = std::make_unique<Pool>();
    pool->device = device;
    const auto handle = reinterpret_cast<cudaMemPool_t>(pool.get());
    all[handle] = std::move(pool);
    return handle;
  }
  cudaMemPool_t standard_of(int device) {
    if (standard[device] == nullptr) standard[device] = make(device);
    return standard[device];
  }
  cudaMemPool_t current_of(int device) {
    return current[device] != nullptr ? current[device] : standard_of(device);
  }
  Pool* find(cudaMemPool_t handle) {
    const auto found = all.find(handle);
    return found != all.end() ? found->second.get() : nullptr;
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
  {
    const std::lock_guard<std::mutex> lock(pools.mutex);
    if (handle == nullptr) handle = pools.current_of(current_device());
    const Pool* const pool = pools.find(handle);
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (pool->limit != 0 && pool->used + bytes > pool->limit) return cudaErrorMemoryAllocation;
  }
  const cudaError_t error = allocate(MemoryKind::device, bytes, 0, result);
  if (error != cudaSuccess) return error;
  const std::lock_guard<std::mutex> lock(pools.mutex);
  Pool* const pool = pools.find(handle);
  if (pool == nullptr) return cudaSuccess;
  count_taken(*pool, bytes);
  pools.owners[*result] = pool;
  pools.sizes[*result] = bytes;
  return cudaSuccess;
}

void returned_to_pool(void* memory) {
  Pools& pools = Pools::get();
  const std::lock_guard<std::mutex> lock(pools.mutex);
  const auto found = pools.owners.find(memory);
  if (found == pools.owners.end()) return;
  found->second->used -= pools.sizes[memory];
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

/// Runs `use` on a pool under the lock; cudaErrorInvalidValue where there is no such pool.
template <class Use>
cudaError_t with_pool(cudaMemPool_t handle, const Use use) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  Pools& pools = Pools::get();
  const std::lock_guard<std::mutex> lock(pools.mutex);
  Pool* const pool = pools.find(handle);
  return remember(pool != nullptr ? use(*pool) : cudaErrorInvalidValue);
}

cudaError_t pool_of_device(cudaMemPool_t* pool, int device, bool standard) {
  if (pool == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (device < 0 || device >= device_count()) return remember(cudaErrorInvalidDevice);
  Pools& pools = Pools::get();
  const std::lock_guard<std::mutex> lock(pools.mutex);
  *pool = standard ? pools.standard_of(device) : pools.current_of(device);
  return cudaSuccess;
}

/// Does the emulation have pools of that memory, there?
cudaError_t check_location(const cudaMemLocation* location, cudaMemAllocationType type) {
  if (location == nullptr) return cudaErrorInvalidValue;
  if (type != cudaMemAllocationTypePinned && type != cudaMemAllocationTypeManaged)
    return cudaErrorInvalidValue;
  if (type == cudaMemAllocationTypeManaged || location->type != cudaMemLocationTypeDevice)
    return cudaErrorNotSupported;
  return location->id >= 0 && location->id < device_count() ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* memPool, int device) {
  return pool_of_device(memPool, device, true);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* memPool, int device) {
  return pool_of_device(memPool, device, false);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
  if (device < 0 || device >= device_count()) return remember(cudaErrorInvalidDevice);
  return with_pool(memPool, [&](const Pool& pool) {
    if (pool.device != device) return cudaErrorInvalidValue;
    Pools::get().current[device] = memPool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* memPool, struct cudaMemLocation* location,
                                     enum cudaMemAllocationType type) {
  if (memPool == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = check_location(location, type); error != cudaSuccess) return remember(error);
  return pool_of_device(memPool, location->id, true);
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t* memPool, struct cudaMemLocation* location,
                              enum cudaMemAllocationType type) {
  if (memPool == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = check_location(location, type); error != cudaSuccess) return remember(error);
  return pool_of_device(memPool, location->id, false);
}
cudaError_t cudaMemSetMemPool(struct cudaMemLocation* location, enum cudaMemAllocationType type,
                              cudaMemPool_t memPool) {
  if (location == nullptr) return remember(cudaErrorInvalidValue);
  // Every pool is of a device's memory, so that no other place is a pool's.
  if (check_location(location, type) != cudaSuccess) return remember(cudaErrorInvalidValue);
  return cudaDeviceSetMemPool(location->id, memPool);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* memPool, const struct cudaMemPoolProps* props) {
  if (memPool == nullptr || props == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (props->allocType != cudaMemAllocationTypePinned || props->location.type != cudaMemLocationTypeDevice)
    return remember(cudaErrorInvalidValue);
  if (props->location.id < 0 || props->location.id >= device_count()) return remember(cudaErrorInvalidDevice);
  if (props->handleTypes != cudaMemHandleTypeNone) return remember(cudaErrorNotSupported);
  Pools& pools = Pools::get();
  const std::lock_guard<std::mutex> lock(pools.mutex);
  *memPool = pools.make(props->location.id);
  pools.find(*memPool)->limit = props->maxSize;
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
  return with_pool(memPool, [&](Pool& pool) {
    Pools& pools = Pools::get();
    if (pools.standard[pool.device] == memPool) return cudaErrorInvalidValue;
    if (pools.current[pool.device] == memPool) pools.current[pool.device] = nullptr;
    for (auto owner = pools.owners.begin(); owner != pools.owners.end();)  // what it gave lives on
      owner = owner->second == &pool ? pools.owners.erase(owner) : std::next(owner);
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
      if (where.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
      if (where.id < 0 || where.id >= device_count()) return cudaErrorInvalidDevice;
      if (where.id == pool.device && descList[i].flags != cudaMemAccessFlagsProtReadWrite)
        return cudaErrorInvalidValue;  // its own device cannot lose its access
      pool.access[where.id] = descList[i].flags;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t memPool,
                                 struct cudaMemLocation* location) {
  if (flags == nullptr || location == nullptr || location->type != cudaMemLocationTypeDevice)
    return remember(cudaErrorInvalidValue);
  return with_pool(memPool, [&](const Pool& pool) {
    if (location->id < 0 || location->id >= device_count()) return cudaErrorInvalidDevice;
    *flags = location->id == pool.device ? cudaMemAccessFlagsProtReadWrite : pool.access[location->id];
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
  if (!find_allocation(devPtr, found) || found.kind != MemoryKind::device ||
      found.begin != reinterpret_cast<std::uintptr_t>(devPtr))
    return remember(cudaErrorInvalidValue);
  if (is_capturing(*stream)) return remember(submit(*stream, FreePlan{devPtr}));
  if (auto memory = free_graph_memory(devPtr); memory != nullptr) {
    enqueue(*stream, [kept = std::move(memory)] {});
    return cudaSuccess;
  }
  enqueue(*stream, [devPtr] {
    returned_to_pool(devPtr);
    release(MemoryKind::device, devPtr);
  });
  return cudaSuccess;
}
}
