// Pairs of programs, wrong and right, with what the checker must say of them: programs/<group>/<rule>.cu,
// whose form programs/pair.cuh tells. The tests and the table of rules are both made from them.
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
  bool gcc_only = false;  ///< what is wrong can't be seen with clang++
  std::vector<Expectation> expected;
};

/// A source of pairs.
struct PairFile {
  std::filesystem::path path;
  std::string group;  ///< "races": its folder
  std::string rule;   ///< "warp": its name
  std::string flags;  ///< for emucc, from a first line `// emucc: …`
  std::vector<Pair> pairs;
};

/// All sources of pairs below a folder, by name.
/// @throws std::runtime_error on a pair without expectations, an unknown label, or the like
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
/// Runs a command with the shell; its exit status, 128 and the signal's number if one ended it.
int shell(const std::string& command);

/// What a program under the checker did.
struct Outcome {
  int status = 0;
  std::vector<std::string> findings;     ///< as `exact:` has them, sorted
  std::string first;                     ///< the one that is told first, in the same form
  std::vector<std::string> hints;        ///< of all findings
  std::vector<std::string> missing;      ///< in all findings
  std::vector<std::string> details;      ///< the findings with their kernels, parties and counts, sorted
  std::vector<std::string> not_checked;  ///< kernels
  std::string messages;                  ///< standard error: the report among others
  bool reported = false;                 ///< it came to write its report
};

/// A host compiler and a level of optimisation.
struct Compiler {
  std::string name;   ///< "clang++-19"; empty: emucc's choice
  std::string level;  ///< "2"; empty: none is given
  std::string environment() const { return name.empty() ? "" : "CUEMU_HOST_CXX=" + name + " "; }
  bool is_clang() const { return name.find("clang") != name.npos; }
  std::string flags() const { return level.empty() ? "" : " -O" + level; }
};

/// The flags for emucc that a source's first line gives: `// emucc: …`; empty: none.
std::string flags_in(const std::filesystem::path& source);
/// Builds sources with emucc --check; the messages where that fails, else empty.
std::string build_checked(const std::filesystem::path& emucc, const std::string& sources,
                          const std::string& flags, const std::filesystem::path& program,
                          const Compiler& compiler = {});
/// @param settings for CUEMU_CHECK: "all", or "races,memory"
/// @param patience seconds of a processor
Outcome run_checked(const std::filesystem::path& program, const std::string& arguments,
                    const std::string& settings = "all", int patience = 60);
/// The same for a command of the shell. Where it runs several programs, it should end at the first that has
/// findings: their exit status is then not 0.
Outcome run_checked_command(const std::string& command, const std::string& settings, int patience);

/// How the outcome of the wrong one differs from what is expected; empty: it doesn't.
std::string difference(const Pair& pair, const Outcome& wrong);
/// The same for the right one, which must have no findings.
std::string difference(const Outcome& right);

}  // namespace cuemu::check::tests
