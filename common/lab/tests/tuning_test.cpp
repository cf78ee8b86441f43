// Tests what judges of labs on tuning require.
#include "lab/tuning.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

namespace lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<MeasuredNumber> measured = {{81920, "1"}, {0.010634, "s"}, {0.5, "1"}, {20480, "B"}};
const std::vector<double> parameters = {4, 8, 16, 32};

NamedNumbers named(const std::string& text) {
  return numbers_named(text, measured, parameters);
}

TEST(Explanation, NumbersCountAsPeopleWriteThem) {
  EXPECT_THAT(named("It takes 10.6 ms, and 81,920 loads; 20 KiB of shared memory.").measured,
              ElementsAre("10.6", "81,920", "20"));
  EXPECT_THAT(named("10.634 ms, not 10.7 ms").measured, ElementsAre("10.634"));
  EXPECT_THAT(named("10.634 ms, not 10.7 ms").unknown, ElementsAre("10.7"));
  EXPECT_THAT(named("an occupancy of 0.5, or 50 %").measured, ElementsAre("0.5", "50"));
  EXPECT_THAT(named("81920. That is 81920.").measured, ElementsAre("81920")) << "each once";
}

TEST(Explanation, WordsAndTheParametersThemselvesProveNothing) {
  EXPECT_THAT(named("it is good").measured, IsEmpty());
  const NamedNumbers all = named("Tiles of 32 with UNROLL 16 on an H81920: 4 sums, float10.6 and 2 loads.");
  EXPECT_THAT(all.measured, IsEmpty());
  EXPECT_THAT(all.unknown, IsEmpty());
}

TEST(Explanation, TheTextIsWhatFollowsItsLine) {
  EXPECT_EQ(text_behind("a\nWhy this:\nsince 3\n4\n", "Why this:"), "since 3\n4\n");
  EXPECT_EQ(text_behind("Why this:\nx", "Why this:"), "x");
  EXPECT_EQ(text_behind("no Why this:\nx", "Why this:"), "");
}

/// The judgement on reasons, with facts that were written and read as for a judge.
Judgement reasons(const std::string& text, std::optional<std::vector<MeasuredNumber>> known) {
  const std::string file = testing::TempDir() + "printed-" + std::to_string(::getpid());
  std::ofstream(file) << "Why this:\n" << text << "\n";
  JudgeRequest request;
  request.lab = "lab3.1";
  request.options = " --level 2";
  request.case_id = "reasons";
  request.printed_file = file;
  request.measured = std::move(known);
  request.chosen = parameters;
  const Judgement judgement = judge_reasons(read_facts(facts_text(request)), "Why this:", 2);
  std::remove(file.c_str());
  return judgement;
}

TEST(Reasons, MissingNumbersAreReported) {
  EXPECT_EQ(reasons("81920 loads in 10.6 ms", measured).verdict, Judgement::Verdict::passed);
  EXPECT_EQ(reasons("it is good", measured).says,
            "The explanation names no number that was measured; it must name at least 2.");
  const Judgement one = reasons("81920 loads in 99.9 ms", measured);
  EXPECT_EQ(one.verdict, Judgement::Verdict::requirement_failed);
  EXPECT_THAT(one.says,
              testing::AllOf(HasSubstr("only 81920 was measured"), HasSubstr("not counted here: 99.9.")));
  EXPECT_THAT(one.next,
              HasSubstr("grader profile lab3.1 --level 2 --case reasons, grader table lab3.1 --level 2"));
}

TEST(Reasons, NumbersAreWantedFirst) {
  EXPECT_TRUE(reasons("81920", std::nullopt).wants.measured);
  EXPECT_EQ(reasons("81920", std::vector<MeasuredNumber>{}).verdict, Judgement::Verdict::unsupported);
}

TEST(NearBest, ComparesWithTheFastest) {
  const std::vector<Macros> others = {{{"TILE", "8"}}, {{"TILE", "16"}}};
  JudgeRequest request;
  request.lab = "lab3.1";
  EXPECT_EQ(judge_near_best(request, 1.5, others).wants.times, others);
  const auto judged = [&](const std::vector<double>& times) {
    request.times = times;
    return judge_near_best(read_facts(facts_text(request)), 1.5, others);
  };
  EXPECT_EQ(judged({1.49e-3, 2e-3, 1e-3}).verdict, Judgement::Verdict::passed);
  EXPECT_EQ(judged({2e-3, 0, 0}).verdict, Judgement::Verdict::passed) << "nothing was measured";
  EXPECT_EQ(judged({0, 1e-3, 1e-3}).verdict, Judgement::Verdict::passed);
  const Judgement slow = judged({3e-3, 0, 1.5e-3});
  EXPECT_EQ(
      slow.says,
      "the kernel takes 3 ms, and with another combination of the macros 1.5 ms on this device: 2.00 times "
      "as long, of which at most 1.50 are allowed.");
  EXPECT_EQ(slow.next, "grader table lab3.1 --search");
}

TEST(Judge, FactsAreReadAsTheyWereWritten) {
  JudgeRequest request;
  request.lab = "lab0";
  request.case_id = "n8";
  request.backend = "emu";
  request.arguments = {"--grid", "3,2"};
  request.inputs = {"/a b/M.npy", "/N.npy"};
  request.expected = "/e";
  request.got = "/g";
  request.launches = {{"fill<int, 2>", {1, 1, 1}, {8, 1, 1}}, {"hello", {2, 1, 1}, {1, 2, 4}}};
  request.measured = {{0.1, "s"}, {3, "1"}};
  request.chosen = {8};
  request.times = {1.5, 0};
  const JudgeRequest again = read_facts(facts_text(request));
  EXPECT_EQ(facts_text(again), facts_text(request));
  EXPECT_EQ(again.inputs, request.inputs);
  EXPECT_EQ(again.largest_launch()->threads(), 16u);
  EXPECT_EQ(again.launches.at(0).kernel, "fill<int, 2>");
  EXPECT_EQ(JudgeRequest().largest_launch(), nullptr);
  EXPECT_EQ(again.measured->front().unit, "s");
  EXPECT_EQ(read_facts("case a\nnew 3\n").case_id, "a") << "unknown facts are ignored";
  EXPECT_FALSE(read_facts("").measured);
}

TEST(Judge, TheAnswerIsOneLineOfJson) {
  EXPECT_EQ(to_json(Judgement::passed()), R"({"kind":"judgement","format":1,"verdict":"passed"})");
  EXPECT_EQ(
      to_json(Judgement::failed("a \"b\"\n", "c")),
      R"({"kind":"judgement","format":1,"verdict":"requirement_failed","says":"a \"b\"\u000a","next":"c"})");
  Judgement wrong;
  wrong.verdict = Judgement::Verdict::wrong_answer;
  wrong.wrong = 1;
  wrong.total = 4;
  wrong.first = {{{1, 2}, "3", "4"}};
  EXPECT_EQ(to_json(wrong),
            R"({"kind":"judgement","format":1,"verdict":"wrong_answer","wrong":1,"total":4,"first":)"
            R"([{"index":[1,2],"expected":"3","got":"4"}]})");
  JudgeWants wants;
  wants.times = {{{"TILE", "8"}}};
  EXPECT_EQ(to_json(Judgement::wanting(wants)),
            R"({"kind":"judgement","format":1,"wants":{"measured":false,"times":[{"TILE":"8"}]}})");
}

}  // namespace
}  // namespace lab
