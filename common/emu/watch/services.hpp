// Calls from a tool to the runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "../../profile/src/occupancy.hpp"
#include "views.hpp"

namespace cuemu {

/// \name The channel to the grader that started the program
/// (LAB_PROFILE=fd:N): a socket that cannot be opened by name. The grader first sends its settings, so neither the
/// environment nor the arguments show whether a program is checked. Lines are records of common/wire, and carry
/// seals.
/// @{
/// Whether a grader is connected.
bool has_channel();
/// Sends a line, which must hold no line break.
void tell_channel(const std::string& line);
/// Sends a JSON text, whose strings hold no line break, as one line of this kind. Does nothing without a grader.
void tell_report(const char* kind, std::string json);
/// The grader's setting of this name, else the environment's; null: neither. Lives as long as the program.
const char* setting(const char* name);
/// @}

/// From now on the tools report before a crash ends the program; without this call, from the first call of CUDA on.
void expect_crash();
/// Prints a sentence and ends the program.
[[noreturn]] void fatal(const char* what);

/// \name Memory
/// @{
struct AddressRange {
  std::uintptr_t begin;
  std::size_t bytes;
};
/// The address range of device memory.
AddressRange device_space();
/// Whether an address lies in that range.
bool in_device_space(std::uintptr_t address);
/// Whether a cudaArray_t has this value, or leads to this address.
bool is_array(std::uintptr_t address);
/// The bytes that the last refused allocation asked for; 0: none.
std::size_t refused_allocation();
/// Whether memory is mapped at an address.
bool is_mapped(std::uintptr_t address);
/// @}

/// \name Memory that kernels can't reach
/// Host and device share one process here: a kernel could read the host's memory, or its parent's local variables. A
/// launch therefore turns one bit of such a pointer argument, so that it points to unmapped memory. Two turned pointers
/// keep their order and distance. Host code turns another bit of the address of a `__device__` function that it takes.
/// Copies between the sides turn pointers to tables of virtual functions (runtime/object_tables.hpp).
/// @{
/// The address before a launch turned a bit of it, and its memory; other addresses are unchanged.
struct Unreachable {
  enum class Kind { nothing, host_memory, parents_memory, hosts_function };
  Kind kind = Kind::nothing;
  std::uintptr_t address = 0;
};
/// Turns an address back. Safe in signal handlers.
Unreachable turned_back(std::uintptr_t address);
/// @}

/// \name Suppressed accesses
/// A checked program continues after a bad access: a suppressed read returns 0, and a suppressed write is dropped
/// (runtime/skip_access.hpp).
/// @{
/// Suppresses the calling thread's next access within these bytes. At most `most_skipped` per launch: a loop that ends
/// only if memory is right must not run for ever.
/// @param used the memory is mapped, so that the access would not fault
void skip_access(std::uintptr_t address, std::size_t bytes, bool used);
/// A launch begins on the calling thread: resets that limit.
void begin_skipping();
/// @}

/// True once a kernel was stopped on that device: work queued on it is dropped from then on.
bool context_destroyed(int device);

/// Lets the host continue although its queued work still runs: a kernel waits for the host.
void kernel_waits_for_host();

/// \name The emulated device
/// @{
const char* device_name();
/// Major compute capability.
int device_major();
/// Number of blocks of the launch that a multiprocessor would hold.
cuda_lab_profile::Occupancy occupancy_of(const LaunchView& launch);
/// Bytes of shared memory of a block of the launch, static and dynamic.
std::size_t shared_bytes_of(const LaunchView& launch);
/// @}

}  // namespace cuemu
