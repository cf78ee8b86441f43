// Tests, with the real program, a class in which hostile hand-ins are mixed with right ones. The grading
// ends, each right hand-in has all points, and each hostile hand-in is named.
//
// KIT_CLASS=60 integration_class --gtest_filter=HostileClass.* grades a class of sixty instead, which has
// every attack of attacks/, and right hand-ins of real labs. The test then prints how long the grading took.
#include <gmock/gmock.h>

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>

#include "process/sandbox.hpp"
#include "small_kit.hpp"

namespace grader {
namespace hostile_class_test {

using ::testing::HasSubstr;
using testing::marks_of;
using testing::Ran;
using testing::User;
using testing::write_file;

const fs::path attacks_folder = fs::path(KIT_SOURCE_DIR) / "grader/tests/attacks";

/// The fastest attack of each section of docs/cheats.md whose attacks are whole programs.
const std::vector<std::string> usual_attacks = {
    "forks",          "forged_profile_by_name", "own_clock", "hides_by_builtin", "line_quotes_a_file",
    "result_is_huge", "takes_the_key"};

/// The text after "// KEY: " in an attack's first lines.
std::string header_value(const std::string& text, const std::string& key) {
  for (const std::string& line : split_lines(text))
    if (line.starts_with("// " + key + ": ")) return line.substr(key.size() + 5);
  return {};
}

class HostileClass : public ::testing::Test {
 protected:
  /// Adds a student with this text in the blank.
  void answer(const std::string& student, const std::string& blank) const {
    write_file(class_folder / student / "double.cu",
               testing::small_program("// ---- part 1: the kernel ----\n" + blank +
                                      "\n  // ---- end of part 1 ----"));
  }
  void right(const std::string& student) { answer(student, "if (i < n) y[i] = 2 * x[i];  // " + student); }

  /// Adds a student whose whole file is the attack.
  void attack(const std::string& name) {
    const std::string text = testing::read_file(attacks_folder / (name + ".cu")),
                      program =
                          "#ifndef KERNEL\n#define KERNEL if (i < n) y[i] = 2 * x[i];\n#endif\n#ifndef "
                          "BEFORE\n#define BEFORE\n#endif\n#ifndef AFTER\n#define AFTER\n#endif\n" +
                          testing::small_program("KERNEL", "BEFORE", "AFTER");
    if (!header_value(text, "command").empty()) return;
    write_file(class_folder / ("attack_" + name) / "double.cu",
               replace_all(text, "#include \"program.h\"", program));
    verdicts["attack_" + name] = header_value(text, "verdict");
  }
  /// Adds hand-ins that are not files of a student. A note must name each of them.
  void hand_in_what_can_not_be_read() {
    write_file(class_folder / "damaged.zip", "PK\x03\x04 and nothing else");
    fs::create_directories(class_folder / "linked");
    fs::create_symlink(class_folder / "right0/double.cu", class_folder / "linked/double.cu");
    fs::create_directories(class_folder / "pipe");
    ASSERT_EQ(mkfifo((class_folder / "pipe/double.cu").c_str(), 0600), 0);
    write_file(class_folder / "other_kind" / "work.rar", "Rar!");
    const fs::path made = folder / "made";
    write_file(made / "double.cu", "x");
    const Ran packed =
        user.shell("cd '" + made.string() + "' && tar -cPf '" + (class_folder / "leads_out.tar").string() +
                   "' ../made/double.cu && " + "truncate -s 80M double.cu && tar -czf '" +
                   (class_folder / "bomb.tar.gz").string() + "' double.cu");
    ASSERT_EQ(packed.exit_code, 0) << packed.err;
    for (const char* const name : {"damaged", "linked", "pipe", "other_kind", "leads_out", "bomb"})
      noted.push_back(name);
  }
  /// Adds programs that fail, and a program with a change outside of its blank, which is undone and reported.
  void misbehave() {
    answer("endless", "while (n > 0) { }");
    answer("prints",
           "for (int k = 0; k < 1000000; ++k) printf(\"%d\\n\", k);\n  if (i < n) y[i] = 2 * x[i];");
    answer("beyond", "y[1 << 28] = x[i];");
    answer("unwritten", "LAB_TODO(1);");
    answer("no_cuda", "this is no C++");
    verdicts.insert({{"endless", "time_out|crash"},
                     {"prints", "output_limit|time_out|crash"},
                     {"beyond", "crash|finding"},
                     {"unwritten", "todo|wrong_answer"},
                     {"no_cuda", "compile_error"}});
    right("outside");
    const fs::path file = class_folder / "outside/double.cu";
    write_file(file, replace_all(testing::read_file(file), "Check ok? Passed.", "all mine"));
    noted.push_back("outside");
  }

  void grade() {
    const Ran ran = user.grader(
        {"class", class_folder.string(), "--lab", "lab9.1", "--backend", "emu", "--unsafe", "--json"}, 1500);
    ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    const auto report = ran.json();
    const std::map<std::string, double> marks = marks_of(ran);
    std::set<std::string> seen;
    for (const auto& attempt : report["attempts"]) {
      const std::string student = attempt["student"], verdict = attempt["grading"]["verdict"];
      seen.insert(student);
      if (student.starts_with("right") || student == "outside") {
        EXPECT_EQ(marks.at(student), 4) << attempt;
      } else if (verdict != "passed") {
        EXPECT_EQ(marks.at(student), 0) << attempt;
      }
      if (const auto wanted = verdicts.find(student); wanted != verdicts.end()) {
        EXPECT_NE(("|" + wanted->second + "|").find("|" + verdict + "|"), std::string::npos)
            << student << ": " << attempt;
      }
      if (std::find(noted.begin(), noted.end(), student) != noted.end()) {
        EXPECT_FALSE(attempt["notes"].empty()) << student;
      }
    }
    for (const auto& [student, verdict] : verdicts) EXPECT_EQ(seen.count(student), 1u) << student;
    for (const std::string& student : noted) EXPECT_EQ(seen.count(student), 1u) << student;
  }
  /// Grades right answers of a real lab as another class.
  void grade_right(const std::string& lab_folder, int count) {
    const User other;
    const std::string lab = lab_folder.substr(0, lab_folder.find('-'));
    for (int i = 0; i < count; ++i) {
      const std::string name = "class/" + std::to_string(100 + i);
      other.write_solution(lab_folder, name, "", "");
      for (const auto& file : fs::directory_iterator(other.folder() / name))
        if (file.path().extension() == ".cu")
          write_file(file.path(), testing::read_file(file.path()) + "// hand-in " + std::to_string(i) + "\n");
    }
    const Ran ran = other.grader({"class", (other.folder() / "class").string(), "--lab", lab, "--backend",
                                  "emu", "--unsafe", "--json"},
                                 1500);
    ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    for (const auto& attempt : ran.json()["attempts"])
      EXPECT_EQ(attempt["grading"]["verdict"], "passed") << attempt;
    EXPECT_EQ(marks_of(ran).size(), static_cast<std::size_t>(count));
  }

  const testing::TemporaryFolder folder;
  const fs::path class_folder = folder / "class";
  User user{testing::write_small_kit(folder.path(), testing::small_program(), 10)};
  std::map<std::string, std::string> verdicts;  ///< verdicts that a hostile student may have, separated by |
  std::vector<std::string> noted;               ///< students whose hand-in has a note
};

TEST_F(HostileClass, EndsWithAllPointsForTheRightOnes) {
  const char* const asked = std::getenv("KIT_CLASS");
  const int size = asked == nullptr ? 0 : std::atoi(asked);
  for (int i = 0; i < 4; ++i) right("right" + std::to_string(i));
  if (size == 0) {
    for (const std::string& name : usual_attacks) attack(name);
  } else {
    for (const auto& file : fs::directory_iterator(attacks_folder))
      if (file.path().extension() == ".cu" &&
          (file.path().stem() != "runs_as_root" || sandbox_status().as_ordinary_user))
        attack(file.path().stem());
  }
  hand_in_what_can_not_be_read();
  misbehave();
  const auto begin = std::chrono::steady_clock::now();
  grade();
  if (size == 0) return;
  const int hostile = static_cast<int>(verdicts.size() + noted.size());
  const int others = std::max(0, size - hostile - 4), of_each = (others + 2) / 3;
  for (const char* const lab : {"lab1.1-matrixmul", "lab1.2-reduction", "lab2.1-matrixmul"})
    grade_right(lab, of_each);
  std::printf("%d hand-ins, %d of them hostile: %.0f s\n", hostile + 4 + 3 * of_each, hostile,
              std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

}  // namespace hostile_class_test
}  // namespace grader
