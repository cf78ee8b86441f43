/// @file
/// Finds code that an object file from an untrusted source must not contain: functions that replace the functions by
/// which the grader measures, and code that runs before the emulation has taken its channel
/// (common/emu/runtime/channel.cpp). Within one process no other protection keeps a program from changing its own
/// clock.
#pragma once
#include <string>
#include <string_view>

#include "base/filesystem.hpp"

namespace grader {

/// @param object the bytes of a 64-bit ELF file; any other file gives an empty result
/// @param watchable whether the code reports to tools; the compiler then adds one function that runs early
/// @return "defines clock_gettime, a function that …", or empty. Linear in the number of bytes for any input
std::string forbidden_in_object(std::string_view object, bool watchable = false);
/// Does the same for a file that only the grader can write. The file is mapped, so only touched pages take memory.
std::string forbidden_in_object_file(const fs::path& object, bool watchable = false);

}  // namespace grader
