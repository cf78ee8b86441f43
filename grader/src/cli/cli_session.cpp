// Everything is looked up when it is first used, so `grader --help` needs no kit, and `grader list` needs no
// compiler.
#include "cli/cli_session.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/columns.hpp"
#include "judge/stop_words.hpp"
#include "model/json.hpp"

namespace grader {

Session::Session() : style(Style::detect(STDOUT_FILENO)) {}

const Kit& Session::kit() {
  if (!kit_) kit_ = Kit::find(fs::current_path());
  return *kit_;
}

const Catalog& Session::catalog() {
  if (!catalog_) catalog_ = Catalog::load(kit());
  return *catalog_;
}

const Toolchain& Session::toolchain() {
  if (!toolchain_) toolchain_ = Toolchain::detect(kit());
  return *toolchain_;
}

fs::path Session::records_file() {
  return kit().state() / "records.sqlite";
}

Records& Session::records() {
  if (!records_) records_ = std::make_unique<Records>(records_file());
  return *records_;
}

Records* Session::records_if_any() {
  std::error_code ignored;
  return records_ != nullptr || fs::exists(records_file(), ignored) ? &records() : nullptr;
}

void Session::print(const std::string& text) const {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Session::answer(const nlohmann::json& value) const {
  print(json_text(value) + "\n");
}

void Session::say(const std::string& sentence) const {
  // Sentences may contain names of students' files, and lines of their sources.
  const std::string text = wrap(printable(sentence, true), Style::detect(STDERR_FILENO).width) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string user_name() {
  const passwd* user = ::getpwuid(::getuid());
  return user != nullptr ? user->pw_name : std::to_string(::getuid());
}

Option LabChoice::lab_option() {
  return {.names = "LAB",
          .type = "LAB",
          .help = "lab, such as lab1.1 or lab1.1.2 for its level 2",
          .value = &ref,
          .required = true};
}

std::vector<Option> LabChoice::options() {
  return {lab_option(),
          {.names = "-l,--level", .type = "N", .help = "level, 1 is the most guided", .value = &level}};
}

/// The first level of a kit for students, if that is not level 1: such a kit may have only level 2. No value
/// if level 1 exists, or if there is no level.
static std::optional<int> first_level(const Kit& kit, const Lab& lab) {
  std::error_code ignored;
  for (int one = 1; one <= lab.levels; ++one)
    if (fs::is_directory(level_folder(kit, lab, one), ignored))
      return one == 1 ? std::nullopt : std::optional(one);
  return {};
}

const Lab& LabChoice::find(Session& session) {
  std::optional<int> named;
  const Lab& lab = session.catalog().find(ref, named);
  if (named && level && *named != *level) {
    throw Error(ErrorKind::usage,
                fmt::format("\"{}\" is level {}, but --level says {}.", ref, *named, *level),
                fmt::format("grader {} --level {}", lab.id, *level));
  }
  if (!level) level = named;
  if (!level) level = first_level(session.kit(), lab);
  if (level && (*level < 1 || *level > lab.levels)) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} has {}, so there is no level {}.", lab.id,
                    lab.levels == 1 ? "one level" : fmt::format("levels 1 to {}", lab.levels), *level),
        fmt::format("grader {} --level {}", lab.id, lab.levels));
  }
  return lab;
}

std::vector<Option> SourceChoice::options(const std::string& backends) {
  return {
      {.names = "--solution", .help = "take the reference solution", .value = &solution},
      {.names = "--from",
       .type = "DIR",
       .help = "take the sources in this folder",
       .value = &folder,
       .excludes = {"--solution"}},
      {.names = "--backend", .type = "NAME", .help = backends, .value = &backend, .choices = {"emu", "gpu"}}};
}

Origin SourceChoice::origin() const {
  if (solution) return Origin::solution;
  return folder.empty() ? Origin::student : Origin::folder;
}

Submission SourceChoice::read(Session& session, const Lab& lab, int level) const {
  Submission submission = read_submission(session.kit(), lab, level, origin(), folder);
  if (origin() == Origin::student) need_whole(session.kit(), submission);
  return submission;
}

Backend SourceChoice::choose_backend(Session& session, std::string& note) const {
  std::optional<Backend> wanted;
  if (backend == "emu") wanted = Backend::emu;
  if (backend == "gpu") wanted = Backend::gpu;
  return session.toolchain().choose(wanted, note);
}

std::vector<Option> CaseChoice::options(const std::string& usual) {
  return {{.names = "-c,--case", .type = "ID", .help = "this case; default: " + usual, .value = &id},
          {.names = "--args",
           .type = "TEXT",
           .help = "arguments instead of the case's, separated by blanks",
           .value = &arguments}};
}

Case CaseChoice::choose(const Lab& lab, Backend backend, const std::string& verb) const {
  std::vector<std::string> ids;
  const Case* chosen = nullptr;
  for (const Case& c : lab.cases) {
    if (c.visibility != Visibility::visible || !c.runs_on(backend)) continue;
    ids.push_back(c.id);
    if (chosen == nullptr && (id.empty() || id == c.id)) chosen = &c;
  }
  if (chosen == nullptr)
    throw Error(
        ErrorKind::usage,
        fmt::format("{} has no case \"{}\" to {}; it has {}.", lab.id, id, verb, fmt::join(ids, ", ")),
        fmt::format("grader {} {}{}", verb, lab.id, ids.empty() ? "" : " --case " + ids.front()));
  if (!arguments) return *chosen;
  std::vector<std::string> args;
  std::istringstream words(*arguments);
  for (std::string word; words >> word;) args.push_back(word);
  Case c = with_arguments(*chosen, std::move(args));
  c.seed.reset();
  return c;
}

fs::path built_program(Session& session, const Submission& submission, Backend backend,
                       const std::map<std::string, std::string>& macros, Instrument instrument) {
  const BuildResult built =
      build(session.kit(), session.toolchain(), submission, backend, macros, instrument);
  if (!built.ok)
    throw Error(ErrorKind::usage, "Your files do not compile:\n" + built.diagnostics,
                "grader " + submission.lab->id);
  return built.program;
}

void need_good_end(const Lab& lab, const RunResult& run, const std::string& so) {
  if (run.process.ok()) return;
  // If the program reported a failure, the output begins with the problem. If it ended without a message, the
  // last line is the most useful.
  std::string said;
  for (const std::string& line : split_lines(run.process.out))
    if (!line.empty()) said = line;
  const std::vector<std::string> errors = split_lines(run.process.err);
  const auto first =
      std::find_if(errors.begin(), errors.end(), [](const std::string& line) { return !line.empty(); });
  if (first != errors.end()) said = *first;
  if (run.cuda_error) said = words_of_error(*run.cuda_error) + ".";
  throw Error(ErrorKind::usage,
              fmt::format("The program {}, so {}.{}", describe_end(run.process), so,
                          said.empty() ? "" : " It said: " + said),
              "grader " + lab.id);
}

std::vector<Option> report_options() {
  return {{.names = "--json", .help = "answer in JSON, errors too", .value = &Session::json}};
}

std::vector<Option> long_report_options() {
  return concat({report_options(),
                 {{.names = "-v,--verbose",
                   .help = "every case, all compiler output, where the time went",
                   .value = &Session::verbose}}});
}

std::vector<const Lab*> choose_labs(Session& session, const std::vector<std::string>& refs) {
  std::vector<const Lab*> labs;
  for (const std::string& ref : refs) {
    std::optional<int> level;
    labs.push_back(&session.catalog().find(ref, level));
  }
  if (refs.empty()) {
    for (const Lab& lab : session.catalog().labs()) labs.push_back(&lab);
    for (const BrokenLab& lab : session.catalog().broken()) {
      session.say(fmt::format("grader: {} is left out. {}", lab.id(), lab.error.what()));
      session.left_out = true;
    }
  }
  return labs;
}

Progress progress_on(ProgressLine& line) {
  using Clock = std::chrono::steady_clock;
  struct Phase {
    Clock::time_point begin = Clock::now();
    int first = 0, last = 0, of = 0;
  };
  return [&line, phase = std::make_shared<Phase>()](const std::string& step, int done, int of) {
    if (of != phase->of || done < phase->last)
      *phase = {Clock::now(), done, done, of};  // steps of another kind
    phase->last = done;
    const double passed = std::chrono::duration<double>(Clock::now() - phase->begin).count();
    const double left = done > phase->first ? passed / (done - phase->first) * (of - done) : 0;
    line.update(left < 60 ? step : fmt::format("{}, about {:.0f} min left", step, left / 60), done, of);
  };
}

}  // namespace grader
