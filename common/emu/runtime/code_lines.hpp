// Maps addresses in the program's code to source lines, for reports of stopped kernels. addr2line (binutils) reads the
// program's line tables (emucc -lineinfo or -g) in a child process, so that programs need not be linked with a reader
// of debug information.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuemu {

/// "kernel.cu:41" for each address: the innermost line outside the headers of the emulation and the system. Empty if no
/// line is known, as in a program without line tables.
/// @param addresses of instructions, not return addresses
std::vector<std::string> code_lines(const std::vector<std::uintptr_t>& addresses);

/// Returns the linker's name of the function at an address; empty if the file has no such name, as after strip.
std::string code_symbol(std::uintptr_t address);

}  // namespace cuemu
