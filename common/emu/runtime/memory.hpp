// Memory that the runtime gives out: device memory in an address range of its own, pinned and managed memory.
//
// Each device allocation ends at a guard page (to within its alignment of 256 bytes), so that an overrun
// stops the kernel, and the range is closed to host code: with memory protection keys where the processor has
// them, so that each thread has its own view; elsewhere by protecting the range while the device is idle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "driver_types.h"
#include "services.hpp"

namespace cuemu {

/// Allocates on the current device;
/// cudaErrorMemoryAllocation beyond the device's memory or the host's. `bytes` > 0.
cudaError_t allocate(MemoryKind kind, std::size_t bytes, unsigned flags, void** result);
/// Frees what `allocate` gave; cudaErrorInvalidValue for anything else.
cudaError_t release(MemoryKind kind, void* pointer);
/// Frees everything that belongs to a device.
void release_all(int device);
/// Registers memory of the program's own as pinned, and forgets it.
cudaError_t register_host(void* pointer, std::size_t bytes, unsigned flags);
cudaError_t unregister_host(void* pointer);

/// The allocation that holds `pointer`; false where there is none.
bool find_allocation(const void* pointer, Allocation& found);
/// Those that the host may read and write as well: managed, pinned and registered ones.
std::vector<Allocation> allocations_of_the_host();
/// True if `bytes` bytes from `pointer` lie in one device or managed allocation.
bool is_device_range(const void* pointer, std::size_t bytes);
/// "16 bytes past the end of the 1024-byte allocation at 0x… (cudaMalloc number 3)".
/// Takes no lock: for reports.
std::string describe_address(std::uintptr_t address);

/// Fills fresh device memory with NaNs, where a grader, a checker or CUEMU_FILL asks for them.
void poison_memory(void* memory, std::size_t bytes);

/// Of the current device.
std::size_t free_memory();
std::size_t total_memory();

/// While one lives, the calling thread may touch device memory.
class DeviceAccess {
 public:
  explicit DeviceAccess(bool open = true);
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;

 private:
  bool open_;
  unsigned previous_ = 0;
};

/// While one lives, the calling thread may not: around host functions that run on a stream's thread.
class HostOnly {
 public:
  HostOnly();
  ~HostOnly();
  HostOnly(const HostOnly&) = delete;
  HostOnly& operator=(const HostOnly&) = delete;

 private:
  unsigned previous_ = 0;
};

}  // namespace cuemu
