/// @file
/// A question on a student's own program, with four choices, and the drawing of questions from a seed.
///
/// A kind of question draws a place in the recorded run and derives the answer in two independent ways. A question
/// whose derivations differ is never asked.
#pragma once
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ask/program.hpp"
#include "model/draw.hpp"

namespace grader {

/// A question before its choices are drawn.
struct Candidate {
  std::string text, answer;
  std::vector<std::string> wrong;  ///< plausible ones first; the answer and duplicates may be among them
  /// The answer derived in the second way; none where that way does not apply.
  std::function<std::optional<std::string>()> again;
};

struct QuestionKind {
  const char* name;
  bool changes;  ///< builds and runs a changed program, which takes seconds
  std::optional<Candidate> (*make)(AskedProgram& program, Draw& draw);
  bool common =
      false;  ///< has hardly more than one question for a program, so that all students get the same
};

/// All kinds, those of a room's file after those of the one before.
const std::vector<QuestionKind>& question_kinds();
std::vector<QuestionKind> element_kinds();
std::vector<QuestionKind> flow_kinds();
std::vector<QuestionKind> cost_kinds();
std::vector<QuestionKind> launch_kinds();
std::vector<QuestionKind> changed_kinds();

struct Question {
  std::string kind, text;
  std::vector<std::string> choices;
  std::size_t right = 0;  ///< position of the right choice
};

struct DrawnQuestions {
  std::vector<Question> questions;
  std::vector<std::string> contradictions;  ///< sentences on questions whose derivations differ
};

/// Puts the right choice among three wrong ones. @return none with fewer than three different wrong ones
std::optional<Question> with_choices(const std::string& kind, const Candidate& candidate, Draw& draw);

/// Draws different questions, of different kinds as long as there are any, common ones last. @return fewer where the program has no more
/// @param most_changed limit of questions that change the program
DrawnQuestions draw_questions(AskedProgram& program, std::uint64_t seed, std::size_t count,
                              std::size_t most_changed);

/// A line of the program's files where the recorded run does something; none if there is no such line.
std::optional<TracedPlace> draw_place(const Trace& trace, Draw& draw);

/// Elements of an array: up to three by name, more as the first two and the last, if they lie at equal distances.
/// @return empty for others
std::string elements_text(const AskedProgram& program, const TracedArray& array,
                          const std::set<std::size_t>& positions);

/// Sets of elements that a student may mistake for these: at other distances, more, fewer, moved.
std::vector<std::set<std::size_t>> positions_near(const TracedArray& array,
                                                  const std::set<std::size_t>& positions);

/// "1st", "2nd", "11th"
std::string ordinal(std::uint64_t number);

/// Wrong choices for a number: the given ones, then its neighbours, its double and its half.
std::vector<std::string> numbers_near(std::uint64_t right, const std::vector<std::uint64_t>& plausible);

}  // namespace grader
