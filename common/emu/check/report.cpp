// Starts the checker before the program's initialisers run, and writes the findings when the program ends.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "checker.hpp"
#include "options.hpp"
#include "record.hpp"
#include "services.hpp"

/// Checked code refers to this symbol (cuemu/watched.hpp). So the linker includes this object, and with it
/// the checker.
extern "C" const char cuemu_check_is_linked = 1;

namespace cuemu::check {

namespace {

/// Runs before the program's initialisers, which register variables and may allocate memory.
__attribute__((constructor(101))) void begin_to_observe() {
  begin_record();
  Checker& checker = Checker::get();
  watch_with(checker, checker_slot);
  checker.listen();
}

}  // namespace

int Checker::report(int status) {
  static bool done = false;
  if (std::exchange(done, true)) return 0;
  for (const RulePtr& rule : rules_) rule->program_ends();
  const std::vector<Finding> findings = Findings::get().merged();
  const char* const plain = std::getenv("NO_COLOR");
  const std::string text =
      as_text(findings, options().limit, isatty(2) != 0 && (plain == nullptr || *plain == 0));
  // A thread that is ending may hold stdout's lock while another thread makes this report.
  if (ftrylockfile(stdout) == 0) {
    std::fflush(stdout);
    funlockfile(stdout);
  }
  dprintf(STDERR_FILENO, "%s", text.c_str());
  if (options().limit != 0) dprintf(STDERR_FILENO, "%s", line_about_unwatched(unwatched_).c_str());
  const std::string json = as_json(findings, unwatched_);
  send_report("findings", json);
  send_findings(findings, unwatched_);
  if (!options().json.empty()) std::ofstream(options().json) << json;
  if (!options().sarif.empty()) std::ofstream(options().sarif) << as_sarif(findings, unwatched_);
  const bool errors = std::any_of(findings.begin(), findings.end(),
                                  [](const Finding& finding) { return is_error(finding.rule); });
  const int wanted = errors ? options().error_exitcode : 0;
  end_record(wanted != 0 ? wanted : status);
  return wanted;
}

void Checker::program_stops(int status) {
  notify_rules(&Observer::program_stops, status);
  report(status);
}

}  // namespace cuemu::check
