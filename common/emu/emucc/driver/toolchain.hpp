/// @file
/// The tools that emucc uses: the host compiler, and the kit's headers and runtime beside emucc's binary.
#pragma once
#include <string>
#include <vector>

#include "driver/options.hpp"
#include "lower/translator.hpp"

namespace emucc {

struct Toolchain {
  std::string compiler;  ///< full path of g++ or clang++
  HostKind kind = HostKind::gcc;
  std::string version;            ///< first line of its --version
  std::string include_folder;     ///< <prefix>/include/emu
  std::string runtime;            ///< <prefix>/lib/libcuemu.a
  std::string toolkit;            ///< <prefix>/cuda, which has the layout of a CUDA toolkit
  std::string viewer;             ///< <prefix>/bin/grader, even if it is missing
  std::string kernel_parameters;  ///< the expansion of CUEMU_KERNEL_PARAMS
};

/// Finds the tools. The host compiler is the one of -ccbin, or else $CUEMU_HOST_CXX, or else the first that
/// is found of g++, g++-14 … g++-12, clang++, and clang++-19 … clang++-14.
/// @throws UsageError if a tool is missing or too old
Toolchain find_toolchain(const Options& options);

/// Returns the macros that all CUDA sources see, as -D flags.
std::vector<std::string> cuda_macros(const Options& options);

/// Returns the flags for all C++ sources, without the user's own flags.
std::vector<std::string> base_flags(const Options& options, HostKind host);

/// Returns the replacement text of an object-like macro in a header's text, with continued lines joined.
/// Empty if the text doesn't define the macro.
std::string macro_definition(const std::string& header_text, const std::string& name);

}  // namespace emucc
