#include "ask/question.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "process/process.hpp"

namespace grader {

const std::vector<QuestionKind>& question_kinds() {
  static const std::vector<QuestionKind> all = [] {
    std::vector<QuestionKind> out;
    for (const auto& kinds : {element_kinds, flow_kinds, cost_kinds, launch_kinds, changed_kinds})
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
  constexpr std::size_t most_failures = 12;  // consecutive failures after which a kind counts as used up
  struct Source {
    const QuestionKind* kind;
    std::size_t failures = 0;
  };
  Draw draw(seed);
  std::vector<Source> sources;
  for (const QuestionKind& kind : question_kinds()) sources.push_back({&kind});
  draw.shuffle(sources);
  std::stable_partition(sources.begin(), sources.end(),
                        [](const Source& source) { return !source.kind->common; });
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
      // A run that is interrupted ends early, and no question can be derived from it.
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

std::optional<TracedPlace> draw_place(const Trace& trace, Draw& draw) {
  std::vector<TracedPlace> own;
  for (const TracedPlace& place : trace.places)
    if (!place.file.empty()) own.push_back(place);
  return own.empty() ? std::nullopt : std::optional(draw.one_of(own));
}

namespace {

/// Positions that are at equal distances.
struct Row {
  std::size_t first = 0, step = 1, count = 0;

  static std::optional<Row> of(const std::set<std::size_t>& positions) {
    if (positions.empty()) return std::nullopt;
    const std::vector<std::size_t> all(positions.begin(), positions.end());
    const Row row{all.front(), all.size() > 1 ? all[1] - all[0] : 1, all.size()};
    return row.positions() == positions ? std::optional(row) : std::nullopt;
  }

  std::set<std::size_t> positions() const {
    std::set<std::size_t> out;
    for (std::size_t i = 0; i < count; ++i) out.insert(first + i * step);
    return out;
  }
};

}  // namespace

std::string elements_text(const AskedProgram& program, const TracedArray& array,
                          const std::set<std::size_t>& positions) {
  constexpr std::size_t named = 3;
  const std::vector<std::size_t> all(positions.begin(), positions.end());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < all.size() && i < named; ++i)
    names.push_back(program.element_text(array, all[i]));
  if (all.size() <= named) return fmt::format("{}", fmt::join(names, ", "));
  if (!Row::of(positions)) return "";
  return fmt::format("{}, {}, … {}: {} elements", names[0], names[1], program.element_text(array, all.back()),
                     all.size());
}

std::vector<std::set<std::size_t>> positions_near(const TracedArray& array,
                                                  const std::set<std::size_t>& positions) {
  const auto row = Row::of(positions);
  if (!row) return {};
  const std::size_t columns = array.shape.size() == 2 ? array.shape[1] : 1;
  const auto [first, step, count] = *row;
  const std::size_t all = array.bytes / array.element;
  std::vector<std::set<std::size_t>> out;
  for (const Row other :
       {Row{first, step == 1 ? std::max<std::size_t>(columns, 2) : 1, count}, Row{first, 2 * step, count},
        Row{first, step, 2 * count}, Row{first, step, count / 2}, Row{first + step, step, count},
        Row{first, step / 2, count}, Row{first, step, count - 1}, Row{first, step, count + 1},
        Row{first + 1, step, count}, Row{first / columns, columns, count}})
    if (other.count > 0 && other.step > 0 && other.first + (other.count - 1) * other.step < all)
      out.push_back(other.positions());
  return out;
}

std::string ordinal(std::uint64_t number) {
  const bool teens = number / 10 % 10 == 1;
  const char* const ending =
      teens || number % 10 > 3 ? "th" : std::array{"th", "st", "nd", "rd"}[number % 10];
  return fmt::format("{}{}", number, ending);
}

std::vector<std::string> numbers_near(std::uint64_t right, const std::vector<std::uint64_t>& plausible) {
  std::vector<std::string> out;
  for (const std::uint64_t number : plausible) out.push_back(std::to_string(number));
  out.push_back(std::to_string(right + 1));
  if (right > 1) out.push_back(std::to_string(right - 1));
  out.push_back(std::to_string(2 * right));
  if (right > 1) out.push_back(std::to_string(right / 2));
  for (const std::uint64_t more : {2, 3}) out.push_back(std::to_string(right + more));
  return out;
}

}  // namespace grader
