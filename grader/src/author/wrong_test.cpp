#include "author/wrong.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "author/mistakes.hpp"
#include "catalog/test_kit.hpp"

namespace grader {
namespace {

const char* const list = R"(format = 1
[[wrong]]
name = "not-doubled"
title = "the kernel keeps its input"
file = "scale.cu"
find = "v[i] *= 2;"
replace = "v[i] *= 1;"
verdict = "wrong_answer"
gpu_verdict = "crash"
pattern = "unwritten"

[[wrong]]
name = "no-launch"
title = "the kernel never launched"
file = "scale.cu"
find = "launch(blocks);"
replace = "LAB_TODO(2);"
verdict = "todo"
finding = { rule = "race", says = "v", case = "n8" }
names = ["launch|<<<", "kernel"]
never = ["barrier"]
backend = "emu"
)";

struct WrongTest : testing::Test {
  TestKit kit;
  Lab lab = kit.lab();

  std::vector<WrongSolution> read(std::string text = list, const std::string& from = "",
                                  const std::string& to = "") const {
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    kit.write("solutions/lab1.1-scale/wrong.toml", text);
    return read_wrong(kit.kit, lab);
  }
  Submission apply(const WrongSolution& wrong) const {
    return apply_wrong(read_submission(kit.kit, lab, 1, Origin::solution), wrong);
  }
};

TEST_F(WrongTest, ReadsAndApplies) {
  const auto wrong = read();
  ASSERT_EQ(wrong.size(), 2u);
  EXPECT_EQ(wrong[0].pattern, "unwritten");
  EXPECT_EQ(wrong[0].verdict_on(Backend::emu), Verdict::wrong_answer);
  EXPECT_EQ(wrong[0].verdict_on(Backend::gpu), Verdict::crash);
  EXPECT_EQ(wrong[1].verdict, Verdict::todo);
  EXPECT_EQ(wrong[1].verdict_on(Backend::gpu), Verdict::todo);
  EXPECT_EQ(wrong[0].finding.rule, "");
  EXPECT_EQ(wrong[1].finding.rule, "race");
  EXPECT_EQ(wrong[1].finding.says, "v");
  EXPECT_EQ(wrong[1].finding.only_case, "n8");
  EXPECT_TRUE(wrong[0].names.empty() && wrong[0].never.empty());
  EXPECT_EQ(wrong[1].names, (std::vector<std::string>{"launch|<<<", "kernel"}));
  EXPECT_EQ(wrong[1].never, std::vector<std::string>{"barrier"});
  EXPECT_EQ(wrong[0].backends, (std::vector<Backend>{Backend::emu, Backend::gpu}));
  EXPECT_EQ(wrong[1].backends, std::vector<Backend>{Backend::emu});
  const Submission solution = read_submission(kit.kit, lab, 1, Origin::solution);
  const Submission changed = apply(wrong[0]);
  EXPECT_EQ(changed.files[0].text,
            "#include \"scale.h\"\nv[i] *= 1;\nconst int blocks = 1;\nlaunch(blocks);\n");
  EXPECT_EQ(changed.files[1].text, solution.files[1].text);
  EXPECT_NE(changed.sha256, solution.sha256);
  EXPECT_EQ(apply(wrong[1]).todo.size(), 1u);
}

TEST(MistakeWords, EachMustBeThereAndNoneThatIsFalse) {
  const auto judged = [](std::vector<std::string> names, std::vector<std::string> never) {
    WrongSolution wrong;
    wrong.names = std::move(names);
    wrong.never = std::move(never);
    MistakeOutcome outcome;
    outcome.said = "A __syncthreads() is missing between the Two loops.";
    judge_words(outcome, wrong);
    return outcome;
  };
  EXPECT_TRUE(judged({"__syncthreads", "two loops"}, {}).explained) << "letter case does not count";
  EXPECT_TRUE(judged({"barrier|syncthreads"}, {}).explained) << "one of several words";
  EXPECT_FALSE(judged({"missing", "index"}, {}).explained);
  EXPECT_FALSE(judged({"barrier|index"}, {}).explained);
  EXPECT_FALSE(judged({}, {}).explained) << "nothing was asked";
  EXPECT_TRUE(judged({}, {"index", "blocks"}).falsehoods.empty());
  EXPECT_EQ(judged({}, {"index", "MISSING"}).falsehoods, std::vector<std::string>{"MISSING"});
}

TEST(MistakeWords, ComeFirst) {
  Grading grading;
  grading.verdict = Verdict::wrong_answer;
  grading.cases.resize(3);
  grading.cases[0].verdict = Verdict::passed;
  grading.cases[0].message = "unsaid";
  for (const std::size_t i : {1u, 2u}) {
    grading.cases[i].verdict = Verdict::wrong_answer;
    grading.cases[i].message = i == 1 ? "first message" : "second message";
    grading.cases[i].mismatch.emplace().explanation = "explained";
  }
  Grading checked;
  checked.cases.resize(1);
  checked.cases[0].findings.resize(2);
  checked.cases[0].findings[0].error = false;
  checked.cases[0].findings[0].headline = "a warning";
  checked.cases[0].findings[1].headline = "a race";
  checked.cases[0].findings[1].hint = "a barrier";
  const std::string said = said_first(grading, &checked);
  EXPECT_THAT(said, testing::AllOf(testing::HasSubstr("first message"), testing::HasSubstr("explained"),
                                   testing::HasSubstr("a race"), testing::HasSubstr("a barrier")));
  EXPECT_THAT(said, testing::Not(testing::AnyOf(testing::HasSubstr("unsaid"), testing::HasSubstr("second"),
                                                testing::HasSubstr("warning"))));
  grading.verdict = Verdict::compile_error;
  grading.diagnostics = "undeclared name";
  EXPECT_THAT(said_first(grading, nullptr), testing::HasSubstr("undeclared name"));
}

TEST_F(WrongTest, AnEmptyReplacementDeletes) {
  EXPECT_EQ(apply(read(list, "\"v[i] *= 1;\"", "\"\"")[0]).files[0].text,
            "#include \"scale.h\"\n\nconst int blocks = 1;\nlaunch(blocks);\n");
}

TEST_F(WrongTest, AMistakeMayTakeSeveralChanges) {
  const auto with = [&](const std::string& change) {
    return read(list, "replace = \"v[i] *= 1;\"", "replace = \"v[i] *= 1;\"\nalso = [" + change + "]")[0];
  };
  EXPECT_EQ(apply(with("{ file = \"scale.cu\", find = \"*= 1\", replace = \"+= 0\" }")).files[0].text,
            "#include \"scale.h\"\nv[i] += 0;\nconst int blocks = 1;\nlaunch(blocks);\n")
      << "each is made in what the one before it left";
  EXPECT_THAT([&] { apply(with("{ file = \"scale.cu\", find = \"*= 2\", replace = \"\" }")); },
              throws_error(ErrorKind::usage, "wrong.toml:8:37: \"find\" does not occur in scale.cu"));
  EXPECT_THAT([&] { with("{ file = \"scale.cu\", find = \"x\", with = \"\" }"); },
              throws_error(ErrorKind::usage, "replace"));
}

TEST_F(WrongTest, FindMustOccurOnce) {
  EXPECT_THAT([&] { apply(read(list, "v[i] *= 2;", "v[j] *= 2;")[0]); },
              throws_error(ErrorKind::usage, "wrong.toml:6:8: \"find\" does not occur in scale.cu"));
  EXPECT_THAT([&] { apply(read(list, "v[i] *= 2;", "e")[0]); },
              throws_error(ErrorKind::usage, "occurs in lines 1 and 1 of scale.cu"));
  EXPECT_THAT([&] { apply(read(list, "\"v[i] *= 2;\"", "\"\\n\"")[0]); },
              throws_error(ErrorKind::usage, "is empty"));
  EXPECT_THAT([&] { apply(read(list, "scale.cu", "scale.c")[0]); },
              throws_error(ErrorKind::usage, "no file \"scale.c\"; expected \"scale.cu\""));
}

TEST_F(WrongTest, OverlappingOccurrencesCount) {
  kit.write("labs/lab1.1-scale/given/scale.h", "aaa\n");
  EXPECT_THAT(
      [&] {
        apply(
            read("format = 1\n[[wrong]]\nname = \"a\"\ntitle = \"a\"\nfile = \"scale.h\"\nfind = "
                 "\"aa\"\nreplace = \"b\"\n"
                 "verdict = \"crash\"\n")[0]);
      },
      throws_error(ErrorKind::usage, "occurs in lines 1 and 1"));
}

TEST_F(WrongTest, BrokenListsSayWhere) {
  EXPECT_THAT([&] { read(list, "no-launch", "not-doubled"); },
              throws_error(ErrorKind::usage, "wrong.toml:13:8: \"not-doubled\" is declared twice"));
  EXPECT_THAT([&] { read(list, "wrong_answer", "wrong answer"); },
              throws_error(ErrorKind::usage, "did you mean \"wrong_answer\"?"));
  EXPECT_THAT([&] { read(list, "wrong_answer", "passed"); },
              throws_error(ErrorKind::usage, "unknown verdict \"passed\""));
  EXPECT_THAT([&] { read(list, "verdict = \"todo\"\n", ""); },
              throws_error(ErrorKind::usage, "expected \"verdict\""));
  EXPECT_THAT([&] { read(list, "replace = \"v[i] *= 1;\"\n", ""); },
              throws_error(ErrorKind::usage, "expected \"replace\""));
  EXPECT_THAT([&] { read(list, "v[i] *= 1;", "v[i] *= 2;"); },
              throws_error(ErrorKind::usage, "nothing would be wrong"));
  EXPECT_THAT([&] { read(list, "pattern", "patern"); },
              throws_error(ErrorKind::usage, "did you mean \"pattern\"?"));
  fs::remove(kit.path / "solutions/lab1.1-scale/wrong.toml");
  EXPECT_THAT([&] { read_wrong(kit.kit, lab); }, throws_error(ErrorKind::usage, "wrong.toml does not exist"));
}

}  // namespace
}  // namespace grader
