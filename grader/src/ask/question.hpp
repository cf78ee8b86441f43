/// @file
/// A question about a student's own program, with four choices, and how questions are drawn from a seed.
///
/// Each kind of question draws a place in the recorded run, and derives the answer in two independent ways.
/// If the two answers differ, the question is never asked.
#pragma once
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ask/program.hpp"
#include "model/draw.hpp"

namespace grader {

/// A question before its choices are drawn, with the answer of the first derivation.
struct Candidate {
  std::string text, answer;
  std::vector<std::string> wrong;  ///< the most plausible first; the answer and duplicates may be among them
  /// The answer of the second derivation. No value if this derivation is impossible.
  std::function<std::optional<std::string>()> again;
};

struct QuestionKind {
  const char* name;
  bool changes;  ///< whether it builds and runs a changed program, which takes seconds
  std::optional<Candidate> (*make)(AskedProgram& program, Draw& draw);
  bool common = false;  ///< a program gives hardly more than one such question, so all students get the same
};

/// All kinds, in the order of the files kinds_*.cpp.
const std::vector<QuestionKind>& question_kinds();
std::vector<QuestionKind> element_kinds();
std::vector<QuestionKind> flow_kinds();
std::vector<QuestionKind> cost_kinds();
std::vector<QuestionKind> launch_kinds();
std::vector<QuestionKind> changed_kinds();

struct Question {
  std::string kind, text;
  std::vector<std::string> choices;
  std::size_t right = 0;  ///< index of the right choice
};

struct DrawnQuestions {
  std::vector<Question> questions;
  std::vector<std::string> contradictions;  ///< sentences about questions whose derivations differ
};

/// Puts the right choice among three wrong ones. @return no value if there are fewer than three different
/// wrong ones
std::optional<Question> with_choices(const std::string& kind, const Candidate& candidate, Draw& draw);

/// Draws different questions, if possible of different kinds, and the common ones last. @return fewer if the
/// program has no more
/// @param most_changed the most questions for which the program is changed
DrawnQuestions draw_questions(AskedProgram& program, std::uint64_t seed, std::size_t count,
                              std::size_t most_changed);

/// Draws a line of the program's files with a step in the recorded run. No value if there is no such line.
std::optional<TracedPlace> draw_place(const Trace& trace, Draw& draw);

/// Names elements of an array: up to three by their indices, and more, if they are at equal distances, by the
/// first two and the last.
/// @return empty for other elements
std::string elements_text(const AskedProgram& program, const TracedArray& array,
                          const std::set<std::size_t>& positions);

/// Sets of elements that a student may mistake for these: at other distances, with more or fewer elements, or
/// shifted.
std::vector<std::set<std::size_t>> positions_near(const TracedArray& array,
                                                  const std::set<std::size_t>& positions);

/// "1st", "2nd", "11th"
std::string ordinal(std::uint64_t number);

/// Wrong choices for a number: the given ones, its neighbours, its double and its half.
std::vector<std::string> numbers_near(std::uint64_t right, const std::vector<std::uint64_t>& plausible);

}  // namespace grader
