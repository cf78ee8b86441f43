/// @file
/// What an object file, as a compiler made it of somebody's source, must not hold: functions that take the place of those by which
/// the grader measures, and code that runs before the emulation has taken its channel (common/emu/runtime/channel.cpp).
/// Within one process nothing else keeps a program from bending its own clock.
#pragma once
#include <string>
#include <string_view>

#include "base/filesystem.hpp"

namespace grader {

/// @param object the bytes of an ELF file of 64 bits; of anything else nothing is said
/// @return "defines clock_gettime, a function that …", or empty. Takes time in proportion to the bytes, whatever they are
std::string forbidden_in_object(std::string_view object);
/// The same of a file that only the grader can write. It is mapped, not read: only what is looked at takes memory.
std::string forbidden_in_object_file(const fs::path& object);

}  // namespace grader
