// Tables: rows from the axes, several runs for each, ratios at the end. A run's times count only when its
// output was right.
#include <fmt/format.h>

#include <algorithm>

#include "grade.hpp"
#include "judge.hpp"
#include "scratch.hpp"

namespace grader {
namespace {

const std::vector<std::string>& values_of(const Axis& axis, Backend backend) {
  return backend == Backend::emu && !axis.emu_values.empty() ? axis.emu_values : axis.values;
}

/// How a value of an axis is headed. Labels belong to `values`; a value that only the emulation has is its
/// own label.
std::string label_of(const Axis& axis, const std::string& value) {
  const auto found = std::find(axis.values.begin(), axis.values.end(), value);
  const auto index = static_cast<std::size_t>(found - axis.values.begin());
  return found != axis.values.end() && index < axis.labels.size() ? axis.labels[index] : value;
}

/// Column that a measure "ratio:COLUMN" refers to, or none for other measures.
std::optional<std::size_t> ratio_of(const TableSpec& spec, const std::string& measure) {
  constexpr std::string_view prefix = "ratio:";
  if (measure.compare(0, prefix.size(), prefix) != 0) return std::nullopt;
  for (std::size_t i = 0; i < spec.columns.size(); ++i) {
    if (spec.columns[i].id == measure.substr(prefix.size())) return i;
  }
  return std::nullopt;
}

bool is_ratio(const Column& column) {
  return column.measure.rfind("ratio:", 0) == 0;
}

/// The case that tells how a row is verified: the one with the row's arguments, else the one that suits any
/// size. Its gold, if that is what it has, belongs to its own seed, so the oracle takes its place.
Case case_of_row(const Lab& lab, const TableSpec& spec, const TableRow& row) {
  std::vector<std::string> args;
  for (std::size_t i = 0; i < spec.axes.size(); ++i) {
    if (!spec.axes[i].is_macro) args.push_back(row.key[i]);
  }
  const auto same =
      std::find_if(lab.cases.begin(), lab.cases.end(), [&](const Case& c) { return c.args == args; });
  const auto any_size = std::find_if(lab.cases.begin(), lab.cases.end(),
                                     [](const Case& c) { return c.check == Check::freivalds; });
  Case c;
  if (same != lab.cases.end()) {
    c = *same;
  } else if (any_size != lab.cases.end()) {
    c = *any_size;
  } else if (!lab.cases.empty()) {
    c = lab.cases.back();
  }
  if (!args.empty()) c.args = args;
  if (c.check == Check::gold) c.check = Check::oracle;
  c.id = "table " + spec.id;
  c.seed.reset();
  c.visibility = Visibility::visible;
  c.requirements.clear();
  for (const Case& other : lab.cases) {
    c.timeout_emu = std::max(c.timeout_emu, other.timeout_emu);
    c.timeout_gpu = std::max(c.timeout_gpu, other.timeout_gpu);
  }
  return c;
}

std::optional<double> value_of(const Column& column, const Profile& profile) {
  const auto seconds = measured_seconds(profile, column.measure);
  if (column.unit != "B/s") return seconds;
  const auto bytes = measured_bytes(profile, column.measure);
  if (!seconds || !bytes || *seconds <= 0) return std::nullopt;
  return *bytes / *seconds;
}

/// One sweep at work.
class Sweep {
 public:
  Sweep(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
        const TableSpec& spec, const Progress& progress)
      : kit_(kit),
        toolchain_(toolchain),
        submission_(submission),
        lab_(*submission.lab),
        spec_(spec),
        progress_(progress),
        scratch_(kit.state() / "work", "table"),
        context_{backend, backend == Backend::emu || !toolchain.profile_library.empty()} {
    table_.lab = lab_.id;
    table_.spec = spec;
    table_.backend = backend;
    table_.device = toolchain.device(backend);
    table_.measured_at = utc_now();
    table_.rows = table_rows(spec, backend);
  }

  Table run() {
    oracle_ = build_oracle(kit_, toolchain_, lab_);
    for (TableRow& row : table_.rows) {
      if (!interrupted()) measure_row(row);
      if (interrupted() && row_is_empty(row)) row.note = "not measured: interrupted";
      ++rows_done_;
    }
    fill_ratios(spec_, table_.rows);
    refuse_empty();
    return std::move(table_);
  }

 private:
  static bool row_is_empty(const TableRow& row) {
    return std::all_of(row.cells.begin(), row.cells.end(),
                       [](const Measurement& cell) { return cell.samples.empty(); });
  }

  void measure_row(TableRow& row) {
    try {
      const std::string problem = sample_row(row);
      if (problem.empty()) return;
      row.note = problem;
    } catch (const Error& e) {
      if (interrupted()) return;
      if (e.kind() != ErrorKind::fault) throw;
      row.note = e.what();
    }
    for (Measurement& cell : row.cells) cell.samples.clear();
  }

  /// @return why the row has no values; empty when it has
  std::string sample_row(TableRow& row) {
    say(row, 0);
    std::map<std::string, std::string> macros;
    for (std::size_t i = 0; i < spec_.axes.size(); ++i) {
      if (spec_.axes[i].is_macro) macros[spec_.axes[i].name] = row.key[i];
    }
    const BuildResult built = build(kit_, toolchain_, submission_, context_.backend, macros);
    if (interrupted()) return {};
    if (!built.ok) return "does not compile";
    const Case c = case_of_row(lab_, spec_, row);
    for (int sample = 0; sample < spec_.samples && !interrupted(); ++sample) {
      say(row, sample);
      const CaseData data = prepare_case(kit_, lab_, c, oracle_, scratch_.path() / "data");
      const RunResult run =
          run_case(toolchain_, lab_, c, context_.backend, built.program, data, scratch_.path() / "run");
      if (interrupted()) break;  // a run that was cut short has no times; the samples so far count
      const CaseResult judged = judge(lab_, c, run, data, context_);
      if (judged.verdict != Verdict::passed)
        return fmt::format("{}: {}", words(judged.verdict), judged.message);
      take_times(row, run.profile);
    }
    return {};
  }

  void take_times(TableRow& row, const Profile& profile) {
    for (std::size_t i = 0; i < spec_.columns.size(); ++i) {
      if (is_ratio(spec_.columns[i])) continue;
      if (const auto value = value_of(spec_.columns[i], profile)) row.cells[i].samples.push_back(*value);
    }
    table_.time_source = time_source(profile);
    if (context_.backend == Backend::gpu && !profile.device.empty()) table_.device = profile.device;
  }

  void refuse_empty() const {
    if (!std::all_of(table_.rows.begin(), table_.rows.end(), row_is_empty)) return;
    if (interrupted()) throw Error(ErrorKind::environment, "Interrupted before the first row was measured.");
    const std::string reason = table_.rows.empty() ? "it has no rows" : table_.rows.front().note;
    throw Error(
        ErrorKind::usage,
        fmt::format("No row of table {} of {} could be measured, since only right results have times ({}).",
                    spec_.id, lab_.id, reason.empty() ? "the runs left no times" : reason),
        fmt::format("grader {}{}", lab_.id,
                    submission_.origin == Origin::solution ? " --solution"
                    : submission_.level > 1                ? fmt::format(" --level {}", submission_.level)
                                                           : ""));
  }

  void say(const TableRow& row, int sample) const {
    if (!progress_) return;
    progress_(fmt::format("{} {}, run {} of {}", spec_.id, row.label, sample + 1, spec_.samples),
              rows_done_ * spec_.samples + sample, static_cast<int>(table_.rows.size()) * spec_.samples);
  }

  const Kit& kit_;
  const Toolchain& toolchain_;
  const Submission& submission_;
  const Lab& lab_;
  const TableSpec& spec_;
  const Progress& progress_;
  const ScratchFolder scratch_;
  const JudgeContext context_;
  Table table_;
  fs::path oracle_;
  int rows_done_ = 0;
};

}  // namespace

std::vector<TableRow> table_rows(const TableSpec& spec, Backend backend) {
  std::vector<TableRow> rows(1);
  for (const Axis& axis : spec.axes) {
    std::vector<TableRow> wider;
    for (const TableRow& row : rows) {
      for (const std::string& value : values_of(axis, backend)) {
        TableRow next = row;
        next.key.push_back(value);
        wider.push_back(std::move(next));
      }
    }
    rows = std::move(wider);
  }
  for (TableRow& row : rows) {
    if (!spec.axes.empty()) row.label = label_of(spec.axes[0], row.key[0]);
    row.cells.resize(spec.columns.size());
  }
  return rows;
}

void fill_ratios(const TableSpec& spec, std::vector<TableRow>& rows) {
  for (std::size_t column = 0; column < spec.columns.size(); ++column) {
    const auto source = ratio_of(spec, spec.columns[column].measure);
    if (!source) continue;
    for (TableRow& row : rows) {
      const auto base = std::find_if(rows.begin(), rows.end(), [&](const TableRow& other) {
        return !other.key.empty() && other.key[0] == spec.baseline && other.key.size() == row.key.size() &&
               std::equal(other.key.begin() + 1, other.key.end(), row.key.begin() + 1);
      });
      row.cells[column].samples.clear();
      if (base == rows.end() || base->cells[*source].samples.empty()) continue;
      const double one = base->cells[*source].median();
      if (!(one > 0)) continue;
      for (const double sample : row.cells[*source].samples)
        row.cells[column].samples.push_back(sample / one);
    }
  }
}

Table measure(const Kit& kit, const Toolchain& toolchain, const Submission& submission, Backend backend,
              const TableSpec& spec, const Progress& progress) {
  return Sweep(kit, toolchain, submission, backend, spec, progress).run();
}

}  // namespace grader
