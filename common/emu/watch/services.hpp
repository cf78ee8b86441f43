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
/// Returns the grader's setting of this name, or else the environment's; null if neither exists. The text lives as long
/// as the program.
const char* setting(const char* name);
/// @}

/// After this call, the tools report before a crash ends the program. Without it, they do so after the first CUDA call.
void expect_crash();
/// Prints a sentence and ends the program.
[[noreturn]] void fatal(const char* what);

/// \name Memory
/// @{
struct AddressRange {
  std::uintptr_t begin;
  std::size_t bytes;
};
/// Returns the address range of device memory.
AddressRange device_space();
/// Returns whether an address lies in that range.
bool in_device_space(std::uintptr_t address);
/// Returns whether this address is the value of a cudaArray_t, or the address of such an array's memory.
bool is_array(std::uintptr_t address);
/// Returns the number of bytes of the last allocation that was refused; 0: none.
std::size_t refused_allocation();
/// Returns whether memory is mapped at an address.
bool is_mapped(std::uintptr_t address);
/// @}

/// \name Memory that kernels can't reach
/// Host and device share one process here, so a kernel could read the host's memory, or its parent's local variables. A
/// launch therefore inverts one bit of a pointer argument to such memory, so that it points to unmapped memory. Two
/// pointers changed in this way keep their order and distance. When host code takes the address of a `__device__`
/// function, another bit of the address is inverted. Copies between host and device change pointers to tables of
/// virtual functions in the same way (runtime/object_tables.hpp).
/// @{
/// The address before a launch inverted one of its bits, and the memory to which that address points. Other addresses
/// are unchanged.
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

/// Lets the host continue before its queued work has ended, because a kernel waits for the host.
void kernel_waits_for_host();

/// \name The emulated device
/// @{
const char* device_name();
/// Returns the major compute capability.
int device_major();
/// Returns how many blocks of the launch a multiprocessor would hold, and the resource that limits this number.
cuda_lab_profile::Occupancy occupancy_of(const LaunchView& launch);
/// Returns how many bytes of shared memory a block of the launch has, static and dynamic.
std::size_t shared_bytes_of(const LaunchView& launch);
/// @}

}  // namespace cuemu
