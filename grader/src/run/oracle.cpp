#include "run/oracle.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace grader {
namespace {

constexpr double oracle_limit_s = 300;

}  // namespace

void run_oracle(const Machine& machine, const Lab& lab, const Case& c, const fs::path& oracle,
                std::vector<std::string> options) {
  ProcessRequest request;
  request.argv = {oracle};
  request.argv.insert(request.argv.end(), options.begin(), options.end());
  request.argv.insert(request.argv.end(), c.args.begin(), c.args.end());
  request.limits.wall_s = oracle_limit_s;
  const ProcessResult result = machine.commands.run_own(request);
  if (result.ok()) return;
  if (result.end == ProcessResult::End::interrupted) throw Error(ErrorKind::environment, "Interrupted.");
  if (result.end == ProcessResult::End::killed) throw killed_twice("The oracle of " + lab.id);
  if (says_disk_is_full(result))
    throw disk_is_full(fmt::format("the data of case {} of {} could not be written", c.id, lab.id));
  throw Error(
      ErrorKind::fault,
      fmt::format("The oracle of {} {} at case {}. {}", lab.id, describe_end(result), c.id, result.err),
      fmt::format("{}", fmt::join(request.argv, " ")));
}

fs::path need_file_of_oracle(const Lab& lab, const Case& c, const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored))
    throw Error(ErrorKind::fault, fmt::format("The oracle of {} did not write {} for case {}.", lab.id,
                                              file.filename().string(), c.id));
  return file;
}

}  // namespace grader
