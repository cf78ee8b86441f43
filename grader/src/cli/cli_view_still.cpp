// Panels of one case share its run. Seeds are fixed, so that the same sources give the same image.
#include "cli/cli_view_still.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/scratch.hpp"
#include "check/checking.hpp"
#include "check/still_origin.hpp"
#include "check/tracing.hpp"
#include "cli/cli_view_film.hpp"
#include "report/still.hpp"
#include "view/film_page.hpp"

namespace grader {
namespace {

constexpr std::size_t most_still_blocks = 4096;  // recorded blocks of each launch
constexpr std::uint64_t still_seed = 2011;       // the seed of cases that have none

Trace trace_for(Session& session, const Submission& submission, const std::string& case_id,
                const fs::path& folder) {
  const Lab& lab = *submission.lab;
  CaseChoice choice;
  choice.id = case_id;
  Case c = choice.choose(checkable_lab(lab), Backend::emu, "view");
  if (!c.seed) c.seed = still_seed;
  const fs::path program = built_program(session, submission, Backend::emu, c.macros, Instrument::check);
  const CaseData data = prepare_case(session.kit(), lab, c,
                                     build_oracle(session.kit(), session.toolchain(), lab), folder / "data");
  return trace_case(session.toolchain(), submission, c, program, data, folder / "run", most_still_blocks);
}

StillFrame frame_in(const fs::path& dump, int number) {
  const Film film = read_film(dump, 1);
  const lab::FramesHead& head = film.head;
  const std::vector<float> points = read_frame(dump, head, static_cast<std::uint32_t>(number));
  const auto relative = [&](double value, int axis) {
    return (value - head.low[axis]) / (head.high[axis] - head.low[axis]);
  };
  const double width = head.high[0] - head.low[0];
  StillFrame frame;
  frame.radius = head.radius / width;
  for (std::size_t i = 0; i < head.points; ++i) {
    frame.points.emplace_back(points[3 * i], points[3 * i + 1]);
    frame.groups.push_back(static_cast<unsigned>(i * head.groups / head.points));
  }
  for (std::size_t i = 0; i + 3 < head.obstacles.size(); i += 4)
    frame.obstacles.push_back(
        {relative(head.obstacles[i], 0), relative(head.obstacles[i + 1], 1), head.obstacles[i + 3] / width});
  frame.goal = head.goal;
  return frame;
}

}  // namespace

int run_view_still(Session& session, const StillOptions& o) {
  const Lab& lab = o.lab.find(session);
  if (!lab.view || lab.view->panels.empty())
    throw Error(ErrorKind::usage, fmt::format("{} declares no still.", lab.id), "grader view " + lab.id);
  if (o.source.backend == to_string(Backend::gpu))
    throw Error(ErrorKind::usage, "A still is drawn from a run in emulation, not on a GPU.",
                fmt::format("grader view {} --still {}", lab.id, o.to));
  const fs::path to = o.to;
  if (to.extension() != ".svg")
    throw Error(ErrorKind::usage,
                fmt::format("A still is an SVG file, and {} is called otherwise.", shown(to)),
                "--still FILE.svg");
  // The folder for figures does not exist yet in a new lab.
  std::error_code failed;
  const bool is_new_folder = to.has_parent_path() && !fs::exists(to.parent_path(), failed);
  if (!is_new_folder) need_page_place(to, o.replace);
  const Submission submission = o.source.read(session, lab, o.lab.level_or_first());
  ProgressLine line(!session.json);
  const ScratchFolder scratch(session.kit().state() / "work", "view");
  std::map<std::string, Trace> traces;
  fs::path dump;
  std::vector<StillSource> panels;
  const int steps = static_cast<int>(lab.view->panels.size());
  for (const StillPanel& panel : lab.view->panels) {
    line.update("running", static_cast<int>(panels.size()), steps);
    if (panel.draws == StillPanel::Draws::film) {
      if (dump.empty())
        dump = film_dump(session, submission, film_case(lab, Backend::emu), Backend::emu, {}, scratch.path());
      panels.push_back({panel, {}, frame_in(dump, panel.frame)});
      continue;
    }
    const auto [known, added] = traces.try_emplace(panel.case_id);
    if (added)
      known->second =
          trace_for(session, submission, panel.case_id, scratch.path() / std::to_string(traces.size()));
    panels.push_back({panel, known->second, {}});
  }
  line.update("", steps, steps);
  const std::string origin =
      o.source.solution ? still_origin(submission) : fmt::format("Made by grader view {} --still", lab.id);
  const std::string still = still_svg(
      lab, panels, origin,
      o.source.solution ? lab.view->story
                        : "Drawn from files other than the solution. The solution's picture would show: " +
                              lab.view->story);
  if (is_new_folder) fs::create_directories(to.parent_path(), failed);
  write_page(to, still, o.replace);
  if (session.json)
    session.answer(nlohmann::json{
        {"format", 1}, {"kind", "view"}, {"page", fs::absolute(to).string()}, {"bytes", still.size()}});
  else
    session.print(
        wrap(fmt::format("{}: {} ({})", lab.id, shown(to), human_bytes(static_cast<double>(still.size()))),
             session.style.width) +
        "\n");
  return 0;
}

}  // namespace grader
