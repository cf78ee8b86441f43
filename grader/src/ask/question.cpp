#include "ask/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "process/process.hpp"

namespace grader {

const std::vector<QuestionKind>& question_kinds() {
  static const std::vector<QuestionKind> all = [] {
    std::vector<QuestionKind> out;
    for (const auto& kinds : {element_kinds, cost_kinds, launch_kinds, changed_kinds})
      for (const QuestionKind& kind : kinds()) out.push_back(kind);
    return out;
  }();
  return all;
}

std::optional<Question> with_choices(const std::string& kind, const Candidate& candidate, Draw& draw) {
  constexpr std::size_t wrong_choices = 3;
  Question question{kind, candidate.text, {candidate.answer}, 0};
  for (const std::string& wrong : candidate.wrong) {
    if (question.choices.size() > wrong_choices) break;
    if (std::find(question.choices.begin(), question.choices.end(), wrong) == question.choices.end())
      question.choices.push_back(wrong);
  }
  if (question.choices.size() <= wrong_choices) return std::nullopt;
  draw.shuffle(question.choices);
  const auto right = std::find(question.choices.begin(), question.choices.end(), candidate.answer);
  question.right = static_cast<std::size_t>(right - question.choices.begin());
  return question;
}

DrawnQuestions draw_questions(AskedProgram& program, std::uint64_t seed, std::size_t count,
                              std::size_t most_changed) {
  constexpr std::size_t most_failures = 12;  // in a row, before a kind counts as used up
  struct Source {
    const QuestionKind* kind;
    std::size_t failures = 0;
  };
  Draw draw(seed);
  std::vector<Source> sources;
  for (const QuestionKind& kind : question_kinds()) sources.push_back({&kind});
  draw.shuffle(sources);
  DrawnQuestions out;
  std::set<std::string> asked;
  std::size_t changed = 0;
  while (out.questions.size() < count && !sources.empty()) {
    for (Source& source : sources) {
      if (out.questions.size() == count) break;
      if (source.kind->changes && changed == most_changed) {
        source.failures = most_failures;
        continue;
      }
      ++source.failures;
      const auto candidate = source.kind->make(program, draw);
      if (!candidate || asked.count(candidate->text) != 0) continue;
      auto question = with_choices(source.kind->name, *candidate, draw);
      if (!question) continue;
      const auto again = candidate->again();
      // An interrupted run ends early, and derives nothing.
      if (interrupted()) throw Error(ErrorKind::environment, "Interrupted before all questions were drawn.");
      if (!again) continue;
      asked.insert(candidate->text);
      if (*again != candidate->answer) {
        out.contradictions.push_back(fmt::format("{} {}: one way gives {}, the other {}.", source.kind->name,
                                                 candidate->text, candidate->answer, *again));
        continue;
      }
      source.failures = 0;
      changed += source.kind->changes ? 1 : 0;
      out.questions.push_back(std::move(*question));
    }
    std::erase_if(sources, [](const Source& source) { return source.failures >= most_failures; });
  }
  return out;
}

std::vector<std::string> numbers_near(std::uint64_t right, const std::vector<std::uint64_t>& plausible) {
  std::vector<std::string> out;
  for (const std::uint64_t number : plausible) out.push_back(std::to_string(number));
  out.push_back(std::to_string(right + 1));
  if (right > 0) out.push_back(std::to_string(right - 1));
  out.push_back(std::to_string(2 * right));
  out.push_back(std::to_string(right / 2));
  for (const std::uint64_t more : {2, 3}) out.push_back(std::to_string(right + more));
  return out;
}

}  // namespace grader
