// What a tool may ask of the runtime, beside what it is told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "../../profile/src/occupancy.hpp"
#include "views.hpp"

namespace cuemu {

/// \name The channel to the grader that started the program
/// (LAB_PROFILE=fd:N): a socket that nobody can open by a name. The grader says first what it wants to know; a program tells
/// by neither its environment nor its arguments whether it is checked. Lines carry seals (common/profile's line_seal.hpp).
/// @{
/// Whether a grader listens.
bool has_channel();
/// Tells it a line, which holds no line break.
void tell_channel(const std::string& line);
/// Tells it a whole JSON text, whose strings hold no line break, as a line of this kind. Nothing where nobody listens.
void tell_report(const char* kind, std::string json);
/// What the grader said under this name, else the environment; null: neither. Lives as long as the program.
const char* setting(const char* name);
/// @}

/// Ends the program with a sentence.
[[noreturn]] void fatal(const char* what);

/// \name Memory
/// @{
struct AddressRange {
  std::uintptr_t begin;
  std::size_t bytes;
};
/// The range of addresses that device memory comes from.
AddressRange device_space();
/// True for any address of it.
bool in_device_space(std::uintptr_t address);
/// Is there memory at an address?
bool is_mapped(std::uintptr_t address);
/// @}

/// \name Accesses that are left out
/// A checked program goes on behind a bad access: what is read is 0, and what is written is dropped (runtime/skip_access.hpp).
/// @{
/// The calling thread's next access within these bytes is left out. Of a launch at most `most_skipped` are: a loop
/// that ends only where memory is right shall not go on for ever.
/// @param used something else lies there, so that the processor would not refuse the access
void skip_access(std::uintptr_t address, std::size_t bytes, bool used);
/// A launch begins on the calling thread: as many may be left out again.
void begin_skipping();
/// @}

/// True once a kernel was stopped there: work that is queued on the device is dropped from then on.
bool context_destroyed(int device);

/// Lets the host go on though what it queued still runs: a kernel waits for it.
void kernel_waits_for_host();

/// \name The device that is emulated
/// @{
const char* device_name();
/// Of its compute capability.
int device_major();
/// How many blocks of the launch a multiprocessor of it would hold.
cuda_lab_profile::Occupancy occupancy_of(const LaunchView& launch);
/// @}

}  // namespace cuemu
