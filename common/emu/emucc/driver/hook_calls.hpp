/// @file
/// Removes calls of tools from a program without a tool. Objects of `--watchable` call the tools' entry
/// points (common/emu/watch) at each access and basic block. Without a tool these functions are empty, but
/// the calls take most of a kernel's time.
#pragma once

#include <cstddef>
#include <string>

namespace emucc {

/// Replaces each call of an entry point that is empty without a tool by an instruction that does nothing. The
/// instruction is as long as the call, so no address changes.
/// @param object the bytes of an object file; only x86-64 ELF objects are changed
/// @return the number of replaced calls
std::size_t remove_hook_calls(std::string& object);

}  // namespace emucc
