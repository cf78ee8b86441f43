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

  void add_to(CLI::App& command, Session& session, const char* check_words) {
    command.add_option("LABS", labs, "labs; default: all")->type_name("LAB");
    command.add_flag("--check", check, check_words);
    add_report_options(command, session);
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

void add_release(CLI::App& app, Session& session) {
  const auto o = std::make_shared<LabsOptions>();
  CLI::App* command =
      app.add_subcommand("release", "Generate the levels from the solutions")->group("As an instructor");
  o->add_to(*command, session, "write nothing; exit 1 when something differs");
  command->callback([&session, o] { session.action = [&session, o] { return run_release(session, *o); }; });
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

void add_gold(CLI::App& app, Session& session) {
  const auto o = std::make_shared<GoldOptions>();
  CLI::App* command = app.add_subcommand("gold", "Make the stored inputs and results with the oracles")
                          ->group("As an instructor");
  o->add_to(*command, session, "write nothing; exit 1 when something differs");
  command->add_option("--case", o->case_id, "make the files of this case only, in the folder of --to")
      ->type_name("ID");
  command->add_option("--to", o->to, "a folder of your own for them")->type_name("FOLDER");
  command->callback([&session, o] { session.action = [&session, o] { return run_gold(session, *o); }; });
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

void add_new_lab(CLI::App& app, Session& session) {
  const auto o = std::make_shared<NewLabOptions>();
  CLI::App* command =
      app.add_subcommand("new-lab", "Write a small lab that works, to be changed")->group("As an instructor");
  command->add_option("ID", o->id, "its number, such as lab2.3")->required();
  command->add_option("NAME", o->name, "its name, such as prefix_sum")->required();
  command->add_option("--levels", o->levels, "how many levels; default: 1")->type_name("N");
  add_report_options(*command, session);
  command->callback([&session, o] { session.action = [&session, o] { return run_new_lab(session, *o); }; });
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

void add_mistakes(CLI::App& app, Session& session) {
  const auto o = std::make_shared<MistakesOptions>();
  CLI::App* command = app.add_subcommand("mistakes", "Show a lab's wrong solutions, or write them out")
                          ->group("As an instructor");
  o->lab.add_to(*command, false);
  command->add_option("NAMES", o->names, "names of mistakes; default: all")->type_name("NAME");
  command->add_option("--to", o->to, "write each into a folder of its name there")->type_name("FOLDER");
  add_report_options(*command, session);
  command->callback([&session, o] { session.action = [&session, o] { return run_mistakes(session, *o); }; });
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

void add_inventory(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("inventory", "Check that every lab is complete and no file stray")
                          ->group("As an instructor");
  add_report_options(*command, session);
  command->callback([&session] { session.action = [&session] { return run_inventory(session); }; });
}

}  // namespace

void add_instructor_commands(CLI::App& app, Session& session) {
  add_release(app, session);
  add_gold(app, session);
  add_new_lab(app, session);
  add_mistakes(app, session);
  add_inventory(app, session);
}

}  // namespace grader
