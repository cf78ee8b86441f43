// start, diff, run, makefile and reset: create, compare, run and restore a student's folder.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "build/build.hpp"
#include "cli/cli_session.hpp"
#include "cli/commands.hpp"
#include "process/machine.hpp"
#include "run/turns.hpp"
#include "workspace/makefile.hpp"
#include "workspace/skeleton.hpp"
#include "workspace/workspace.hpp"

namespace grader {
namespace {

// -- start -------------------------------------------------------------------------------------------------------

struct StartOptions {
  LabChoice lab;
  bool solution = false;
  std::string to;
};

int run_start(Session& session, StartOptions& o) {
  const Lab& lab = o.lab.find(session);
  const int level = o.lab.level_or_first();
  Workspace workspace;
  std::vector<LabFile> files;
  if (o.to.empty()) {
    if (o.solution)
      throw Error(ErrorKind::usage, "--solution needs --to: a workspace holds a skeleton.",
                  fmt::format("grader start {} --solution --to FOLDER", lab.id));
    workspace = open_workspace(session.kit(), lab, level);
    files = level_files(session.kit(), lab, level);
  } else {
    workspace = {fs::absolute(o.to), true, {}};
    files = o.solution ? solution_files(session.kit(), lab) : level_files(session.kit(), lab, level);
    lay_out(files, workspace.folder);
  }
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "start"},
                                  {"lab", lab.id},
                                  {"level", level},
                                  {"folder", workspace.folder.string()},
                                  {"made", workspace.made}});
    return 0;
  }
  session.print(fmt::format("{} {}\n", workspace.made ? "Made" : "Already there:", shown(workspace.folder)));
  for (const LabFile& file : files) {
    const std::size_t blanks =
        workspace.made && !o.solution ? find_todos(file.name, file.text).size() : std::size_t{0};
    if (blanks > 0)
      session.print(fmt::format("  {}  {} blank{}\n", file.name.string(), blanks, blanks == 1 ? "" : "s"));
  }
  if (!workspace.note.empty()) session.say("note: " + workspace.note);
  if (o.to.empty())
    session.print(fmt::format("Next: read {}, fill in the blanks, then: grader {}\n",
                              shown(lab.folder / "README.md"), o.lab.ref));
  return 0;
}

Command start_command() {
  const auto o = std::make_shared<StartOptions>();
  return {.name = "start",
          .summary = "Make your folder of a lab; \"grader LAB\" does so too",
          .group = Group::student,
          .options = concat(
              {o->lab.options(),
               {{.names = "--to",
                 .type = "FOLDER",
                 .help = "write the program's sources there instead",
                 .value = &o->to},
                {.names = "--solution", .help = "with --to: the solution's sources", .value = &o->solution}},
               report_options()}),
          .run = [o](Session& session) { return run_start(session, *o); }};
}

// -- diff --------------------------------------------------------------------------------------------------------

/// Colours removed lines red and new lines green. Control characters of the files are made harmless.
std::string coloured(const std::string& diff, const Style& style) {
  std::string out;
  for (std::size_t begin = 0; begin < diff.size();) {
    const std::size_t end = std::min(diff.find('\n', begin), diff.size());
    const std::string line = printable(diff.substr(begin, end - begin));
    const bool head = line.starts_with("---") || line.starts_with("+++");
    out += (head                     ? style.strong(line)
            : line.starts_with('-')  ? style.bad(line)
            : line.starts_with('+')  ? style.good(line)
            : line.starts_with("@@") ? style.faint(line)
                                     : line) +
           "\n";
    begin = end + 1;
  }
  return out;
}

int run_diff(Session& session, LabChoice& choice) {
  const Lab& lab = choice.find(session);
  const int level = choice.level_or_first();
  const std::vector<FileChange> changes = workspace_changes(session.kit(), lab, level);
  if (session.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const FileChange& change : changes)
      list.push_back({{"file", change.name.string()},
                      {"added", change.added},
                      {"removed", change.removed},
                      {"outside_blanks", change.outside_blanks},
                      {"diff", change.diff}});
    session.answer(nlohmann::json{
        {"format", 1}, {"kind", "diff"}, {"lab", lab.id}, {"level", level}, {"changes", std::move(list)}});
    return 0;
  }
  if (changes.empty()) {
    session.print(fmt::format("{} is the skeleton as it was handed out.\n",
                              shown(workspace_folder(session.kit(), lab, level))));
    return 0;
  }
  std::string outside;
  for (const FileChange& change : changes) {
    session.print(change.diff.empty()
                      ? printable(change.name.string()) + ": not text, and another than in the skeleton\n"
                      : coloured(change.diff, session.style));
    if (change.outside_blanks) outside += (outside.empty() ? "" : ", ") + change.name.string();
  }
  if (!outside.empty()) session.say(printable("note: also changed outside the blanks: " + outside));
  return 0;
}

Command diff_command() {
  const auto o = std::make_shared<LabChoice>();
  return {.name = "diff",
          .summary = "Show what you have changed in a lab's skeleton",
          .group = Group::student,
          .options = concat({o->options(), report_options()}),
          .run = [o](Session& session) { return run_diff(session, *o); }};
}

// -- run ---------------------------------------------------------------------------------------------------------

struct RunOptions {
  LabChoice lab;
  SourceChoice source;
  std::vector<std::string> arguments;
};

/// Builds the program and replaces this process by it, so that output, exit code and Ctrl-C are the
/// program's. On a GPU, the program keeps the lock that this process holds.
int run_run(Session& session, RunOptions& o) {
  const Lab& lab = o.lab.find(session);
  const int level = o.lab.level_or_first();
  if (o.source.origin() == Origin::student) open_workspace(session.kit(), lab, level);
  const Submission submission = o.source.read(session, lab, level);
  std::string note;
  const Backend backend = o.source.choose_backend(session, note);
  const BuildResult built = build(session.kit(), session.toolchain(), submission, backend);
  if (!built.diagnostics.empty()) std::fputs(printable(built.diagnostics, true).c_str(), stderr);
  if (!built.ok) return 1;
  GpuTurns turns;
  if (backend == Backend::gpu) {
    turns = take_gpus(session.toolchain(), most_devices(lab), this_machine().devices);
    if (!turns.visible.empty()) ::setenv("CUDA_VISIBLE_DEVICES", turns.visible.c_str(), 1);
    for (const auto& turn : turns.taken) turn->outlive_exec();
  }
  std::vector<std::string> words = {built.program.string()};
  words.insert(words.end(), o.arguments.begin(), o.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  throw Error(ErrorKind::environment,
              fmt::format("{} can't be started: {}.", words[0], std::strerror(errno)));
}

Command run_command() {
  const auto o = std::make_shared<RunOptions>();
  return {.name = "run",
          .summary = "Build a lab's program and run it with your arguments",
          .group = Group::student,
          .options = concat({o->lab.options(),
                             o->source.options(),
                             {{.names = "--",
                               .type = "ARGUMENTS",
                               .help = "the program's own arguments",
                               .value = &o->arguments}}}),
          .run = [o](Session& session) { return run_run(session, *o); }};
}

// -- makefile ----------------------------------------------------------------------------------------------------

struct MakefileOptions {
  LabChoice lab;
  bool again = false;
};

int run_makefile(Session& session, MakefileOptions& o) {
  const Lab& lab = o.lab.find(session);
  const int level = o.lab.level_or_first();
  const fs::path folder = open_workspace(session.kit(), lab, level).folder;
  const fs::path file = folder / "Makefile";
  if (fs::exists(fs::symlink_status(file)) && !o.again)
    throw Error(
        ErrorKind::usage, fmt::format("{} is there already.", shown(file)),
        fmt::format("cd {} && make, or replace it: grader makefile {} --again", shown(folder), o.lab.ref));
  const std::string program = program_name(sources_in(folder));
  write_file(file, makefile_text(session.kit(), lab, level, program, session.toolchain().emucc));
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "makefile"},
                                  {"lab", lab.id},
                                  {"level", level},
                                  {"file", file.string()},
                                  {"program", program}});
    return 0;
  }
  session.print(fmt::format("Made: {}\nIts first lines say what it makes.\nNext: cd {} && make emu\n",
                            shown(file), shown(folder)));
  return 0;
}

Command makefile_command() {
  const auto o = std::make_shared<MakefileOptions>();
  return {.name = "makefile",
          .summary = "Write a Makefile for your folder of a lab",
          .group = Group::student,
          .options = concat(
              {o->lab.options(),
               {{.names = "--again", .help = "replace the Makefile that is there", .value = &o->again}},
               report_options()}),
          .run = [o](Session& session) { return run_makefile(session, *o); }};
}

// -- reset -------------------------------------------------------------------------------------------------------

int run_reset(Session& session, LabChoice& choice) {
  const Lab& lab = choice.find(session);
  const int level = choice.level_or_first();
  bool changed = false;
  const fs::path backup = reset_level(session.kit(), lab, level, &changed);
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "reset"},
                                  {"lab", lab.id},
                                  {"level", level},
                                  {"changed", changed},
                                  {"backup", backup.string()}});
  } else if (!changed) {
    session.print(fmt::format("Level {} of {} is the untouched skeleton already.\n", level, lab.id));
  } else if (backup.empty()) {
    session.print(fmt::format("Level {} of {} is there again; its folder was gone.\n", level, lab.id));
  } else {
    session.print(fmt::format("Level {} of {} is the skeleton again. Your files are kept in\n  {}\n", level,
                              lab.id, shown(backup)));
  }
  return 0;
}

Command reset_command() {
  const auto o = std::make_shared<LabChoice>();
  return {.name = "reset",
          .summary = "Put a level's skeleton back; your files are kept",
          .group = Group::student,
          .options = concat({o->options(), report_options()}),
          .run = [o](Session& session) { return run_reset(session, *o); }};
}

}  // namespace

std::vector<Command> work_commands() {
  return {start_command(), diff_command(), run_command(), makefile_command(), reset_command()};
}

}  // namespace grader
