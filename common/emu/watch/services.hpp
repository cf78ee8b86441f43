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
/// environment nor the arguments show whether a program is checked. The lines are records of common/wire, each with a
/// seal.
/// @{
/// Whether a grader is connected.
bool has_channel();
/// Sends a line, which must not contain a line break.
void write_channel(const std::string& line);
/// Sends a JSON text, whose strings must not contain line breaks, as one line of this kind. Does nothing without a
/// grader.
void send_report(const char* kind, std::string json);
/// The grader's setting of this name, or else the environment's; null if there is neither. The text lives as long as
/// the program.
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
/// Whether this address is the value of a cudaArray_t, or the address of such an array's memory.
bool is_array(std::uintptr_t address);
/// The bytes that the last refused allocation asked for; 0: none.
std::size_t refused_allocation();
/// Whether memory is mapped at an address.
bool is_mapped(std::uintptr_t address);
/// @}

/// \name Memory that kernels can't reach
/// Host and device share one process here: a kernel could read the host's memory, or its parent's local variables. A
/// launch therefore inverts one bit of such a pointer argument, so that it points to unmapped memory. Two pointers
/// changed in this way keep their order and distance. When host code takes the address of a `__device__` function,
/// another bit of the address is inverted. Copies between host and device change pointers to tables of virtual
/// functions in the same way (runtime/object_tables.hpp).
/// @{
/// The address before a launch inverted one of its bits, and the memory to which it points. Other addresses are
/// unchanged.
struct Unreachable {
  enum class Kind { nothing, host_memory, parents_memory, hosts_function };
  Kind kind = Kind::nothing;
  std::uintptr_t address = 0;
};
/// Restores an address. Safe in signal handlers.
Unreachable turned_back(std::uintptr_t address);
/// Whether an address, turned back, lies in a table of virtual functions to which an object pointed that a copy or a
/// launch has moved to the other side. False while a copy is at work. Safe in signal handlers.
bool in_turned_table(std::uintptr_t address);
/// Whether a pointer leads to the functions of a table of virtual functions.
bool is_object_table(std::uintptr_t pointer);
/// @}

/// \name Suppressed accesses
/// A checked program continues after an invalid access: a suppressed read returns 0 or the given contents, and a
/// suppressed write is dropped (runtime/skip_access.hpp).
/// @{
/// Suppresses the calling thread's next access within these bytes. A launch has at most `most_skipped` suppressed
/// accesses, so that a loop whose end depends on the memory cannot run forever.
/// @param used the memory is mapped, so that the access would not fault
/// @param contents pointers that reads get in place of those at the address; null: reads get 0
void skip_access(std::uintptr_t address, std::size_t bytes, bool used, const void* contents = nullptr);
/// Resets this limit, since a launch begins on the calling thread.
void begin_skipping();
/// @}

/// True after a kernel was stopped on that device: the device then drops all work queued on it.
bool context_destroyed(int device);

/// Lets the host continue although its queued work still runs, because a kernel waits for the host.
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
