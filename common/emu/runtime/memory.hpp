// Memory that the runtime allocates: device memory in a separate address range, pinned and managed memory.
//
// Each device allocation ends at a guard page (to within its alignment of 256 bytes), so that an overrun stops the
// kernel. Host code cannot access the range. If the processor has memory protection keys, each thread has its own
// access rights; otherwise the range is protected while the device is idle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "driver_types.h"
#include "services.hpp"

namespace cuemu {

/// Allocates `bytes` > 0 bytes on the current device. Returns cudaErrorMemoryAllocation if the device's or the host's
/// memory is too small.
cudaError_t allocate(MemoryKind kind, std::size_t bytes, unsigned flags, void** result);
/// Frees memory from `allocate`. For any other pointer it returns cudaErrorInvalidValue.
cudaError_t release(MemoryKind kind, void* pointer);
/// Frees all memory of a device.
void release_all(int device);
/// Registers the program's memory as pinned, and unregisters it.
cudaError_t register_host(void* pointer, std::size_t bytes, unsigned flags);
cudaError_t unregister_host(void* pointer);

/// Finds the allocation that contains `pointer`; false if there is none.
bool find_allocation(const void* pointer, Allocation& found);
/// Returns the allocations that the host may access as well: managed, pinned and registered memory.
std::vector<Allocation> allocations_of_the_host();
/// Returns whether `bytes` bytes from `pointer` lie in one device or managed allocation.
bool is_device_range(const void* pointer, std::size_t bytes);
/// Describes an address: "16 bytes past the end of the 1024-byte allocation at 0x… (cudaMalloc number 3)".
/// Does not wait for a lock, so that reports can use it.
std::string describe_address(std::uintptr_t address);

/// Fills fresh device memory with NaNs if a grader, a checker or CUEMU_FILL requires it.
void poison_memory(void* memory, std::size_t bytes);

/// Bytes of free memory and of all memory of the current device.
std::size_t free_memory();
std::size_t total_memory();

/// During the object's lifetime, the calling thread may access device memory.
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

/// During the object's lifetime, the calling thread may not access device memory. The object exists while a host
/// function runs on a stream's thread.
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
