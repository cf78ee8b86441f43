// Lines of the user's source for places in the program's code, for reports of kernels that were stopped. The
// program's own line tables tell them (emucc -lineinfo or -g), read by binutils' addr2line: a report is rare, and
// a program that needs none carries no reader with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuemu {

/// "kernel.cu:41" for each address: the innermost line there that is no header's of the emulation or the
/// system. Empty where none is known, as in a program without line tables.
/// @param addresses of instructions, not where calls return to
std::vector<std::string> code_lines(const std::vector<std::uintptr_t>& addresses);

/// The linker's name of the function that begins at an address; empty where the file has none, as one that was stripped.
std::string code_symbol(std::uintptr_t address);

}  // namespace cuemu
