// Protects device memory from host code, with protection keys if the processor and the Linux kernel support them, or
// else with mprotect while the device is idle. CUEMU_PROTECT=0 disables it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuemu {

/// Makes pages of the device's range readable and writable for threads that have access.
bool open_pages(std::uintptr_t begin, std::size_t bytes);
/// Opens or closes every device allocation (implemented in memory.cpp).
void protect_all_device_memory(bool open);
void close_one_allocation(std::uintptr_t begin);
/// Closes a new allocation if the other allocations are closed. Otherwise the runtime would not detect host code that
/// uses the allocation before any work has run on the device.
void close_new_memory(std::uintptr_t begin);
/// Sets the calling thread's access to device memory; returns the previous access as an opaque word for
/// restore_access().
unsigned exchange_access(bool allowed);
void restore_access(unsigned previous);
/// Opening and closing iterate over all pages, so a thread that runs one launch after another calls this function once.
/// Memory that the thread then opens remains open until the host has waited for the thread (close_device_memory) or the
/// thread is idle.
void close_device_memory_later();
/// Closes device memory if no thread uses it. Host threads call this after a wait for the device.
void close_device_memory();
/// Opens device memory in a signal handler, which begins without the rights of the interrupted thread.
void open_access_in_handler();

}  // namespace cuemu
