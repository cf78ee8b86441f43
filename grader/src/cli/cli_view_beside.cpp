// Builds each side twice, once for the counters and once for the tracer. Both sides run at their checking
// size on the inputs of the first side.
#include "cli/cli_view_beside.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/scratch.hpp"
#include "check/checking.hpp"
#include "check/compared.hpp"
#include "report/report_beside.hpp"
#include "view/film_page.hpp"

namespace grader {
namespace {

std::string name_of(const SourceChoice& source) {
  switch (source.origin()) {
    case Origin::solution:
      return "the solution";
    case Origin::folder:
      return source.folder;
    default:
      return "your files";
  }
}

/// One side of the comparison, before it is built.
struct Side {
  const Lab& lab;
  Submission submission;
  std::string name;
  Case c;
};

Side first_side(Session& session, const BesideOptions& o) {
  const Lab& lab = o.lab.find(session);
  return {lab, o.source.read(session, lab, o.lab.level_or_first()), name_of(o.source),
          o.which.choose(checkable_lab(lab), Backend::emu, "view")};
}

/// A visible case of a lab, by its id. Without an id, the case that has the same arguments as the other lab's
/// case.
Case second_case(const Lab& lab, const std::string& asked, const Side& first) {
  const Lab small = checkable_lab(lab);
  CaseChoice choice;
  choice.id = asked.empty() ? first.c.id : asked;
  if (asked.empty() && lab.id != first.lab.id)
    for (const Case& c : small.cases)
      if (c.visibility == Visibility::visible && c.runs_on(Backend::emu) && c.args == first.c.args &&
          c.macros.empty()) {
        choice.id = c.id;
        if (c.id == first.c.id) break;
      }
  return choice.choose(small, Backend::emu, "view");
}

Side second_side(Session& session, const BesideOptions& o, const Side& first) {
  SourceChoice source = o.source;
  LabChoice other = o.lab;
  if (o.beside == "solution") {
    source.solution = true;
    source.folder.clear();
  } else if (fs::is_directory(o.beside)) {
    source.solution = false;
    source.folder = o.beside;
  } else if (o.beside.starts_with("lab") && o.beside.find('/') == std::string::npos) {
    if (!source.folder.empty())
      throw Error(
          ErrorKind::usage,
          fmt::format("{} holds sources of {}, and not of {}.", source.folder, first.lab.id, o.beside),
          fmt::format("grader view {} --beside {}", first.lab.id, o.beside));
    other = LabChoice{o.beside, std::nullopt};
  } else if (!o.beside.empty()) {
    throw Error(ErrorKind::usage, fmt::format("There is no folder {} to put beside it.", o.beside),
                "Name a folder of sources, another lab, or the word solution.");
  }
  const Lab& lab = other.find(session);
  if (o.beside.empty() && o.beside_case == first.c.id)
    throw Error(ErrorKind::usage, fmt::format("Both sides would be case {} of the same files.", first.c.id),
                fmt::format("grader view {} --case {} --beside-case ID", lab.id, first.c.id));
  Case c = second_case(lab, o.beside_case, first);
  return {lab, source.read(session, lab, other.level_or_first()), name_of(source), std::move(c)};
}

RunToCompare built_side(Session& session, const Side& side) {
  const auto program = [&](Instrument instrument) {
    return built_program(session, side.submission, Backend::emu, side.c.macros, instrument);
  };
  return {side.name,
          side.submission,
          side.c,
          build_oracle(session.kit(), session.toolchain(), side.lab),
          program(Instrument::counters),
          program(Instrument::check)};
}

}  // namespace

fs::path view_beside(Session& session, const BesideOptions& o) {
  if (o.source.backend == to_string(Backend::gpu))
    throw Error(ErrorKind::usage, "Only emulation counts the memory accesses of two runs, not a GPU.",
                fmt::format("grader view {} --beside {}", o.lab.ref, o.beside));
  if (o.which.arguments)
    throw Error(ErrorKind::usage, "Two runs are compared in the lab's cases, at their checking sizes.",
                fmt::format("grader view {} --beside {} --case ID", o.lab.ref, o.beside));
  const Side first = first_side(session, o), second = second_side(session, o, first);
  const fs::path to = o.to.empty() ? fs::path(first.lab.id + "-beside.html") : fs::path(o.to);
  if (o.format.empty()) need_page_place(to, o.replace);
  ProgressLine line(!session.json && o.format.empty());
  line.update("building", 0, 2);
  const RunToCompare a = built_side(session, first), b = built_side(session, second);
  line.update("running", 1, 2);
  const ScratchFolder scratch(session.kit().state() / "work", "view");
  const RunsBeside comparison = compare_runs(session.kit(), session.toolchain(), a, b, scratch.path());
  line.update("", 2, 2);
  if (o.format == "json") {
    session.answer(to_json(comparison));
    return {};
  }
  if (o.format == "text") {
    session.print(beside_text(comparison, session.style));
    return {};
  }
  const std::string page = beside_page(comparison, std::string(page_maker) + "\n");
  write_page(to, page, o.replace);
  const bool agree = comparison.results && comparison.results->differ == 0;
  if (session.json)
    session.answer(
        nlohmann::json{{"format", 1},
                       {"kind", "view"},
                       {"page", fs::absolute(to).string()},
                       {"bytes", page.size()},
                       {"agree", comparison.results ? nlohmann::json(agree) : nlohmann::json(nullptr)}});
  else
    session.print(wrap(fmt::format("{}: {} ({})", beside_title(comparison), shown(to),
                                   human_bytes(static_cast<double>(page.size()))),
                       session.style.width) +
                  "\n");
  return to;
}

}  // namespace grader
