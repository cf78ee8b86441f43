// How device memory is kept from host code: protection keys where processor and kernel have them, else
// mprotect while the device is idle. CUEMU_PROTECT=0 leaves it open.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuemu {

/// Makes pages of the device's range readable and writable for threads that have access.
bool open_pages(std::uintptr_t begin, std::size_t bytes);
/// Opens or closes every device allocation; memory.cpp knows them.
void protect_all_device_memory(bool open);
void close_one_allocation(std::uintptr_t begin);
/// New pages are open: with them closed as the others are at the moment, host code that uses them before anything has run
/// on the device is told so too.
void close_new_memory(std::uintptr_t begin);
/// The calling thread's rights on device memory as an opaque word, and setting them.
unsigned exchange_access(bool allowed);
void restore_access(unsigned previous);
/// Opening and closing walks over all pages. Threads that run one launch after another call this once: what
/// they open stays open until the host has waited for them (close_device_memory) or they have nothing to do.
void close_device_memory_later();
/// Closes device memory if no thread uses it. Host threads call this when they have waited for the device.
void close_device_memory();
/// In the handler of a signal, which begins without the rights of the thread that it interrupted.
void open_access_in_handler();

}  // namespace cuemu
