#include "made_class.hpp"

#include "author/wrong.hpp"
#include "base/columns.hpp"
#include "base/files.hpp"
#include "workspace/alignment.hpp"
#include "workspace/lab_files.hpp"
#include "workspace/workspace.hpp"

namespace grader {
namespace {

/// The level's file with the solution's answers in its blanks, and a comment in the first of them. Empty if
/// the solution differs from the level outside of its blanks.
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

/// Writes those files of a program that have blanks, as a student would hand them in. @return false if
/// filled_in() fails
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

}  // namespace

void make_class(const fs::path& folder, const Kit& kit, const Lab& lab, int n, int first) {
  const std::vector<LabFile> level = level_files(kit, lab, 1);
  const Submission solution = read_submission(kit, lab, 1, Origin::solution);
  const std::vector<WrongSolution> wrong = read_wrong(kit, lab);
  std::size_t next = 0;
  for (int i = first; i < first + n; ++i) {
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

}  // namespace grader
