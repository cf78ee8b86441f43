// gold, new-lab and inventory: the commands that make labs and prove their stored files.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "author/inventory.hpp"
#include "author/scaffold.hpp"
#include "base/columns.hpp"
#include "base/files.hpp"
#include "cli/cli_session.hpp"
#include "model/json.hpp"
#include "run/gold.hpp"

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

struct GoldOptions : LabsOptions {
  std::string case_id, to;
};

/// Runs grader gold LAB --case ID --to FOLDER.
int run_gold_case(Session& session, const GoldOptions& o) {
  const std::vector<const Lab*> labs = choose_labs(session, o.labs);
  if (labs.size() != 1 || o.case_id.empty() || o.to.empty() || o.check)
    throw Error(ErrorKind::usage, "--case and --to are used together, for one lab and without --check.",
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
          .summary = "Check that every lab is complete and no file undeclared",
          .group = Group::instructor,
          .options = report_options(),
          .run = run_inventory};
}

}  // namespace

std::vector<Command> instructor_commands() {
  return {gold_command(), new_lab_command(), inventory_command()};
}

}  // namespace grader
