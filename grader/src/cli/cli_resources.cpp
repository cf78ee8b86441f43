// resources: shows the resources of a lab's kernels on a multiprocessor, for each value of the lab's parameters.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/scratch.hpp"
#include "build/resources.hpp"
#include "check/checking.hpp"
#include "cli/cli_session.hpp"
#include "run/launches.hpp"

namespace grader {
namespace {

using Macros = std::map<std::string, std::string>;

struct ResourcesOptions {
  LabChoice lab;
  SourceChoice source;
  std::string architecture;
};

struct Row {
  std::string name;  ///< "as it is", or "UNROLL 4"
  Macros macros;
  std::vector<KernelResources> kernels;
  std::string problem;
};

/// A row for the unchanged program, followed by a row for each value of each macro in the lab's tables.
std::vector<Row> rows_of(const Lab& lab) {
  std::vector<Row> rows = {{"as it is", {}, {}, {}}};
  for (const TableSpec& table : lab.tables) {
    for (const Axis& axis : table.axes) {
      for (const std::string& value : axis.values) {
        if (axis.kind != Axis::Kind::macro) continue;
        Row row{axis.name + " " + value, {{axis.name, value}}, {}, {}};
        const bool known =
            std::any_of(rows.begin(), rows.end(), [&](const Row& r) { return r.macros == row.macros; });
        if (!known) rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

/// The architecture, such as "sm_90": the requested one, or else that of this machine's GPU, or else that of
/// the GPU for which docs/results has measurements.
std::string architecture_of(const ResourcesOptions& o, const Toolchain& toolchain) {
  if (!o.architecture.empty()) return o.architecture;
  if (toolchain.gpus.empty()) return "sm_90";
  return fmt::format("sm_{}{}", toolchain.gpus.front().compute_major, toolchain.gpus.front().compute_minor);
}

int capability_of(const std::string& architecture) {
  const std::string digits = architecture.starts_with("sm_") ? architecture.substr(3) : architecture;
  if (digits.empty() || digits.size() > 3 || digits.find_first_not_of("0123456789") != std::string::npos)
    throw Error(ErrorKind::usage, fmt::format("\"{}\" is not a GPU architecture.", architecture),
                "--arch sm_90");
  return std::stoi(digits);
}

std::vector<std::string> cells(const Row& row, const KernelResources& k, const Multiprocessor& sm) {
  std::vector<std::string> line = {row.name,
                                   k.kernel,
                                   std::to_string(k.registers),
                                   std::to_string(k.shared),
                                   std::to_string(k.local),
                                   std::to_string(k.spill_stores + k.spill_loads),
                                   k.threads > 0 ? std::to_string(k.threads) : "–"};
  if (k.threads > 0) {
    const Occupancy o = occupancy(sm, k.threads, k.registers, std::max(k.shared, k.launched_shared));
    line.insert(line.end(), {std::to_string(o.blocks), fmt::format("{:.3f}", o.share), o.limit});
  } else {
    line.insert(line.end(), {"–", "–", "–"});
  }
  return line;
}

std::string as_text(const std::vector<Row>& rows, const Multiprocessor& sm, const Style& style) {
  Columns columns({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right,
                   Align::right, Align::right, Align::right, Align::left});
  std::vector<std::string> head = {"",        "kernel",  "regs",   "shared",    "local",
                                   "spilled", "threads", "blocks", "occupancy", "limit"};
  for (std::string& title : head) title = style.strong(title);
  columns.add(head);
  for (const Row& row : rows)
    for (const KernelResources& k : row.kernels) columns.add(cells(row, k, sm));
  std::string out = columns.text(0, std::max(style.width, 100));
  for (const Row& row : rows)
    if (!row.problem.empty()) out += fmt::format("{}: {}\n", row.name, row.problem);
  return out;
}

nlohmann::json rows_json(const std::vector<Row>& rows, const Multiprocessor& sm) {
  nlohmann::json list = nlohmann::json::array();
  for (const Row& row : rows) {
    nlohmann::json kernels = nlohmann::json::array();
    for (const KernelResources& k : row.kernels) {
      nlohmann::json one = {
          {"kernel", k.kernel}, {"registers", k.registers},       {"shared", k.shared},
          {"local", k.local},   {"spill_stores", k.spill_stores}, {"spill_loads", k.spill_loads}};
      if (k.constant) one["constant"] = *k.constant;
      if (k.threads > 0) {
        const Occupancy o = occupancy(sm, k.threads, k.registers, std::max(k.shared, k.launched_shared));
        one.update(
            {{"threads", k.threads}, {"blocks", o.blocks}, {"occupancy", o.share}, {"limit", o.limit}});
      }
      kernels.push_back(std::move(one));
    }
    list.push_back({{"macros", row.macros}, {"kernels", kernels}, {"problem", row.problem}});
  }
  return list;
}

/// Runs the lab's small cases in emulation to find the launches of its kernels.
class Launcher {
 public:
  Launcher(Session& session, const Submission& submission)
      : session_(session), submission_(submission), lab_(checking_lab(*submission.lab)) {
    data_.resize(lab_.cases.size());
  }

  /// Runs one case after the other, until the block size of every kernel is known.
  void fill(std::vector<KernelResources>& kernels, const Macros& macros) {
    LaunchShapes shapes;
    for (std::size_t i = 0; i < lab_.cases.size() && !all_launches_known(kernels) && !interrupted(); ++i) {
      add_launches(shapes, profile(i, macros));
      fill_launches(kernels, shapes);
    }
  }

 private:
  Profile profile(std::size_t i, Macros macros) {
    const Case& c = lab_.cases[i];
    macros.insert(c.macros.begin(), c.macros.end());  // the row's own macros take precedence
    const BuildResult built = build(session_.kit(), session_.toolchain(), submission_, Backend::emu, macros);
    if (!built.ok) return {};
    if (!data_[i]) {
      const fs::path oracle = build_oracle(session_.kit(), session_.toolchain(), lab_);
      data_[i] = prepare_case(session_.kit(), lab_, c, oracle, scratch_.path() / fmt::format("data{}", i));
    }
    return run_case(session_.toolchain(), lab_, c, Backend::emu, built.program, *data_[i],
                    scratch_.path() / "run")
        .profile;
  }

  Session& session_;
  const Submission& submission_;
  const Lab lab_;
  const ScratchFolder scratch_{session_.kit().state() / "work", "resources"};
  std::vector<std::optional<CaseData>> data_;
};

int run_resources(Session& session, ResourcesOptions& o) {
  const Lab& lab = o.lab.find(session);
  const Submission submission = o.source.read(session, lab, o.lab.level_or_first());
  const std::string architecture = architecture_of(o, session.toolchain());
  const Multiprocessor& sm = multiprocessor(capability_of(architecture));
  std::vector<Row> rows = rows_of(lab);
  ProgressLine line(!session.json);
  Launcher launcher(session, submission);
  for (std::size_t i = 0; i < rows.size() && !interrupted(); ++i) {
    line.update(fmt::format("compiling {}", rows[i].name), static_cast<int>(i),
                static_cast<int>(rows.size()));
    std::string diagnostics;
    rows[i].kernels = kernel_resources(session.kit(), session.toolchain(), submission, rows[i].macros,
                                       architecture, diagnostics);
    if (!diagnostics.empty()) rows[i].problem = first_error(diagnostics);
    if (session.toolchain().emucc.empty() || all_launches_known(rows[i].kernels)) continue;
    line.update(fmt::format("running {}", rows[i].name), static_cast<int>(i), static_cast<int>(rows.size()));
    launcher.fill(rows[i].kernels, rows[i].macros);
  }
  line.clear();
  if (interrupted()) throw Error(ErrorKind::environment, "Interrupted.");
  if (session.json) {
    session.answer(nlohmann::json{{"format", 1},
                                  {"kind", "resources"},
                                  {"lab", lab.id},
                                  {"architecture", architecture},
                                  {"rows", rows_json(rows, sm)}});
  } else {
    session.print(as_text(rows, sm, session.style));
    const bool known =
        std::all_of(rows.begin(), rows.end(), [](const Row& row) { return all_launches_known(row.kernels); });
    const std::string legend = fmt::format(
        "{}, compiled for {}. regs and local: of a thread; shared: of a block, static; spilled: bytes that a "
        "thread stores and loads because registers ran out; threads: of a block, declared or as launched in "
        "emulation; blocks: held by a multiprocessor at a time.{}",
        lab.id, architecture, known ? "" : " – : no small case of the lab launches that kernel.");
    session.print(wrap(session.style.faint(legend), session.style.width) + "\n");
  }
  return rows.front().problem.empty() ? 0 : 1;
}

Command resources_command() {
  const auto o = std::make_shared<ResourcesOptions>();
  return {.name = "resources",
          .summary = "Show what a lab's kernels use (needs nvcc)",
          .group = Group::student,
          .options = concat({o->lab.options(),
                             o->source.options(),
                             {{.names = "--arch",
                               .type = "SM",
                               .help = "of the GPU; default: the one that is there, or sm_90",
                               .value = &o->architecture}},
                             report_options()}),
          .run = [o](Session& session) { return run_resources(session, *o); }};
}

}  // namespace

std::vector<Command> resources_commands() {
  return {resources_command()};
}

}  // namespace grader
