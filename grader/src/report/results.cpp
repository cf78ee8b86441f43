#include "report/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "measure/peers.hpp"
#include "report/table.hpp"

namespace grader {
namespace {

/// One table to measure.
struct Task {
  std::size_t lab = 0;  ///< index of the lab's sources
  TableSpec spec;
  bool peers = false;
};

/// The sources of one lab, and the journal of its results.
struct LabSources {
  const Lab* lab;
  Submission submission;
  Journal journal;
};

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "an unnamed processor";
}

/// The highest clock of the multiprocessors, such as "1980 MHz"; empty if the driver does not report it.
std::string highest_clock() {
  ProcessRequest request;
  request.argv = {"nvidia-smi", "--query-gpu=clocks.max.sm", "--format=csv,noheader"};
  request.limits.wall_s = 20;
  const ProcessResult result = run_own_process(request);
  const auto lines = split_lines(result.out);
  return result.ok() && !lines.empty() ? printable(lines.front()) : "";
}

/// "13.0" from "13.0.88" or from nvcc's version message.
std::string cuda_version(const std::string& words) {
  const std::size_t begin = words.find_first_of("0123456789");
  return begin == std::string::npos
             ? words
             : words.substr(begin, words.find_first_not_of("0123456789.", begin) - begin);
}

bool is_whole(const Table& table) {
  return std::none_of(table.rows.begin(), table.rows.end(), [](const TableRow& row) {
    return row.note.starts_with("not measured: ") || (row.note.empty() && samples_of(row) == 0);
  });
}

fs::path plot_file(const fs::path& folder, const Table& table) {
  return folder / fmt::format("{}-{}.svg", table.lab, table.spec.id);
}

/// Draws a table's plot again if the folder has one, or, with `all`, in any case. A page is complete without
/// its plot, so the same problem is reported only once.
void draw(const fs::path& folder, const Table& table, bool all, std::vector<std::string>& problems) {
  const fs::path file = plot_file(folder, table);
  std::error_code ignored;
  if (table.spec.search || !(all || fs::exists(file, ignored))) return;
  try {
    write_file(file, table_svg(table));
  } catch (const Error& e) {
    const std::string problem = fmt::format("No plots: {}", e.what());
    if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
  }
}

void write_page(const fs::path& folder, const Lab& lab, const Journal& journal) {
  write_file(folder / (lab.id + ".md"), results_page(lab, journal, folder));
}

class Results {
 public:
  Results(const Kit& kit, const Catalog& catalog, const Toolchain& toolchain, const ResultsRequest& request,
          const Progress& progress)
      : kit_(kit),
        catalog_(catalog),
        toolchain_(toolchain),
        request_(request),
        progress_(progress),
        machine_(machine_words(toolchain, request.backend)) {}

  ResultsDone run() {
    read_sources();
    for (const bool searches : {false, true}) {
      if (!stopped()) build(searches);
      for (const Task& task : tasks_) {
        if (task.spec.search == searches && !stopped()) measure_task(task);
      }
    }
    return std::move(done_);
  }

 private:
  bool stopped() const { return interrupted() || request_.out_of_time(); }

  void read_sources() {
    for (const Lab* lab : request_.labs) {
      if (lab->tables.empty()) continue;
      try {
        sources_.push_back({lab, request_.read(*lab), Journal(request_.folder, *lab)});
      } catch (const Error& e) {
        if (e.kind() != ErrorKind::usage) throw;
        done_.tables += static_cast<int>(lab->tables.size());
        done_.problems.push_back(fmt::format("{}: {}", lab->id, e.what()));
        continue;
      }
      plan(*lab);
    }
    done_.tables += static_cast<int>(tasks_.size());
  }

  /// Plans the measurements of a lab whose sources were just read.
  void plan(const Lab& lab) {
    std::vector<std::string> planned;
    const auto add = [&](const TableSpec& spec, bool peers) {
      planned.push_back(peers ? with_peers(lab, spec, request_.backend).id : spec.id);
      if (request_.id.empty() || spec.id == request_.id) tasks_.push_back({sources_.size() - 1, spec, peers});
    };
    for (TableSpec spec : lab.tables) {
      if (request_.samples) spec.samples = *request_.samples;
      const bool beside = main_column(spec) && !peers_of(lab, spec, request_.backend).empty();
      // If the table has only kernel times, the table with the peers contains all of them.
      const bool contained = beside && spec.columns.size() == 1;
      if (!contained) add(spec, false);
      if (beside) add(spec, true);
    }
    // Tables of an earlier plan are dropped, because a page shows only tables that its command measures.
    sources_.back().journal.keep_only(planned);
  }

  MeasureSetup setup(const LabSources& sources) const {
    return {kit_, catalog_, toolchain_, sources.submission, request_.backend};
  }

  /// Builds the programs of all labs together, so that no core waits for another lab's last program. The
  /// hundreds of programs of a search are built after those of the tables, since a time limit may stop the
  /// build.
  void build(bool searches) {
    std::vector<ProgramToBuild> programs;
    for (const Task& task : tasks_) {
      if (task.spec.search != searches) continue;
      try {
        for (ProgramToBuild& one : programs_of(setup(sources_[task.lab]), task.spec, options(task)))
          programs.push_back(std::move(one));
      } catch (const Error&) {  // the same error is reported when the table is measured
      }
    }
    build_all(
        kit_, toolchain_, request_.backend, programs, [this] { return stopped(); }, progress_);
  }

  std::string command(const Lab& lab, const Task& task) const {
    return fmt::format("grader table {} --id {}{}{}", lab.id, task.spec.id, task.peers ? " --peer" : "",
                       request_.solution ? " --solution" : "");
  }

  MeasureOptions options(const Task& task) {
    LabSources& of = sources_[task.lab];
    MeasureOptions options;
    options.peers = task.peers;
    options.journal = &of.journal;
    options.resume = request_.resume;
    options.out_of_time = request_.out_of_time;
    options.machine = machine_;
    options.command = command(*of.lab, task);
    return options;
  }

  void measure_task(const Task& task) {
    LabSources& of = sources_[task.lab];
    const auto say = [&](const std::string& step, int done, int of_steps) {
      if (progress_) progress_(of.lab->id + " " + step, done, of_steps);
    };
    try {
      const Table table = measure(setup(of), task.spec, options(task), say);
      if (is_whole(table)) ++done_.measured;
      for (const TableRow& row : table.rows) {
        if (samples_of(row) == 0 && !row.note.empty() && !stopped() && !table.spec.search)
          done_.problems.push_back(
              fmt::format("{} {}, {}: {}", of.lab->id, table.spec.id, row.label, row.note));
      }
      for (const std::string& note : table.notes) {
        if (!table.spec.search)
          done_.problems.push_back(fmt::format("{} {}: {}", of.lab->id, table.spec.id, note));
      }
      if (!stopped()) draw(request_.folder, table, request_.plots, done_.problems);
    } catch (const Error& e) {
      if (stopped()) return;
      if (e.kind() == ErrorKind::environment) throw;
      done_.problems.push_back(fmt::format("{} {}: {}", of.lab->id, task.spec.id, e.what()));
    }
    write_page(request_.folder, *of.lab, of.journal);
  }

  const Kit& kit_;
  const Catalog& catalog_;
  const Toolchain& toolchain_;
  const ResultsRequest& request_;
  const Progress& progress_;
  const std::string machine_;
  std::vector<LabSources> sources_;
  std::vector<Task> tasks_;
  ResultsDone done_;
};

/// The fastest rows of a search; all rows of any other table.
Table as_shown(Table table) {
  if (table.spec.search && table.rows.size() > search_finalists) table.rows.resize(search_finalists);
  return table;
}

}  // namespace

std::string machine_words(const Toolchain& toolchain, Backend backend) {
  const std::string host =
      fmt::format("{} cores of {}", std::max(1u, std::thread::hardware_concurrency()), processor());
  if (backend == Backend::emu) return "emulation on " + host;
  std::string gpu = toolchain.device(backend);
  if (!toolchain.gpus.empty()) gpu += ", driver " + toolchain.gpus.front().driver;
  gpu += ", CUDA " + cuda_version(toolchain.nvcc_version);
  const std::string clock = highest_clock();
  if (!clock.empty()) gpu += ", SM clock up to " + clock;
  return gpu + "; " + host;
}

std::string results_page(const Lab& lab, const Journal& journal, const fs::path& folder) {
  std::string out = fmt::format("# Results of {}: {}\n\n", lab.id, lab.title);
  out +=
      "Written by `grader table --all`; each table says on what it was measured, and how. The samples of the "
      "table "
      "`ID` are in `" +
      lab.id + "-ID.csv`.\n";
  for (const TableSpec& spec : lab.tables) {
    for (const char* suffix : {"", "-peers"}) {
      const Table* const table = journal.find(spec.id + suffix);
      if (table == nullptr) continue;
      out += "\n" + table_markdown(as_shown(*table));
      if (!table->machine.empty()) out += fmt::format("Machine: {}.\n", table->machine);
      if (!table->command.empty()) out += fmt::format("Command: `{}`\n", table->command);
      const fs::path plot = plot_file(folder, *table);
      std::error_code ignored;
      if (fs::exists(plot, ignored))
        out += fmt::format("\n![{}]({})\n\n{}", table->spec.title, plot.filename().string(),
                           table_in_words(*table));
    }
  }
  return out;
}

ResultsDone rewrite_results(const std::vector<const Lab*>& labs, const fs::path& folder, bool plots) {
  ResultsDone done;
  for (const Lab* lab : labs) {
    const Journal journal(folder, *lab);
    done.tables += static_cast<int>(journal.tables().size());
    for (const Table& table : journal.tables()) {
      if (is_whole(table)) ++done.measured;
      draw(folder, table, plots, done.problems);
    }
    if (!journal.tables().empty()) write_page(folder, *lab, journal);
  }
  return done;
}

ResultsDone measure_results(const Kit& kit, const Catalog& catalog, const Toolchain& toolchain,
                            const ResultsRequest& request, const Progress& progress) {
  return Results(kit, catalog, toolchain, request, progress).run();
}

}  // namespace grader
