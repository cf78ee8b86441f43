// Proves that a skeleton is its solution with blanks, and reports failures.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "workspace/alignment.hpp"

namespace grader {
namespace {

/// The first given line that is not at its place. Goes from left to right, to the first piece that fits
/// nowhere after the previous piece. Compares this piece with the solution where most of its lines match, and
/// returns the first line that differs.
SkeletonProblem first_misfit(const fs::path& file, const Skeleton& skeleton, const SolutionLines& solution) {
  const std::vector<std::string>& lines = solution.text;
  std::size_t from = 0;
  for (std::size_t k = 0; k < skeleton.given.size(); ++k) {
    const Skeleton::Given& given = skeleton.given[k];
    const std::vector<std::string>& piece = given.lines;
    const bool last = k + 1 == skeleton.given.size();
    std::size_t best_at = std::min(from, lines.size()), best = 0;
    bool fits = piece.empty() && (!last || k > 0);
    for (std::size_t at = from; at < lines.size() && !fits; ++at) {
      const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(at);
      const std::size_t same = static_cast<std::size_t>(
          std::mismatch(piece.begin(), piece.end(), begin, lines.end()).first - piece.begin());
      if (same == piece.size() && (!last || at + same == lines.size())) {
        fits = true;
        from = at + same;
      } else if (same > best) {
        best = same;
        best_at = at;
      }
      if (k == 0) break;  // the piece must be at the beginning
    }
    if (fits) continue;
    const std::size_t there = best_at + best;
    SkeletonProblem problem{file, given.begin + static_cast<unsigned>(best),
                            "this line is outside the blanks, and the solution does not have it here"};
    if (best < piece.size()) {
      problem.here = piece[best];
    } else {
      problem.what = "the skeleton ends here, and the solution goes on";
      problem.line = given.begin + static_cast<unsigned>(piece.empty() ? 0 : piece.size() - 1);
    }
    if (there < lines.size()) {
      problem.solution = lines[there];
      problem.solution_line = static_cast<unsigned>(there + 1);
    }
    return problem;
  }
  return {file, 1, "the given lines are in the solution in another order, or overlap there"};
}

void prove_todos(const fs::path& file, const Blank& blank, std::vector<SkeletonProblem>& problems) {
  std::string text;
  for (const std::string& line : blank.lines) text += line + "\n";
  const std::vector<Todo> todos = find_todos(file, text);
  for (const int part : blank.parts) {
    if (std::none_of(todos.begin(), todos.end(), [part](const Todo& todo) { return todo.part == part; }))
      problems.push_back(
          {file, blank.begin, fmt::format("the blank of {} has no LAB_TODO({})", blank.name, part)});
  }
  for (const Todo& todo : todos) {
    if (std::find(blank.parts.begin(), blank.parts.end(), todo.part) == blank.parts.end())
      problems.push_back({file, blank.begin + todo.line,
                          fmt::format("LAB_TODO({}) is in the blank of {}", todo.part, blank.name)});
  }
}

}  // namespace

std::vector<SkeletonProblem> prove(const fs::path& file, const std::string& text,
                                   const std::string& solution_text) {
  const Skeleton skeleton = parse_skeleton(file, text);
  const SolutionLines solution(solution_text);
  std::vector<SkeletonProblem> problems;
  if (skeleton.blanks.empty())
    return {{file, 0, "nothing is blank in it; a file without blanks belongs in given/"}};
  const auto ranges = align(skeleton, solution);
  if (!ranges) return {first_misfit(file, skeleton, solution)};
  for (std::size_t k = 0; k < skeleton.blanks.size(); ++k) {
    const Blank& blank = skeleton.blanks[k];
    const Range answer{(*ranges)[k].end, (*ranges)[k + 1].begin};
    if (!has_code(solution, answer)) {
      problems.push_back(
          {file, blank.begin,
           fmt::format("{} is blank here, but the solution has no code in its place, so nothing "
                       "would be missing without it",
                       blank.name),
           "", "", static_cast<unsigned>(answer.begin + 1)});
    } else if (const auto revealed = given_away(blank, solution, answer)) {
      problems.push_back({file, blank.begin + 1 + static_cast<unsigned>(revealed->second),
                          fmt::format("the blank of {} gives away a line of its answer", blank.name),
                          blank.lines[revealed->second], solution.text[revealed->first],
                          static_cast<unsigned>(revealed->first + 1)});
    }
    prove_todos(file, blank, problems);
    if (cuts_a_block(blank, solution, answer))
      problems.push_back(
          {file, blank.begin,
           fmt::format("the blank of {} cuts through a block: its answer opens and closes other braces "
                       "than it does, so the skeleton can't compile",
                       blank.name),
           "", "", static_cast<unsigned>(answer.begin + 1)});
  }
  std::stable_sort(problems.begin(), problems.end(),
                   [](const SkeletonProblem& a, const SkeletonProblem& b) { return a.line < b.line; });
  return problems;
}

}  // namespace grader
