// Proves CONTRIBUTING's checklist for every lab with the real grader, on each backend that is available.
// Skeletons compile, don't crash, and are "still to do". Solutions pass. Each planted mistake is caught and
// named, as wrong.toml requires. The labs are searched for, so that a new lab is tested from its first
// commit.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "author/inventory.hpp"
#include "author/wrong.hpp"
#include "catalog/catalog.hpp"
#include "check/checking.hpp"
#include "grader_runner.hpp"
#include "report/report.hpp"
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

// A copy of the skeletons is graded, so that a developer's files in work/ have no effect.
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
  // Cases that prove parts of other levels are not run, because these parts are blank or given at this level.
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

/// The cases of a grading that did not pass. If there is no report, the whole output.
std::string not_passed(const Ran& ran) {
  const auto report = nlohmann::json::parse(ran.out, nullptr, false);
  if (!report.is_object() || !report.contains("cases")) return ran.out + ran.err;
  std::string all = "verdict " + report["verdict"].dump() + '\n';
  for (const auto& c : report["cases"])
    if (c["verdict"] != "passed" && c["verdict"] != "unsupported") all += c.dump(1) + '\n';
  return all + ran.err;
}

TEST_P(Solution, PassesEveryCase) {
  const auto& [id, backend] = GetParam();
  const User user;
  const Ran ran = user.grader({"grade", id, "--solution", "--backend", to_string(backend), "--json"});
  ASSERT_EQ(ran.exit_code, 0) << not_passed(ran);
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

/// What the grader says about all mistakes of a lab. One process tries all of them, because they share all
/// unchanged code.
struct TriedMistakes {
  Ran ran;
  nlohmann::json report;  ///< null if the grader failed
};

const TriedMistakes& tried_mistakes(const std::string& lab, Backend backend) {
  static std::map<std::pair<std::string, Backend>, TriedMistakes> known;
  const auto [entry, is_new] = known.try_emplace({lab, backend});
  auto& [ran, report] = entry->second;
  if (is_new) {
    ran = User().grader({"mistakes", lab, "--check", "--agree", "few", "--workers", "1", "--backend",
                         to_string(backend), "--json"},
                        1100);
    if (ran.exit_code == 0 || ran.exit_code == 1) report = ran.json();
  }
  return entry->second;
}

// The verdict is that of `grader mistakes --check`, so that the test and the command have the same
// requirements.
TEST_P(Wrong, IsCaughtAndNamed) {
  const auto& [id, wrong, backend] = GetParam();
  const auto& [ran, report] = tried_mistakes(id, backend);
  ASSERT_FALSE(report.is_null()) << ran.out << ran.err;
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

// For one mistake of each kind, `grader`, `grader check`, `grader view` and `grader view --element` agree on
// a case. `grader mistakes LAB --check --agree all` proves this for all mistakes.
class Agreement : public ::testing::TestWithParam<SolutionOfLab> {
 protected:
  void SetUp() override { skip_without(GetParam().backend); }
};

TEST_P(Agreement, NoCommandContradictsAnother) {
  const auto& [id, backend] = GetParam();
  const auto& [ran, report] = tried_mistakes(id, backend);
  ASSERT_FALSE(report.is_null()) << ran.out << ran.err;
  std::size_t compared = 0;
  for (const auto& mistake : report["mistakes"]) {
    if (mistake["disagreement"].is_null()) continue;
    ++compared;
    EXPECT_EQ(mistake["disagreement"], "") << mistake["name"];
  }
  EXPECT_GT(compared, 0U);
}

INSTANTIATE_TEST_SUITE_P(Labs, Agreement, ::testing::ValuesIn(every_solution()), [](const auto& tested) {
  return identifier(tested.param.lab) + "_" + to_string(tested.param.backend);
});

// Only the room judge compares an output with the expected one, so that no command has a rule of its own.
TEST(OneJudge, IsTheOnlyCallerOfVerification) {
  const fs::path rooms = fs::path(KIT_SOURCE_DIR) / "grader" / "src";
  std::set<std::string> callers;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(rooms)) {
    const std::string room = fs::relative(file.path(), rooms).begin()->string();
    if (!file.is_regular_file() || room == "verify") continue;
    if (testing::read_file(file.path()).find("#include \"verify/verify.hpp\"") != std::string::npos)
      callers.insert(room);
  }
  EXPECT_EQ(callers, std::set<std::string>{"judge"});
}

// Each command that a report suggests works, and shows what the report promises. It runs once for each lab,
// on the files of a mistake for which it is suggested.

/// The commands in a line of advice, such as "grader check lab1.1 --level 2".
std::vector<std::string> commands_in(const std::string& advice) {
  static const std::regex command(
      R"(grader (lab[0-9.]*[0-9]|check|view|profile|resources|table|hint|start|list|doctor)( lab[0-9]+(\.[0-9]+)?)?( --[a-z-]+( ('[^']*'|[^-', ;:][^', ;:]*))?)*)");
  std::vector<std::string> all;
  for (std::sregex_iterator at(advice.begin(), advice.end(), command), end; at != end; ++at)
    all.push_back(at->str());
  return all;
}

/// The value of an option, without quotes. Empty if the command does not have the option.
std::string value_in(const std::string& command, const std::string& option) {
  std::smatch found;
  const std::regex pattern(" " + option + " ('([^']*)'|[^ ]+)");
  if (!std::regex_search(command, found, pattern)) return "";
  return found[2].matched ? found[2].str() : found[1].str();
}

/// Whether a command takes too long for this test: a search compiles hundreds of programs.
bool takes_too_long(const std::string& command) {
  return command.find(" --search") != std::string::npos;
}

void expect_kernel_shown(const nlohmann::json& page, const std::string& id, const std::string& about) {
  EXPECT_EQ(page["case"], id) << about;
  EXPECT_FALSE(page["launches"].empty()) << about;
}

void expect_element_shown(const nlohmann::json& story, const std::string& id, const std::string& element,
                          const std::string& about) {
  std::string shown = story["element"]["array"];
  for (const auto& index : story["element"]["indices"]) shown += "[" + std::to_string(index.get<int>()) + "]";
  EXPECT_EQ(shown, element) << about;
  EXPECT_EQ(story["case"], id) << about;
  EXPECT_EQ(story.value("right", true), false) << about << "\nthe report called it wrong";
}

/// Runs a suggested command on the files in a folder.
void follow(const User& user, const std::string& label, const std::string& command, const fs::path& folder) {
  const std::string from = value_in(command, "--from"), id = value_in(command, "--case"),
                    element = value_in(command, "--element");
  const bool views = command.starts_with("grader view "), checks = command.starts_with("grader check ");
  std::string line =
      from.empty() ? command : replace_all(command, " --from " + from, " --from " + folder.string());
  const fs::path page_file = user.folder() / "page.json";  // a page may exceed the output limit of a test
  if (views) line += " --format json";
  if (views && element.empty()) line += " -o " + page_file.string();
  if (checks) line += " --json";
  const Ran ran = user.shell(fs::path(GRADER_BINARY).parent_path().string() + "/" + line);
  const std::string about = label + " " + line + "\n" + ran.out.substr(0, 2000) + ran.err;
  const bool judges = checks || command.starts_with("grader lab");
  ASSERT_TRUE(ran.exit_code == 0 || (judges && ran.exit_code == 1)) << about;
  if (views && element.empty())
    expect_kernel_shown(nlohmann::json::parse(testing::read_file(page_file)), id, about);
  if (views && !element.empty()) expect_element_shown(ran.json(), id, element, about);
  if (label == "To see why:") {
    const auto report = ran.json();
    const bool found = std::any_of(report["cases"].begin(), report["cases"].end(), [](const auto& one) {
      return one.contains("findings") || (one["verdict"] != "passed" && one["verdict"] != "wrong_answer");
    });
    EXPECT_TRUE(found) << about;
  }
}

class Suggested : public ::testing::TestWithParam<SolutionOfLab> {
 protected:
  void SetUp() override { skip_without(GetParam().backend); }
};

TEST_P(Suggested, CommandsWorkForTheFilesThatTheyAreSaidOf) {
  const auto& [id, backend] = GetParam();
  const auto& [ran, report] = tried_mistakes(id, backend);
  ASSERT_FALSE(report.is_null()) << ran.out << ran.err;
  const User user;
  std::set<std::string> known;
  std::size_t collected = 0, run = 0;
  for (const auto& mistake : report["mistakes"]) {
    const std::string name = mistake["name"];
    // The files have the same names as the solution's, since unchanged files are then found in the cache.
    const fs::path folder = user.folder() / name;
    for (const std::string advice : mistake["advice"]) {
      for (const std::string& command : commands_in(advice)) {
        ++collected;
        static const std::regex index(R"(\[[0-9]+\])");
        if (takes_too_long(command) || !known.insert(std::regex_replace(command, index, "[]")).second)
          continue;
        ++run;
        if (!fs::exists(folder)) {
          ASSERT_EQ(user.grader({"mistakes", id, name, "--to", user.folder().string()}).exit_code, 0) << name;
        }
        follow(user, advice.substr(0, advice.find(':') + 1), command, folder);
      }
    }
  }
  std::printf("%s: reports on %zu mistakes suggest %zu commands; %zu different ones were run\n", id.c_str(),
              report["mistakes"].size(), collected, run);
}

INSTANTIATE_TEST_SUITE_P(Labs, Suggested, ::testing::ValuesIn(every_solution()), [](const auto& tested) {
  return identifier(tested.param.lab) + "_" + to_string(tested.param.backend);
});

// `grader view` calls a result right if and only if grading does. Tests the solution, on one case for each
// kind of verification that `grader view` can show.
class Viewed : public ::testing::TestWithParam<std::string> {};

TEST_P(Viewed, TheSolutionIsRight) {
  std::optional<int> none;
  const Lab& lab = catalog().find(GetParam(), none);
  const User user;
  std::set<std::tuple<Verify, double, double, double>> known;
  for (const Case& c : checkable_lab(lab).cases) {
    if (c.visibility != Visibility::visible || !c.runs_on(Backend::emu)) continue;
    if (!known.insert({c.verify, c.tolerance.abs, c.tolerance.rel, c.tolerance.of_max}).second) continue;
    // The recording is written to a file, since it may be larger than the output that a test keeps.
    const fs::path file = user.folder() / "recording.json";
    const Ran ran =
        user.grader({"view", lab.id, "--solution", "--case", c.id, "--format", "json", "-o", file.string()});
    ASSERT_EQ(ran.exit_code, 0) << c.id << ran.out << ran.err;
    const auto page = nlohmann::json::parse(testing::read_file(file));
    EXPECT_EQ(page["right"], c.verify == Verify::none ? nlohmann::json(nullptr) : nlohmann::json(true))
        << c.id;
    for (const auto& array : page["arrays"])
      EXPECT_TRUE(array.value("wrong", nlohmann::json::array()).empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Labs, Viewed, ::testing::ValuesIn([] {
                           std::vector<std::string> ids;
                           for (const Lab& lab : catalog().labs()) ids.push_back(lab.id);
                           return ids;
                         }()),
                         [](const auto& tested) { return identifier(tested.param); });

TEST(View, SaysThatAWrongResultIsWrong) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"lab0", "one-block"},                // its result is printed
      {"lab3.2", "magnitude-not-squared"},  // its result is a file of the lab's own format
      {"lab4.1", "v1-copied-once"},         // its result may differ by a fraction of the largest energy
  };
  for (const auto& [lab, name] : mistakes) {
    const User user;
    ASSERT_EQ(user.grader({"mistakes", lab, name, "--to", user.folder().string()}).exit_code, 0) << name;
    const fs::path folder = user.folder() / name;
    const Ran ran = user.grader({"view", lab, "--from", folder.string(), "--format", "json", "--kernel"});
    ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_EQ(ran.json()["right"], false) << name;
  }
}

// After a full pass, the report offers a table if and only if the level can measure at least one of its rows.
TEST(Onward, OffersTheTablesOfTheLevel) {
  const auto offered = [](const std::string& id, int level) {
    std::optional<int> none;
    const Lab& lab = catalog().find(id, none);
    Grading g;
    g.lab = id;
    g.level = level;
    g.verdict = Verdict::passed;
    const std::string text =
        report_text(lab, g, {}, {.next_lab = "", .blank_parts = parts_left_blank(kit(), lab, level)});
    std::vector<std::string> tables;
    for (const TableSpec& spec : lab.tables)
      if (text.find(" --id " + spec.id + " ") != std::string::npos) tables.push_back(spec.id);
    return tables;
  };
  using Tables = std::vector<std::string>;
  EXPECT_EQ(offered("lab5.1", 1), (Tables{"sizes", "threads", "dump", "film"}));
  EXPECT_EQ(offered("lab5.1", 3), (Tables{"sizes", "grid", "threads", "dump", "film", "gravity", "bodies"}));
  EXPECT_EQ(offered("lab4.2", 1), (Tables{"maps", "gains", "launched", "payloads", "cut", "alpha", "shifts",
                                          "roots", "timeline", "expert", "solids"}))
      << "of solids the cube's row, which is given";
  EXPECT_EQ(offered("lab5.2", 1), (Tables{"phases", "sorts", "sets", "threads"}));
}

// IsCaughtAndNamed requires only what wrong.toml expects. If a mistake has no expected words, the kit can't
// explain its cause yet. Most such mistakes are in the experts' versions.
TEST(Mistakes, NineOfTenHaveWordsThatMustBeSaid) {
  std::size_t all = 0, asked = 0;
  for (const Lab& lab : catalog().labs())
    for (const WrongSolution& wrong : read_wrong(kit(), lab)) {
      ++all;
      asked += !wrong.names.empty();
    }
  EXPECT_GE(10 * asked, 9 * all) << asked << " of " << all;
}

TEST(Inventory, NoFileIsMissingOrUndeclared) {
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
