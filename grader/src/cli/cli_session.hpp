/// @file
/// What several commands share: the kit, the records, the terminal, and output. command.hpp declares
/// commands. This header is private to cli*.cpp.
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "base/terminal.hpp"
#include "catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "grade/grade.hpp"
#include "records/records.hpp"
#include "run/run.hpp"

namespace grader {

/// One run of the program.
class Session {
 public:
  Session();

  bool json = false;  ///< whether to answer in JSON, including errors
  bool verbose = false;
  /// Whether a broken lab was skipped. A command that otherwise succeeds then exits with a fault of the kit.
  bool left_out = false;
  Style style;  ///< style of standard output

  const Kit& kit();
  const Catalog& catalog();
  const Toolchain& toolchain();
  /// Opens the records, and creates them if they are missing. @throws Error under the same conditions as Records
  Records& records();
  /// The records if they exist, otherwise null. Never creates them. @throws Error under the same conditions
  /// as Records
  Records* records_if_any();
  fs::path records_file();

  /// Prints text on standard output.
  void print(const std::string& text) const;
  /// Prints the JSON answer for --json.
  void answer(const nlohmann::json& value) const;
  /// Prints a sentence for the user on standard error, so that it is not mixed with output for programs.
  void say(const std::string& sentence) const;

 private:
  std::optional<Kit> kit_;
  std::optional<Catalog> catalog_;
  std::optional<Toolchain> toolchain_;
  std::unique_ptr<Records> records_;
};

/// The name of the user that runs the grader.
std::string user_name();

/// A lab on the command line: "lab1.1", "lab1.1.2", with or without --level.
struct LabChoice {
  std::string ref;
  std::optional<int> level;

  /// The argument LAB.
  Option lab_option();
  /// LAB and --level.
  std::vector<Option> options();
  /// @throws Error (usage) for an unknown lab or level, or for two different levels
  const Lab& find(Session& session);
  int level_or_first() const { return level.value_or(1); }
};

/// The choice of sources and backend: --solution, --from, --backend.
struct SourceChoice {
  bool solution = false;
  std::string folder;
  std::string backend;

  std::vector<Option> options(
      const std::string& backends = "gpu (nvcc) or emu (emucc); default: gpu if there is one, else emu");
  Origin origin() const;
  Submission read(Session& session, const Lab& lab, int level) const;
  /// @param note receives a sentence that names the backend and why it was chosen
  Backend choose_backend(Session& session, std::string& note) const;
};

/// The choice of a single run: --case, --args.
struct CaseChoice {
  std::string id;
  std::optional<std::string> arguments;  ///< arguments that replace the case's

  std::vector<Option> options(const std::string& usual = "the first");
  bool made() const { return !id.empty() || arguments.has_value(); }
  /// The named case, or else the first visible one, with the given arguments.
  /// @param verb the command's verb, as in "grader profile" @throws Error (usage) if there is no such case
  Case choose(const Lab& lab, Backend backend, const std::string& verb) const;
};

/// Builds a program for one run. @throws Error (usage) with the compiler's messages when it does not compile
fs::path built_program(Session& session, const Submission& submission, Backend backend,
                       const std::map<std::string, std::string>& macros = {},
                       Instrument instrument = Instrument::none);

/// @param so what follows from a failed run: "there is nothing to count"
/// @throws Error (usage) when the run failed, with the most useful line of its output
void need_good_end(const Lab& lab, const RunResult& run, const std::string& so);

/// The options of all reporting commands.
std::vector<Option> report_options();
/// report_options(), and --verbose.
std::vector<Option> long_report_options();

/// The named labs, or all labs if none is named. @throws Error (usage) for an unknown lab
std::vector<const Lab*> choose_labs(Session& session, const std::vector<std::string>& refs);

/// A function that shows progress on a terminal's line, and estimates the remaining time from the steps so
/// far.
Progress progress_on(ProgressLine& line);

}  // namespace grader
