/// @file
/// Runs one compiler: its command line, its sandbox, its limits, and the message about a failure that the
/// source did not cause.
#pragma once
#include "build/build.hpp"
#include "process/machine.hpp"

namespace grader {

/// Environment variables that emucc and nvcc read.
inline constexpr const char* compiler_variables[] = {"CUEMU_HOST_CXX", "CUEMU_ARCH", "NVCC_CCBIN"};

/// The number of compilers that may run in parallel in this process: one for each core, but at most 16, since
/// each may take a gigabyte of memory.
int most_compilers();

/// The limits of a compiler that works in `folder`. They don't affect honest sources, but end an infinite
/// template recursion.
ProcessLimits compiler_limits(const fs::path& folder);

/// The folders of emucc's installation that contain its headers, its library and its tools.
std::vector<fs::path> emucc_folders(const fs::path& emucc);

/// The architecture of the GPU, such as "sm_80", or "sm_90a" if there are instructions that only this GPU
/// has.
/// @throws Error (environment) when there is no GPU
std::string architecture(const Toolchain& toolchain);

/// Whether the submission's lab needs relocatable device code.
bool is_relocatable(const Submission& submission);

/// The instrument with which the objects of a program are compiled. Programs without a tool, with the checker
/// and with the counters differ only in the link step, but lockstep needs different code.
Instrument code_for(Instrument instrument);

/// The compiler and its options, without macros, sources and output file.
/// @param arch the architecture for nvcc
/// @param relocatable whether kernels may launch kernels; if so, device code is linked in a separate step
std::vector<std::string> compiler_command(const Toolchain& toolchain, Backend backend,
                                          const std::string& arch, bool relocatable,
                                          Instrument instrument = Instrument::none);

void add_macros(std::vector<std::string>& command, const Macros& macros);

/// Adds libraries before the sources. The order matters only to a linker that drops libraries which are not
/// needed yet.
void add_libraries(std::vector<std::string>& command, const Toolchain& toolchain, Backend backend,
                   const std::vector<std::string>& link);

/// An argument, quoted for a shell if necessary.
std::string shell_word(const std::string& argument);

/// A name that can't be mistaken for an option.
std::string as_argument(const fs::path& name);

/// The command as a student types it.
std::string typed_command(const std::vector<std::string>& compiler, const std::vector<fs::path>& sources,
                          const std::string& program);

/// Runs a compiler on the kit's own sources as soon as one of the most_compilers() slots is free.
/// @throws Error (environment) when the compiler can't be started or the disk is full
ProcessResult run_compiler(const Machine& machine, const ProcessRequest& request);

/// Runs a whole command in `folder`, which contains its files, as soon as one of the most_compilers() slots is free.
/// The command runs in the sandbox, since a student's include line may name any file. It can't write to any cache.
/// @param wall_s the limit in seconds; compiler_limits() apply, too
/// @throws Error (environment) under the same conditions as run_compiler()
ProcessResult compile(const Machine& machine, const Kit& kit, const Toolchain& toolchain, Backend backend,
                      std::vector<std::string> command, const fs::path& folder, double wall_s = 120);

enum class Headers {
  worth_it,  ///< headers that were requested often enough
  shared     ///< headers that all CUDA sources share, even before any request
};

/// Makes emucc create the precompiled headers that a compilation will use, as soon as they save time. Only
/// this command may write to emucc's cache: it reads the names of the system's and the emulation's headers in
/// the student's file, and compiles only these headers. Without precompiled headers, the compilation takes
/// longer.
/// @param wanted the inputs on which the headers depend. If a recent call with the same inputs made all
///   headers, it is not repeated
void make_headers(const Machine& machine, const Kit& kit, const Toolchain& toolchain,
                  std::vector<std::string> command, const fs::path& source, const fs::path& folder,
                  const std::string& wanted, Headers which = Headers::worth_it);

/// All messages of the compiler. If it did not end by itself, also the reason.
std::string words_of(const ProcessResult& compilation);

}  // namespace grader
