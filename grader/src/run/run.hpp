/// @file
/// The fourth step: runs one case of the built program in the sandbox,
/// and reads what it left: output, profile, words.
#pragma once
#include <memory>
#include <string_view>

#include "base/result_folder.hpp"
#include "build/build.hpp"
#include "model/profile.hpp"
#include "process/machine.hpp"

namespace grader {

/// The inputs of a case and, where they are known, the expected results, as files.
struct CaseData {
  fs::path folder;               ///< private to the grader
  std::vector<fs::path> inputs;  ///< .npy, in the order of Lab::inputs
  fs::path expected;             ///< .npy or .txt; empty for Verify::freivalds and Verify::none
  std::uint64_t seed = 0;
};

/// Draws a case's inputs with the lab's oracle (or takes the stored gold) and its expected output.
/// A table's row is a copy of the case with its arguments replaced, and not Verify::gold.
/// @param folder made, and made empty: what a former case left there would be taken for this one's
/// @throws Error (fault) when the oracle fails or writes arrays of other types than the lab's gold has, and for damaged
///         gold; (environment) when there is no room
CaseData prepare_case(const Kit& kit, const Lab& lab, const Case& c, const fs::path& oracle,
                      const fs::path& folder, const Machine& machine = this_machine());

/// The same of a case that is to run on another's inputs: those, and what its own lab's oracle expects of them.
/// @param data, of, of_case the other's  @throws Error (usage) where the case has inputs of another kind or size
CaseData prepare_case_on(const CaseData& data, const Lab& of, const Case& of_case, const Kit& kit,
                         const Lab& lab, const Case& c, const fs::path& oracle, const fs::path& folder,
                         const Machine& machine = this_machine());

struct RunResult {
  ProcessResult process;
  fs::path output;             ///< the .npy that it wrote, where only the grader can write; empty: none
  std::string output_problem;  ///< why what stands in its place does not count; empty: nothing stands there
  Profile profile;
  std::map<std::string, std::string> reports;  ///< of tools that are linked with it, by kind (channel.hpp)
  std::shared_ptr<const ResultFolder> left;    ///< what else it left in its work folder
  double wall_s = 0;
};

/// What a run has beside its case: a tool around the program, and what that needs.
struct RunTool {
  std::vector<std::string> wrapper;                ///< put before the program
  std::map<std::string, std::string> environment;  ///< beside what every run has
  std::map<std::string, std::string>
      settings;                         ///< of the emulation, told where the program does not see them
  std::vector<SubmissionFile> files;    ///< laid into the work folder
  std::vector<fs::path> read_only;      ///< what the wrapper needs to see
  bool profile = true;                  ///< false: the tool excludes a profiler
  double patience = 1;                  ///< how many times longer it may take
  Syscalls syscalls = Syscalls::usual;  ///< that the program may make
};

/// Runs `program <arguments of the case> --input FILE… --output FILE` in the sandbox. Device memory is
/// poisoned, and the run leaves its profile, with what the copies moved where the case asks where its output came from.
/// A run that is killed from outside is repeated once.
/// @param work_folder made, and made empty; the only place where the program can write
/// @throws Error (environment) when the work folder can't be made, the sandbox fails, or the disk was full
RunResult run_case(const Toolchain& toolchain, const Lab& lab, const Case& c, Backend backend,
                   const fs::path& program, const CaseData& data, const fs::path& work_folder,
                   const RunTool& tool = {}, const Machine& machine = this_machine());

/// Reads a profile (see docs/ARCHITECTURE.md, "Profile").
/// A damaged line ends the reading; what stood before it counts.
Profile read_profile(std::string_view text);

}  // namespace grader
