#include "ask/quiz.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "model/drawn.hpp"

namespace grader {
namespace {

constexpr std::size_t questions_of_quiz = 5;
constexpr std::size_t most_changed = 1;  // questions for which a program is changed and built

}  // namespace

std::size_t Quiz::right() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) count += answers[i] == questions[i].right ? 1 : 0;
  return count;
}

std::uint64_t seed_of(const std::string& student, const Submission& submission) {
  return number_from(student, {"ask", submission.lab->id, submission.sha256}) >>
         11;  // so that a number in JSON is exact
}

Quiz make_quiz(AskedProgram& program, std::uint64_t seed) {
  const Lab& lab = *program.submission().lab;
  DrawnQuestions drawn = draw_questions(program, seed, questions_of_quiz, most_changed);
  if (drawn.questions.empty())
    throw Error(ErrorKind::usage,
                fmt::format("Case {} of {} does too little for a question.", program.its_case().id, lab.id),
                fmt::format("grader ask {} --case ID", lab.id));
  return {lab.id, program.its_case().id, program.its_case().args, seed, std::move(drawn.questions), {}};
}

std::vector<std::size_t> parse_answers(const std::string& text, const Quiz& quiz) {
  std::vector<std::size_t> out;
  bool valid = text.size() == 2 * quiz.questions.size() - 1;
  for (std::size_t i = 0; valid && i < text.size(); ++i) {
    if (i % 2 == 1) {
      valid = text[i] == ',';
    } else {
      const auto choice = static_cast<std::size_t>(text[i] - '1');
      valid = choice < quiz.questions[i / 2].choices.size();
      out.push_back(choice);
    }
  }
  if (!valid)
    throw Error(ErrorKind::usage,
                fmt::format("\"{}\" does not choose one of 1 to 4 for each of {} questions.", printable(text),
                            quiz.questions.size()),
                fmt::format("grader ask {} --answers 1,3,2,4,2", quiz.lab));
  return out;
}

std::string question_text(const Quiz& quiz, std::size_t number, const Style& style) {
  const Question& question = quiz.questions[number];
  std::string out = hanging(style.strong(fmt::format("{}. ", number + 1)), question.text, style.width) + "\n";
  for (std::size_t i = 0; i < question.choices.size(); ++i)
    out += hanging(fmt::format("   {}) ", i + 1), question.choices[i], style.width) + "\n";
  return out;
}

std::string shortage_text(const Quiz& quiz) {
  return quiz.questions.size() == questions_of_quiz
             ? ""
             : fmt::format("Case {} of {} does too little for {} questions: there are {}.\n", quiz.case_id,
                           quiz.lab, questions_of_quiz, quiz.questions.size());
}

std::string result_text(const Quiz& quiz, const Style& style) {
  std::string out;
  for (std::size_t i = 0; i < quiz.answers.size(); ++i) {
    const Question& question = quiz.questions[i];
    const bool right = quiz.answers[i] == question.right;
    const std::string words = right ? question.choices[question.right]
                                    : fmt::format("{}, not {}", question.choices[question.right],
                                                  question.choices[quiz.answers[i]]);
    out += hanging(fmt::format("{}. {} ", i + 1, right ? style.good("right:") : style.bad("wrong:")), words,
                   style.width) +
           "\n";
  }
  return out + fmt::format("{} of {} are right.\n", quiz.right(), quiz.questions.size());
}

nlohmann::json to_json(const Quiz& quiz) {
  nlohmann::json out = {{"format", 1},
                        {"kind", "ask"},
                        {"lab", quiz.lab},
                        {"case", quiz.case_id},
                        {"args", quiz.args},
                        {"seed", quiz.seed},
                        {"questions", nlohmann::json::array()}};
  for (std::size_t i = 0; i < quiz.questions.size(); ++i) {
    const Question& question = quiz.questions[i];
    nlohmann::json one = {{"kind", question.kind}, {"text", question.text}, {"choices", question.choices}};
    if (!quiz.answers.empty()) {
      one["chosen"] = quiz.answers[i] + 1;
      one["answer"] = question.right + 1;
    }
    out["questions"].push_back(std::move(one));
  }
  if (!quiz.answers.empty()) out["right"] = quiz.right();
  return out;
}

}  // namespace grader
