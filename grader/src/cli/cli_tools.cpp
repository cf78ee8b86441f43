// doctor, prepare and completion: the commands that concern the kit itself.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "build/prepare.hpp"
#include "cli/cli_session.hpp"
#include "cli/completion.hpp"
#include "cli/doctor.hpp"
#include "workspace/lab_files.hpp"
#include "workspace/submission.hpp"

namespace grader {
namespace {

const char* state_word(DoctorItem::State state) {
  switch (state) {
    case DoctorItem::State::good:
      return "good";
    case DoctorItem::State::missing:
      return "missing";
    case DoctorItem::State::warning:
      return "warning";
  }
  return "warning";
}

std::string doctor_text(const std::vector<DoctorItem>& items, const Style& style) {
  std::size_t name_width = 0;
  for (const DoctorItem& item : items) {
    name_width = std::max(name_width, static_cast<std::size_t>(display_width(item.name)));
  }
  const std::string blanks(name_width + 6, ' ');
  std::string out;
  for (const DoctorItem& item : items) {
    const bool good = item.state == DoctorItem::State::good;
    const std::string mark = good                                       ? style.good("ok")
                             : item.state == DoctorItem::State::missing ? style.bad("no")
                                                                        : style.warn("--");
    const std::string pad(name_width - static_cast<std::size_t>(display_width(item.name)), ' ');
    out += hanging(fmt::format("{}  {}{}  ", mark, item.name, pad),
                   item.found.empty() ? "not found" : item.found, style.width) +
           "\n";
    if (good) continue;
    if (!item.meaning.empty()) out += hanging(blanks, item.meaning, style.width) + "\n";
    if (!item.mend.empty()) {
      out += hanging(blanks + style.strong("Next:") + " ", item.mend, style.width) + "\n";
    }
  }
  return out;
}

int run_doctor(Session& session) {
  const std::vector<DoctorItem> items = doctor(session.kit(), session.toolchain());
  const bool well = std::none_of(items.begin(), items.end(),
                                 [](const DoctorItem& i) { return i.state == DoctorItem::State::missing; });
  if (session.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const DoctorItem& item : items) {
      list.push_back({{"name", item.name},
                      {"state", state_word(item.state)},
                      {"found", item.found},
                      {"meaning", item.meaning},
                      {"mend", item.mend}});
    }
    session.answer(nlohmann::json{{"format", 1}, {"kind", "doctor"}, {"well", well}, {"items", list}});
  } else {
    session.print(doctor_text(items, session.style));
    session.print(well ? "Everything that grading needs is here.\n"
                       : "Something that grading needs is missing.\n");
  }
  return well ? 0 : static_cast<int>(ErrorKind::environment);
}

Command doctor_command() {
  return {.name = "doctor",
          .summary = "Check this machine's tools, and list the missing ones",
          .group = Group::tools,
          .options = report_options(),
          .run = run_doctor};
}

// ---------------------------------------------------------------------------------------------------------------------

int run_prepare(Session& session) {
  std::vector<Submission> labs;
  for (const Lab& lab : session.catalog().labs()) {
    Submission& handed_out = labs.emplace_back();
    handed_out.lab = &lab;
    handed_out.files = as_submitted(level_files(session.kit(), lab, 1));
  }
  ProgressLine line(!session.json);
  prepare(session.kit(), session.toolchain(), labs, progress_on(line));
  line.clear();
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1}, {"kind", "prepared"}});
  } else {
    session.print("What all labs share is compiled.\n");
  }
  return 0;
}

Command prepare_command() {
  return {.name = "prepare",
          .summary = "Compile all labs' common parts before the first grading",
          .group = Group::tools,
          .options = report_options(),
          .run = run_prepare};
}

// ---------------------------------------------------------------------------------------------------------------------

struct CompletionOptions {
  std::string shell;
};

int run_completion(Session& session, const CompletionOptions& o) {
  const std::vector<Command> commands = all_commands();
  session.print(o.shell == "bash" ? bash_completion(commands) : zsh_completion(commands));
  return 0;
}

Command completion_command() {
  const auto o = std::make_shared<CompletionOptions>();
  return {.name = "completion",
          .summary = "Print the completion script of a shell",
          .group = Group::tools,
          .options = {{.names = "SHELL",
                       .type = "SHELL",
                       .help = "bash or zsh",
                       .value = &o->shell,
                       .required = true,
                       .choices = {"bash", "zsh"}}},
          .run = [o](Session& session) { return run_completion(session, *o); }};
}

}  // namespace

std::vector<Command> tool_commands() {
  return {doctor_command(), prepare_command(), completion_command()};
}

}  // namespace grader
