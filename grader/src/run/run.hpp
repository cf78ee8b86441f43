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

/// The files of a case's inputs and, if known, its expected results.
struct CaseData {
  fs::path folder;               ///< only the grader can read it
  std::vector<fs::path> inputs;  ///< .npy, in the order of Lab::inputs
  fs::path expected;             ///< .npy or .txt; empty for Verify::freivalds and Verify::none
  std::uint64_t seed = 0;
  fs::path judge = {};  ///< the oracle's program; empty: the case needs no judge
};

/// Draws a case's inputs and computes its expected output with the lab's oracle, or reads the stored gold. A
/// row of a table is a case with other arguments, which must not use Verify::gold.
/// @param folder folder that is created and emptied, since files of an earlier case would be taken for those
///         of this case
/// @throws Error (fault) when the oracle fails, when it writes arrays with other dtypes than the lab's gold, or when
///         the gold is damaged; (environment) when the disk is full
CaseData prepare_case(const Kit& kit, const Lab& lab, const Case& c, const fs::path& oracle,
                      const fs::path& folder, const Machine& machine = this_machine());

/// Does the same for a case that runs on another case's inputs: takes these inputs, and computes the expected
/// output with the oracle of its own lab.
/// @param data the other case's files
/// @param of the other case's lab
/// @param of_case the other case
/// @throws Error (usage) when the case has inputs of another kind or size
CaseData prepare_case_on(const CaseData& data, const Lab& of, const Case& of_case, const Kit& kit,
                         const Lab& lab, const Case& c, const fs::path& oracle, const fs::path& folder,
                         const Machine& machine = this_machine());

struct RunResult {
  ProcessResult process;
  fs::path output;             ///< the program's .npy, moved to where only the grader can write; empty:
                               ///< none
  std::string output_problem;  ///< why the output file is not accepted; empty if there is none
  Profile profile;
  std::map<std::string, std::string> reports;     ///< reports of linked tools, by kind (channel.hpp)
  std::optional<kit_wire::Stop> stop;             ///< where a kernel was stopped, in emulation
  std::optional<kit_wire::CudaError> cuda_error;  ///< the CUDA error that ended the program
  std::optional<kit_wire::Todo> todo;             ///< the first blank that the program reached
  std::shared_ptr<const ResultFolder> left;       ///< the other files in its work folder
  double wall_s = 0;
};

/// The settings of a run besides its case: a tool that runs the program, and the tool's needs.
struct RunTool {
  std::vector<std::string> wrapper;                ///< words before the program's command line
  std::map<std::string, std::string> environment;  ///< variables besides those of every run
  std::map<std::string, std::string> settings;  ///< settings of the emulation, which the program does not see
  std::vector<SubmissionFile> files;            ///< copied into the work folder
  std::vector<fs::path> read_only;              ///< visible to the wrapper
  bool profile = true;                          ///< false if the tool can't run together with a profiler
  double patience = 1;                          ///< factor by which the time limit grows
  Syscalls syscalls = Syscalls::usual;          ///< filter of the program's system calls
};

/// Runs `program <arguments of the case> --input FILE… --output FILE` in the sandbox. Device memory is filled
/// with marks. The run leaves its profile. If the case checks the origin of its output, the profile includes
/// the contents of copies. A run that is killed from outside is repeated once.
/// @param work_folder created and emptied; the program can write only there
/// @throws Error (environment) when the work folder can't be made, the sandbox fails, or the disk was full
RunResult run_case(const Toolchain& toolchain, const Lab& lab, const Case& c, Backend backend,
                   const fs::path& program, const CaseData& data, const fs::path& work_folder,
                   const RunTool& tool = {}, const Machine& machine = this_machine());

/// Reads a profile (see docs/ARCHITECTURE.md, "Profile"). At a damaged line the reading ends, and the earlier
/// lines count.
Profile read_profile(std::string_view text);

}  // namespace grader
