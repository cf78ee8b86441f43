// Every key here must be in docs/class.schema.json: a test compares them.
#include "report/class_json.hpp"

#include <nlohmann/json.hpp>

#include "model/json.hpp"
#include "report/similarity_report.hpp"

namespace grader {
namespace {

nlohmann::json mark_json(const Mark& mark) {
  nlohmann::json out = {{"student", mark.student},
                        {"name", mark.name},
                        {"number", mark.number},
                        {"group", mark.group},
                        {"attempts", mark.attempts},
                        {"counted", mark.counted},
                        {"received_at", mark.received_at},
                        {"verdict", to_string(mark.verdict)},
                        {"points", mark.points},
                        {"share", mark.share},
                        {"added", mark.added},
                        {"comment", mark.comment},
                        {"mark", mark.mark()},
                        {"max_points", mark.max_points}};
  if (mark.answer_points) out["answer_points"] = *mark.answer_points;
  if (mark.answers)
    out["answers"] = {{"right", mark.answers->right},
                      {"questions", mark.answers->questions},
                      {"passed_without_knowing", mark.passed_without_knowing()}};
  return out;
}

nlohmann::json attempt_json(const GradedAttempt& attempt) {
  return {{"student", attempt.hand_in.student},
          {"attempt", attempt.hand_in.attempt},
          {"received_at", attempt.hand_in.received_at},
          {"graded_before", attempt.was_recorded},
          {"notes", attempt.notes},
          {"grading", to_json(attempt.grading)}};
}

nlohmann::json board_json(const Leaderboard& board) {
  nlohmann::json placings = nlohmann::json::array();
  for (const Placing& one : board.placings)
    placings.push_back({{"rank", one.rank},
                        {"student", one.student},
                        {"nickname", one.nickname},
                        {"attempt", one.attempt},
                        {"time_s", one.time_s},
                        {"to_reference", one.to_reference},
                        {"received_at", one.received_at}});
  return {{"case", board.case_id},
          {"time_source", board.time_source},
          {"reference_s", board.reference_s},
          {"thresholds", board.thresholds},
          {"placings", placings}};
}

}  // namespace

nlohmann::json class_json(const ClassReport& report, int level) {
  nlohmann::json students = nlohmann::json::array(), attempts = nlohmann::json::array();
  for (const Mark& mark : report.marks) students.push_back(mark_json(mark));
  for (const GradedAttempt& attempt : report.attempts) attempts.push_back(attempt_json(attempt));
  nlohmann::json out = {{"format", 1},
                        {"kind", "class"},
                        {"lab", report.lab.id},
                        {"level", level},
                        {"backend", to_string(report.backend)},
                        {"students", students},
                        {"attempts", attempts},
                        {"remarks", report.remarks}};
  if (!report.made_at.empty()) out["made_at"] = report.made_at;
  if (report.reference != nullptr) out["reference"] = to_json(*report.reference);
  if (report.similarity != nullptr) out["similarity"] = similarity_json(*report.similarity);
  if (report.board != nullptr) out["leaderboard"] = board_json(*report.board);
  return out;
}

}  // namespace grader
