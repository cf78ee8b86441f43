// Declares the commands, parses the line, runs one,
// and turns what went wrong into a sentence and an exit code.
#include "cli/cli.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>

#include "cli/cli_session.hpp"
#include "model/json.hpp"

namespace grader {
namespace {

constexpr int exit_interrupted = 130;  // as shells report a program that Ctrl-C ended

constexpr const char* friendly_page =
    R"(The grader of the CUDA Lab Kit builds a lab, runs it, checks its result and says
what to mend. It needs no GPU: without one, labs run in emulation.

  grader list            the labs, and how far you are
  grader lab0            grade your files of lab0
  grader hint lab0       when you are stuck
  grader check lab0      look for races, bad accesses and barriers
  grader watch lab0      grade again at each save
  grader doctor          what this machine has, and what it lacks

Your files of a lab are in labs/<lab>/level1/, its handout is labs/<lab>/README.md.
"grader --help" shows every command, "grader COMMAND --help" its options.
)";

/// CLI11's help without its remarks on checks and exclusions: an option's words say what it takes.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(24); }
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_positional() || option->get_expected_max() == 0) return "";
    const std::string type = option->get_type_name();
    return " " + type.substr(0, type.find(':'));
  }
};

std::unique_ptr<CLI::App> make_app(Session& session) {
  auto app =
      std::make_unique<CLI::App>("Grades the labs of the CUDA Lab Kit, on a GPU or in emulation.", "grader");
  app->set_version_flag("--version", std::string("grader ") + GRADER_VERSION, "Print the version");
  app->set_help_flag("--help,-h", "Print this help");
  app->require_subcommand(0, 1);
  app->formatter(std::make_shared<HelpFormatter>());
  add_grade_commands(*app, session);
  add_table_command(*app, session);
  add_resources_command(*app, session);
  add_profile_command(*app, session);
  add_student_commands(*app, session);
  add_instructor_commands(*app, session);
  add_tool_commands(*app, session);
  // After the commands, which would inherit it.
  app->footer(
      "\"grader LAB\" grades a lab. Exit codes: 0 all points, 1 points lost,\n"
      "2 usage, 3 environment, 4 the grader's own fault, 130 interrupted.");
  return app;
}

/// The command of that name, or null.
const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  const auto found =
      app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

bool is_command(const CLI::App& app, const std::string& word) {
  return find_command(app, word) != nullptr;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// A first word that is neither a command nor a lab.
Error unknown_word(Session& session, const CLI::App& app, const std::string& word) {
  std::vector<std::string> candidates = command_names(app);
  std::string kit_problem;
  try {
    for (const Lab& lab : session.catalog().labs()) {
      candidates.push_back(lab.id);
      candidates.push_back(lab.folder_name());
    }
  } catch (const Error& e) {
    kit_problem = fmt::format(" (The labs could not be read: {})", e.what());
  }
  const std::string near = did_you_mean(word, candidates);
  return {ErrorKind::usage,
          fmt::format("\"{}\" is neither a command nor a lab.{}{}", word,
                      near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near), kit_problem),
          near.empty() ? "grader list shows the labs, grader --help the commands" : "grader " + near};
}

/// Whether the catalog has the lab. A broken lab.toml is left to the command, which reports it.
bool names_a_lab(Session& session, const std::string& word) {
  try {
    std::optional<int> level;
    session.catalog().find(word, level);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// "lab1.1", "lab1.1.7" or "labs/lab1.1-matrixmul": what is meant as a lab, whether or not it is one.
bool looks_like_a_lab(const std::string& word) {
  return word.find('/') != std::string::npos ||
         (word.rfind("lab", 0) == 0 && word.find_first_of("0123456789") != std::string::npos);
}

/// "grader lab1.1 …" → "grader grade lab1.1 …".
std::vector<std::string> with_command(Session& session, const CLI::App& app, std::vector<std::string> words) {
  if (words.empty() || is_command(app, words[0])) return words;
  const bool option = words[0].size() > 1 && words[0][0] == '-';
  static const std::vector<std::string> own = {"--help", "-h", "--version"};
  if (option && std::find(own.begin(), own.end(), words[0]) != own.end()) return words;
  if (!option && !names_a_lab(session, words[0]) && !looks_like_a_lab(words[0]))
    throw unknown_word(session, app, words[0]);
  words.insert(words.begin(), "grade");
  return words;
}

/// The chosen command's options, for "did you mean".
std::vector<std::string> option_names(const CLI::App& app, const std::string& command) {
  const CLI::App* chosen = find_command(app, command);
  std::vector<std::string> names;
  for (const CLI::Option* option : (chosen != nullptr ? chosen : &app)->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// CLI11's complaint as a sentence of ours, with the option that was probably meant.
Error usage_error(const CLI::App& app, const CLI::ParseError& e, const std::vector<std::string>& words) {
  const std::string command = words.empty() || !is_command(app, words[0]) ? "" : words[0];
  std::string what = e.what();
  const std::vector<std::string> names = option_names(app, command);
  for (const std::string& word : words) {
    if (word.rfind("--", 0) != 0) continue;
    const std::string name = word.substr(0, word.find('='));
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    what = fmt::format("{} has no option {}.", command.empty() ? "The grader" : "grader " + command, name);
    if (const std::string near = did_you_mean(name, names); !near.empty())
      what += fmt::format(" Did you mean {}?", near);
    break;
  }
  constexpr std::string_view conversion = "Could not convert: ";
  if (what.compare(0, conversion.size(), conversion) == 0) {
    what = "A number was expected: " + what.substr(conversion.size());
  }
  if (!what.empty() && std::string_view(".?!").find(what.back()) == std::string_view::npos) what += '.';
  return {ErrorKind::usage, what,
          command.empty() ? "grader --help" : fmt::format("grader {} --help", command)};
}

int report(const Session& session, const Error& e) {
  if (session.json) {
    session.answer(to_json(e));
  } else {
    session.say("grader: " + std::string(e.what()));
    if (!e.next_step().empty()) session.say("Next: " + e.next_step());
  }
  return static_cast<int>(e.kind());
}

int report_interrupted(const Session& session) {
  if (session.json) {
    session.answer(nlohmann::json{
        {"error", "Interrupted; nothing was recorded."}, {"next", ""}, {"kind", "interrupted"}});
  } else {
    session.say("Interrupted; what was recorded before is kept.");
  }
  return exit_interrupted;
}

int run(Session& session, std::vector<std::string> words) {
  const std::unique_ptr<CLI::App> app = make_app(session);
  if (words.empty()) {
    session.print(friendly_page);
    return 0;
  }
  words = with_command(session, *app, std::move(words));
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // CLI11 takes the last word first
    app->parse(reversed);
  } catch (const CLI::Success& e) {  // --help, --version
    return app->exit(e) == 0 ? 0 : static_cast<int>(ErrorKind::usage);
  } catch (const CLI::ParseError& e) {
    throw usage_error(*app, e, words);
  }
  return session.action ? session.action() : 0;
}

}  // namespace

int cli_main(int argc, char** argv) {
  install_interrupt_handler();
  Session session;
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  // Known before the line is parsed, so that errors in the line itself are JSON too.
  session.json = std::find(words.begin(), words.end(), "--json") != words.end();
  try {
    return run(session, std::move(words));
  } catch (const Error& e) {
    return interrupted() ? report_interrupted(session) : report(session, e);
  } catch (const std::bad_alloc&) {
    return report(session, {ErrorKind::environment, "The memory of this machine ran out.",
                            "close other programs, or use a smaller size"});
  } catch (const std::exception& e) {
    return report(session, {ErrorKind::fault,
                            fmt::format("The grader itself failed: {}. This costs you no points.", e.what()),
                            "report the command that you typed and this line to whoever maintains the kit"});
  }
}

}  // namespace grader
