// similarity: which hand-ins of a class are more alike than chance makes them.
#include <nlohmann/json.hpp>

#include "cli/class_choice.hpp"
#include "course/compare.hpp"
#include "report/similarity_report.hpp"

namespace grader {
namespace {

int run_similarity(Session& session, const ClassChoice& o) {
  fs::path class_file;
  ClassFile course = o.read_course(class_file);
  const Lab& lab = o.find_lab(session, course);
  const ClassSimilarity similarity = compare_class(session.kit(), lab, course.level, course,
                                                   find_hand_ins(o.folder, {class_file}, course).all);
  if (session.json) {
    nlohmann::json out = similarity_json(similarity);
    out.update({{"format", 1}, {"kind", "similarity"}, {"lab", lab.id}, {"level", course.level}});
    session.answer(out);
  } else {
    session.print(similarity_text(lab, similarity, session.style));
  }
  return 0;
}

Command similarity_command() {
  const auto o = std::make_shared<ClassChoice>();
  return {.name = "similarity",
          .summary = "Show hand-ins that are more alike than chance makes them",
          .group = Group::instructor,
          .options = concat({o->options(), report_options()}),
          .run = [o](Session& session) { return run_similarity(session, *o); }};
}

}  // namespace

std::vector<Command> similarity_commands() {
  return {similarity_command()};
}

}  // namespace grader
