/// @file
/// The third step: compiles sources to objects, and links the objects to one program. The cache finds objects
/// and programs by their content, so the same source with the same headers, options and compiler is never
/// compiled twice (objects.hpp).
#pragma once
#include <functional>
#include <memory>

#include "build/toolchain.hpp"
#include "process/machine.hpp"
#include "workspace/submission.hpp"

namespace grader {

using Macros = std::map<std::string, std::string>;

/// Called before each step with its description and the number of finished steps. Updates the progress line.
using Progress = std::function<void(const std::string& step, int done, int of)>;

struct BuildResult {
  bool ok = false;
  bool cached = false;
  fs::path program;          ///< the program, in a folder of its own
  std::string diagnostics;   ///< the compiler's messages, with the student's own file names
  std::string command;       ///< the command with which a student would build it
  std::size_t compiled = 0;  ///< number of sources that were compiled now; the other objects were cached
  std::vector<fs::path>
      read;  ///< the files that the compilers read for the program's sources; the submission's have relative
             ///< names
  double wall_s = 0;
};

/// What a build for the emulation contains besides the program.
enum class Instrument {
  none,
  check,     ///< `emucc --check`
  counters,  ///< `emucc --counters`
  lockstep   ///< `emucc --lockstep`: the lanes of a warp run in lockstep
};

/// Builds every .cu and .cpp of a submission as one program.
/// @param macros passed with -D, for tables
/// @param instrument if it is not none, source lines are named relative to the working directory, where the
///   run puts the sources
/// @param link libraries of the CUDA toolkit or the system: "cublas" is -lcublas
/// @throws Error (environment) when the cache can't be written or the compiler can't be started; (fault) when a header of
///         the kit is missing
BuildResult build(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
                  const Macros& macros = {}, Instrument instrument = Instrument::none,
                  const std::vector<std::string>& link = {}, const Machine& machine = this_machine());

/// The first line of a compiler's or linker's messages that states an error.
std::string first_error(const std::string& diagnostics);

/// A program that will be needed.
struct ProgramToBuild {
  std::shared_ptr<const Submission> submission;
  Macros macros;
  std::vector<std::string> link;
  Instrument instrument = Instrument::none;
};

/// Compiles programs into the cache on all cores, each program once. A failure is reported only when the
/// program is needed. The function ends early if `stop` returns true.
void build_all(const Kit& kit, const Toolchain& toolchain, Backend backend,
               const std::vector<ProgramToBuild>& programs, const std::function<bool()>& stop,
               const Progress& progress, const Machine& machine = this_machine());

/// The report of nvcc (-Xptxas -v) on the kernels of a submission. This machine need not have the GPU for
/// which they are compiled.
struct CompilerReport {
  bool ok = false;
  std::string words;  ///< compiler's report on all .cu files together
  std::string ptx;
};

/// @param architecture such as "sm_90"
/// @throws Error (environment) when there is no nvcc
CompilerReport compiler_report(const Kit& kit, const Toolchain& toolchain, const Submission& submission,
                               const std::string& architecture, const Macros& macros);

/// Builds `labs/<lab>/oracle/*.cpp` with the host compiler. The sources may include the kit's headers and
/// those of `labs/<lab>/shared/`.
/// @throws Error (fault) when the oracle does not compile, since the kit is then at fault
fs::path build_oracle(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                      const Machine& machine = this_machine());

}  // namespace grader
