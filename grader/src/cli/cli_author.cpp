// release, new-level and mistakes: the commands that prove, make and release a lab's levels.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

#include "author/agreement.hpp"
#include "author/lazy.hpp"
#include "author/level_maker.hpp"
#include "author/mistakes.hpp"
#include "author/release.hpp"
#include "author/student_kit.hpp"
#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/on_threads.hpp"
#include "build/compiler.hpp"
#include "cli/cli_session.hpp"
#include "cli/commands.hpp"
#include "model/json.hpp"
#include "report/report.hpp"

namespace grader {
namespace {

// -- release -----------------------------------------------------------------------------------------------------

struct ReleaseOptions {
  std::vector<std::string> labs;
  bool check = false;
  std::string to;
  std::vector<std::string> levels;
};

nlohmann::json problem_json(const Lab& lab, const SkeletonProblem& problem) {
  return {{"before", problem.before},      {"lab", lab.id},
          {"file", problem.file.string()}, {"line", problem.line},
          {"what", problem.what},          {"here", problem.here},
          {"solution", problem.solution},  {"solution_line", problem.solution_line}};
}

std::string place(const fs::path& file, unsigned line) {
  return shown(file) + (line > 0 ? fmt::format(":{}", line) : "");
}

/// The file and line of a problem, a sentence about it, and both texts if two texts were compared.
std::string problem_text(const SkeletonProblem& problem, const std::string& solution, const Style& style) {
  std::string out = style.strong(place(problem.file, problem.line)) + "\n" +
                    hanging("  ", problem.what + ".", style.width) + "\n";
  const auto quote = [&](const std::string& head, const std::string& text) {
    if (text.empty()) return;
    out += "    " + style.faint(head) + "\n";
    std::size_t begin = 0;
    for (int line = 0; begin <= text.size() && line < 12; ++line) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      out += "      " + text.substr(begin, end - begin) + "\n";
      begin = end + 1;
    }
  };
  quote("here:", problem.here);
  quote("the solution before:", problem.before);
  quote(problem.solution_line > 0 ? fmt::format("the solution, {} line {}:", solution, problem.solution_line)
                                  : "the solution:",
        problem.solution);
  return out;
}

int run_kit(Session& session, const ReleaseOptions& o) {
  if (o.check)
    throw Error(ErrorKind::usage, "--to writes a kit for students; --check writes nothing.",
                "Give one of them.");
  ChosenLevels levels = choose_levels(session.catalog(), o.levels);
  if (!o.labs.empty()) {
    ChosenLevels named;
    for (const Lab* lab : choose_labs(session, o.labs))
      if (levels.contains(lab->id)) named[lab->id] = levels[lab->id];
    levels = std::move(named);
  }
  const StudentKit made = write_student_kit(session.kit(), session.catalog(), levels, o.to);
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "student-kit"},
                                  {"folder", fs::absolute(o.to).string()},
                                  {"levels", levels},
                                  {"files", made.files},
                                  {"notes", made.notes}});
    return 0;
  }
  for (const auto& [id, chosen] : levels)
    session.print(
        fmt::format("  {}  level{} {}\n", id, chosen.size() == 1 ? "" : "s", fmt::join(chosen, ", ")));
  for (const std::string& note : made.notes) session.print(hanging("  ", note, session.style.width) + "\n");
  session.print(fmt::format("{} files, without solutions, planted mistakes and hidden cases, in {}\n",
                            made.files, shown(fs::absolute(o.to))));
  return 0;
}

int run_release(Session& session, const ReleaseOptions& o) {
  if (!o.to.empty()) return run_kit(session, o);
  if (!o.levels.empty())
    throw Error(ErrorKind::usage, "--levels chooses what a kit for students holds; it needs --to.",
                "grader release --to FOLDER --levels 1");
  nlohmann::json written = nlohmann::json::array(), problems = nlohmann::json::array();
  std::string text;
  const std::vector<const Lab*> labs = choose_labs(session, o.labs);
  for (const Lab* lab : labs) {
    const auto add = [&](const SkeletonProblem& problem) {
      problems.push_back(problem_json(*lab, problem));
      text += problem_text(problem, shown(solution_folder(session.kit(), *lab) / problem.file.filename()),
                           session.style);
    };
    std::vector<fs::path> in_conflict;
    for (const ReleasedFile& file :
         o.check ? std::vector<ReleasedFile>{} : carry_solution(session.kit(), *lab)) {
      if (file.changed) {
        written.push_back(file.file.string());
        text += fmt::format("{}  {}\n", session.style.strong(shown(file.file)),
                            session.style.good("brought up to the solution"));
      }
      for (const SkeletonProblem& note : file.notes)
        text += problem_text(note, shown(solution_folder(session.kit(), *lab) / note.file.filename()),
                             session.style);
      for (const SkeletonProblem& conflict : file.conflicts) add(conflict);
      if (!file.conflicts.empty()) in_conflict.push_back(file.file);
    }
    const std::vector<SkeletonProblem> unproved = prove_levels(session.kit(), *lab);
    if (unproved.empty()) remember_proved(session.kit(), *lab);
    for (const SkeletonProblem& problem : unproved)
      if (std::find(in_conflict.begin(), in_conflict.end(), problem.file) == in_conflict.end()) add(problem);
  }
  const std::size_t count = problems.size();
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "release"},
                                  {"check", o.check},
                                  {"written", written},
                                  {"problems", problems}});
    return count > 0 ? 1 : 0;
  }
  session.print(text);
  const std::string of = fmt::format("{} lab{}", labs.size(), labs.size() == 1 ? "" : "s");
  if (count == 0) {
    session.print(fmt::format("Proved: every level of {} is the solution with blanks.\n", of));
  } else {
    session.print(
        fmt::format("{} {} not as it must be.\nNext: fix {} by hand, then: grader release --check\n", count,
                    count == 1 ? "place is" : "places are", count == 1 ? "it" : "them"));
  }
  return count > 0 ? 1 : 0;
}

Command release_command() {
  const auto o = std::make_shared<ReleaseOptions>();
  return {
      .name = "release",
      .summary = "Prove the levels, or write a kit for students",
      .group = Group::instructor,
      .options = concat({{{.names = "LABS", .type = "LAB", .help = "labs; default: all", .value = &o->labs},
                          {.names = "--check",
                           .help = "only prove, write nothing; exit 1 when something is wrong",
                           .value = &o->check},
                          {.names = "--to",
                           .type = "DIR",
                           .help = "write a kit for students there: no solutions, no hidden cases",
                           .value = &o->to},
                          {.names = "--levels",
                           .type = "LEVELS",
                           .help = "with --to: 1, or lab3.1=1,2 for one lab; default: 1",
                           .value = &o->levels}},
                         report_options()}),
      .run = [o](Session& session) { return run_release(session, *o); }};
}

// -- new-level ---------------------------------------------------------------------------------------------------

struct NewLevelOptions {
  LabChoice lab;
  int level = 0;
  std::optional<int> from;
  std::vector<std::string> blanks;
  bool replace = false;
};

int run_new_level(Session& session, NewLevelOptions& o) {
  const Lab& lab = o.lab.find(session);
  std::vector<BlankRequest> blanks;
  for (const std::string& text : o.blanks) blanks.push_back(parse_blank_request(text));
  const NewLevel made = new_level(session.kit(), lab, o.level, o.from, blanks,
                                  o.replace ? LevelThere::replaced : LevelThere::refused);
  if (session.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const fs::path& file : made.files) list.push_back(file.string());
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "new-level"},
                                  {"lab", lab.id},
                                  {"files", list},
                                  {"backup", made.backup.string()}});
    return 0;
  }
  for (const fs::path& file : made.files) session.print("  " + shown(file) + "\n");
  if (!made.backup.empty()) session.print(fmt::format("The level before is in {}\n", shown(made.backup)));
  session.print(
      fmt::format("Next: say in each blank what belongs there, then: grader release {} --check\n", lab.id));
  return 0;
}

Command new_level_command() {
  const auto o = std::make_shared<NewLevelOptions>();
  return {.name = "new-level",
          .summary = "Make a level from a lab's solution or another level",
          .group = Group::instructor,
          .options = concat({{o->lab.lab_option(),
                              {.names = "N",
                               .type = "N",
                               .help = "the new level's number",
                               .value = &o->level,
                               .required = true,
                               .positive = true},
                              {.names = "--from",
                               .type = "LEVEL",
                               .help = "copy that level; default: all code that is blank at any level",
                               .value = &o->from,
                               .positive = true},
                              {.names = "--blank",
                               .type = "FILE:FIRST-LAST:PART",
                               .help = "lines of the solution that are blank; may be given again",
                               .value = &o->blanks},
                              {.names = "--replace",
                               .help = "also where the level exists; a copy of it is kept",
                               .value = &o->replace}},
                             report_options()}),
          .run = [o](Session& session) { return run_new_level(session, *o); }};
}

// -- mistakes ----------------------------------------------------------------------------------------------------

struct MistakesOptions {
  LabChoice lab;
  std::vector<std::string> names;
  std::string to, backend;
  bool check = false, every_case = false, lazy = false;
  int workers = 0;  ///< 0: one for each core
  int seeds = 1;
  std::string agree;
};

/// The named mistakes, or all mistakes if none is named. @throws Error (usage) for an unknown mistake
std::vector<WrongSolution> choose_mistakes(const Lab& lab, const std::vector<WrongSolution>& all,
                                           const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const WrongSolution& wrong : all) known.push_back(wrong.name);
  std::vector<WrongSolution> chosen;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      const std::string near = did_you_mean(name, known);
      throw Error(ErrorKind::usage,
                  fmt::format("{} has no mistake \"{}\".{}", lab.id, name,
                              near.empty() ? "" : fmt::format(" Did you mean {}?", near)),
                  fmt::format("grader mistakes {}", lab.id));
    }
    chosen.push_back(all[static_cast<std::size_t>(found - known.begin())]);
  }
  return names.empty() ? all : chosen;
}

nlohmann::json mistake_json(const WrongSolution& wrong) {
  return {{"name", wrong.name},
          {"title", wrong.title},
          {"shown_in", wrong.shown_in},
          {"file", wrong.file},
          {"verdict", to_string(wrong.verdict)},
          {"pattern", wrong.pattern},
          {"rule", wrong.finding.rule},
          {"says", wrong.finding.says},
          {"case", wrong.finding.only_case}};
}

/// A line for each mistake: its name, the checker's rule (or -), the case that shows it (or -), and its title.
std::string mistakes_text(const std::vector<WrongSolution>& list) {
  const auto or_dash = [](const std::string& word) { return word.empty() ? std::string("-") : word; };
  std::size_t name = 0, rule = 0, id = 0;
  for (const WrongSolution& wrong : list) {
    name = std::max(name, wrong.name.size());
    rule = std::max(rule, or_dash(wrong.finding.rule).size());
    id = std::max(id, or_dash(wrong.finding.only_case).size());
  }
  std::string text;
  for (const WrongSolution& wrong : list)
    text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", wrong.name, name, or_dash(wrong.finding.rule), rule,
                        or_dash(wrong.finding.only_case), id, wrong.title);
  return text;
}

/// Whether grading catches the mistake and names it, and no command contradicts another.
bool is_well(const MistakeOutcome& outcome) {
  return outcome.caught && outcome.named && outcome.disagreement.value_or("").empty();
}

/// The report's advice to the student, with one text for each line.
nlohmann::json advice_json(const Lab& lab, const Grading& grading) {
  nlohmann::json texts = nlohmann::json::array();
  for (const Advice& one : advice_of(lab, grading)) texts.push_back(one.label + " " + one.text);
  return texts;
}

/// Grades a mistake with the inputs of several seeds, until the grading with one seed differs from what wrong.toml
/// requires.
MistakeOutcome try_seeds(const Kit& kit, const Toolchain& toolchain, const Lab& lab,
                         const WrongSolution& wrong, Backend backend, bool agree, const MistakesOptions& o) {
  const MistakeCases cases = o.every_case ? MistakeCases::every : MistakeCases::named;
  for (int seed = 1;; ++seed) {
    MistakeOutcome outcome =
        try_mistake(kit, toolchain, lab, wrong, backend, cases, static_cast<std::uint64_t>(seed), agree, {});
    if (interrupted()) throw Error(ErrorKind::environment, "Interrupted.");
    const bool well = is_well(outcome);
    if (well && seed < o.seeds) continue;
    if (!well && o.seeds > 1) outcome.what_else = fmt::format("with seed {} {}", seed, outcome.what_else);
    return outcome;
  }
}

/// Grades all mistakes, several in parallel, and reports the mistakes that are not caught or not named as wrong.toml
/// requires.
int run_mistakes_check(Session& session, const Lab& lab, const std::vector<WrongSolution>& list,
                       const MistakesOptions& o) {
  std::string note;
  SourceChoice source;
  source.backend = o.backend;
  const Backend backend = source.choose_backend(session, note);
  std::vector<WrongSolution> tried;
  for (const WrongSolution& wrong : list)
    if (std::find(wrong.backends.begin(), wrong.backends.end(), backend) != wrong.backends.end())
      tried.push_back(wrong);
  std::vector<nlohmann::json> answers(tried.size());
  std::size_t done = 0, caught = 0, named = 0, explained = 0, falsely = 0, agreed = 0;
  std::mutex mutex;
  ProgressLine line(!session.json);
  const std::vector<std::string> few = one_of_each_kind(tried);
  const auto agrees = [&](const WrongSolution& wrong) {
    return o.agree == "all" ||
           (o.agree == "few" && std::find(few.begin(), few.end(), wrong.name) != few.end());
  };
  // A GPU runs one program at a time.
  const int at_once = backend == Backend::gpu ? 1 : o.workers > 0 ? o.workers : most_compilers();
  const Kit& kit = session.kit();
  const Toolchain& toolchain = session.toolchain();
  on_threads(tried.size(), at_once, [&](std::size_t i) {
    const WrongSolution& wrong = tried[i];
    const Stopwatch taken(this_machine().clocks);
    const MistakeOutcome outcome = try_seeds(kit, toolchain, lab, wrong, backend, agrees(wrong), o);
    const std::lock_guard<std::mutex> lock(mutex);
    line.update("mistake " + wrong.name, static_cast<int>(++done), static_cast<int>(tried.size()));
    caught += outcome.caught;
    explained += outcome.explained;
    falsely += !outcome.falsehoods.empty();
    named += outcome.caught && outcome.named;
    const bool well = is_well(outcome);
    agreed += outcome.disagreement.value_or("").empty();
    answers[i] = {{"name", wrong.name},
                  {"level", outcome.level},
                  {"case", outcome.shown_in},
                  {"seconds", taken.seconds()},
                  {"caught", outcome.caught},
                  {"named", outcome.named},
                  {"explained", outcome.explained},
                  {"falsehoods", outcome.falsehoods},
                  {"said", outcome.said},
                  {"advice", advice_json(lab, outcome.grading)},
                  {"what_else", outcome.what_else},
                  {"disagreement",
                   outcome.disagreement ? nlohmann::json(*outcome.disagreement) : nlohmann::json(nullptr)}};
    if (session.json || (well && !session.verbose)) return;
    line.clear();
    const Style& style = session.style;
    const std::string head = fmt::format("  {}  {}: ",
                                         well              ? style.good("ok")
                                         : !outcome.caught ? style.bad("not caught")
                                         : !outcome.named  ? style.bad("not named")
                                                           : style.bad("no agreement"),
                                         wrong.name);
    std::string why;
    for (const std::string& one : {outcome.what_else, outcome.disagreement.value_or("")})
      if (!one.empty()) why += "; " + one;
    session.print(wrap(head + wrong.title + why, style.width, 4) + "\n");
    if (session.verbose) session.print(wrap(outcome.said, style.width, 8) + "\n");
  });
  line.clear();
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "mistakes-check"},
                                  {"lab", lab.id},
                                  {"backend", to_string(backend)},
                                  {"tried", tried.size()},
                                  {"caught", caught},
                                  {"named", named},
                                  {"explained", explained},
                                  {"falsely", falsely},
                                  {"mistakes", answers}});
  } else {
    session.print(fmt::format(
        "{}: {} mistakes, {} caught, {} named as asked; the cause is said of {}, something false of {}.\n",
        lab.id, tried.size(), caught, named, explained, falsely));
  }
  return named == tried.size() && agreed == tried.size() ? 0 : 1;
}

/// Grades the lazy answers to all blanks, and reports the answers that lose no points.
int run_lazy(Session& session, const Lab& lab, const MistakesOptions& o) {
  std::string note;
  SourceChoice source;
  source.backend = o.backend;
  const Backend backend = source.choose_backend(session, note);
  const Kit& kit = session.kit();
  const Toolchain& toolchain = session.toolchain();
  const std::vector<LazyAnswer> answers = lazy_answers(kit, lab);
  std::vector<Grading> gradings(answers.size());
  std::size_t done = 0;
  std::mutex mutex;
  ProgressLine line(!session.json);
  const int at_once = backend == Backend::gpu ? 1 : o.workers > 0 ? o.workers : most_compilers();
  on_threads(answers.size(), at_once, [&](std::size_t i) {
    gradings[i] = grade_lazy(kit, toolchain, lab, answers[i], backend);
    if (interrupted()) throw Error(ErrorKind::environment, "Interrupted.");
    const std::lock_guard<std::mutex> lock(mutex);
    line.update("lazy answer", static_cast<int>(++done), static_cast<int>(answers.size()));
  });
  line.clear();
  std::size_t judged = 0, lost = 0;
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const LazyAnswer& answer = answers[i];
    const bool is_judged = gradings[i].max_points > 0;
    const bool loses = is_judged && gradings[i].points < gradings[i].max_points;
    judged += is_judged, lost += loses;
    all.push_back({{"level", answer.level},
                   {"file", answer.file.string()},
                   {"line", answer.line},
                   {"parts", answer.parts},
                   {"kind", answer.kind},
                   {"verdict", to_string(gradings[i].verdict)},
                   {"judged", is_judged},
                   {"loses", loses}});
    if (session.json || (loses && !session.verbose)) continue;
    session.print(wrap(fmt::format("  {}  level {}, {}:{}, part {}: {} ({})",
                                   loses       ? session.style.good("ok")
                                   : is_judged ? session.style.bad("loses nothing")
                                               : "not judged here",
                                   answer.level, answer.file.string(), answer.line,
                                   fmt::join(answer.parts, ", "), answer.kind, words(gradings[i].verdict)),
                       session.style.width, 4) +
                  "\n");
  }
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "lazy-answers"},
                                  {"lab", lab.id},
                                  {"backend", to_string(backend)},
                                  {"answers", all}});
  } else {
    session.print(fmt::format("{}: {} lazy answers, {} judged, {} lose points.\n", lab.id, answers.size(),
                              judged, lost));
  }
  return lost == judged ? 0 : 1;
}

int run_mistakes(Session& session, MistakesOptions& o) {
  const Lab& lab = o.lab.find(session);
  if (o.lazy) return run_lazy(session, lab, o);
  const std::vector<WrongSolution> list = choose_mistakes(lab, read_wrong(session.kit(), lab), o.names);
  if (!o.to.empty()) {
    const Submission solution = read_submission(session.kit(), lab, 1, Origin::solution);
    for (const WrongSolution& wrong : list)
      for (const SubmissionFile& file : apply_wrong(solution, wrong).files)
        write_file(fs::path(o.to) / wrong.name / file.name, file.text);
  }
  if (o.seeds < 1) throw Error(ErrorKind::usage, fmt::format("--seeds {}: expected 1 or more.", o.seeds));
  if (o.check) return run_mistakes_check(session, lab, list, o);
  if (session.json) {
    nlohmann::json mistakes = nlohmann::json::array();
    for (const WrongSolution& wrong : list) mistakes.push_back(mistake_json(wrong));
    session.answer(
        nlohmann::json{{"format", 1}, {"kind", "mistakes"}, {"lab", lab.id}, {"mistakes", mistakes}});
  } else {
    session.print(mistakes_text(list));
    if (!o.to.empty() && !list.empty())
      session.say(
          fmt::format("Next: grader check {} --from {}", lab.id, shown(fs::path(o.to) / list.front().name)));
  }
  return 0;
}

Command mistakes_command() {
  const auto o = std::make_shared<MistakesOptions>();
  return {
      .name = "mistakes",
      .summary = "Show a lab's planted mistakes, or try them",
      .group = Group::instructor,
      .options = concat(
          {{o->lab.lab_option(),
            {.names = "NAMES", .type = "NAME", .help = "names of mistakes; default: all", .value = &o->names},
            {.names = "--to",
             .type = "FOLDER",
             .help = "write each into a folder of its name there",
             .value = &o->to},
            {.names = "--check",
             .help = "grade each; exit 1 when one is not caught and named",
             .value = &o->check},
            {.names = "--lazy",
             .help =
                 "grade each blank left empty, with a constant, with the neighbour's answer; exit 1 when one "
                 "loses no points",
             .value = &o->lazy},
            {.names = "--every-case",
             .help = "with --check: grade all cases, not only the one that wrong.toml names; minutes",
             .value = &o->every_case},
            {.names = "--seeds",
             .type = "N",
             .help = "with --check: grade each with the inputs of N seeds; default: 1",
             .value = &o->seeds},
            {.names = "--agree",
             .type = "WHICH",
             .help = "with --check: also compare the answers of check and view on a mistake's case: of few "
                     "mistakes, one of each kind, or of all",
             .value = &o->agree,
             .choices = {"few", "all"}},
            {.names = "--workers",
             .type = "N",
             .help = "grade N at the same time; default: one for each core",
             .value = &o->workers},
            {.names = "--backend",
             .type = "NAME",
             .help = "with --check: gpu or emu; default: gpu if there is one, else emu",
             .value = &o->backend,
             .choices = {"emu", "gpu"}}},
           long_report_options()}),
      .run = [o](Session& session) { return run_mistakes(session, *o); }};
}

}  // namespace

std::vector<Command> author_commands() {
  return {release_command(), new_level_command(), mistakes_command()};
}

}  // namespace grader
