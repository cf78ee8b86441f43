// The table of rules × found × false alarms, made from the pairs of tests/programs: `check_table` for all,
// `check_table races` for one group. In Markdown, as docs/checker.md has it. Exit status 1: something was not
// found, or was a false alarm; who and how is said on standard error.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>

#include "pairs.hpp"

using namespace cuemu::check::tests;
namespace fs = std::filesystem;

namespace {

struct Row {
  int pairs = 0;
  int found = 0;
  int false_alarms = 0;
  void operator+=(const Row& other) {
    pairs += other.pairs;
    found += other.found;
    false_alarms += other.false_alarms;
  }
};

void print(const std::string& group, const std::string& rule, const Row& row) {
  std::printf("| %-9s| %-22s| %5d | %5d | %12d |\n", group.c_str(), rule.c_str(), row.pairs, row.found,
              row.false_alarms);
}

Row check(const PairFile& file) {
  const TemporaryFolder folder;
  const fs::path program = folder.path / "program";
  Row row;
  row.pairs = static_cast<int>(file.pairs.size());
  const std::string failure =
      build_checked(fs::path(KIT_BINARY_DIR) / "bin" / "emucc", file.path, file.flags, program);
  if (!failure.empty()) {
    std::fprintf(stderr, "%s\n", failure.c_str());
    return row;
  }
  for (const Pair& pair : file.pairs) {
    const std::string missed = difference(pair, run_checked(program, pair.name + " wrong"));
    const std::string alarm = difference(run_checked(program, pair.name + " right"));
    row.found += missed.empty() ? 1 : 0;
    row.false_alarms += alarm.empty() ? 0 : 1;
    if (!missed.empty() || !alarm.empty())
      std::fprintf(stderr, "%s/%s: %s\n%s%s\n", file.group.c_str(), file.rule.c_str(), pair.name.c_str(),
                   missed.c_str(), alarm.c_str());
  }
  return row;
}

}  // namespace

int main(int count, char** arguments) try {
  Row all;
  std::printf("| group    | rule                  | pairs | found | false alarms |\n|---|---|---|---|---|\n");
  for (const PairFile& file :
       read_pairs(fs::path(KIT_SOURCE_DIR) / "common" / "emu" / "check" / "tests" / "programs")) {
    if (count > 1 && file.group != arguments[1]) continue;
    const Row row = check(file);
    print(file.group, file.rule, row);
    all += row;
  }
  print("all", "", all);
  return all.found == all.pairs && all.false_alarms == 0 && all.pairs > 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "check_table: %s\n", error.what());
  return 2;
}
