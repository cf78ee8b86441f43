/// @file
/// One run of a compiler: its command line, its sandbox, its limits, and what is to be said when it fails for
/// reasons that are not the source's.
#pragma once
#include "build/build.hpp"
#include "process/machine.hpp"

namespace grader {

/// Variables that decide what emucc and nvcc do.
inline constexpr const char* compiler_variables[] = {"CUEMU_HOST_CXX", "CUEMU_ARCH", "NVCC_CCBIN"};

/// Compilers that may run at the same time in this process: one for each core, and no more than 16, since
/// each may take a gigabyte of memory.
int most_compilers();

/// Limits of a compiler that works in `folder`:
/// generous for any honest source, and an end for a template that never ends.
ProcessLimits compiler_limits(const fs::path& folder);

/// The folders beside emucc that it takes headers, its library and its tools from.
std::vector<fs::path> emucc_folders(const fs::path& emucc);

/// "sm_90"
/// @throws Error (environment) when there is no GPU
std::string architecture(const Toolchain& toolchain);

/// The compiler and its options, without macros, sources and output.
/// @param arch for nvcc
/// @param relocatable may kernels launch kernels? Device code is then linked by a step of its own
std::vector<std::string> compiler_command(const Toolchain& toolchain, Backend backend,
                                          const std::string& arch, bool relocatable,
                                          Instrument instrument = Instrument::none);

void add_macros(std::vector<std::string>& command, const Macros& macros);

/// Libraries stand before the sources, which the linker minds only where it drops what nobody asked for yet.
void add_libraries(std::vector<std::string>& command, const Toolchain& toolchain, Backend backend,
                   const std::vector<std::string>& link);

/// For a shell, quoted where it has to be.
std::string shell_word(const std::string& argument);

/// A name that can't be taken for an option.
std::string as_argument(const fs::path& name);

/// What a student would type.
std::string typed_command(const std::vector<std::string>& compiler, const std::vector<fs::path>& sources,
                          const std::string& program);

/// Runs a compiler of the kit's own sources once a place among most_compilers() is free.
/// @throws Error (environment) when it can't be started or the disk is full
ProcessResult run_compiler(const Machine& machine, const ProcessRequest& request);

/// Runs a whole command in `folder`, where its files are, once a place among most_compilers() is free. It is
/// run in the sandbox: an include line of a student may name any file.
/// Every cache is read-only to it.
/// @param wall_s seconds that it may take; compiler_limits() hold besides
/// @throws Error (environment) as run_compiler() does
ProcessResult compile(const Machine& machine, const Kit& kit, const Toolchain& toolchain, Backend backend,
                      std::vector<std::string> command, const fs::path& folder, double wall_s = 120);

enum class Headers {
  worth_it,  ///< those that were asked for often enough
  shared     ///< those that all CUDA sources share, though nobody asked for them yet
};

/// Has emucc make the precompiled headers that such a compilation will ask for, once it is worth it. That is the one command
/// that may write emucc's cache: it looks at the student's file for names of the system's and the emulation's headers, and
/// compiles these alone. Where nothing is made, the compilation takes longer.
/// @param wanted what the headers depend on: whoever asked for the same lately, and got all, is not asked again
void make_headers(const Machine& machine, const Kit& kit, const Toolchain& toolchain,
                  std::vector<std::string> command, const fs::path& source, const fs::path& folder,
                  const std::string& wanted, Headers which = Headers::worth_it);

/// All that the compiler said, and why it ended where it did not come to its own end.
std::string words_of(const ProcessResult& compilation);

}  // namespace grader
