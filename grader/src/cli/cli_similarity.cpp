// similarity: finds hand-ins of a class that are more alike than chance explains.
#include <nlohmann/json.hpp>

#include "cli/class_choice.hpp"
#include "course/compare.hpp"
#include "report/similarity_report.hpp"

namespace grader {
namespace {

struct SimilarityOptions : ClassChoice {
  bool identical = false;
  int nearest = 0;  ///< number of the nearest pairs to list
};

int run_similarity(Session& session, const SimilarityOptions& o) {
  fs::path class_file;
  ClassFile course = o.read_course(class_file);
  const Lab& lab = o.find_lab(session, course);
  const ClassSimilarity similarity = compare_class(session.kit(), lab, course.level, course,
                                                   find_hand_ins(o.folder, {class_file}, course).all);
  const Nearest nearest =
      o.nearest > 0 ? nearest_pairs(similarity.answers, similarity.known, static_cast<std::size_t>(o.nearest))
                    : Nearest{};
  if (session.json) {
    nlohmann::json out = similarity_json(similarity);
    out.update({{"format", 1}, {"kind", "similarity"}, {"lab", lab.id}, {"level", course.level}});
    if (o.identical) {
      nlohmann::json groups = nlohmann::json::array();
      for (const std::vector<std::size_t>& who : similarity.identical) {
        nlohmann::json names = nlohmann::json::array();
        for (const std::size_t i : who) names.push_back(similarity.answers[i].name);
        groups.push_back(names);
      }
      out["identical"] = groups;
    }
    if (o.nearest > 0) out["nearest"] = nearest_json(similarity, nearest);
    session.answer(out);
  } else {
    session.print(similarity_text(lab, similarity, session.style) +
                  (o.identical ? identical_text(similarity, session.style) : "") +
                  (o.nearest > 0 ? nearest_text(similarity, nearest, session.style) : ""));
  }
  return 0;
}

Command similarity_command() {
  const auto o = std::make_shared<SimilarityOptions>();
  return {.name = "similarity",
          .summary = "Show hand-ins that are more alike than chance makes them",
          .group = Group::instructor,
          .options = concat({o->options(),
                             {{.names = "--identical",
                               .help = "also list answers that are the same byte for byte, however short",
                               .value = &o->identical},
                              {.names = "--nearest",
                               .type = "N",
                               .help = "also list the N nearest pairs, without regard to chance",
                               .value = &o->nearest,
                               .positive = true}},
                             report_options()}),
          .run = [o](Session& session) { return run_similarity(session, *o); }};
}

}  // namespace

std::vector<Command> similarity_commands() {
  return {similarity_command()};
}

}  // namespace grader
