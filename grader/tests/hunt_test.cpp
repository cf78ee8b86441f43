// Tests `grader hunt` as a student uses it, and proves one mistake of each kind. `grader hunt --prove 500`
// proves all mistakes.
#include "hunt/proof.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/columns.hpp"
#include "build/toolchain.hpp"
#include "grader_runner.hpp"

namespace hunt_test {
namespace {

using grader::testing::Ran;
using grader::testing::User;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace grader;

const Kit& kit() {
  static const Kit kit{KIT_SOURCE_DIR};
  return kit;
}

TEST(Hunt, EndsWhenTheLineTheThreadsAndTheRepairAreRight) {
  const User user;
  const Ran begun = user.grader({"hunt", "reverse", "--kind", "barrier", "--seed", "1", "--json"});
  ASSERT_EQ(begun.exit_code, 0) << begun.err;
  EXPECT_EQ(begun.json()["question"], "Which line has the mistake?");
  EXPECT_FALSE(begun.json().contains("mistake"));
  const std::string file = begun.json()["file"];
  EXPECT_EQ(user.grader({"hunt", "--answer", "line=1"}).exit_code, 1);
  EXPECT_EQ(user.grader({"hunt", "--answer", "line=one"}).exit_code, 2);
  EXPECT_EQ(user.grader({"hunt", "--check"}).exit_code, 1) << "the mistake is still there";
  const Ran line = user.grader({"hunt", "--answer", "line=12"});
  EXPECT_EQ(line.exit_code, 0) << line.out;
  EXPECT_THAT(line.out, HasSubstr("Two threads of block (0,0,0) touch tile[63]"));
  EXPECT_EQ(user.grader({"hunt", "--answer", "threads=0 0"}).exit_code, 1);
  const Ran hint = user.grader({"hunt", "--hint"});
  EXPECT_THAT(hint.out, HasSubstr("race: two threads")) << "the line is known, so the finding is left";
  const std::string wrong = grader::testing::read_file(file);
  const std::size_t at = wrong.find("  out[");
  ASSERT_NE(at, std::string::npos);
  grader::testing::write_file(file, wrong.substr(0, at) + "  __syncthreads();\n" + wrong.substr(at));
  const Ran mended = user.grader({"hunt", "--check"});
  EXPECT_EQ(mended.exit_code, 0) << mended.out;
  EXPECT_THAT(mended.out, HasSubstr("lab1.2, part 4, teaches it"));
  EXPECT_THAT(mended.out, HasSubstr("box 1 of 5")) << "it had a wrong answer";
  EXPECT_EQ(user.grader({"hunt", "--check"}).exit_code, 2) << "no hunt is open";
}

TEST(Hunt, ShowsTheMistakeToAStudentWhoGivesUp) {
  const User user;
  ASSERT_EQ(user.grader({"hunt", "reverse", "--kind", "barrier", "--seed", "1"}).exit_code, 0);
  const Ran given_up = user.grader({"hunt", "--give-up"});
  EXPECT_THAT(given_up.out, HasSubstr("race: two threads"));
  EXPECT_EQ(user.grader({"hunt", "--kind", "barier"}).exit_code, 2);
  EXPECT_THAT(user.grader({"hunt", "--kind", "barier"}).err, HasSubstr("did you mean \"barrier\""));
}

/// The facts of a trial, with other sentences.
Trial with_other_sentences(Trial trial) {
  for (Finding& finding : trial.findings) {
    finding.headline = "thread (7,7,7) of block (9,9,9) touches other[5]";
    finding.hint = "a barrier belongs between lines 1 and 2";
    finding.first = "otherwise";
    finding.notes = {"index 3 is outside"};
    for (FindingParty& party : finding.parties) party.what = "read by thread (7,7,7) of block (9,9,9)";
  }
  return trial;
}

/// Tests a race within a block, a race between blocks, an access outside of an array, and a read of unwritten
/// memory.
TEST(Hunt, HasTheSameAnswersWhateverTheCheckersSentencesAre) {
  const grader::testing::TemporaryFolder folder;
  setenv("GRADER_CACHE", grader::testing::shared_cache().c_str(), 1);
  const Hunts hunts = read_hunts(kit().root / "hunts");
  const Toolchain toolchain = Toolchain::detect(kit());
  const HuntBench bench(kit(), toolchain, hunts);
  std::map<std::string, int> asked;  // number of questions for each rule
  for (const char* name : {"histogram", "heat", "block_sum"})
    for (const HuntMistake& mistake : hunts.program(name).mistakes) {
      if (mistake.rule.empty() || asked[mistake.rule] != 0) continue;
      const Planted planted = plant(hunts.program(name), mistake, 1);
      const Trial trial = bench.run(planted.program->file(), planted.wrong, folder / "run");
      const Trial other = with_other_sentences(trial);
      const Clue clue = clue_of(planted, trial), same = clue_of(planted, other);
      asked[mistake.rule] += clue.about != Clue::About::nothing ? 1 : 0;
      EXPECT_EQ(same.question, clue.question);
      EXPECT_EQ(same.answer, clue.answer);
      EXPECT_EQ(same.pairs, clue.pairs);
      for (unsigned line = 1; line <= split_lines(planted.wrong).size(); ++line)
        EXPECT_EQ(judge_line(planted, other, line), judge_line(planted, trial, line)) << line;
    }
  EXPECT_EQ(asked["race"], 1);
  EXPECT_EQ(asked["out-of-bounds"], 1);
}

/// These programs together have mistakes of all kinds. The first mistake of each kind is proved.
TEST(Hunt, OfEachKindIsProved) {
  const grader::testing::TemporaryFolder folder;
  setenv("GRADER_CACHE", grader::testing::shared_cache().c_str(), 1);
  const Hunts hunts = read_hunts(kit().root / "hunts");
  const Toolchain toolchain = Toolchain::detect(kit());
  const HuntBench bench(kit(), toolchain, hunts);
  std::set<std::string> kinds, repairs;
  for (const char* name :
       {"block_sum", "gray_code", "histogram", "warp_sum", "heat", "managed", "strided_sum", "copies"}) {
    const HuntProgram& program = hunts.program(name);
    for (const HuntMistake& mistake : program.mistakes) {
      if (!kinds.insert(mistake.kind).second) continue;
      const Planted planted = plant(program, mistake, 1);
      EXPECT_THAT(prove_hunt(bench, planted, folder / "run").problems, IsEmpty());
      if (!repairs.insert(name).second) continue;
      EXPECT_THAT(prove_repair(bench, planted, folder / "run"), IsEmpty());
    }
  }
  EXPECT_EQ(kinds.size(), hunts.kinds.size());
}

}  // namespace
}  // namespace hunt_test
