// Sweeps over the rows of a table. The times of a run count only if its output is right.
#include "measure/measure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.hpp"
#include "measure/peers.hpp"
#include "measure/sampler.hpp"
#include "run/counting.hpp"

namespace grader {
namespace {

/// The first error in a compiler's messages without its location, since a note in a table is one line.
std::string compile_problem(const std::string& diagnostics) {
  for (const std::string& line : split_lines(diagnostics)) {
    const std::size_t word = line.find("error");
    const std::size_t colon = word == std::string::npos ? word : line.find(": ", word);
    // Compilers print "file(3): error: …". ptxas, which has limits of its own, prints "ptxas error   : …".
    if (colon != std::string::npos && line.find_first_not_of(' ', word + 5) == colon)
      return "does not compile: " + line.substr(colon + 2);
  }
  return "does not compile";
}

/// A contestant with its program, or the reason why it has none.
struct BuiltPeer {
  Contestant contestant;
  fs::path program;
};

/// Index of the column that with_peers() made for a measure.
std::size_t column_of(const TableSpec& spec, const Measure& measure) {
  const auto found = std::find_if(spec.columns.begin(), spec.columns.end(),
                                  [&](const Column& c) { return c.measure == measure; });
  return static_cast<std::size_t>(found - spec.columns.begin());
}

/// One sweep in progress.
class Sweep {
 public:
  Sweep(const MeasureSetup& setup, const TableSpec& spec, const MeasureOptions& options,
        const Progress& progress)
      : setup_(setup),
        lab_(*setup.submission.lab),
        spec_(spec),
        shown_(options.peers ? with_peers(lab_, spec, setup.backend) : spec),
        options_(options),
        progress_(progress),
        sampler_(setup, build_oracle(setup.kit, setup.toolchain, lab_)) {
    if (options.peers) {
      for (Contestant& one : contestants(setup, spec)) peers_.push_back({std::move(one), {}});
    }
    main_ = main_column(shown_);
    table_.lab = lab_.id;
    table_.spec = shown_;
    table_.backend = setup.backend;
    table_.device = setup.toolchain.device(setup.backend);
    table_.measured_at = this_machine().clocks.utc();
    table_.machine = options.machine;
    table_.command = options.command;
    table_.rows = table_rows(shown_, setup.backend);
    std::vector<Contestant> others;
    for (const BuiltPeer& peer : peers_) others.push_back(peer.contestant);
    table_.fingerprint = fingerprint(setup, shown_, others);
    if (options.resume && options.journal != nullptr) take_over();
  }

  /// The programs for rows that are not measured yet.
  std::vector<ProgramToBuild> programs() const {
    std::vector<ProgramToBuild> out;
    const auto own = std::make_shared<const Submission>(setup_.submission);
    for (const TableRow& row : table_.rows) {
      if (!is_measured(row, first_samples())) out.push_back({own, macros_of(spec_, row), {}});
    }
    if (out.empty()) return out;
    for (const BuiltPeer& peer : peers_) {
      const Contestant& one = peer.contestant;
      if (one.submission) out.push_back({one.submission, one.peer->macros, one.peer->link});
    }
    return out;
  }

  Table run() {
    compile(programs());
    build_peers();
    if (spec_.search) {
      search();
    } else {
      steps_ = static_cast<int>(table_.rows.size());
      for (TableRow& row : table_.rows) measure_row(row, spec_.samples);
    }
    fill_derived(shown_, table_.rows);
    refuse_empty();
    keep();
    return std::move(table_);
  }

 private:
  bool stopped() const { return interrupted() || options_.out_of_time(); }

  /// The number of runs of each row before a search chooses the fastest rows.
  int first_samples() const { return spec_.search ? 1 : spec_.samples; }

  static bool is_measured(const TableRow& row, int samples) {
    return samples_of(row) >= static_cast<std::size_t>(samples);
  }

  void compile(const std::vector<ProgramToBuild>& programs) const {
    build_all(
        setup_.kit, setup_.toolchain, setup_.backend, programs, [this] { return stopped(); },
        [this](const std::string& step, int done, int of) { say(spec_.id + ": " + step, done, of); });
  }

  void take_over() {
    const Table* const before = options_.journal->find(shown_.id);
    if (before == nullptr || before->fingerprint != table_.fingerprint) return;
    bool whole = true;
    for (TableRow& row : table_.rows) {
      for (const TableRow& old : before->rows) {
        if (old.key == row.key && old.cells.size() == row.cells.size() && samples_of(old) > 0) row = old;
      }
      whole = whole && is_measured(row, first_samples());
    }
    table_.time_source = before->time_source;
    if (!whole) return;
    table_.measured_at = before->measured_at;
    table_.machine = before->machine;
    table_.command = before->command;
  }

  void keep() {
    if (options_.journal != nullptr) options_.journal->put(table_);
  }

  /// Builds the peers. A peer that can't be built is reported once, and the table continues without it.
  void build_peers() {
    for (BuiltPeer& peer : peers_) {
      const Contestant& one = peer.contestant;
      std::string problem = one.problem;
      if (problem.empty() && !stopped()) {
        const BuildResult built = build(setup_.kit, setup_.toolchain, *one.submission, setup_.backend,
                                        one.peer->macros, Instrument::none, one.peer->link);
        if (built.ok) {
          peer.program = built.program;
        } else {
          problem = compile_problem(built.diagnostics);
        }
      }
      if (!problem.empty()) table_.notes.push_back(one.peer->title + ": " + problem);
    }
  }

  /// Measures every row once, and then the fastest rows as often as the rows of other tables.
  void search() {
    const int rows = static_cast<int>(table_.rows.size());
    const int finalists = std::min(rows, search_finalists);
    steps_ = rows + finalists;
    for (TableRow& row : table_.rows) measure_row(row, 1);
    sort_fastest_first(shown_, table_.rows);
    compile_finalists(finalists);
    for (int i = 0; i < finalists; ++i) {
      TableRow& row = table_.rows[static_cast<std::size_t>(i)];
      if (samples_of(row) == 0 || stopped()) break;
      measure_row(row, spec_.samples);
    }
    sort_fastest_first(shown_, table_.rows);
    const auto again = std::count_if(table_.rows.begin(), table_.rows.end(),
                                     [&](const TableRow& row) { return is_measured(row, spec_.samples); });
    const auto once = std::count_if(table_.rows.begin(), table_.rows.end(),
                                    [](const TableRow& row) { return samples_of(row) > 0; });
    const bool tried = std::none_of(table_.rows.begin(), table_.rows.end(), [](const TableRow& row) {
      return row.note.starts_with("not measured: ");
    });
    if (tried)
      table_.notes.push_back(fmt::format("{} {} combinations ran once, and {} of the fastest {} times.",
                                         once == rows ? "Each of the" : fmt::format("{} of", once), rows,
                                         again, spec_.samples));
  }

  /// Compiles the programs of the fastest rows, which a search that resumes may not have.
  void compile_finalists(int finalists) const {
    std::vector<ProgramToBuild> programs;
    const auto own = std::make_shared<const Submission>(setup_.submission);
    for (int i = 0; i < finalists; ++i) {
      const TableRow& row = table_.rows[static_cast<std::size_t>(i)];
      if (samples_of(row) > 0 && !is_measured(row, spec_.samples))
        programs.push_back({own, macros_of(spec_, row), {}});
    }
    compile(programs);
  }

  /// Measures a row unless it already has its samples. If this is interrupted, the row stays unchanged.
  void measure_row(TableRow& row, int samples) {
    if (!is_measured(row, samples) && !stopped()) {
      TableRow fresh = row;
      fresh.note.clear();
      for (Measurement& cell : fresh.cells) cell.samples.clear();
      try_row(fresh, samples);
      const bool whole = is_measured(fresh, samples) || !stopped();
      if (whole || samples_of(row) == 0) row = std::move(fresh);
      if (whole) keep();
    }
    if (samples_of(row) > 0 && !stopped() && count_row(row)) keep();
    if (samples_of(row) == 0 && row.note.empty() && stopped())
      row.note = interrupted() ? "not measured: interrupted" : "not measured: the time was used up";
    ++steps_done_;
  }

  void try_row(TableRow& row, int samples) {
    try {
      row.note = sample_row(row, samples);
      if (samples_of(row) > 0 && row.note.empty()) return;
    } catch (const Error& e) {
      if (interrupted()) return;
      if (e.kind() != ErrorKind::fault) throw;
      row.note = e.what();
      for (Measurement& cell : row.cells) cell.samples.clear();
    }
  }

  /// Takes the samples of a row. @return why the row, or a peer in it, has no values; empty if all have
  /// values
  std::string sample_row(TableRow& row, int samples) {
    say(fmt::format("{} {}", shown_.id, row.label), steps_done_, steps_);
    const Case c = case_of_row(lab_, spec_, row);
    const std::string missing =
        missing_devices(spec_, row, setup_.backend, setup_.toolchain.devices().size());
    if (!missing.empty()) return missing;
    std::vector<BuiltPeer*> racing;
    std::string notes;
    bool own_runs = peers_.empty();
    for (BuiltPeer& peer : peers_) {
      own_runs = own_runs || !peer.contestant.in_turn();
      if (!peer.program.empty() && !peer.contestant.in_turn()) racing.push_back(&peer);
    }
    if (own_runs) {
      const std::string problem = race(row, c, racing, samples, notes);
      if (!problem.empty()) {
        for (Measurement& cell : row.cells) cell.samples.clear();
        return problem;
      }
    }
    for (BuiltPeer& peer : peers_) {
      if (!peer.program.empty() && peer.contestant.in_turn() && !stopped()) take_in_turn(row, c, peer, notes);
    }
    return notes;
  }

  /// Runs the lab's own program and the peers in turn. If a peer fails, it is left out from then on.
  /// @return why the lab's own program has no values
  std::string race(TableRow& row, const Case& c, std::vector<BuiltPeer*> racing, int samples,
                   std::string& notes) {
    const BuildResult built =
        build(setup_.kit, setup_.toolchain, setup_.submission, setup_.backend, macros_of(spec_, row));
    if (stopped()) return {};
    if (!built.ok) return compile_problem(built.diagnostics);
    for (int i = 0; i < samples && !stopped(); ++i) {
      const Sample own = sampler_.verified(built.program, c, c);
      if (interrupted()) break;  // an interrupted run has no times
      if (!own.problem.empty()) return own.problem;
      take_values(row, own.run);
      for (BuiltPeer*& peer : racing) {
        if (peer == nullptr || interrupted()) continue;
        const std::string problem = race_peer(row, c, *peer);
        if (problem.empty()) continue;
        forget_peer(row, *peer);
        notes += (notes.empty() ? "" : "; ") + peer->contestant.peer->title + ": " + problem;
        peer = nullptr;
      }
    }
    return {};
  }

  /// Counts in a separate run (in emulation also with a separate program), since counting takes time. Counts
  /// are the same in each run. If counts are unavailable, the row gets a note, and a sweep that resumes tries
  /// again.
  /// @return whether the row has new values
  bool count_row(TableRow& row) {
    const std::vector<std::size_t> wanted = uncounted(row);
    if (wanted.empty() || counting_refused_) return false;
    say(fmt::format("{} {}, counting", shown_.id, row.label), steps_done_, steps_);
    try {
      const BuildResult built =
          build(setup_.kit, setup_.toolchain, setup_.submission, setup_.backend, macros_of(spec_, row),
                setup_.backend == Backend::emu ? Instrument::counters : Instrument::none);
      if (!built.ok) throw Error(ErrorKind::environment, compile_problem(built.diagnostics));
      const std::vector<LaunchCounts> launches =
          sampler_.counted(built.program, case_of_row(lab_, spec_, row));
      for (const std::size_t column : wanted) {
        if (const auto value = counted(launches, shown_.columns[column].measure.name))
          row.cells[column].samples.assign(1, *value);
      }
      row.note.clear();
    } catch (const Error& e) {
      if (interrupted()) return false;
      counting_refused_ = true;  // counting would fail in the other rows, too
      row.note = fmt::format("not counted: {}", e.what());
    }
    return true;
  }

  /// The counter columns for which a row has no value.
  std::vector<std::size_t> uncounted(const TableRow& row) const {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < shown_.columns.size(); ++i) {
      const bool counter = shown_.columns[i].measure.kind == Measure::Kind::counter;
      if (counter && row.cells[i].samples.empty()) columns.push_back(i);
    }
    return columns;
  }

  std::string race_peer(TableRow& row, const Case& c, const BuiltPeer& peer) {
    const Peer& declared = *peer.contestant.peer;
    const Sample sample = sampler_.verified(peer.program, case_of_peer(declared, spec_, row, c), c);
    if (!sample.problem.empty() || interrupted()) return sample.problem;
    const auto seconds = measured_seconds(sample.run.profile, {Measure::Kind::kernel});
    const auto& own = row.cells[main_.value_or(0)].samples;
    if (!seconds || !(*seconds > 0) || own.empty()) return "its run left no kernel times";
    samples(row, Measure::Kind::peer, declared).push_back(*seconds);
    samples(row, Measure::Kind::speed, declared).push_back(*seconds / own.back());
    return {};
  }

  void forget_peer(TableRow& row, const BuiltPeer& peer) const {
    for (const auto kind : {Measure::Kind::peer, Measure::Kind::speed})
      samples(row, kind, *peer.contestant.peer).clear();
  }

  /// A row's samples in a peer's column.
  std::vector<double>& samples(TableRow& row, Measure::Kind kind, const Peer& peer) const {
    return row.cells[column_of(shown_, {kind, peer.name})].samples;
  }

  void take_in_turn(TableRow& row, const Case& c, const BuiltPeer& peer, std::string& notes) {
    const Peer& declared = *peer.contestant.peer;
    const Sample sample = sampler_.in_turn(peer.program, case_of_peer(declared, spec_, row, c));
    if (interrupted()) return;
    if (!sample.problem.empty()) {
      notes += (notes.empty() ? "" : "; ") + declared.title + ": " + sample.problem;
      return;
    }
    const std::vector<double> own = timer_samples(sample.run, "own"),
                              other = timer_samples(sample.run, "peer");
    samples(row, Measure::Kind::own, declared) = own;
    samples(row, Measure::Kind::peer, declared) = other;
    auto& speeds = samples(row, Measure::Kind::speed, declared);
    for (std::size_t i = 0; i < std::min(own.size(), other.size()); ++i) {
      if (own[i] > 0) speeds.push_back(other[i] / own[i]);
    }
    table_.time_source = "in turn";
  }

  void take_values(TableRow& row, const RunResult& run) {
    for (std::size_t i = 0; i < shown_.columns.size(); ++i) {
      if (const auto value = value_of(shown_.columns[i], run)) row.cells[i].samples.push_back(*value);
    }
    table_.time_source = time_source(run.profile);
    if (setup_.backend == Backend::gpu && !run.profile.device.empty()) table_.device = run.profile.device;
  }

  void refuse_empty() const {
    const bool empty = std::all_of(table_.rows.begin(), table_.rows.end(),
                                   [](const TableRow& row) { return samples_of(row) == 0; });
    if (!empty) return;
    if (stopped())
      throw Error(ErrorKind::environment,
                  fmt::format("{} before the first row was measured.",
                              interrupted() ? "Interrupted" : "The time was used up"));
    const std::string reason = table_.rows.empty()                 ? "it has no rows"
                               : !table_.rows.front().note.empty() ? table_.rows.front().note
                               : !table_.notes.empty()             ? table_.notes.front()
                                                                   : "the runs left no times";
    const Submission& submission = setup_.submission;
    throw Error(
        ErrorKind::usage,
        fmt::format("No row of table {} of {} could be measured, since only right results have times ({}).",
                    shown_.id, lab_.id, reason),
        fmt::format("grader {}{}", lab_.id,
                    submission.origin == Origin::solution ? " --solution"
                    : submission.level > 1                ? fmt::format(" --level {}", submission.level)
                                                          : ""));
  }

  void say(const std::string& step, int done, int of) const {
    if (progress_) progress_(step, done, of);
  }

  const MeasureSetup& setup_;
  const Lab& lab_;
  const TableSpec& spec_;  ///< the lab's table
  const TableSpec shown_;  ///< the same table, or with the peers' columns
  const MeasureOptions& options_;
  const Progress& progress_;
  Sampler sampler_;
  std::vector<BuiltPeer> peers_;
  std::optional<std::size_t> main_;
  Table table_;
  bool counting_refused_ = false;
  int steps_done_ = 0;  ///< rows that are done; those that a search measures again count twice
  int steps_ = 0;
};

}  // namespace

std::vector<ProgramToBuild> programs_of(const MeasureSetup& setup, const TableSpec& spec,
                                        const MeasureOptions& options) {
  return Sweep(setup, spec, options, {}).programs();
}

Table measure(const MeasureSetup& setup, const TableSpec& spec, const MeasureOptions& options,
              const Progress& progress) {
  return Sweep(setup, spec, options, progress).run();
}

}  // namespace grader
