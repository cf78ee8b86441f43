/// @file
/// What the commands of the command line share: the kit, the records, the terminal, and how they answer.
/// Private to cli*.cpp. Commands are declared as command.hpp says; these are the parts that several of them use.
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

  bool json = false;  ///< answer in JSON; errors too
  bool verbose = false;
  bool left_out = false;  ///< a broken lab was: a command that went well otherwise ends as a fault of the kit
  Style style;            ///< of standard output

  const Kit& kit();
  const Catalog& catalog();
  const Toolchain& toolchain();
  /// Opens the records, and makes them when there are none yet. @throws Error as Records
  Records& records();
  /// The records when there are any; nothing is made. @throws Error as Records
  Records* records_if_any();
  fs::path records_file();

  /// Prints text on standard output.
  void print(const std::string& text) const;
  /// Prints JSON, as what --json asked for.
  void answer(const nlohmann::json& value) const;
  /// A sentence for the person at the terminal, on standard error,
  /// so that it never mixes with what a program reads.
  void say(const std::string& sentence) const;

 private:
  std::optional<Kit> kit_;
  std::optional<Catalog> catalog_;
  std::optional<Toolchain> toolchain_;
  std::unique_ptr<Records> records_;
};

/// A lab as it was given on the command line: "lab1.1", "lab1.1.2", with or without --level.
struct LabChoice {
  std::string ref;
  std::optional<int> level;

  /// The argument LAB.
  Option lab_option();
  /// LAB and --level.
  std::vector<Option> options();
  /// @throws Error (usage) for an unknown lab or level, or for two levels that differ
  const Lab& find(Session& session);
  int level_or_first() const { return level.value_or(1); }
};

/// Where to grade: --solution, --from, --backend.
struct SourceChoice {
  bool solution = false;
  std::string folder;
  std::string backend;

  std::vector<Option> options(
      const std::string& backends = "gpu (nvcc) or emu (emucc); default: what is there");
  Origin origin() const;
  Submission read(Session& session, const Lab& lab, int level) const;
  /// @param note one sentence: which backend, and why
  Backend choose_backend(Session& session, std::string& note) const;
};

/// One run to be looked at: --case, --args.
struct CaseChoice {
  std::string id;
  std::optional<std::string> arguments;  ///< in place of the case's

  std::vector<Option> options(const std::string& usual = "the first");
  bool made() const { return !id.empty() || arguments.has_value(); }
  /// The case that was named, else the first that everybody may see, with the arguments that were given.
  /// @param verb of the command, as in "grader profile"  @throws Error (usage) where there is none
  Case choose(const Lab& lab, Backend backend, const std::string& verb) const;
};

/// A program for one run. @throws Error (usage) with the compiler's words where it does not compile
fs::path built_program(Session& session, const Submission& submission, Backend backend,
                       const std::map<std::string, std::string>& macros = {},
                       Instrument instrument = Instrument::none);

/// @param so what follows from it: "there is nothing to count"
/// @throws Error (usage) where the run did not end well, with the line that tells most of what it said
void need_good_end(const Lab& lab, const RunResult& run, const std::string& so);

/// The options that every command which reports has.
std::vector<Option> report_options();
/// These, and --verbose.
std::vector<Option> long_report_options();

/// The labs that were named, or all. @throws Error (usage) for an unknown one
std::vector<const Lab*> choose_labs(Session& session, const std::vector<std::string>& refs);

/// Shows what `update` is told on the progress line of a terminal,
/// with the time that is left by the steps so far.
Progress progress_on(ProgressLine& line);

}  // namespace grader
