// Tests submissions that attack the grader, in the small kit, with the real program. Each attack is a file in
// attacks/, whose first lines say what it tries, what happens, the verdict, and words of the report.
// docs/cheats.md has a row for each attack.
//
// attacks/NAME.cu is a whole submission, for grading or for another command. attacks/cases/NAME.cu is a
// function. All these functions are compiled into one program, which has a case for each of them.
//
// After every attack, the right program is graded and must pass: nothing that a submission leaves affects the
// next.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <regex>
#include <set>

#include "base/columns.hpp"
#include "process/sandbox.hpp"
#include "small_kit.hpp"

namespace grader {
namespace {

using testing::Ran;
using testing::small_program;

const fs::path attacks_folder = fs::path(KIT_SOURCE_DIR) / "grader/tests/attacks";

/// The right program, with places for the code of an attack. Each place is empty unless the attack fills it.
std::string program_with_places() {
  std::string text = small_program("KERNEL", "BEFORE", "AFTER");
  return "#ifndef KERNEL\n#define KERNEL if (i < n) y[i] = 2 * x[i];\n#endif\n#ifndef BEFORE\n#define "
         "BEFORE\n#endif\n"
         "#ifndef AFTER\n#define AFTER\n#endif\n" +
         text;
}

/// The text after "// KEY: " in a file's first lines.
std::string header_value(const std::string& text, const std::string& key) {
  const std::string begin = "// " + key + ":";
  for (const std::string& line : split_lines(text))
    if (line.starts_with(begin)) return line.substr(std::min(begin.size() + 1, line.size()));
  return {};
}

std::vector<fs::path> attacks_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cu") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// A class of two submissions. What one of them leaves must not affect the other.
class Attacks : public ::testing::Test {
 protected:
  Attacks() : kit(testing::write_small_kit(folder.path(), small_program(), 20)), user(kit) {
    user.set("GRADER_CACHE", (folder / "cache").string());  // the attack may damage it
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

void expect_verdict(const std::string& attack, const std::string& verdict, const std::string& shown) {
  const std::string wanted = header_value(attack, "verdict"), never = header_value(attack, "never");
  EXPECT_NE(("|" + wanted + "|").find("|" + verdict + "|"), std::string::npos) << wanted << "\n" << shown;
  EXPECT_NE(shown.find(header_value(attack, "says")), std::string::npos)
      << header_value(attack, "says") << "\n"
      << shown;
  if (!never.empty()) {
    EXPECT_EQ(shown.find(never), std::string::npos) << shown;
  }
}

// All submissions share one cache. If one of them could write an entry, it would affect the next.
TEST_F(Attacks, OfAWholeProgramGetTheirVerdictAndNothingMore) {
  for (const fs::path& attack : attacks_in(attacks_folder)) {
    SCOPED_TRACE(attack.stem().string());
    if (attack.stem() == "runs_as_root" && !sandbox_status().as_ordinary_user) continue;
    const std::string text = testing::read_file(attack), command = header_value(text, "command");
    const Ran ran = grade({{"double.cu", text}, {"program.h", program_with_places()}},
                          command.empty() ? "grade" : command);
    const std::string verdict = ran.json().value("verdict", "none");
    expect_verdict(text, verdict, ran.out);
    if (verdict != "passed" && command.empty()) {
      EXPECT_EQ(ran.json()["points"], 0);
    }
    const Ran results = user.grader({"results", "--json"});
    EXPECT_NE(results.out.find(verdict), std::string::npos) << "it is on record:\n"
                                                            << results.out << results.err;
    nothing_is_left();
  }
}

/// The attacks that are cases. Those that wait for a time limit come last, since the grader runs no more
/// cases after two time-outs.
std::vector<fs::path> attacks_of_cases() {
  std::vector<fs::path> all = attacks_in(attacks_folder / "cases");
  std::stable_partition(all.begin(), all.end(), [](const fs::path& attack) {
    return header_value(testing::read_file(attack), "time_out").empty();
  });
  return all;
}

TEST_F(Attacks, OfARunGetTheirVerdictAndNothingMore) {
  std::string toml = testing::small_lab_toml(), cases, choice;
  std::string program = testing::read_file(attacks_folder / "run.hpp");
  const std::vector<fs::path> attacks = attacks_of_cases();
  for (std::size_t i = 0; i < attacks.size(); ++i) {
    const std::string name = attacks[i].stem().string(), text = testing::read_file(attacks[i]);
    const std::string visibility = header_value(text, "visibility"), limit = header_value(text, "time_out");
    cases += "[[case]]\nid = \"" + name + "\"\nargs = [\"" + std::to_string(1000 + i) +
             "\"]\nvisibility = \"" + (visibility.empty() ? "visible" : visibility) +
             "\"\ntimeout_s = { gpu = 5, emu = " + (limit.empty() ? "20" : limit) + " }\n\n";
    program += "namespace " + name + " {\n" + text + "}\n";
    choice += "    case first_size + " + std::to_string(i) + ": return " + name + "::attack(run);\n";
  }
  program += "int main(int argc, char** argv) {\n  Run run(argc, argv);\n  switch (run.n) {\n" + choice +
             "  }\n  return 2;\n}\n";
  const std::size_t first = toml.find("[[case]]");
  toml.replace(first, toml.find("[[table]]") - first, cases);
  // The functions are declared here, without a header, so that all cases have them.
  toml.insert(toml.find("[data]"),
              "allowed = [\"fcntl.h\", \"mqueue.h\", \"netinet/in.h\", \"sys/ipc.h\", \"sys/mman.h\", "
              "\"sys/prctl.h\", \"sys/shm.h\", \"sys/socket.h\", \"sys/un.h\"]\n\n");
  testing::write_file(kit / "labs/lab9.1-double/lab.toml", toml);

  const Ran ran = grade({{"double.cu", program}});
  const nlohmann::json report = ran.json();
  ASSERT_EQ(report["cases"].size(), attacks.size()) << ran.out << ran.err;
  for (std::size_t i = 0; i < attacks.size(); ++i) {
    SCOPED_TRACE(attacks[i].stem().string());
    const nlohmann::json& one = report["cases"][i];
    expect_verdict(testing::read_file(attacks[i]), one["verdict"], one.dump(2));
    if (one["verdict"] != "passed") {
      EXPECT_EQ(one["points"], 0);
    }
  }
  testing::write_file(kit / "labs/lab9.1-double/lab.toml", testing::small_lab_toml());
  nothing_is_left();
}

// emucc and compilers read options from a file @x. The file of this test would load a plugin, which would run
// while other submissions are compiled.
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

// Each of these texts took an earlier grader minutes: every # searched for the end of its comment, and every
// include read all files.
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

// A terminal reads U+009B as the beginning of a command, and U+202E reverses the text after it.
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

// ---- docs/cheats.md ----------------------------------------------------------------------------------------------------

/// The cells of a row of a table in Markdown.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t begin = 1, end; (end = line.find(" |", begin)) != std::string::npos; begin = end + 2)
    cells.push_back(line.substr(begin + 1, end - begin - 1));
  return cells;
}

/// The names of all tests in all sources of tests: "Sandbox.EndsAForkBomb" for "TEST_F(Sandbox, EndsAForkBomb)".
std::set<std::string> all_tests() {
  static const std::regex test(R"(\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\))");
  std::set<std::string> names;
  for (const char* folder : {"grader", "common"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(KIT_SOURCE_DIR) / folder)) {
      if (!entry.path().string().ends_with("_test.cpp")) continue;
      const std::string text = testing::read_file(entry.path());
      for (std::sregex_iterator at(text.begin(), text.end(), test), end; at != end; ++at)
        names.insert((*at)[1].str() + "." + (*at)[2].str());
    }
  return names;
}

// The rows about attacks are made from the attacks' files, and all other rows name a test that exists, so the
// page is always up to date.
TEST(PageOfCheats, HasARowForEachAttackAndATestForEachRow) {
  const fs::path page = fs::path(KIT_SOURCE_DIR) / "docs/cheats.md";
  if (!fs::exists(page)) GTEST_SKIP() << "a class's kit has no such page";
  std::map<std::string, std::string> rows;  // rows by their last cell
  int ways = 0;
  for (const std::string& line : split_lines(testing::read_file(page))) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 3 || !cells[2].starts_with('`')) continue;
    rows[cells[2]] += line + "\n";
    ++ways;
  }
  EXPECT_GE(ways, 40);
  for (const fs::path& folder : {attacks_folder, attacks_folder / "cases"})
    for (const fs::path& attack : attacks_in(folder)) {
      const std::string name = "`" + attack.lexically_relative(attacks_folder.parent_path()).string() + "`";
      const std::string text = testing::read_file(attack);
      EXPECT_EQ(rows[name], "| " + split_lines(text).front().substr(3) + " | " +
                                header_value(text, "happens") + " | " + name + " |\n");
      rows.erase(name);
    }
  const std::set<std::string> tests = all_tests();
  for (const auto& [name, row] : rows)
    EXPECT_TRUE(tests.count(name.substr(1, name.size() - 2))) << "no such test or attack:\n" << row;
}

}  // namespace
}  // namespace grader
