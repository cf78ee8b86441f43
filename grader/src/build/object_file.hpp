/// @file
/// Finds code that an object file from a hostile source must not contain: functions that replace those with
/// which the grader measures, and code that runs before the emulation has taken its channel
/// (common/emu/runtime/channel.cpp). Nothing else keeps a program from changing the clock in its own process.
#pragma once
#include <string>
#include <string_view>

#include "base/filesystem.hpp"

namespace grader {

/// @param object the bytes of a 64-bit ELF file. For any other file the result is empty
/// @param watchable whether the code reports to tools; the compiler then adds one function that runs early
/// @return "defines clock_gettime, a function that …", or empty. Linear in the number of bytes for any input
std::string forbidden_in_object(std::string_view object, bool watchable = false);
/// Does the same for a file to which only the grader can write. The file is mapped, so that only the pages
/// that are read take memory.
std::string forbidden_in_object_file(const fs::path& object, bool watchable = false);

}  // namespace grader
