// Submissions that attack the grader, graded by the real binary in the small kit. One file below attacks/ is one of them: its
// first lines say what it tries, which verdict it gets and what the report says, of grading or of another command. docs/security.md has a row for each.
//
// Whatever was tried, the right program passes afterwards: what one submission leaves is not found by the next.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "base/columns.hpp"
#include "process/sandbox.hpp"
#include "small_kit.hpp"

namespace grader {
namespace {

using testing::Ran;
using testing::small_program;

const fs::path attacks_folder = fs::path(KIT_SOURCE_DIR) / "grader/tests/attacks";

/// The right program with places for an attack, each empty where the attack does not define it.
std::string program_with_places() {
  std::string text = small_program("KERNEL", "BEFORE", "AFTER");
  return "#ifndef KERNEL\n#define KERNEL if (i < n) y[i] = 2 * x[i];\n#endif\n#ifndef BEFORE\n#define "
         "BEFORE\n#endif\n"
         "#ifndef AFTER\n#define AFTER\n#endif\n" +
         text;
}

/// What stands behind "// <key>: " in a file's first lines.
std::string told(const std::string& text, const std::string& key) {
  const std::string begin = "// " + key + ":";
  for (const std::string& line : split_lines(text))
    if (line.starts_with(begin)) return line.substr(std::min(begin.size() + 1, line.size()));
  return {};
}

std::vector<fs::path> all_attacks() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(attacks_folder))
    if (entry.path().extension() == ".cu") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// A class of two: what one leaves must not touch the other.
class Attacks : public ::testing::Test {
 protected:
  Attacks() : kit(testing::write_small_kit(folder.path(), small_program(), 20)), user(kit) {
    user.set("GRADER_CACHE", (folder / "cache").string());  // one that may be damaged
  }
  Ran grade(const std::vector<std::pair<std::string, std::string>>& files,
            const std::string& command = "grade") {
    remove_tree(testing::students_file(kit).parent_path());
    for (const auto& [name, text] : files)
      testing::write_file(testing::students_file(kit).parent_path() / name, text);
    return user.grader({command, "lab9.1", "--backend", "emu", "--json"});
  }
  void nothing_is_left() {
    const Ran right = grade({{"double.cu", small_program()}});
    EXPECT_EQ(right.exit_code, 0) << right.out << right.err;
    std::vector<std::string> left;
    if (fs::exists(user.state() / "work"))
      for (const auto& entry : fs::directory_iterator(user.state() / "work")) left.push_back(entry.path());
    EXPECT_TRUE(left.empty()) << left.front();
  }
  testing::TemporaryFolder folder;
  const fs::path kit;
  testing::User user;
};

class HostileProgram : public Attacks, public ::testing::WithParamInterface<fs::path> {};

TEST_P(HostileProgram, GetsItsVerdictAndNothingMore) {
  if (GetParam().stem() == "runs_as_root" && !sandbox_status().as_ordinary_user)
    GTEST_SKIP() << sandbox_status().reason;
  const std::string text = testing::read_file(GetParam());
  const std::string command = told(text, "command");
  const Ran ran =
      grade({{"double.cu", text}, {"program.h", program_with_places()}}, command.empty() ? "grade" : command);
  const std::string verdict = ran.json()["verdict"], wanted = told(text, "verdict");
  EXPECT_NE(("|" + wanted + "|").find("|" + verdict + "|"), std::string::npos) << wanted << "\n"
                                                                               << ran.out << ran.err;
  EXPECT_NE(ran.out.find(told(text, "says")), std::string::npos) << told(text, "says") << "\n" << ran.out;
  if (verdict != "passed" && command.empty()) {
    EXPECT_EQ(ran.json()["points"], 0);
  }
  const Ran results = user.grader({"results", "--json"});
  EXPECT_NE(results.out.find(verdict), std::string::npos) << "it is on record:\n"
                                                          << results.out << results.err;
  nothing_is_left();
}

INSTANTIATE_TEST_SUITE_P(All, HostileProgram, ::testing::ValuesIn(all_attacks()),
                         [](const auto& tested) { return tested.param.stem().string(); });

// emucc and compilers read a file @x as options; this one loads a plugin that runs while others are compiled.
TEST_F(Attacks, NamesOfFilesAreNoOptions) {
  const std::string plugin = "-fplugin=./evil.so";
  const Ran ran = grade({{"double.cu", small_program()},
                         {"@options.cpp", "int a;\n"},
                         {"-fplugin=evil.cpp", "int b;\n"},
                         {"options.cpp", plugin},
                         {"options.cpp.o", plugin}});
  EXPECT_EQ(ran.out.find("cannot load plugin"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("options.cpp:1:1: error"), std::string::npos) << "it is compiled as what it is:\n"
                                                                       << ran.out;
  nothing_is_left();
}

// Minutes in the grader itself, when each # looked for the end of its comment, and each include for all files.
TEST_F(Attacks, NoTextKeepsTheGraderBusy) {
  std::string comments, includes;
  while (comments.size() < (std::size_t{3} << 20)) comments += "#/* ";
  for (int i = 0; i < 190'000; ++i) includes += "#include \"x" + std::to_string(i % 1000) + ".h\"\n";
  const auto begin = std::chrono::steady_clock::now();
  const Ran ran = grade({{"double.cu", small_program()}, {"a.inc", comments}, {"b.inc", includes}});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_LT(taken.count(), 60);
}

// A terminal takes U+009B for the beginning of a command, and U+202E turns what stands behind it round.
TEST_F(Attacks, NamesSteerNoTerminal) {
  const std::string name = "a\u009b2J\u202Eb\u2066\x1b[31m.cu";
  remove_tree(testing::students_file(kit).parent_path());
  testing::write_file(testing::students_file(kit).parent_path() / name,
                      "int main() { LAB_TODO(1); return x; }\n");
  testing::write_file(testing::students_file(kit).parent_path() / "double.cu", small_program());
  for (const char* command : {"grade", "check", "view"}) {
    const Ran ran = user.grader({command, "lab9.1"});
    for (const char* bad : {"\u009b", "\u202E", "\u2066", "\x1b"})
      EXPECT_EQ((ran.out + ran.err).find(bad), std::string::npos) << command << "\n" << ran.out << ran.err;
  }
}

TEST(SecurityPage, HasARowForEachAttack) {
  const std::string page = testing::read_file(fs::path(KIT_SOURCE_DIR) / "docs/security.md");
  std::vector<fs::path> attacks = all_attacks();
  ASSERT_FALSE(attacks.empty());
  for (const fs::path& attack : attacks)
    EXPECT_NE(page.find("`" + attack.stem().string() + "`"), std::string::npos) << attack;
}

}  // namespace
}  // namespace grader
