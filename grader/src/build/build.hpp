/// @file
/// The third step: sources → objects → one program. Both are cached by content: the same source, with the
/// same headers, options and compiler, never compiles twice (objects.hpp).
#pragma once
#include <functional>
#include <memory>

#include "build/toolchain.hpp"
#include "process/machine.hpp"
#include "workspace/submission.hpp"

namespace grader {

using Macros = std::map<std::string, std::string>;

/// Called before each step with what is being done and how far it is; drives the progress line.
using Progress = std::function<void(const std::string& step, int done, int of)>;

struct BuildResult {
  bool ok = false;
  bool cached = false;
  fs::path program;          ///< in a folder of its own
  std::string diagnostics;   ///< the compiler's words, with the student's own file names
  std::string command;       ///< what a student would type to get the same
  std::size_t compiled = 0;  ///< sources that were compiled for it now; the others' objects were there
  std::vector<fs::path>
      read;  ///< files that the compilers of its sources read: those of the submission by relative names
  double wall_s = 0;
};

/// What a program of the emulation is built for, beside running as it is graded.
enum class Instrument {
  none,
  check,     ///< `emucc --check`
  counters,  ///< `emucc --counters`
  lockstep   ///< `emucc --lockstep`: the lanes of a warp run in step
};

/// Builds every .cu and .cpp of a submission as one program.
/// @param macros given with -D, for tables
/// @param instrument when there is one, source lines are named relative to the working directory, where the run
///        lays the sources
/// @param link libraries of the CUDA toolkit or the system: "cublas" is -lcublas
/// @throws Error (environment) when the cache can't be written or the compiler can't be started; (fault) when a header of
///         the kit is missing
BuildResult build(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
                  const Macros& macros = {}, Instrument instrument = Instrument::none,
                  const std::vector<std::string>& link = {}, const Machine& machine = this_machine());

/// The line of a compiler's or linker's words that says first what is wrong.
std::string first_error(const std::string& diagnostics);

/// A program that will be asked for.
struct ProgramToBuild {
  std::shared_ptr<const Submission> submission;
  Macros macros;
  std::vector<std::string> link;
  Instrument instrument = Instrument::none;
};

/// Compiles programs on all cores into the cache, each different one once. What does not compile is reported
/// when it is asked for. Ends early when `stop` says so.
void build_all(const Kit& kit, const Toolchain& toolchain, Backend backend,
               const std::vector<ProgramToBuild>& programs, const std::function<bool()>& stop,
               const Progress& progress, const Machine& machine = this_machine());

/// What nvcc says of the kernels of a submission (-Xptxas -v), compiled for a GPU that need not be there.
struct CompilerReport {
  bool ok = false;
  std::string words;  ///< of all its .cu files, one after the other
  std::string ptx;
};

/// @param architecture such as "sm_90"
/// @throws Error (environment) when there is no nvcc
CompilerReport compiler_report(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
                               const std::string& architecture, const Macros& macros);

/// Builds `labs/<lab>/oracle/*.cpp` with the host compiler.
/// @throws Error (fault) when the oracle does not compile: that is the kit's mistake
fs::path build_oracle(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                      const Machine& machine = this_machine());

}  // namespace grader
