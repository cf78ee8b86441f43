// report: creates a student's report on a lab from a template, and fills it with measured tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "cli/cli_session.hpp"
#include "cli/commands.hpp"
#include "report/lab_report.hpp"
#include "report/table.hpp"
#include "workspace/workspace.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_report = 8 << 20;

struct WriteReportOptions {
  LabChoice lab;
  std::string form, file;
};

/// The table that was measured last on a GPU, or else in emulation.
std::string last_table_text(Session& session, const Lab& lab, const std::string& id) {
  Records* const records = session.records_if_any();
  if (records == nullptr) return "";
  for (const Backend backend : {Backend::gpu, Backend::emu}) {
    if (const std::optional<Table> table = records->last_table(lab.id, id, backend))
      return table_markdown(*table);
  }
  return "";
}

int run_report(Session& session, WriteReportOptions& o) {
  const Lab& lab = o.lab.find(session);
  const fs::path file = o.file.empty()
                            ? open_workspace(session.kit(), lab, o.lab.level_or_first()).folder / "report.md"
                            : fs::path(o.file);
  std::error_code ignored;
  const bool begun = fs::exists(file, ignored);
  const fs::path form = o.form.empty() ? session.kit().root / "docs/report-template.txt" : fs::path(o.form);
  const std::string before = begun ? read_file(file, largest_report)
                                   : new_report(read_file(form, largest_report), lab,
                                                read_file(lab.folder / "README.md", largest_report));
  std::vector<std::string> missing;
  const std::string text = fill_report(
      before, [&](const std::string& id) { return last_table_text(session, lab, id); }, missing);
  if (!begun || text != before) write_file(file, text);
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "report"},
                                  {"lab", lab.id},
                                  {"file", file.string()},
                                  {"made", !begun},
                                  {"missing", missing}});
    return 0;
  }
  session.print(fmt::format("{}: {}\n", begun ? "Its tables are as measured last" : "Made", shown(file)));
  if (!missing.empty())
    session.print(
        fmt::format("Not measured yet: {}\nNext: grader table {} --id {}, then the same command again\n",
                    fmt::join(missing, ", "), lab.id, missing.front()));
  return 0;
}

Command report_command() {
  const auto o = std::make_shared<WriteReportOptions>();
  return {.name = "report",
          .summary = "Begin a report on a lab, and fill in its tables",
          .group = Group::student,
          .options = concat({o->lab.options(),
                             {{.names = "--form",
                               .type = "FILE",
                               .help = "the template; default: docs/report-template.txt",
                               .value = &o->form,
                               .existing_file = true},
                              {.names = "-o,--output",
                               .type = "FILE",
                               .help = "the report; default: report.md in your folder",
                               .value = &o->file}},
                             report_options()}),
          .run = [o](Session& session) { return run_report(session, *o); }};
}

}  // namespace

std::vector<Command> report_commands() {
  return {report_command()};
}

}  // namespace grader
