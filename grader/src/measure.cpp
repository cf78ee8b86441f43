// Tables: rows from the axes, several runs for each, ratios at the end. A run's times count only when its
// output was right.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

#include "columns.hpp"
#include "counting.hpp"
#include "grade.hpp"
#include "judge.hpp"
#include "scratch.hpp"
#include "terminal.hpp"

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
    // A size that no case has may need what the largest of them needs.
    if (other.tolerance.rel > c.tolerance.rel || other.tolerance.abs > c.tolerance.abs ||
        other.tolerance.of_max > c.tolerance.of_max)
      c.tolerance = other.tolerance;
  }
  return c;
}

/// The number behind "LINE:" in what a program printed, the last such line; none when there is no number.
/// What lab::print_time() printed, with (ms) behind it, becomes seconds.
std::optional<double> printed_number(const std::string& printed, const std::string& name) {
  std::optional<double> found;
  for (std::string_view line : split_lines(printed)) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.substr(0, name.size()) != name) continue;
    line.remove_prefix(name.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty() || line.front() != ':') continue;
    line.remove_prefix(1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    double value = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc() || !std::isfinite(value)) continue;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    found = line.substr(0, 5) == " (ms)" ? value * 1e-3 : value;  // values are kept in SI units
  }
  return found;
}

/// The counter of a measure "counter:NAME"; empty for other measures.
std::string counter_of(const Column& column) {
  constexpr std::string_view prefix = "counter:";
  return column.measure.starts_with(prefix) ? column.measure.substr(prefix.size()) : "";
}

std::optional<double> value_of(const Column& column, const RunResult& run) {
  constexpr std::string_view printed = "printed:";
  if (column.measure.compare(0, printed.size(), printed) == 0)
    return printed_number(run.process.out, column.measure.substr(printed.size()));
  const auto seconds = measured_seconds(run.profile, column.measure);
  if (column.unit != "B/s") return seconds;
  const auto bytes = measured_bytes(run.profile, column.measure);
  if (!seconds || !bytes || *seconds <= 0) return std::nullopt;
  return *bytes / *seconds;
}

/// The first error of a compiler's words, without the place: a note in a table has one line.
std::string first_error(const std::string& diagnostics) {
  for (const std::string& line : split_lines(diagnostics)) {
    const std::size_t at = line.find("error: ");
    if (at != std::string::npos) return line.substr(at + std::string("error: ").size());
  }
  return {};
}

constexpr unsigned most_compilers = 16;  ///< at once: each may take a gigabyte of memory

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
    if (spec_.search) {
      search();
    } else {
      steps_ = static_cast<int>(table_.rows.size()) * spec_.samples;
      for (TableRow& row : table_.rows) measure_row(row, spec_.samples);
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

  /// Every combination once, then the fastest of them as often as any row of a table. Compiling is most of
  /// the work, so that is done first, on all cores.
  void search() {
    const int rows = static_cast<int>(table_.rows.size());
    steps_ = 2 * rows + std::min(rows, search_finalists) * spec_.samples;
    build_all();
    for (TableRow& row : table_.rows) measure_row(row, 1);
    sort_fastest_first(spec_, table_.rows);
    for (int i = 0; i < std::min(rows, search_finalists); ++i) {
      TableRow& row = table_.rows[static_cast<std::size_t>(i)];
      if (row_is_empty(row) || interrupted()) break;
      for (Measurement& cell : row.cells) cell.samples.clear();
      measure_row(row, spec_.samples);
    }
    sort_fastest_first(spec_, table_.rows);
  }

  /// Fills the cache of built programs; what does not compile is reported when its row is measured.
  void build_all() {
    std::atomic<std::size_t> next{0};
    std::mutex saying;
    const auto work = [&] {
      for (std::size_t i = next++; i < table_.rows.size() && !interrupted(); i = next++) {
        try {
          build(kit_, toolchain_, submission_, context_.backend, macros_of(table_.rows[i]));
        } catch (const Error&) {
        }
        const std::lock_guard<std::mutex> lock(saying);
        say_step(fmt::format("{}: compiled {} of {}", spec_.id, ++steps_done_, table_.rows.size()));
      }
    };
    std::vector<std::thread> workers;
    for (unsigned i = 1; i < std::min(std::thread::hardware_concurrency(), most_compilers); ++i)
      workers.emplace_back(work);
    work();
    for (std::thread& worker : workers) worker.join();
  }

  std::map<std::string, std::string> macros_of(const TableRow& row) const {
    std::map<std::string, std::string> macros;
    for (std::size_t i = 0; i < spec_.axes.size(); ++i) {
      if (spec_.axes[i].is_macro) macros[spec_.axes[i].name] = row.key[i];
    }
    return macros;
  }

  void measure_row(TableRow& row, int samples) {
    const int end = steps_done_ + samples;
    if (!interrupted()) try_row(row, samples);
    if (interrupted() && row_is_empty(row)) row.note = "not measured: interrupted";
    steps_done_ = end;
  }

  void try_row(TableRow& row, int samples) {
    try {
      const std::string problem = sample_row(row, samples);
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
  std::string sample_row(TableRow& row, int samples) {
    say(row, 0, samples);
    const BuildResult built = build(kit_, toolchain_, submission_, context_.backend, macros_of(row));
    if (interrupted()) return {};
    if (!built.ok) {
      const std::string error = first_error(built.diagnostics);
      return error.empty() ? "does not compile" : "does not compile: " + error;
    }
    const Case c = case_of_row(lab_, spec_, row);
    for (int sample = 0; sample < samples && !interrupted(); ++sample, ++steps_done_) {
      say(row, sample, samples);
      const CaseData data = prepare_case(kit_, lab_, c, oracle_, scratch_.path() / "data");
      const RunResult run =
          run_case(toolchain_, lab_, c, context_.backend, built.program, data, scratch_.path() / "run");
      if (interrupted()) break;  // a run that was cut short has no times; the samples so far count
      const CaseResult judged = judge(lab_, c, run, data, context_);
      if (judged.verdict != Verdict::passed)
        return fmt::format("{}: {}", words(judged.verdict), judged.message);
      take_values(row, run);
    }
    if (!interrupted()) count_row(row, built, c);
    return {};
  }

  /// Counters need a run of their own: in emulation a program too, since counting takes time. They are the
  /// same in each run.
  void count_row(TableRow& row, const BuildResult& built, const Case& c) {
    const bool wanted = std::any_of(spec_.columns.begin(), spec_.columns.end(),
                                    [](const Column& column) { return !counter_of(column).empty(); });
    if (!wanted || counting_refused_) return;
    say_step(fmt::format("{} {}, counting", spec_.id, row.label));
    try {
      const BuildResult counting =
          context_.backend == Backend::emu
              ? build(kit_, toolchain_, submission_, Backend::emu, macros_of(row), Instrument::counters)
              : built;
      if (!counting.ok) throw Error(ErrorKind::environment, first_error(counting.diagnostics));
      const CaseData data = prepare_case(kit_, lab_, c, oracle_, scratch_.path() / "data");
      const CountedRun run = run_counted(toolchain_, submission_, c, context_.backend, counting.program, data,
                                         scratch_.path() / "run", {});
      for (std::size_t i = 0; i < spec_.columns.size(); ++i) {
        const std::string counter = counter_of(spec_.columns[i]);
        const auto value = counter.empty() ? std::nullopt : counted(run.launches, counter);
        if (value) row.cells[i].samples.assign(1, *value);
      }
    } catch (const Error& e) {
      if (interrupted()) return;
      counting_refused_ = true;  // it would be for the other rows as well
      row.note = fmt::format("not counted: {}", e.what());
    }
  }

  void take_values(TableRow& row, const RunResult& run) {
    for (std::size_t i = 0; i < spec_.columns.size(); ++i) {
      if (is_ratio(spec_.columns[i]) || !counter_of(spec_.columns[i]).empty()) continue;
      if (const auto value = value_of(spec_.columns[i], run)) row.cells[i].samples.push_back(*value);
    }
    table_.time_source = time_source(run.profile);
    if (context_.backend == Backend::gpu && !run.profile.device.empty()) table_.device = run.profile.device;
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

  void say(const TableRow& row, int sample, int samples) const {
    say_step(fmt::format("{} {}, run {} of {}", spec_.id, row.label, sample + 1, samples));
  }
  void say_step(const std::string& step) const {
    if (!progress_) return;
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double left = steps_done_ > 0 ? passed / steps_done_ * (steps_ - steps_done_) : 0;
    const std::string when = left < 60 ? "" : fmt::format(", about {:.0f} min left", left / 60);
    progress_(step + when, std::min(steps_done_, steps_), steps_);
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
  bool counting_refused_ = false;
  int steps_done_ = 0;  ///< runs, and in a search also programs that were compiled
  int steps_ = 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
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

void sort_fastest_first(const TableSpec& spec, std::vector<TableRow>& rows) {
  std::size_t time = 0;
  for (std::size_t i = 0; i < spec.columns.size(); ++i) {
    const std::string& measure = spec.columns[i].measure;
    if (measure.compare(0, 6, "kernel") == 0) time = i;
  }
  const auto key = [time](const TableRow& row) {
    const bool measured = time < row.cells.size() && !row.cells[time].samples.empty();
    return measured ? row.cells[time].median() : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const TableRow& a, const TableRow& b) { return key(a) < key(b); });
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
