/// @file
/// A student's five questions, with the seed that they follow from, as data, text and JSON.
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
  std::vector<std::size_t> answers;  ///< chosen, by question, from 0; empty: not answered yet

  std::size_t right() const;
};

/// The seed of a student's questions about these files.
std::uint64_t seed_of(const std::string& student, const Submission& submission);

/// Fewer questions where the program has no more. @throws Error (usage) for a program without any
Quiz make_quiz(AskedProgram& program, std::uint64_t seed);

/// "1,3,2,4,2" as choices from 0. @throws Error (usage) unless it names one choice for each question
std::vector<std::size_t> parse_answers(const std::string& text, const Quiz& quiz);

std::string question_text(const Quiz& quiz, std::size_t number, const Style& style);
/// The reason for fewer than five questions, in a sentence; empty for five.
std::string shortage_text(const Quiz& quiz);
/// The right answers beside those given.
std::string result_text(const Quiz& quiz, const Style& style);
/// Without answers it does not say which choices are right.
nlohmann::json to_json(const Quiz& quiz);

}  // namespace grader
