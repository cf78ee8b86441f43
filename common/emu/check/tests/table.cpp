// The table of rules × found × false alarms, made from the pairs of tests/programs,
// in Markdown, for docs/checker.md:
//
//   check_table                    all pairs, with emucc's default host compiler
//   check_table races api          the pairs of two groups
//   check_table --compilers g++,clang++ --levels 0,1,2,3
//                                  with each; a mistake is found if all find it, and all must agree
//   check_table --correct [NAME…]  the correct programs and projects of common/emu/tests instead
//   check_table --random 5 --compilers g++,clang++
//                                  five random programs with ten kernels each: all must report the same for each kernel,
//                                  with the same parties and counts
//
// Exit status 1: a mistake was not found, a false alarm, or a difference; details go to standard error.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <set>

#include "correct.hpp"
#include "pairs.hpp"
#include "random_programs.hpp"

using namespace cuemu::check::tests;
namespace fs = std::filesystem;

namespace {

struct Row {
  int pairs = 0;
  int found = 0;
  int false_alarms = 0;
  int different = 0;  ///< the compilers and levels disagree
  void operator+=(const Row& other) {
    pairs += other.pairs;
    found += other.found;
    false_alarms += other.false_alarms;
    different += other.different;
  }
};

void print(const std::string& group, const std::string& rule, const Row& row) {
  std::printf("| %-9s| %-22s| %5d | %5d | %12d |\n", group.c_str(), rule.c_str(), row.pairs, row.found,
              row.false_alarms);
  std::fflush(stdout);
}

std::string text_of(const Compiler& compiler) {
  const std::string text = compiler.name + compiler.flags();
  return text.empty() ? "the default" : text;
}

/// Returns the row for one pair. The pair is run once for each compiler, in the program that the compiler has
/// built from its file.
Row check(const PairFile& file, const Pair& pair, const std::vector<Compiler>& compilers,
          const std::vector<fs::path>& programs) {
  const auto say = [&](const Compiler& compiler, const std::string& what) {
    if (!what.empty())
      std::fprintf(stderr, "%s/%s: %s (%s)\n%s\n", file.group.c_str(), file.rule.c_str(), pair.name.c_str(),
                   text_of(compiler).c_str(), what.c_str());
    return what.empty() ? 0 : 1;
  };
  int missed = 0, alarms = 0, different = 0;
  std::vector<std::string> first;
  const Compiler* first_compiler = nullptr;
  for (std::size_t i = 0; i < compilers.size(); ++i) {
    if (pair.gcc_only && compilers[i].is_clang()) continue;
    const Outcome wrong = run_checked(programs[i], pair.name + " wrong");
    missed += say(compilers[i], difference(pair, wrong));
    alarms += say(compilers[i], difference(run_checked(programs[i], pair.name + " right")));
    if (first_compiler == nullptr) {
      first_compiler = &compilers[i];
      first = wrong.findings;
    } else if (wrong.findings != first) {
      different += say(compilers[i], "does not say what " + text_of(*first_compiler) + " says");
    }
  }
  return {1, missed == 0 ? 1 : 0, alarms == 0 ? 0 : 1, different == 0 ? 0 : 1};
}

Row check(const PairFile& file, const std::vector<Compiler>& compilers) {
  const TemporaryFolder folder;
  std::vector<fs::path> programs;
  Row row;
  for (const Compiler& compiler : compilers) {
    programs.push_back(folder.path / ("program" + std::to_string(programs.size())));
    const std::string failure = build_checked(fs::path(KIT_BINARY_DIR) / "bin" / "emucc", file.path.string(),
                                              file.flags, programs.back(), compiler);
    if (failure.empty()) continue;
    std::fprintf(stderr, "%s\n", failure.c_str());
    row.pairs = static_cast<int>(file.pairs.size());
    return row;
  }
  for (const Pair& pair : file.pairs) row += check(file, pair, compilers, programs);
  return row;
}

bool pairs_are_told_apart(const std::vector<std::string>& groups, const std::vector<Compiler>& compilers) {
  Row all;
  std::printf("| group    | rule                  | pairs | found | false alarms |\n|---|---|---|---|---|\n");
  for (const PairFile& file :
       read_pairs(fs::path(KIT_SOURCE_DIR) / "common" / "emu" / "check" / "tests" / "programs")) {
    if (!groups.empty() && std::find(groups.begin(), groups.end(), file.group) == groups.end()) continue;
    const Row row = check(file, compilers);
    print(file.group, file.rule, row);
    all += row;
  }
  print("all", "", all);
  if (compilers.size() > 1) {
    std::printf("\nunder");
    for (std::size_t i = 0; i < compilers.size(); ++i)
      std::printf("%s %s", i > 0 ? "," : "", text_of(compilers[i]).c_str());
    std::printf(": %d of %d verdicts differ\n", all.different, all.pairs);
  }
  return all.found == all.pairs && all.false_alarms == 0 && all.different == 0 && all.pairs > 0;
}

/// Returns the findings about a program that one compiler's build has and another compiler's build lacks.
std::vector<std::string> only_one_says(const Outcome& one, const Outcome& other) {
  std::vector<std::string> all;
  std::set_symmetric_difference(one.details.begin(), one.details.end(), other.details.begin(),
                                other.details.end(), std::back_inserter(all));
  return all;
}

bool random_programs_are_told_alike(unsigned programs, const std::vector<Compiler>& compilers) {
  constexpr int kernels = 10;
  std::set<std::string> different, missed;  // kernels
  const auto kernel_of = [](unsigned seed, const std::string& said) {
    return std::to_string(seed) + said.substr(0, said.find(':'));
  };
  std::size_t findings = 0;
  for (unsigned seed = 1; seed <= programs; ++seed) {
    const TemporaryFolder folder;
    const fs::path source = folder.path / "random.cu";
    std::ofstream(source) << random_program(seed, kernels);
    std::vector<Outcome> outcomes;
    for (const Compiler& compiler : compilers) {
      const fs::path program = folder.path / ("program" + std::to_string(outcomes.size()));
      const std::string failure =
          build_checked(fs::path(KIT_BINARY_DIR) / "bin" / "emucc", source.string(), "", program, compiler);
      if (!failure.empty()) {
        std::fprintf(stderr, "%s\n", failure.c_str());
        return false;
      }
      outcomes.push_back(run_checked(program, "", "all,limit=0"));
      if (!outcomes.back().reported) return false;
      for (const std::string& said : only_one_says(outcomes.front(), outcomes.back())) {
        const std::string kernel = kernel_of(seed, said);
        different.insert(kernel);
        const auto is_of_it = [&](const std::string& other) { return kernel_of(seed, other) == kernel; };
        for (const Outcome* outcome : {&outcomes.front(), &outcomes.back()})
          if (std::none_of(outcome->details.begin(), outcome->details.end(), is_of_it)) missed.insert(kernel);
        std::fprintf(
            stderr, "program %u: %s only: %s\n", seed,
            text_of(std::binary_search(outcomes.front().details.begin(), outcomes.front().details.end(), said)
                        ? compilers.front()
                        : compiler)
                .c_str(),
            said.c_str());
      }
    }
    findings += outcomes.front().details.size();
  }
  std::printf("%zu findings in %u kernels; %zu kernels differ, %zu of them have none under one\n", findings,
              programs * kernels, different.size(), missed.size());
  return different.empty() && findings > programs;
}

bool correct_programs_are_quiet(const std::vector<std::string>& names,
                                const std::vector<Compiler>& compilers) {
  int all = 0, alarms = 0;
  std::printf("| compiler         | programs | false alarms |\n|---|---|---|\n");
  for (const Compiler& compiler : compilers) {
    int programs = 0, loud = 0;
    for (const CorrectProgram& program : correct_programs()) {
      if (!names.empty() && std::find(names.begin(), names.end(), program.name) == names.end()) continue;
      ++programs;
      const std::string said = false_alarm(program, compiler);
      if (said.empty()) continue;
      ++loud;
      std::fprintf(stderr, "%s (%s)\n%s\n", program.name.c_str(), text_of(compiler).c_str(), said.c_str());
    }
    std::printf("| %-16s | %8d | %12d |\n", text_of(compiler).c_str(), programs, loud);
    std::fflush(stdout);
    all += programs;
    alarms += loud;
  }
  return alarms == 0 && all > 0;
}

}  // namespace

int main(int count, char** arguments) try {
  CLI::App app("The checker's rules: pairs of programs, what is found, false alarms");
  std::vector<std::string> names, compilers{""}, levels{""};
  bool correct = false;
  app.add_option("NAME", names, "groups (races, memory, …), or with --correct programs; none: all");
  app.add_option("--compilers", compilers, "host compilers, between commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--levels", levels, "levels of optimisation, between commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--correct", correct, "the correct programs and projects of common/emu/tests");
  unsigned random = 0;
  app.add_option("--random", random, "so many programs made at random instead");
  CLI11_PARSE(app, count, arguments);
  std::vector<Compiler> all;
  for (const std::string& compiler : compilers)
    for (const std::string& level : levels) all.push_back({compiler, level});
  if (random != 0) return random_programs_are_told_alike(random, all) ? 0 : 1;
  return (correct ? correct_programs_are_quiet(names, all) : pairs_are_told_apart(names, all)) ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "check_table: %s\n", error.what());
  return 2;
}
