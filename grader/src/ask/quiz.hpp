/// @file
/// A student's five questions, which follow from a seed, as data, text and JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "ask/question.hpp"
#include "base/terminal.hpp"

namespace grader {

struct Quiz {
  std::string lab, case_id;
  std::vector<std::string> args;
  std::uint64_t seed = 0;
  std::vector<Question> questions;
  std::vector<std::size_t> answers;  ///< the chosen answers, from 0; empty: not answered yet

  std::size_t right() const;
};

/// The seed of a student's questions about these files.
std::uint64_t seed_of(const std::string& student, const Submission& submission);

/// Draws the questions; fewer if the program has no more. @throws Error (usage) for a program without any
/// question
Quiz make_quiz(AskedProgram& program, std::uint64_t seed);

/// Reads "1,3,2,4,2" as choices, which then count from 0. @throws Error (usage) unless there is one choice
/// for each question
std::vector<std::size_t> parse_answers(const std::string& text, const Quiz& quiz);

std::string question_text(const Quiz& quiz, std::size_t number, const Style& style);
/// Says why there are fewer than five questions, in a sentence. Empty if there are five.
std::string shortage_text(const Quiz& quiz);
/// The right answers beside the student's.
std::string result_text(const Quiz& quiz, const Style& style);
/// The questions as JSON. Before they are answered, it does not show which choices are right.
nlohmann::json to_json(const Quiz& quiz);

}  // namespace grader
