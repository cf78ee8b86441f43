/// @file
/// The fourth step: runs one case of the built program in the sandbox, and reads its output, profile and messages.
#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "base/result_folder.hpp"
#include "build/build.hpp"
#include "model/profile.hpp"
#include "process/machine.hpp"
#include "wire/stop.hpp"
#include "wire/todo.hpp"

namespace grader {

/// A case's inputs and, if known, its expected results, as files.
struct CaseData {
  fs::path folder;               ///< private to the grader
  std::vector<fs::path> inputs;  ///< .npy, in the order of Lab::inputs
  fs::path expected;             ///< .npy or .txt; empty for Verify::freivalds and Verify::none
  std::uint64_t seed = 0;
  fs::path judge = {};  ///< the oracle; empty: the case asks no judge
};

/// Draws a case's inputs and computes its expected output with the lab's oracle, or reads the stored gold. For a row
/// of a table, the case is a copy with other arguments, and its method is not Verify::gold.
/// @param folder a folder, which is created and emptied: files that an earlier case left would be taken for this
///   case's files
/// @throws Error (fault) when the oracle fails, when it writes arrays with other dtypes than the lab's gold, or when
///         the gold is damaged; (environment) when the disk is full
CaseData prepare_case(const Kit& kit, const Lab& lab, const Case& c, const fs::path& oracle,
                      const fs::path& folder, const Machine& machine = this_machine());

/// Does the same for a case that runs on another case's inputs: takes these inputs, and computes the expected output
/// with the oracle of the case's own lab.
/// @param data, of, of_case the other case @throws Error (usage) when the case has inputs of another kind or size
CaseData prepare_case_on(const CaseData& data, const Lab& of, const Case& of_case, const Kit& kit,
                         const Lab& lab, const Case& c, const fs::path& oracle, const fs::path& folder,
                         const Machine& machine = this_machine());

struct RunResult {
  ProcessResult process;
  fs::path output;             ///< the program's .npy, moved to where only the grader can write; empty:
                               ///< none
  std::string output_problem;  ///< why the file in its place does not count; empty if there is no such file
  Profile profile;
  std::map<std::string, std::string> reports;     ///< reports of linked tools, by kind (channel.hpp)
  std::optional<kit_wire::Stop> stop;             ///< of a kernel, in emulation
  std::optional<kit_wire::CudaError> cuda_error;  ///< the CUDA error that ended the program
  std::optional<kit_wire::Todo> todo;             ///< the first blank that the program reached
  std::shared_ptr<const ResultFolder> left;       ///< the other files in its work folder
  double wall_s = 0;
};

/// A run's settings besides its case: a tool that runs the program, and the tool's needs.
struct RunTool {
  std::vector<std::string> wrapper;                ///< put before the program
  std::map<std::string, std::string> environment;  ///< environment variables besides those of every run
  std::map<std::string, std::string> settings;  ///< settings of the emulation, which the program does not see
  std::vector<SubmissionFile> files;            ///< copied into the work folder
  std::vector<fs::path> read_only;              ///< visible to the wrapper
  bool profile = true;                          ///< false if the tool excludes a profiler
  double patience = 1;                          ///< factor on the time limit
  Syscalls syscalls = Syscalls::usual;          ///< filter of the program's system calls
};

/// Runs `program <arguments of the case> --input FILE… --output FILE` in the sandbox. Device memory is poisoned. The
/// run leaves its profile, which includes the contents of copies if the case checks the origin of its output. If the
/// run is killed from outside, it is repeated once.
/// @param work_folder a folder, which is created and emptied; the program can write only there
/// @throws Error (environment) when the work folder can't be made, the sandbox fails, or the disk was full
RunResult run_case(const Toolchain& toolchain, const Lab& lab, const Case& c, Backend backend,
                   const fs::path& program, const CaseData& data, const fs::path& work_folder,
                   const RunTool& tool = {}, const Machine& machine = this_machine());

/// Reads a profile (see docs/ARCHITECTURE.md, "Profile").
/// A damaged line ends the reading; earlier lines count.
Profile read_profile(std::string_view text);

}  // namespace grader
