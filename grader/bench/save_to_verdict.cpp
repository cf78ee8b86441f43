// Measures how long a student waits from saving a file to the verdict, and where the time goes.
//
//     save_to_verdict [LAB] [RUNS]        default: lab1.1, 7 runs
//
// Each run appends a comment to a source of the lab's solution, so that nothing is cached, and grades it in
// emulation. The program prints medians and extremes of the times of emucc, of the student's program, of the
// grader itself, and of the whole. If nvcc is installed, it also prints the time that nvcc takes for the same
// files in the same run, and the ratio.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "catalog/catalog.hpp"
#include "process/process.hpp"
#include "workspace/workspace.hpp"

namespace {

using namespace grader;

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const std::size_t n = v.size();
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

void print_row(const char* what, const std::vector<double>& seconds) {
  const auto [low, high] = std::minmax_element(seconds.begin(), seconds.end());
  std::printf("  %-34s %8.3f s   (%.3f to %.3f)\n", what, median(seconds), *low, *high);
}

/// Runs a command to its end, and returns its wall-clock time in seconds. If it fails, the benchmark ends.
double timed(const std::vector<std::string>& argv, const fs::path& cwd, std::string& out) {
  ProcessRequest request;
  request.argv = argv;
  request.cwd = cwd;
  request.limits.wall_s = 300;
  request.limits.output = 16 << 20;
  const ProcessResult result = run_process(request);
  if (result.end != ProcessResult::End::exited || result.code != 0) {
    std::fprintf(stderr, "%s failed:\n%s%s%s\n", argv[0].c_str(), result.out.c_str(), result.err.c_str(),
                 result.error.c_str());
    std::exit(3);
  }
  out = result.out;
  return result.wall_s;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string id = argc > 1 ? argv[1] : "lab1.1";
  const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 7;
  const Kit kit = Kit::find(fs::current_path());
  std::optional<int> none;
  const Catalog catalog = Catalog::load(kit);
  const Lab& lab = catalog.find(id, none);
  const Submission solution = read_submission(kit, lab, 1, Origin::solution);

  std::string folder_name = (fs::temp_directory_path() / "save-to-verdict-XXXXXX").string();
  if (!mkdtemp(folder_name.data())) return 3;
  const fs::path folder = folder_name;
  std::vector<std::string> sources;
  for (const fs::path& source : solution.sources()) sources.push_back(source.string());

  std::vector<double> emucc, nvcc, build, run, own, total;
  const fs::path nvcc_program = find_program("nvcc");
  // The first run fills caches that a student's machine also has, and does not count.
  for (int i = -1; i < runs; ++i) {
    for (const SubmissionFile& file : solution.files) std::ofstream(folder / file.name) << file.text;
    std::ofstream(folder / sources.front(), std::ios::app)
        << "// saved " << i << " at " << std::chrono::steady_clock::now().time_since_epoch().count() << '\n';
    std::string out;
    timed({GRADER_BINARY, "grade", id, "--from", folder.string(), "--backend", "emu", "--json"}, kit.root,
          out);
    const auto report = nlohmann::json::parse(out);
    const std::string include = "-I" + (kit.common() / "lab/include").string();
    auto compile = [&](const std::string& compiler) {
      std::vector<std::string> command{compiler, "-O2", "-std=c++17", include};
      command.insert(command.end(), sources.begin(), sources.end());
      command.insert(command.end(), {"-o", "program"});
      return timed(command, folder, out);
    };
    const double emucc_s = compile(EMUCC_BINARY);
    const double nvcc_s = nvcc_program.empty() ? 0 : compile(nvcc_program.string());
    if (i < 0) continue;
    emucc.push_back(emucc_s);
    if (!nvcc_program.empty()) nvcc.push_back(nvcc_s);
    build.push_back(report["build_s"]);
    run.push_back(report["run_s"]);
    total.push_back(report["total_s"]);
    own.push_back(total.back() - build.back() - run.back());
  }
  fs::remove_all(folder);

  std::printf("%s, solution, emulation, median of %d runs\n", id.c_str(), runs);
  print_row("from saving to the verdict", total);
  print_row("  compile", build);
  print_row("  the student's program, all cases", run);
  print_row("  the grader's own time", own);
  print_row("emucc alone", emucc);
  if (!nvcc.empty()) {
    print_row("nvcc for the same files", nvcc);
    std::printf("  %-34s %8.2f\n", "emucc / nvcc", median(emucc) / median(nvcc));
  }
} catch (const grader::Error& error) {
  std::fprintf(stderr, "%s\n%s\n", error.what(), error.next_step().c_str());
  return static_cast<int>(error.kind());
}
