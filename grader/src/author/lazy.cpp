// Works in memory. Like a planted mistake, a lazy answer is never written to disk.
#include "author/lazy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "workspace/alignment.hpp"

namespace grader {
namespace {

using Lines = std::vector<std::string>;

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

Lines left_empty(const Blank& blank) {
  Lines lines;
  for (const std::string& line : blank.lines)
    if (line.find("LAB_TODO(") == std::string::npos) lines.push_back(line);
  return lines;
}

Lines with_constants(const Lines& lines) {
  Lines constant;
  for (std::string line : lines) {
    const std::size_t at = line.find("return "), end = line.find(';', at == std::string::npos ? 0 : at);
    if (at != std::string::npos && end != std::string::npos) line.replace(at, end - at, "return {}");
    constant.push_back(line);
  }
  return constant;
}

class Answers {
 public:
  Answers(const Kit& kit, const Lab& lab)
      : kit_(kit), lab_(lab), whole_(read_submission(kit, lab, 1, Origin::solution)) {}

  std::vector<LazyAnswer> all() {
    for (int level = 1; level <= lab_.levels; ++level)
      for (const LabFile& file : sources_in(level_folder(kit_, lab_, level))) add_file(level, file);
    return std::move(answers_);
  }

 private:
  void add_file(int level, const LabFile& file) {
    const auto own = std::find_if(whole_.files.begin(), whole_.files.end(),
                                  [&](const SubmissionFile& one) { return one.name == file.name; });
    if (own == whole_.files.end()) return;
    const Skeleton skeleton = parse_skeleton(file.origin, file.text);
    const SolutionLines solution(own->text);
    const auto ranges = align(skeleton, solution);
    if (!ranges)
      throw Error(ErrorKind::usage, fmt::format("{} is not the solution with blanks.", shown(file.origin)),
                  fmt::format("grader release {} --check", lab_.id));
    const auto answer_of = [&](std::size_t k) {
      return Lines(solution.text.begin() + static_cast<std::ptrdiff_t>((*ranges)[k].end),
                   solution.text.begin() + static_cast<std::ptrdiff_t>((*ranges)[k + 1].begin));
    };
    for (std::size_t k = 0; k < skeleton.blanks.size(); ++k) {
      const Blank& blank = skeleton.blanks[k];
      std::set<std::string> known = {joined(answer_of(k))};
      const auto add = [&](const std::string& kind, const Lines& lines) {
        if (!known.insert(joined(lines)).second) return;
        Lines text(solution.text.begin(),
                   solution.text.begin() + static_cast<std::ptrdiff_t>((*ranges)[k].end));
        text.insert(text.end(), lines.begin(), lines.end());
        text.insert(text.end(), solution.text.begin() + static_cast<std::ptrdiff_t>((*ranges)[k + 1].begin),
                    solution.text.end());
        LazyAnswer answer{level, file.name, blank.begin, blank.parts, kind, whole_};
        for (SubmissionFile& one : answer.submission.files)
          if (one.name == file.name) one.text = joined(text);
        answer.submission.level = level;
        answer.submission.origin = Origin::folder;
        summarise(answer.submission);
        answers_.push_back(std::move(answer));
      };
      add("left empty", left_empty(blank));
      add("a constant", with_constants(left_empty(blank)));
      if (k + 1 < skeleton.blanks.size()) {
        add("the neighbour's answer", answer_of(k + 1));
      } else if (k > 0) {
        add("the neighbour's answer", answer_of(k - 1));
      }
    }
  }

  const Kit& kit_;
  const Lab& lab_;
  const Submission whole_;
  std::vector<LazyAnswer> answers_;
};

}  // namespace

std::vector<LazyAnswer> lazy_answers(const Kit& kit, const Lab& lab) {
  return Answers(kit, lab).all();
}

Grading grade_lazy(const Kit& kit, const Toolchain& toolchain, const Lab& lab, const LazyAnswer& answer,
                   Backend backend) {
  Lab narrowed = lab;
  std::erase_if(narrowed.cases, [&](const Case& c) {
    const bool judges = std::any_of(answer.parts.begin(), answer.parts.end(), [&](int part) {
      return std::find(c.parts.begin(), c.parts.end(), part) != c.parts.end();
    });
    return !judges || !c.runs_on(backend) || !lab.counts_at(answer.level, c.parts);
  });
  if (narrowed.cases.empty()) return {};
  Submission submission = answer.submission;
  submission.lab = &narrowed;
  return grade({kit, toolchain, submission, backend, {}});
}

}  // namespace grader
