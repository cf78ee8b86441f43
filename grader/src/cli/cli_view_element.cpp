// Runs a case at its checking size, in emulation under the checker, which records the accesses to one element.
#include "cli/cli_view_element.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/scratch.hpp"
#include "check/checking.hpp"
#include "check/recording.hpp"
#include "report/report_element.hpp"

namespace grader {

int run_view_element(Session& session, const ElementOptions& o) {
  if (o.format == "json") session.json = true;
  const ElementName element = parse_element(o.element);
  if (o.source.backend == to_string(Backend::gpu))
    throw Error(ErrorKind::usage, "Only emulation records who wrote an element, not a GPU.",
                fmt::format("grader view {} --element '{}'", o.lab.ref, o.element));
  const Lab& lab = o.lab.find(session);
  if (o.which.arguments)
    throw Error(ErrorKind::usage, "--element works on one of the lab's cases, at its checking size.",
                fmt::format("grader view {} --element '{}' --case ID", lab.id, o.element));
  const Case c = o.which.choose(checkable_lab(lab), Backend::emu, "view");
  const Submission submission = o.source.read(session, lab, o.lab.level_or_first());
  ProgressLine line(!session.json);
  line.update("building", 0, 2);
  const fs::path program = built_program(session, submission, Backend::emu, c.macros, Instrument::check);
  const ScratchFolder scratch(session.kit().state() / "work", "view");
  const CaseData data = prepare_case(
      session.kit(), lab, c, build_oracle(session.kit(), session.toolchain(), lab), scratch.path() / "data");
  line.update("running", 1, 2);
  const Recording recording =
      record_element(session.toolchain(), submission, c, program, data, scratch.path() / "run", element);
  line.update("", 2, 2);
  if (session.json && o.format != "text")
    session.answer(to_json(recording));
  else
    session.print(element_text(recording, submission, session.style, session.verbose));
  return 0;
}

}  // namespace grader
