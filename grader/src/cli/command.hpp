/// @file
/// Commands as data: what a command is called, which options it takes, where their values go, and the function that
/// runs it. The parser (parse.hpp), the help (help.hpp) and the completion of shells (completion.hpp) read this data
/// and know no command by name.
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
/// A command is good for one run: its values live in a struct of its own, made with its defaults.
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

/// Where a value goes. Its type says what is read: a flag takes no value, numbers are checked, and a vector takes all
/// that are given. What is not given stays as it is.
using Target = std::variant<bool*, bool Session::*,  // flags
                            std::string*, std::optional<std::string>*, std::vector<std::string>*, int*,
                            std::optional<int>*, std::int64_t*, std::optional<double>*,
                            std::function<void(const std::string&)>>;  // told the value

/// An option ("-l,--level"), an argument that is known by its place ("LAB"), or what stands behind "--".
struct Option {
  std::string names;      ///< "-l,--level"; "LAB" for an argument; "--" for all that stands behind it
  std::string type = {};  ///< what its value is called: "N", "LAB", "FILE", "DIR"; none for a flag
  std::string help = {};  ///< words for --help, with no full stop
  Target value = {};
  bool required = false;
  bool positive = false;                   ///< numbers above 0 only
  int most = 0;                            ///< the largest number; 0: no bound
  bool existing_file = false;              ///< names a file that is there
  std::vector<std::string> choices = {};   ///< the only values
  std::vector<std::string> excludes = {};  ///< options that can't be given with this one

  bool is_flag() const;
  bool is_argument() const;  ///< known by its place
  bool is_rest() const { return names == "--"; }
  bool takes_many() const { return std::holds_alternative<std::vector<std::string>*>(value); }
  std::vector<std::string> all_names() const;
  /// The name to use in a sentence: the long one.
  std::string name() const { return all_names().back(); }
};

/// Where --help lists a command.
enum class Group { student, instructor, tools };

struct Command {
  std::string name;
  std::string summary;  ///< one line for --help
  Group group = Group::tools;
  std::vector<Option> options = {};
  /// Prints what there is to say. @return the exit code; what can't be done is thrown as an Error
  std::function<int(Session&)> run = {};
};

/// Lists of options, one behind the other.
std::vector<Option> concat(std::initializer_list<std::vector<Option>> lists);

/// The command of that name, or null.
const Command* find_command(const std::vector<Command>& commands, const std::string& name);

/// Every name of every option that is no argument: "-l", "--level", …, "--help".
std::vector<std::string> option_names(const Command& command);

}  // namespace grader
