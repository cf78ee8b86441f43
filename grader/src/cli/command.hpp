/// @file
/// Commands as data: a command's name, its options, the variables that receive their values, and the function
/// that runs it. The parser (parse.hpp), the help (help.hpp) and shell completion (completion.hpp) read this
/// data and know no command by name.
///
///     struct HintOptions {
///       LabChoice lab;
///       int part = 0;
///     };
///
///     Command hint() {
///       const auto o = std::make_shared<HintOptions>();
///       return {.name = "hint",
///               .summary = "Give a hint, one more each time",
///               .group = Group::student,
///               .options = concat({o->lab.options(),
///                                  {{.names = "-p,--part", .type = "N", .help = "number of the part", .value = &o->part}},
///                                  report_options()}),
///               .run = [o](Session& session) { return run_hint(session, *o); }};
///     }
///
/// Each command serves one run: its values are in its own struct, which is created with the defaults.
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace grader {

class Session;

/// The variable that receives an option's value. Its type determines the values: a flag takes no value, numbers are
/// checked, and a vector takes all given values. If the line gives no value, the variable is unchanged.
using Target = std::variant<bool*, bool Session::*,  // flags
                            std::string*, std::optional<std::string>*, std::vector<std::string>*, int*,
                            std::optional<int>*, std::int64_t*, std::optional<double>*,
                            std::function<void(const std::string&)>>;  // called with the value

/// An option ("-l,--level"), a positional argument ("LAB"), or the words after "--".
struct Option {
  std::string names;      ///< "-l,--level"; "LAB" for an argument; "--" for all words after it
  std::string type = {};  ///< placeholder of its value: "N", "LAB", "FILE", "DIR"; empty for a flag
  std::string help = {};  ///< text for --help, without a full stop
  Target value = {};
  bool required = false;
  bool positive = false;                   ///< only numbers above 0
  int most = 0;                            ///< the largest number; 0: no limit
  bool existing_file = false;              ///< the file must exist
  std::vector<std::string> choices = {};   ///< the allowed values; empty: any
  std::vector<std::string> excludes = {};  ///< options that must not be given together with this one

  bool is_flag() const;
  bool is_argument() const;  ///< whether it is positional
  bool is_rest() const { return names == "--"; }
  bool takes_many() const { return std::holds_alternative<std::vector<std::string>*>(value); }
  std::vector<std::string> all_names() const;
  /// The name for messages: the long one.
  std::string name() const { return all_names().back(); }
};

/// The group of a command in --help.
enum class Group { student, instructor, tools };

struct Command {
  std::string name;
  std::string summary;  ///< one line for --help
  Group group = Group::tools;
  std::vector<Option> options = {};
  /// Runs the command and prints its answer. @return the exit code; failures are thrown as Error
  std::function<int(Session&)> run = {};
};

/// Concatenates lists of options.
std::vector<Option> concat(std::initializer_list<std::vector<Option>> lists);

/// The command with that name, or null.
const Command* find_command(const std::vector<Command>& commands, const std::string& name);

/// All names of all options that are not arguments: "-l", "--level", …, "--help".
std::vector<std::string> option_names(const Command& command);

}  // namespace grader
