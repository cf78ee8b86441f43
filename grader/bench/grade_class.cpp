// How many hand-ins a class run grades in a minute, and what of the time is the grader's own.
//
//     grade_class [LAB] [N …]          default: lab2.1, classes of 50
//
// For each N a class of N hand-ins is made up: right ones, skeletons, the lab's planted mistakes in turn, and what can't be
// read (a damaged archive, a link out of the folder). Each has a comment of its own in a blank, so that nothing is taken from
// a cache but what is the kit's. Printed: wall clock, hand-ins a minute, the share of the workers' time that is neither
// compiling nor running, the largest resident memory so far, and the time of the same command once more, when all is known.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "author/wrong.hpp"
#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/scratch.hpp"
#include "course/course.hpp"
#include "workspace/alignment.hpp"

namespace {

using namespace grader;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The level's file with the solution's answers in its blanks, and a comment in the first one; empty when the solution was
/// changed outside of them.
std::string filled_in(const std::string& level, const std::string& solution, const std::string& comment) {
  const Skeleton skeleton = parse_skeleton("", level);
  const SolutionLines lines(solution);
  const auto ranges = align(skeleton, lines);
  if (!ranges) return "";
  const std::vector<std::string> own = split_lines(level);
  std::string text;
  const auto add = [&](const std::string& line) { text += line + "\n"; };
  for (std::size_t i = 0; i < skeleton.given.size(); ++i) {
    for (const std::string& line : skeleton.given[i].lines) add(line);
    if (i == skeleton.blanks.size()) break;
    add(own[skeleton.blanks[i].begin - 1]);
    if (i == 0) add(comment);
    for (std::size_t k = (*ranges)[i].end; k < (*ranges)[i + 1].begin; ++k) add(lines.text[k]);
    add(own[skeleton.blanks[i].end - 1]);
  }
  return text;
}

/// Writes a program's files with blanks as a student would hand them in. @return whether it could be told apart
bool hand_in(const fs::path& folder, const std::vector<LabFile>& level, const Submission& program,
             int number) {
  const std::string comment = "  // hand-in " + std::to_string(number);
  for (const LabFile& file : level) {
    if (parse_skeleton(file.name, file.text).blanks.empty()) continue;
    for (const SubmissionFile& own : program.files) {
      if (own.name != file.name) continue;
      const std::string text = filled_in(file.text, own.text, comment);
      if (text.empty()) return false;
      write_file(folder / file.name, text);
    }
  }
  return true;
}

void make_class(const fs::path& folder, const Kit& kit, const Lab& lab, int n) {
  const std::vector<LabFile> level = level_files(kit, lab, 1);
  const Submission solution = read_submission(kit, lab, 1, Origin::solution);
  const std::vector<WrongSolution> wrong = read_wrong(kit, lab);
  std::size_t next = 0;
  for (int i = 0; i < n; ++i) {
    const std::string name = "student" + std::to_string(1000 + i);
    if (i % 20 == 7) {
      write_file(folder / (name + ".zip"), "PK\x03\x04 and nothing behind it");
    } else if (i % 20 == 13) {
      fs::create_directories(folder / name);
      fs::create_symlink("/etc/passwd", folder / name / level.front().name);
    } else if (i % 10 == 5) {
      for (const LabFile& file : level) write_file(folder / name / file.name, file.text);
    } else if (i % 3 == 0) {
      hand_in(folder / name, level, solution, i);
    } else {
      while (!hand_in(folder / name, level, apply_wrong(solution, wrong[next++ % wrong.size()]), i)) {
      }
    }
  }
}

long peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

void measure(const Kit& kit, const Lab& lab, int n) {
  const ScratchFolder scratch(fs::temp_directory_path(), "grade-class");
  CourseOptions options;
  options.folder = scratch.path() / "class";
  options.workers = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  make_class(options.folder, kit, lab, n);
  const Toolchain toolchain = Toolchain::detect(kit);
  Records records(scratch.path() / "records.sqlite");
  const double begin = now();
  const std::vector<GradedAttempt> attempts = grade_course(kit, toolchain, lab, records, options, {});
  const double wall = now() - begin;
  double total = 0, theirs = 0;
  int right = 0;
  for (const GradedAttempt& attempt : attempts) {
    total += attempt.grading.total_s;
    theirs += attempt.grading.build_s + attempt.grading.run_s;
    right += attempt.grading.verdict == Verdict::passed;
  }
  const double again = now();
  grade_course(kit, toolchain, lab, records, options, {});
  std::printf("%6d %8.1f s %8.1f %10.2f s %9.1f %% %8ld MiB %8.2f s %7d\n", n, wall, n / wall * 60, wall / n,
              100 * (1 - theirs / total), peak_mib(), now() - again, right);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  const Kit kit = Kit::find(fs::current_path());
  std::optional<int> none;
  const Catalog catalog = Catalog::load(kit);
  const Lab& lab = catalog.find(argc > 1 ? argv[1] : "lab2.1", none);
  std::printf(
      "%s, %u workers\n hand-ins    wall  a minute    a hand-in  grader's      peak     again   right\n",
      lab.id.c_str(), std::max(1u, std::thread::hardware_concurrency()));
  if (argc < 3) measure(kit, lab, 50);
  for (int i = 2; i < argc; ++i) measure(kit, lab, std::max(1, std::atoi(argv[i])));
} catch (const grader::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 3;
}
