/// @file
/// Objects of `--watchable` call the tools' entry points (common/emu/watch) at each access and basic block. In a program
/// without a tool those functions are empty, but their calls take most of a kernel's time.
#pragma once

#include <cstddef>
#include <string>

namespace emucc {

/// Replaces the calls of entry points that are empty without a tool by an instruction that does nothing and is as long,
/// so that no address changes.
/// @param object the bytes of an object file. Only those of x86-64 in ELF change
/// @return how many calls were replaced
std::size_t remove_hook_calls(std::string& object);

}  // namespace emucc
