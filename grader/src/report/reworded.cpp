// The functions called here are those that write the words of a new grading.
#include "report/reworded.hpp"

#include <algorithm>

#include "check/checking.hpp"
#include "check/findings.hpp"
#include "judge/end_words.hpp"
#include "judge/judge.hpp"
#include "report/report_findings.hpp"

namespace grader {
namespace {

/// @return whether the result has the necessary facts
bool reword_run(const Lab& lab, const Case& c, CaseResult& result) {
  if (result.verdict == Verdict::finding && any_error(result.findings))
    say_findings(result);
  else if (result.ended)
    say_end(result, lab, c);
  else if (result.verdict == Verdict::wrong_answer && result.mismatch)
    say_mismatch(result, lab, c);
  else
    return result.verdict == Verdict::unsupported;  // the stored words name what that machine lacked
  return true;
}

bool reword_case(const Lab& lab, const Grading& grading, CaseResult& result) {
  const auto c = std::find_if(lab.cases.begin(), lab.cases.end(),
                              [&](const Case& known) { return known.id == result.id; });
  if (c == lab.cases.end() || !reword_run(lab, *c, result)) return false;
  if (result.right_before_check) say_right_before_check(result, *c, check_command(grading));
  if (result.cause && *result.cause < result.findings.size())
    say_cause(result, result.mismatch ? words_of_extent(*c, *result.mismatch) : result.message);
  return true;
}

}  // namespace

std::vector<std::string> reword(const Lab& lab, Grading& grading) {
  std::vector<std::string> as_recorded;
  for (CaseResult& result : grading.cases)
    if (!result.message.empty() && !reword_case(lab, grading, result)) as_recorded.push_back(result.id);
  return as_recorded;
}

}  // namespace grader
