// If a page can't be written to its place, it is written elsewhere: the program has ended, and another run
// may take long.
#include "cli/cli_view_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "check/program_record.hpp"

namespace grader {
namespace {

/// The page for a program: "a.html" for "a.out".
fs::path page_of(const std::string& program) {
  fs::path name = program;
  if (name.extension() == ".out" || name.extension() == ".exe") name.replace_extension();
  return name.string() + ".html";
}

KernelView show_elsewhere(Session& session, const Trace& trace, TraceOutput to, const Error& failure) {
  std::error_code unknown;
  fs::path folder = fs::temp_directory_path(unknown);
  if (unknown) folder = "/tmp";
  to.to = make_unique_folder(folder, "view") / to.to.filename();
  session.say(fmt::format("{} So it goes to {}.", failure.what(), to.to.string()));
  return show_trace(session, trace, to);
}

}  // namespace

KernelView view_program(Session& session, const ProgramOptions& o) {
  KnownArrays shapes;
  for (const std::string& text : o.shapes) shapes.insert(parse_shape(text));
  const bool live = o.record == "-";
  const ProgramTrace program = read_program_record(o.record, shapes);
  for (const std::string& sentence : program.remarks) session.say(sentence);
  TraceOutput to{
      .format = o.format,
      .to = o.to,
      .title = program.name,
      .name = std::string(trimmed(fmt::format("{} {}", program.name, fmt::join(program.trace.args, " ")))),
      .replace = o.replace};
  if (o.to.empty() && o.format.empty())
    to.to = live ? page_of(program.name) : fs::path(o.record).replace_extension(".html");
  try {
    return show_trace(session, program.trace, to);
  } catch (const Error& failure) {
    if (!live || to.to.empty()) throw;
    return show_elsewhere(session, program.trace, to, failure);
  }
}

}  // namespace grader
