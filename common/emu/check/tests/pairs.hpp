// Reads pairs of wrong and right programs with the checker's expected findings. They are in
// programs/GROUP/RULE.cu, in the form that programs/pair.cuh describes. The tests and the table of rules use
// them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cuemu::check::tests {

struct Expectation {
  enum class Kind { exact, first, contains, lacks, hint, missing, error };
  Kind kind;
  std::string text;  ///< labels replaced by line numbers
};

struct Pair {
  std::string name;
  bool gcc_only = false;  ///< clang++ can't show the mistake
  std::vector<Expectation> expected;
};

/// A source file with pairs.
struct PairFile {
  std::filesystem::path path;
  std::string group;  ///< "races": its folder
  std::string rule;   ///< "warp": its name
  std::string flags;  ///< for emucc, from a first line `// emucc: …`
  std::vector<Pair> pairs;
};

/// Returns all sources with pairs in a folder and its subfolders, by name.
/// @throws std::runtime_error if a pair has no expectations, an unknown label, or a similar mistake
std::vector<PairFile> read_pairs(const std::filesystem::path& folder);

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path path;
};

std::string read_text(const std::filesystem::path& path);
/// Runs a command with the shell. Returns the exit status, or 128 + the number of the signal that ended the command.
int shell(const std::string& command);

/// The outcome of a program that ran under the checker.
struct Outcome {
  int status = 0;
  std::vector<std::string> findings;     ///< in the form of `exact:`, sorted
  std::string first;                     ///< the first reported finding, in the same form
  std::vector<std::string> hints;        ///< of all findings
  std::vector<std::string> missing;      ///< in all findings
  std::vector<std::string> details;      ///< the findings with their kernels, parties and counts, sorted
  std::vector<std::string> not_checked;  ///< kernels
  std::string messages;                  ///< standard error, with the report
  bool reported = false;                 ///< it has written its report
};

/// A host compiler with a level of optimisation.
struct Compiler {
  std::string name;   ///< "clang++-19"; empty: emucc's choice
  std::string level;  ///< "2"; empty: unspecified
  std::string environment() const { return name.empty() ? "" : "CUEMU_HOST_CXX=" + name + " "; }
  bool is_clang() const { return name.find("clang") != name.npos; }
  std::string flags() const { return level.empty() ? "" : " -O" + level; }
};

/// Returns the flags for emucc in a source's first line, `// emucc: …`; empty if there are none.
std::string flags_in(const std::filesystem::path& source);
/// Builds sources with emucc --check. Returns the messages if that fails; otherwise an empty text.
std::string build_checked(const std::filesystem::path& emucc, const std::string& sources,
                          const std::string& flags, const std::filesystem::path& program,
                          const Compiler& compiler = {});
/// @param settings the value of CUEMU_CHECK: "all", or "races,memory"
/// @param patience the limit in seconds of processor time
Outcome run_checked(const std::filesystem::path& program, const std::string& arguments,
                    const std::string& settings = "all", int patience = 60);
/// Like run_checked(), for a shell command. A command that runs several programs should stop after the first
/// program with findings, so that its exit status is not 0.
Outcome run_checked_command(const std::string& command, const std::string& settings, int patience);

/// Describes how the outcome of a wrong program differs from the expectations; empty if it does not.
std::string difference(const Pair& pair, const Outcome& wrong);
/// Describes the findings about a right program; empty if there are none.
std::string difference(const Outcome& right);

}  // namespace cuemu::check::tests
