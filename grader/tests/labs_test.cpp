// What CONTRIBUTING promises of every lab, proven through the real grader for each backend present:
// the skeletons compile, do not crash and are "still to do"; the solution passes; each planted mistake is
// caught and named as wrong.toml says. The labs are found, not listed: a new lab is tested from its first commit.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "author/inventory.hpp"
#include "author/wrong.hpp"
#include "catalog/catalog.hpp"
#include "grader_runner.hpp"
#include "workspace/workspace.hpp"

namespace grader {

namespace {

using testing::Ran;
using testing::User;

const Kit& kit() {
  static const Kit kit{KIT_SOURCE_DIR};
  return kit;
}

const Catalog& catalog() {
  static const Catalog catalog = Catalog::load(kit());
  return catalog;
}

std::string identifier(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}

void skip_without(Backend backend) {
  if (backend == Backend::gpu && !testing::gpu_here()) GTEST_SKIP() << "no nvcc or no GPU on this machine";
}

struct LevelOfLab {
  std::string lab;
  int level;
  Backend backend;
};

void PrintTo(const LevelOfLab& tested, std::ostream* out) {
  *out << tested.lab << " level " << tested.level;
}

std::vector<LevelOfLab> every_level() {
  std::vector<LevelOfLab> all;
  for (const Lab& lab : catalog().labs())
    for (int level = 1; level <= lab.levels; ++level)
      for (Backend backend : {Backend::emu, Backend::gpu}) all.push_back({lab.id, level, backend});
  return all;
}

class Level : public ::testing::TestWithParam<LevelOfLab> {
 protected:
  void SetUp() override { skip_without(GetParam().backend); }
};

// The skeletons are graded from a copy, so that a developer's own work in work/ does not matter.
TEST_P(Level, SkeletonIsStillToDo) {
  const auto& [id, level, backend] = GetParam();
  std::optional<int> none;
  const Lab& lab = catalog().find(id, none);
  User user;
  const fs::path folder = user.folder() / "skeleton";
  for (const LabFile& file : level_files(kit(), lab, level))
    testing::write_file(folder / file.name, file.text);

  const Ran ran = user.grader({"grade", id, "--level", std::to_string(level), "--from", folder.string(),
                               "--backend", to_string(backend), "--json"});
  ASSERT_EQ(ran.exit_code, 1) << ran.out << ran.err;
  const auto report = ran.json();
  EXPECT_EQ(report["verdict"], "todo");
  EXPECT_EQ(report["points"], 0);
  std::set<int> todo;
  for (const auto& blank : report["todo"]) todo.insert(blank["part"].get<int>());
  std::set<int> parts;
  for (const Part& part : lab.parts)
    if (part.counts_at(level)) parts.insert(part.id);
  EXPECT_EQ(todo, parts) << "every part that is blank at this level is named as still to do";
  // Cases of other levels' parts are not run: what they ask for is blank here, or given.
  const std::set<int> left_blank = parts_left_blank(kit(), lab, level);
  std::size_t of_this_level = 0;
  for (const Case& c : lab.cases) {
    const auto counts = [&](int part) { return parts.count(part) > 0; };
    if (std::none_of(c.parts.begin(), c.parts.end(), counts)) continue;
    if (std::any_of(c.parts.begin(), c.parts.end(), [&](int part) { return left_blank.count(part) > 0; }))
      continue;
    ASSERT_LT(of_this_level, report["cases"].size());
    const auto& result = report["cases"][of_this_level++];
    const bool runs_here = std::count(c.backends.begin(), c.backends.end(), backend) > 0;
    EXPECT_EQ(result["id"], c.id);
    EXPECT_EQ(result["verdict"], runs_here ? "todo" : "unsupported") << result;
  }
  EXPECT_EQ(report["cases"].size(), of_this_level);
}

INSTANTIATE_TEST_SUITE_P(Labs, Level, ::testing::ValuesIn(every_level()), [](const auto& tested) {
  return identifier(tested.param.lab) + "_level" + std::to_string(tested.param.level) + "_" +
         to_string(tested.param.backend);
});

struct SolutionOfLab {
  std::string lab;
  Backend backend;
};

void PrintTo(const SolutionOfLab& tested, std::ostream* out) {
  *out << tested.lab << ", the solution";
}

std::vector<SolutionOfLab> every_solution() {
  std::vector<SolutionOfLab> all;
  for (const Lab& lab : catalog().labs())
    for (Backend backend : {Backend::emu, Backend::gpu}) all.push_back({lab.id, backend});
  return all;
}

class Solution : public ::testing::TestWithParam<SolutionOfLab> {
 protected:
  void SetUp() override { skip_without(GetParam().backend); }
};

TEST_P(Solution, PassesEveryCase) {
  const auto& [id, backend] = GetParam();
  const User user;
  const Ran ran = user.grader({"grade", id, "--solution", "--backend", to_string(backend), "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  const auto report = ran.json();
  EXPECT_EQ(report["verdict"], "passed");
  EXPECT_EQ(report["points"], report["max_points"]);
  EXPECT_GT(report["max_points"], 0);
  EXPECT_FALSE(report["cases"].empty());
}

INSTANTIATE_TEST_SUITE_P(Labs, Solution, ::testing::ValuesIn(every_solution()), [](const auto& tested) {
  return identifier(tested.param.lab) + "_" + to_string(tested.param.backend);
});

struct Mistake {
  std::string lab;
  WrongSolution wrong;
  Backend backend;
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.lab << ": " << mistake.wrong.title;
}

std::vector<Mistake> every_mistake() {
  std::vector<Mistake> all;
  for (const Lab& lab : catalog().labs())
    for (const WrongSolution& wrong : read_wrong(kit(), lab))
      for (Backend backend : wrong.backends) all.push_back({lab.id, wrong, backend});
  return all;
}

class Wrong : public ::testing::TestWithParam<Mistake> {
 protected:
  void SetUp() override { skip_without(GetParam().backend); }
};

/// What the grader says of all mistakes of a lab: they share all that is right in them, so one process tries them.
const Ran& tried_mistakes(const std::string& lab, Backend backend) {
  static std::map<std::pair<std::string, Backend>, Ran> known;
  const auto [entry, is_new] = known.try_emplace({lab, backend});
  if (is_new)
    entry->second = User().grader(
        {"mistakes", lab, "--check", "--workers", "1", "--backend", to_string(backend), "--json"}, 1100);
  return entry->second;
}

// With one verdict, `grader mistakes --check` and this test can't differ in what they ask of a mistake.
TEST_P(Wrong, IsCaughtAndNamed) {
  const auto& [id, wrong, backend] = GetParam();
  const Ran& ran = tried_mistakes(id, backend);
  ASSERT_TRUE(ran.exit_code == 0 || ran.exit_code == 1) << ran.out << ran.err;
  const auto report = ran.json();
  const auto& all = report["mistakes"];
  const auto outcome =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one["name"] == wrong.name; });
  ASSERT_NE(outcome, all.end()) << ran.out;
  const std::string said =
      (*outcome)["what_else"].get<std::string>() + "\n" + (*outcome)["said"].get<std::string>();
  EXPECT_EQ((*outcome)["caught"], true) << said;
  EXPECT_EQ((*outcome)["named"], true) << said;
  EXPECT_TRUE((*outcome)["falsehoods"].empty()) << (*outcome)["falsehoods"] << '\n' << said;
  EXPECT_EQ(ran.exit_code == 0, report["named"] == report["tried"]) << ran.out;
}

INSTANTIATE_TEST_SUITE_P(Labs, Wrong, ::testing::ValuesIn(every_mistake()), [](const auto& tested) {
  return identifier(tested.param.lab + "_" + tested.param.wrong.name) + "_" + to_string(tested.param.backend);
});

// What IsCaughtAndNamed asks of each is only as much as wrong.toml asks for. A mistake without names is one whose cause
// the kit does not say so far: most are in the experts' versions.
TEST(Mistakes, NineOfTenHaveWordsThatMustBeSaid) {
  std::size_t all = 0, asked = 0;
  for (const Lab& lab : catalog().labs())
    for (const WrongSolution& wrong : read_wrong(kit(), lab)) {
      ++all;
      asked += !wrong.names.empty();
    }
  EXPECT_GE(10 * asked, 9 * all) << asked << " of " << all;
}

TEST(Inventory, NothingIsMissingAndNothingIsStray) {
  for (const std::string& problem : inventory_problems(kit(), catalog())) ADD_FAILURE() << problem;
}

TEST(Gold, IsWhatTheOraclesGive) {
  const Ran ran = User().grader({"gold", "--check"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
}

TEST(Release, EveryLevelIsTheSolutionWithBlanks) {
  const Ran ran = User().grader({"release", "--check"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
}

}  // namespace
}  // namespace grader
