#include "course/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "course/assemble.hpp"
#include "course/hand_in_files.hpp"
#include "workspace/lab_files.hpp"
#include "workspace/skeleton.hpp"

namespace grader {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// The text in the blanks of a file. If its blanks can't be found, the whole file.
std::vector<AnswerText> blanks_of(const SubmissionFile& file) {
  std::vector<AnswerText> out;
  try {
    for (const Blank& blank : parse_skeleton(file.name, file.text).blanks)
      out.push_back({file.name.string(), blank.begin + 1, joined(blank.lines)});
  } catch (const Error&) {
    // a damaged mark
  }
  if (out.empty()) out.push_back({file.name.string(), 1, file.text});
  return out;
}

std::string whole_text(const std::vector<AnswerText>& texts) {
  std::string text;
  for (const AnswerText& one : texts) text += one.place + "\n" + one.text;
  return text;
}

std::string owner_of(const ClassFile& course, const std::string& student) {
  const auto listed = course.students.find(student);
  const bool in_group = listed != course.students.end() && !listed->second.group.empty();
  return in_group ? "group " + listed->second.group : "student " + student;
}

/// Computes ClassSimilarity::identical. @param blank the text of an unfilled blank
std::vector<std::vector<std::size_t>> identical_answers(const std::vector<Answer>& answers,
                                                        const std::string& blank) {
  std::map<std::string, std::vector<std::size_t>> by_text;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (std::string text = whole_text(answers[i].texts); text != blank) by_text[std::move(text)].push_back(i);
  std::vector<std::vector<std::size_t>> out;
  for (auto& [text, who] : by_text) {
    const bool of_several = std::any_of(who.begin(), who.end(), [&, &first = who.front()](std::size_t i) {
      return answers[i].owner != answers[first].owner;
    });
    if (of_several) out.push_back(std::move(who));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

ClassSimilarity compare_class(const Kit& kit, const Lab& lab, int level, const ClassFile& course,
                              const std::vector<HandIn>& hand_ins) {
  ClassSimilarity out;
  KnownTexts& known = out.known;
  std::vector<fs::path> with_blanks;
  std::vector<AnswerText> blank;
  const LevelForm form = read_form(kit, lab, level);
  for (const LevelForm::File& one : form.files) {
    if (is_source(one.file.name)) known.given.push_back(one.file.text);
    if (one.skeleton.blanks.empty()) continue;
    with_blanks.push_back(one.file.name);
    for (AnswerText& text : blanks_of(one.file)) blank.push_back(std::move(text));
  }
  std::error_code failed;
  if (fs::exists(solution_folder(kit, lab), failed))
    for (const LabFile& file : solution_files(kit, lab)) known.solution.push_back(file.text);

  std::set<fs::path> seen;
  for (const HandIn& hand_in : hand_ins) {
    if (!seen.insert(hand_in.paths.front()).second)
      continue;  // already compared for another member of the group
    std::vector<SubmissionFile> files;
    try {
      files = assemble(form, read_hand_in(hand_in).files, hand_in.paths.front()).submission.files;
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::usage) throw;
      continue;
    }
    Answer answer;
    answer.owner = owner_of(course, hand_in.student);
    answer.name = hand_in.student;
    if (hand_in.attempt > 1) answer.name += fmt::format(", attempt {}", hand_in.attempt);
    for (const SubmissionFile& file : files)
      if (std::find(with_blanks.begin(), with_blanks.end(), file.name) != with_blanks.end())
        for (AnswerText& text : blanks_of(file)) answer.texts.push_back(std::move(text));
    out.answers.push_back(std::move(answer));
  }
  out.found = find_similar(out.answers, known);
  out.identical = identical_answers(out.answers, whole_text(blank));
  return out;
}

}  // namespace grader
