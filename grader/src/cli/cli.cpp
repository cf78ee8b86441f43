// Finds the named command, runs it, and turns errors into a sentence and an exit code.
#include "cli/cli.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "cli/cli_session.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/parse.hpp"
#include "model/json.hpp"

namespace grader {
namespace {

constexpr int exit_interrupted = 130;  // shells use it for a program that Ctrl-C ended

constexpr const char* friendly_page =
    R"(The grader of the CUDA Lab Kit builds a lab, runs it, checks its result and says
what to fix. It needs no GPU: without one, labs run in emulation.

  grader list            the labs, and how far you are
  grader lab0            grade your files of lab0
  grader hint lab0       when you are stuck
  grader check lab0      look for races, bad accesses and barriers
  grader watch lab0      grade again at each save
  grader serve           handout, editor and verdict in your browser
  grader doctor          what this machine has, and what it lacks

Your files of a lab are in work/<lab>/level1/, its handout is labs/<lab>/README.md.
"grader --help" shows every command, "grader COMMAND --help" its options.
)";

/// The error for a first word that is neither a command nor the name of a lab.
Error unknown_word(Session& session, const std::vector<Command>& commands, const std::string& word) {
  std::vector<std::string> candidates;
  for (const Command& command : commands) candidates.push_back(command.name);
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

/// Whether the catalog has the lab. If its lab.toml is broken, the command itself reports this.
bool names_a_lab(Session& session, const std::string& word) {
  try {
    std::optional<int> level;
    session.catalog().find(word, level);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Whether a word means a lab, which may not exist: "lab1.1", "lab1.1.7" or "labs/lab1.1-matrixmul".
bool looks_like_a_lab(const std::string& word) {
  return word.find('/') != std::string::npos ||
         (word.rfind("lab", 0) == 0 && word.find_first_of("0123456789") != std::string::npos);
}

/// Moves options from before the command to the place after it: "--workspace DIR list" becomes "list
/// --workspace DIR". Only options that most commands share may precede the command.
std::vector<std::string> command_first(std::vector<std::string> words) {
  std::size_t at = 0;
  while (at < words.size()) {
    if (words[at] == "--workspace") {
      at += 2;
    } else if (words[at] == "--json" || words[at].starts_with("--workspace=")) {
      at += 1;
    } else {
      break;
    }
  }
  if (at < words.size())
    std::rotate(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at),
                words.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  return words;
}

/// Adds the command if the words begin with a lab: "grader lab1.1 …" becomes "grader grade lab1.1 …".
std::vector<std::string> with_command(Session& session, const std::vector<Command>& commands,
                                      std::vector<std::string> words) {
  const std::string& first = words.front();
  if (find_command(commands, first) != nullptr) return words;
  const bool option = first.size() > 1 && first[0] == '-';
  if (!option && !names_a_lab(session, first) && !looks_like_a_lab(first))
    throw unknown_word(session, commands, first);
  words.insert(words.begin(), "grade");
  return words;
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
  const std::vector<Command> commands = all_commands();
  if (words.empty()) {
    session.print(friendly_page);
    return 0;
  }
  if (words.front() == "--version") {
    session.print(std::string("grader ") + kit_version() + "\n");
    return 0;
  }
  if (words.front() == "--help" || words.front() == "-h") {
    const Command* const asked = words.size() > 1 ? find_command(commands, words[1]) : nullptr;
    session.print(asked != nullptr ? help_of(*asked) : help_of_all(commands));
    return 0;
  }
  words = with_command(session, commands, command_first(std::move(words)));
  const Command& command = *find_command(commands, words.front());
  words.erase(words.begin());
  if (parse(command, words, session) == Parsed::to_run) {
    const int code = command.run(session);
    return code == 0 && session.left_out ? static_cast<int>(ErrorKind::fault) : code;
  }
  session.print(help_of(command));
  return 0;
}

}  // namespace

int cli_main(int argc, char** argv) {
  install_interrupt_handler();
  Session session;
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  // --json is looked for before parsing, so that errors in the command line are JSON, too.
  const auto dashes = std::find(words.begin(), words.end(), "--");
  session.json = std::find(words.begin(), dashes, "--json") != dashes;
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
                            "report the command that you typed and this line to the kit's maintainer"});
  }
}

}  // namespace grader
