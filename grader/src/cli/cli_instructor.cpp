// release, gold, new-lab, mistakes and inventory: the commands that make labs and prove what they store.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "author/inventory.hpp"
#include "author/scaffold.hpp"
#include "author/wrong.hpp"
#include "base/columns.hpp"
#include "base/files.hpp"
#include "cli/cli_session.hpp"
#include "model/json.hpp"
#include "run/gold.hpp"
#include "workspace/release.hpp"

namespace grader {
namespace {

struct LabsOptions {
  std::vector<std::string> labs;
  bool check = false;

  std::vector<Option> options() {
    return concat(
        {{{.names = "LABS", .type = "LAB", .help = "labs; default: all", .value = &labs},
          {.names = "--check", .help = "write nothing; exit 1 when something differs", .value = &check}},
         report_options()});
  }
};

const char* kind_word(ReleaseChange::Kind kind) {
  switch (kind) {
    case ReleaseChange::Kind::missing:
      return "missing";
    case ReleaseChange::Kind::differs:
      return "differs";
    case ReleaseChange::Kind::stray:
      return "stray";
  }
  return "differs";
}

std::string change_text(const ReleaseChange& change, bool check, const Style& style) {
  using Kind = ReleaseChange::Kind;
  const std::string place =
      shown(change.path) +
      (change.kind == Kind::differs && change.first_line > 0 ? fmt::format(":{}", change.first_line) : "");
  std::string what;
  if (change.left_alone) {
    what = style.warn("stray") + ", left alone since it is not committed as it stands";
  } else if (check) {
    what = style.bad(change.kind == Kind::missing ? "missing"
                     : change.kind == Kind::stray ? "stray: no skeleton has this file"
                                                  : "differs from what the solution gives");
  } else {
    what = style.good(change.kind == Kind::missing ? "written"
                      : change.kind == Kind::stray ? "removed"
                                                   : "rewritten");
  }
  if (!change.backup.empty()) what += fmt::format("; the old text is kept in {}", shown(change.backup));
  return fmt::format("  {}  {}\n", place, what);
}

nlohmann::json change_json(const Lab& lab, const ReleaseChange& change) {
  return {{"lab", lab.id},
          {"kind", kind_word(change.kind)},
          {"path", change.path.string()},
          {"first_line", change.first_line},
          {"backup", change.backup.string()},
          {"left_alone", change.left_alone}};
}

int run_release(Session& session, const LabsOptions& o) {
  nlohmann::json changes = nlohmann::json::array();
  std::string text;
  const std::vector<const Lab*> labs = choose_labs(session, o.labs);
  for (const Lab* lab : labs) {
    for (const ReleaseChange& change : release(session.kit(), *lab, o.check)) {
      changes.push_back(change_json(*lab, change));
      text += change_text(change, o.check, session.style);
    }
  }
  const std::size_t count = changes.size();
  if (session.json) {
    session.answer(
        nlohmann::json{{"format", 1}, {"kind", "release"}, {"check", o.check}, {"changes", changes}});
  } else if (count == 0) {
    session.print(fmt::format("The levels of {} lab{} are what the solutions give.\n", labs.size(),
                              labs.size() == 1 ? "" : "s"));
  } else {
    session.print(text);
    if (o.check) session.print("Next: grader release\n");
  }
  return o.check && count > 0 ? 1 : 0;
}

Command release_command() {
  const auto o = std::make_shared<LabsOptions>();
  return {.name = "release",
          .summary = "Generate the levels from the solutions",
          .group = Group::instructor,
          .options = o->options(),
          .run = [o](Session& session) { return run_release(session, *o); }};
}

struct GoldOptions : LabsOptions {
  std::string case_id, to;
};

/// grader gold LAB --case ID --to FOLDER
int run_gold_case(Session& session, const GoldOptions& o) {
  const std::vector<const Lab*> labs = choose_labs(session, o.labs);
  if (labs.size() != 1 || o.case_id.empty() || o.to.empty() || o.check)
    throw Error(ErrorKind::usage, "--case and --to belong together, to one lab, and not to --check.",
                "grader gold LAB --case ID --to FOLDER");
  const Lab& lab = *labs[0];
  const auto found =
      std::find_if(lab.cases.begin(), lab.cases.end(), [&](const Case& c) { return c.id == o.case_id; });
  if (found == lab.cases.end()) {
    std::string ids;
    for (const Case& c : lab.cases) ids += (ids.empty() ? "" : ", ") + c.id;
    throw Error(ErrorKind::usage, fmt::format("{} has no case {}; it has {}.", lab.id, o.case_id, ids));
  }
  const fs::path oracle = build_oracle(session.kit(), session.toolchain(), lab);
  nlohmann::json files = nlohmann::json::array();
  for (const fs::path& file : make_gold_case(lab, *found, oracle, o.to)) {
    files.push_back(file.string());
    if (!session.json) session.print(fmt::format("  {}  {} bytes\n", shown(file), fs::file_size(file)));
  }
  if (session.json)
    session.answer(nlohmann::json{{"format", 1}, {"kind", "gold-case"}, {"lab", lab.id}, {"files", files}});
  return 0;
}

int run_gold(Session& session, const GoldOptions& o) {
  if (!o.case_id.empty() || !o.to.empty()) return run_gold_case(session, o);
  nlohmann::json problems = nlohmann::json::array();
  std::string text;
  ProgressLine line(!session.json);
  const std::vector<const Lab*> labs = choose_labs(session, o.labs);
  int done = 0;
  for (const Lab* lab : labs) {
    line.update("gold of " + lab->id, done++, static_cast<int>(labs.size()));
    const fs::path oracle = build_oracle(session.kit(), session.toolchain(), *lab);
    for (const GoldProblem& problem : make_gold(session.kit(), *lab, oracle, o.check)) {
      problems.push_back({{"lab", lab->id}, {"path", problem.path.string()}, {"what", problem.what}});
      text += fmt::format("  {}  {}\n", shown(problem.path), problem.what);
    }
    if (interrupted()) throw Error(ErrorKind::environment, "Interrupted.");
  }
  line.clear();
  const std::size_t count = problems.size();
  if (session.json) {
    session.answer(
        nlohmann::json{{"format", 1}, {"kind", "gold"}, {"check", o.check}, {"problems", problems}});
  } else if (count == 0) {
    session.print(fmt::format("The gold of {} lab{} is what the oracles give.\n", labs.size(),
                              labs.size() == 1 ? "" : "s"));
  } else {
    session.print(text);
    if (o.check) session.print("Next: grader gold\n");
  }
  return o.check && count > 0 ? 1 : 0;
}

Command gold_command() {
  const auto o = std::make_shared<GoldOptions>();
  return {
      .name = "gold",
      .summary = "Make the stored inputs and results with the oracles",
      .group = Group::instructor,
      .options = concat(
          {o->options(),
           {{.names = "--case",
             .type = "ID",
             .help = "make the files of this case only, in the folder of --to",
             .value = &o->case_id},
            {.names = "--to", .type = "FOLDER", .help = "a folder of your own for them", .value = &o->to}}}),
      .run = [o](Session& session) { return run_gold(session, *o); }};
}

// ---------------------------------------------------------------------------------------------------------------------

struct NewLabOptions {
  std::string id, name;
  int levels = 1;
};

int run_new_lab(Session& session, const NewLabOptions& o) {
  const NewLab made = new_lab(session.kit(), session.catalog(), o.id, o.name, o.levels);
  if (session.json) {
    nlohmann::json files = nlohmann::json::array();
    for (const fs::path& file : made.files) files.push_back(file.string());
    session.answer(nlohmann::json{
        {"format", 1}, {"kind", "new-lab"}, {"lab", o.id}, {"files", files}, {"next", made.next_steps}});
    return 0;
  }
  for (const fs::path& file : made.files) session.print("  " + shown(file) + "\n");
  session.print(made.next_steps + (made.next_steps.empty() || made.next_steps.back() == '\n' ? "" : "\n"));
  return 0;
}

Command new_lab_command() {
  const auto o = std::make_shared<NewLabOptions>();
  return {
      .name = "new-lab",
      .summary = "Write a small lab that works, to be changed",
      .group = Group::instructor,
      .options = concat(
          {{{.names = "ID",
             .type = "ID",
             .help = "its number, such as lab2.3",
             .value = &o->id,
             .required = true},
            {.names = "NAME",
             .type = "NAME",
             .help = "its name, such as prefix_sum",
             .value = &o->name,
             .required = true},
            {.names = "--levels", .type = "N", .help = "how many levels; default: 1", .value = &o->levels}},
           report_options()}),
      .run = [o](Session& session) { return run_new_lab(session, *o); }};
}

// ---------------------------------------------------------------------------------------------------------------------

struct MistakesOptions {
  LabChoice lab;
  std::vector<std::string> names;
  std::string to;
};

/// Those that were named, or all. @throws Error (usage) for an unknown one
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
  return {{"name", wrong.name},         {"title", wrong.title},
          {"file", wrong.file},         {"verdict", to_string(wrong.verdict)},
          {"pattern", wrong.pattern},   {"rule", wrong.finding.rule},
          {"says", wrong.finding.says}, {"case", wrong.finding.only_case}};
}

/// A line for each: its name, the checker's rule (or -), the case that shows it (or -), its title.
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

int run_mistakes(Session& session, MistakesOptions& o) {
  const Lab& lab = o.lab.find(session);
  const std::vector<WrongSolution> list = choose_mistakes(lab, read_wrong(session.kit(), lab), o.names);
  if (!o.to.empty()) {
    const Submission solution = read_submission(session.kit(), lab, 1, Origin::solution);
    for (const WrongSolution& wrong : list)
      for (const SubmissionFile& file : apply_wrong(solution, wrong).files)
        write_file(fs::path(o.to) / wrong.name / file.name, file.text);
  }
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
      .summary = "Show a lab's wrong solutions, or write them out",
      .group = Group::instructor,
      .options = concat(
          {{o->lab.lab_option(),
            {.names = "NAMES", .type = "NAME", .help = "names of mistakes; default: all", .value = &o->names},
            {.names = "--to",
             .type = "FOLDER",
             .help = "write each into a folder of its name there",
             .value = &o->to}},
           report_options()}),
      .run = [o](Session& session) { return run_mistakes(session, *o); }};
}

int run_inventory(Session& session) {
  const std::vector<std::string> problems = inventory_problems(session.kit(), session.catalog());
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1}, {"kind", "inventory"}, {"problems", problems}});
  } else if (problems.empty()) {
    session.print("Every lab is complete, and every file belongs to one.\n");
  } else {
    for (const std::string& problem : problems)
      session.print(hanging("  ", problem, session.style.width) + "\n");
  }
  return problems.empty() ? 0 : 1;
}

Command inventory_command() {
  return {.name = "inventory",
          .summary = "Check that every lab is complete and no file stray",
          .group = Group::instructor,
          .options = report_options(),
          .run = run_inventory};
}

}  // namespace

std::vector<Command> instructor_commands() {
  return {release_command(), gold_command(), new_lab_command(), mistakes_command(), inventory_command()};
}

}  // namespace grader
