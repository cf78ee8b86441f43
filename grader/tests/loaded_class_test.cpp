// Grades right answers of real labs on a busy machine, on which processes are killed from outside and fork
// bombs are graded at the same time. Each right answer must get all points, or be listed as not graded. In
// the second case it must get all points once processes are no longer killed.
//
// KIT_LOAD=100 integration_class --gtest_filter=LoadedClass.* grades at least 100 answers, from all labs.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "killer.hpp"
#include "process/sandbox.hpp"
#include "small_kit.hpp"

namespace grader {
namespace loaded_class_test {

using testing::Killer;
using testing::Ran;
using testing::User;
using testing::write_file;

/// Keeps every processor busy with a thread until the object is destroyed.
class Load {
 public:
  Load() {
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i)
      threads_.emplace_back([this] {
        while (!over_) continue;
      });
  }
  ~Load() {
    over_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

/// A class of fork bombs, which another grader grades again and again on the same machine.
class Bombs {
 public:
  Bombs() {
    hand_in("memory",
            "for (std::size_t k = 0; k < 100000; ++k) std::memset(std::malloc(1 << 20), 1, 1 << 20);");
    hand_in("processes", "for (;;) fork();");
    hand_in("disk",
            "if (FILE* f = std::fopen(\"f\", \"w\")) for (;;) std::fwrite(\"0123456789abcdef\", 16, 1, f);");
    hand_in("output", "for (;;) std::puts(\"again\");");
    thread_ = std::thread([this] {
      while (!over_) {
        const Ran ran = user_.grader({"class", (folder_ / "class").string(), "--lab", "lab9.1", "--backend",
                                      "emu", "--unsafe", "--regrade", "--json"});
        EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
        for (const auto& [student, mark] : testing::marks_of(ran)) EXPECT_EQ(mark, 0) << student;
        ++rounds_;
      }
    });
  }
  ~Bombs() {
    over_ = true;
    thread_.join();
  }
  int rounds() const { return rounds_; }

 private:
  void hand_in(const std::string& name, const std::string& before) const {
    write_file(folder_ / "class" / name / "double.cu",
               testing::small_program("if (i < n) y[i] = 2 * x[i];", before));
  }

  const testing::TemporaryFolder folder_;
  const User user_{testing::write_small_kit(folder_.path(), testing::small_program(), 5)};
  std::atomic<bool> over_{false};
  std::atomic<int> rounds_{0};
  std::thread thread_;
};

/// The results for right answers of one lab.
struct Outcome {
  int answers = 0, charged = 0, not_graded_at_first = 0, killed_programs = 0, killed_compilers = 0;
};

/// Grades the answers while processes are killed. Then grades, without kills, the answers that could not be
/// graded.
Outcome grade_right_answers(const std::string& lab_folder, int count, std::chrono::milliseconds pause) {
  const User user;
  for (int i = 0; i < count; ++i) {
    const std::string name = "class/" + std::to_string(100 + i);
    user.write_solution(lab_folder, name, "", "");
    for (const auto& file : fs::directory_iterator(user.folder() / name))
      if (file.path().extension() == ".cu")
        write_file(file.path(), testing::read_file(file.path()) + "// answer " + std::to_string(i) + "\n");
  }
  const auto grade = [&] {
    return user.grader({"class", (user.folder() / "class").string(), "--lab",
                        lab_folder.substr(0, lab_folder.find('-')), "--backend", "emu", "--unsafe", "--json"},
                       1500);
  };
  Outcome outcome;
  outcome.answers = count;
  {
    const Killer killer(user.folder().string(), 1000000, pause, Killer::Victims::programs_and_compilers);
    const Ran ran = grade();
    outcome.killed_programs = killer.killed_programs();
    outcome.killed_compilers = killer.killed_compilers();
    const bool stopped = ran.exit_code == 3;  // the kit's oracle was not compiled, so no answer is graded
    if (stopped) {
      EXPECT_EQ(ran.json()["kind"], "environment") << lab_folder << ": " << ran.out << ran.err;
      outcome.not_graded_at_first = count;
    } else {
      EXPECT_TRUE(ran.exit_code == 0 || ran.exit_code == 4) << lab_folder << ": " << ran.out << ran.err;
    }
    for (const auto& attempt : stopped ? nlohmann::json::array() : ran.json()["attempts"]) {
      const std::string verdict = attempt["grading"]["verdict"];
      if (verdict == "passed") continue;
      const bool not_graded = verdict == "grader_fault";
      ++(not_graded ? outcome.not_graded_at_first : outcome.charged);
      EXPECT_TRUE(not_graded) << lab_folder << ": " << attempt;
    }
  }
  if (outcome.not_graded_at_first == 0) return outcome;
  const Ran again = grade();
  EXPECT_EQ(again.exit_code, 0) << lab_folder << ": " << again.out << again.err;
  for (const auto& attempt : again.json()["attempts"])
    EXPECT_EQ(attempt["grading"]["verdict"], "passed") << lab_folder << ": " << attempt;
  return outcome;
}

TEST(LoadedClass, ChargesNoRightAnswer) {
  if (!sandbox_status().filters) GTEST_SKIP() << "the sender of SIGKILL can't be identified here";
  const char* const asked = std::getenv("KIT_LOAD");
  std::vector<std::string> labs = {"lab1.1-matrixmul"};
  int of_each = 2;
  if (asked != nullptr) {
    labs.clear();
    for (const auto& lab : fs::directory_iterator(fs::path(KIT_SOURCE_DIR) / "labs"))
      labs.push_back(lab.path().filename());
    std::sort(labs.begin(), labs.end());
    const int count = static_cast<int>(labs.size());
    of_each = (std::max(std::atoi(asked), count) + count - 1) / count;
  }
  const Load load;
  const Bombs bombs;
  Outcome all;
  for (const std::string& lab : labs) {
    const Outcome one = grade_right_answers(lab, of_each, std::chrono::seconds(asked == nullptr ? 2 : 8));
    if (asked != nullptr)
      std::printf("%s: %d answers, %d charged, %d not graded at first; %d programs and %d compilers killed\n",
                  lab.c_str(), one.answers, one.charged, one.not_graded_at_first, one.killed_programs,
                  one.killed_compilers);
    std::fflush(stdout);
    all.answers += one.answers;
    all.charged += one.charged;
    all.not_graded_at_first += one.not_graded_at_first;
    all.killed_programs += one.killed_programs;
    all.killed_compilers += one.killed_compilers;
  }
  EXPECT_GT(all.killed_programs + all.killed_compilers, 0);
  if (asked != nullptr)
    std::printf("%d right answers, %d charged; %d programs and %d compilers killed; bombs graded %d times\n",
                all.answers, all.charged, all.killed_programs, all.killed_compilers, 4 * bombs.rounds());
}

}  // namespace loaded_class_test
}  // namespace grader
