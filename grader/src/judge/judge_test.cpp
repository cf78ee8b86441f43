// Tests that each way in which a run can end has a verdict and a message. Also tests that only the output
// counts, not the program's claims.
#include "judge/judge.hpp"

#include <bit>
#include <csignal>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/test_folder.hpp"
#include "judge/end_words.hpp"
#include "judge/lab_judge.hpp"
#include "lab/npy.hpp"
#include "model/json.hpp"
#include "process/fake_machine.hpp"

namespace grader {
namespace {

using End = ProcessResult::End;
using testing::HasSubstr;

class JudgeTest : public testing::Test {
 protected:
  JudgeTest() {
    folder.write("expected.txt", "Hello 0\nHello 1\n");
    data.expected = folder.path / "expected.txt";
    lab.id = "lab0";
    c.id = "first";
    c.verify = Verify::judge;
    c.timeout_emu = 7;
    run.process.end = End::exited;
    run.process.out = "Hello 1\nHello 0\n";
    run.profile.source = "emulation";
    run.profile.activities.resize(1);
    run.profile.activities[0].kind = Activity::Kind::kernel;
    data.folder = folder.path / "data";
    data.judge = "/oracle";
    context.machine = &fake.machine;
    fake.commands.play = [this](const ProcessRequest& request) {
      asked = lab::read_facts(read_file(request.argv[3], 1 << 20));
      return answer ? answer(request) : exits(0, lab::to_json(as_lines(asked)) + "\n");
    };
  }
  /// A judgement on printed lines.
  static lab::Judgement as_lines(const lab::JudgeRequest& facts) {
    const auto lines_of = [](const std::string& text) {
      std::vector<std::string> lines;
      for (const std::string& line : split_lines(text))
        if (line.starts_with("Hello")) lines.push_back(line);
      std::sort(lines.begin(), lines.end());
      return lines;
    };
    lab::Judgement judgement;
    if (lines_of(facts.printed()) == lines_of(read_file(facts.expected, 1 << 20))) return judgement;
    judgement.verdict = lab::Judgement::Verdict::wrong_answer;
    judgement.wrong = 1;
    judgement.total = 2;
    judgement.extent = "1 line is missing.";
    judgement.pattern = "one-line";
    judgement.says = "A line is missing \x1b[2J.";
    judgement.next = "print it";
    judgement.first = {{{}, "Hello 0", ""}};
    return judgement;
  }
  /// Makes the judge answer with this text.
  void says(const std::string& text) {
    answer = [text](const ProcessRequest&) { return exits(0, text); };
  }

  CaseResult judged() const {
    const CaseResult result = judge(lab, c, run, data, context).result;
    EXPECT_EQ(reworded(result), std::make_pair(result.message, result.next_step)) << "from the stored facts";
    return result;
  }
  /// Verdict and message of a run that ended early, made again only from the facts in its JSON.
  std::pair<std::string, std::string> reworded(const CaseResult& result) const {
    if (!result.ended) return {result.message, result.next_step};
    Grading grading;
    grading.cases = {result};
    CaseResult again = grading_from_json(to_json(grading)).cases.front();
    again.message = again.next_step = "old words";
    say_end(again, lab, c);
    EXPECT_EQ(again.verdict, result.verdict);
    return {again.message, again.next_step};
  }
  std::optional<bool> right() const { return judge(lab, c, run, data, context).right; }

  TestFolder folder;
  Lab lab;
  Case c;
  CaseData data;
  RunResult run;
  JudgeContext context;
  FakeMachine fake;
  lab::JudgeRequest asked;  ///< facts of the last call of the judge
  std::function<ProcessResult(const ProcessRequest&)> answer;
};

kit_wire::Stop stopped(kit_wire::Reason reason, int error) {
  kit_wire::Stop stop;
  stop.kernel = "product";
  stop.reason = reason;
  stop.error = error;
  stop.who = kit_wire::Who::thread;
  stop.block[0] = 1;
  stop.thread[0] = 3;
  stop.blocks.resize(1);
  stop.blocks[0].block[0] = 1;
  stop.blocks[0].threads = 8;
  return stop;
}

TEST_F(JudgeTest, ARightOutputPasses) {
  EXPECT_EQ(judged().verdict, Verdict::passed);
  EXPECT_EQ(judged().id, "first");
}

TEST_F(JudgeTest, WhetherTheOutputIsRightIsKnownWhateverTheVerdict) {
  EXPECT_EQ(right(), true);
  run.process.code = 5;
  run.process.err = "it takes too long\n";
  EXPECT_EQ(judged().verdict, Verdict::requirement_failed);
  EXPECT_EQ(right(), true) << "something else is missed";
  run.process.out = "Hello 1\n";
  EXPECT_EQ(right(), false);
  run.process.code = 3;
  EXPECT_EQ(right(), false) << "there is none";
  c.verify = Verify::none;
  EXPECT_EQ(right(), false);
  run.process.code = 0;
  EXPECT_EQ(right(), std::nullopt);
}

TEST_F(JudgeTest, AWrongArraysElementsAreKnownUnlessMostWereNotCompared) {
  lab::write_npy<float>(folder.path / "expected.npy", {3}, {1, 2, 3});
  lab::write_npy<float>(folder.path / "y.npy", {3}, {1, 5, 3});
  lab.output = Output::array("y");
  data.expected = folder.path / "expected.npy";
  run.output = folder.path / "y.npy";
  c.verify = Verify::oracle;
  const std::vector<bool> second = {false, true, false};
  EXPECT_EQ(judge(lab, c, run, data, context).wrong, second);
  c.verify = Verify::sample;
  EXPECT_TRUE(judge(lab, c, run, data, context).wrong.empty());
}

TEST_F(JudgeTest, TheProgramsOwnVerdictDoesNotCount) {
  run.process.out = "Check ok? Passed.\nHello 0\n";
  EXPECT_EQ(judged().verdict, Verdict::wrong_answer);
  run.process.out = "Hello 1\nHello 0\n";
  run.process.code = 1;  // the program says that its self-test failed
  EXPECT_EQ(judged().verdict, Verdict::passed);
}

TEST_F(JudgeTest, ARightOutputWithoutAKernelIsNotEnough) {
  run.profile.activities.clear();
  EXPECT_EQ(judged().verdict, Verdict::requirement_failed);
  EXPECT_THAT(judged().message, HasSubstr("kernel"));
}

TEST_F(JudgeTest, WithoutAProfileNoStudentIsBlamed) {
  run.profile = {};
  EXPECT_EQ(judged().verdict, Verdict::requirement_failed) << "the emulation always leaves a profile";
  context.profile_expected = false;
  EXPECT_EQ(judged().verdict, Verdict::passed);
  run.profile.timers = {{"kernel", 1e-3}};  // times of the program, which don't show that a kernel ran
  EXPECT_EQ(judged().verdict, Verdict::passed);
}

TEST_F(JudgeTest, TheOriginOfARightResultIsJudgedFirst) {
  const std::vector<float> right = {1, 2, 3};
  lab::write_npy(folder.path / "y.npy", {3}, right);
  lab.output = Output::array("y");
  c.verify = Verify::oracle;
  c.requirements = {Requirement::shared};
  data.expected = run.output = folder.path / "y.npy";
  run.profile.has_contents = true;
  EXPECT_THAT(judged().message, HasSubstr("no shared memory")) << "the case does not ask";
  c.from_device = true;
  EXPECT_EQ(judged().verdict, Verdict::requirement_failed);
  EXPECT_THAT(judged().message,
              HasSubstr("the output is right, but: Nothing was copied back from the device"));
  // Each element was copied separately, so its hash is the element itself.
  for (const float value : right)
    run.profile.contents.push_back({true, false, 4, std::bit_cast<std::uint32_t>(value), 0});
  EXPECT_THAT(judged().message, HasSubstr("no shared memory"));
  run.profile.contents.clear();
  run.profile.has_contents = false;
  EXPECT_THAT(judged().message, HasSubstr("no shared memory"))
      << "a profile that does not tell accuses nobody";
}

TEST_F(JudgeTest, MemoryThatWasNotFreedIsARequirement) {
  c.requirements = {Requirement::freed};
  Activity alloc;
  alloc.kind = Activity::Kind::alloc;
  alloc.address = 64;
  alloc.bytes = 256;
  run.profile.activities.push_back(alloc);
  EXPECT_EQ(judged().verdict, Verdict::requirement_failed);
  EXPECT_THAT(judged().next_step, HasSubstr("cudaFree"));
}

TEST_F(JudgeTest, WhereNoCauseIsKnownNoneIsToBeChecked) {
  std::vector<float> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * i % 89 + 1);
  lab::write_npy(folder.path / "right.npy", {100}, values);
  for (std::size_t i = 57; i < values.size(); ++i) values[i] += static_cast<float>(i % 7 + 1) / 3;
  lab::write_npy(folder.path / "got.npy", {100}, values);
  lab.output = Output::array("y");
  lab.parts.resize(2);
  c.verify = Verify::oracle;
  c.parts = {1, 2};
  data.expected = folder.path / "right.npy";
  run.output = folder.path / "got.npy";
  Activity copy;
  copy.kind = Activity::Kind::d2h;
  copy.bytes = values.size() * sizeof(float);
  run.profile.activities.push_back(copy);
  ASSERT_EQ(judged().mismatch->pattern, "tail");
  EXPECT_THAT(judged().next_step, HasSubstr("start from what is said of the wrong elements"));
  EXPECT_THAT(judged().next_step, testing::Not(HasSubstr("that cause")));
}

TEST_F(JudgeTest, ACaseWithoutACheckJudgesItsRequirementsAlone) {
  c.verify = Verify::none;
  c.requirements = {Requirement::freed};
  run.process.out = "Hello 7\n";  // wrong, but not verified in this case
  EXPECT_EQ(judged().verdict, Verdict::requirement_failed);
  EXPECT_THAT(judged().message, HasSubstr("No device memory was allocated"));
  EXPECT_THAT(judged().message, testing::Not(HasSubstr("the output is right")));
  Activity alloc, free;
  alloc.kind = Activity::Kind::alloc;
  free.kind = Activity::Kind::free;
  alloc.address = free.address = 64;
  run.profile.activities.push_back(alloc);
  run.profile.activities.push_back(free);
  EXPECT_EQ(judged().verdict, Verdict::passed);
  run.process.code = 4;
  EXPECT_EQ(judged().verdict, Verdict::todo) << "the run must end well";
}

TEST_F(JudgeTest, RequirementsAloneAreNotGradedWithoutAProfile) {
  c.verify = Verify::none;
  c.requirements = {Requirement::freed};
  run.profile = {};
  context.profile_expected = false;
  EXPECT_EQ(judged().verdict, Verdict::unsupported);
}

TEST_F(JudgeTest, SignalsAreReportedInWords) {
  run.process.end = End::signalled;
  run.process.code = SIGSEGV;
  run.process.err = "the last words\n";
  EXPECT_EQ(judged().verdict, Verdict::crash);
  EXPECT_THAT(judged().message, HasSubstr("segmentation fault"));
  EXPECT_THAT(judged().output_excerpt, HasSubstr("the last words"));
}

TEST_F(JudgeTest, ExitCodesOfTheContract) {
  run.process.code = 2;
  run.process.err = "size must be positive, got -3\n";
  EXPECT_EQ(judged().verdict, Verdict::no_output);
  EXPECT_THAT(judged().message, HasSubstr("size must be positive"));

  run.process.code = 3;
  run.process.err = "\nmatrixmul.cu:12: cudaMemcpy: invalid argument\nmore\n";
  EXPECT_EQ(judged().verdict, Verdict::crash);
  EXPECT_THAT(judged().message, HasSubstr("matrixmul.cu:12: cudaMemcpy: invalid argument."));

  run.cuda_error = {700, "", "", {"a.cu", 3}, "an index out of range."};
  EXPECT_THAT(judged().message, HasSubstr("Likely cause: an index out of range."));

  run.cuda_error = {700,
                    "an illegal memory access",
                    "cudaDeviceSynchronize()",
                    {"a.cu", 3},
                    "thread (8, 0, 0): a read at kernel.cu:40, behind the end of d_N."};
  run.stop = stopped(kit_wire::Reason::access, 700);
  run.stop->place = {"kernel.cu", 40};
  EXPECT_EQ(judged().message,
            "CUDA reported an error at a.cu:3, cudaDeviceSynchronize(): an illegal memory access. "
            "Likely cause: thread (8, 0, 0): a read at kernel.cu:40, behind the end of d_N.");
  EXPECT_EQ(judged().next_step, "look at kernel.cu:40");
  EXPECT_EQ(judged().place.file, "kernel.cu");
  EXPECT_EQ(judged().place.line, 40U);
  run.cuda_error->error = 1;  // the call itself failed
  EXPECT_EQ(judged().next_step, "look at a.cu:3");
  EXPECT_EQ(judged().output_excerpt, run.process.err)
      << "the error is reported above; this is the rest of the output";
  run.process.err.clear();
  EXPECT_EQ(judged().output_excerpt, "");
  run.cuda_error.reset();
  run.stop.reset();

  run.process.code = 4;
  run.todo = {2, {"matrixmul.cu", 30}};
  EXPECT_EQ(judged().verdict, Verdict::todo);
  EXPECT_THAT(judged().message, HasSubstr("part 2 is still to do (matrixmul.cu:30)."));

  run.process.code = 77;
  EXPECT_EQ(judged().verdict, Verdict::crash);
  EXPECT_THAT(judged().message, HasSubstr("77"));
}

TEST_F(JudgeTest, AProgramThatSaysWhatItMissedIsJudgedByItsResultFirst) {
  run.process.code = 5;
  run.process.err = "Ref1 is missed: v1 takes 2.41 times as long as v4, and at most 1.50 are allowed\n";
  EXPECT_EQ(judged().verdict, Verdict::requirement_failed);
  EXPECT_EQ(
      judged().message,
      "the output is right, but: Ref1 is missed: v1 takes 2.41 times as long as v4, and at most 1.50 are "
      "allowed.");
  run.process.out = "Hello 7\n";
  EXPECT_EQ(judged().verdict, Verdict::wrong_answer);
}

TEST_F(JudgeTest, ATimeOutNamesItsLimit) {
  run.process.end = End::time_out;
  EXPECT_EQ(judged().verdict, Verdict::time_out);
  EXPECT_THAT(judged().message, HasSubstr("7 s"));
}

TEST_F(JudgeTest, ATimeOutSaysWhereTheThreadsAre) {
  run.process.end = End::time_out;
  run.stop = stopped(kit_wire::Reason::time_limit, 702);
  run.stop->was_running = true;
  run.stop->place = {"k.cu", 41};
  run.stop->blocks[0].groups = {{7, kit_wire::Doing::block_barrier, 0, {0, 0, 0}, {"k.cu", 45}}};
  EXPECT_EQ(
      judged().message,
      "the program was stopped after 7 s, the limit of this case; kernel product: thread (3, 0, 0) of block "
      "(1, 0, 0) was running at k.cu:41; 7 of 8 threads wait at __syncthreads() at k.cu:45.");
  EXPECT_THAT(judged().next_step, HasSubstr("which loop never ends"));
  EXPECT_EQ(judged().output_excerpt, run.process.out) << "not a second time";
}

TEST_F(JudgeTest, ATimeOutOfAProgramThatPrintsMuchBlamesThePrints) {
  run.process.end = End::time_out;
  run.process.out = std::string(1 << 20, 'x');
  run.process.err =
      "\ncuemu: kernel product was stopped: it ran longer than CUEMU_TIMEOUT allows\n"
      "  this thread was running at k.cu:41\n";
  EXPECT_THAT(judged().message,
              HasSubstr("after 7 s, the limit of this case, and had printed 1 MiB or more"));
  EXPECT_THAT(judged().next_step, HasSubstr("remove the prints, above all those of a kernel"));
  EXPECT_THAT(judged().next_step, testing::Not(HasSubstr("loop")));
}

TEST_F(JudgeTest, ATimeOutOfThreadsThatAllWait) {
  run.process.end = End::time_out;
  run.stop = stopped(kit_wire::Reason::time_limit, 702);
  run.stop->kernel = "spin";
  run.stop->blocks[0].groups = {{8, kit_wire::Doing::computing, 0, {0, 0, 0}, {"k.cu", 41}}};
  EXPECT_THAT(judged().message,
              HasSubstr("; kernel spin: in block (1, 0, 0) 8 of 8 threads compute, or wait in a "
                        "loop for memory to change at k.cu:41."));
}

TEST_F(JudgeTest, AProgramsTextOnAStopIsNoRecord) {
  run.process.err = "cuemu: kernel k was stopped: it ran longer than CUEMU_TIMEOUT allows\n";
  EXPECT_EQ(judged().verdict, Verdict::passed);
  run.process.code = 3;
  run.process.err = "CUDA error at a.cu:3: cudaFree(p)\n  Likely cause: an index.\n";
  EXPECT_EQ(judged().message, "CUDA reported an error: CUDA error at a.cu:3: cudaFree(p).");
}

TEST_F(JudgeTest, AProgramThatChecksItsCallsGetsItsKernelNamed) {
  run.process.code = 3;
  run.process.err = "failed\n";
  run.stop = stopped(kit_wire::Reason::access, 700);
  run.stop->why = "a write at k.cu:41 through a null pointer";
  run.stop->place = {"k.cu", 41};
  EXPECT_EQ(
      judged().message,
      "CUDA reported an error: failed. Likely cause: kernel product, thread (3, 0, 0) of block (1, 0, 0): "
      "a write at k.cu:41 through a null pointer.");
  EXPECT_EQ(judged().next_step, "look at k.cu:41");
  EXPECT_EQ(judged().output_excerpt, "") << "the message quotes it";
  run.process.code = 77;
  EXPECT_THAT(judged().message,
              HasSubstr("exit code 77, which no lab's program uses. Before that the emulation "
                        "stopped a kernel: kernel product, thread (3, 0, 0)"));
}

TEST_F(JudgeTest, EveryOtherEndHasItsVerdict) {
  const std::pair<End, Verdict> ends[] = {{End::memory_limit, Verdict::memory_limit},
                                          {End::output_limit, Verdict::output_limit},
                                          {End::file_limit, Verdict::output_limit},
                                          {End::process_limit, Verdict::process_limit},
                                          {End::not_started, Verdict::grader_fault}};
  for (const auto& [end, verdict] : ends) {
    run.process.end = end;
    EXPECT_EQ(judged().verdict, verdict);
    EXPECT_FALSE(judged().message.empty());
    EXPECT_FALSE(judged().next_step.empty());
  }
}

TEST_F(JudgeTest, AnInterruptedRunIsNoVerdict) {
  run.process.end = End::interrupted;
  EXPECT_THAT([&] { judged(); }, throws_error(ErrorKind::environment, "Interrupted"));
}

TEST_F(JudgeTest, AnArrayThatWasNotWritten) {
  lab.output = Output::array("P");
  c.verify = Verify::oracle;
  EXPECT_EQ(judged().verdict, Verdict::no_output);
  EXPECT_THAT(judged().message, HasSubstr("P"));
}

TEST_F(JudgeTest, TheExcerptIsTheEndOfLongOutput) {
  run.process.end = End::output_limit;
  run.process.out = std::string(100000, 'x') + "\nlast line\n";
  EXPECT_LT(judged().output_excerpt.size(), 5000u);
  EXPECT_THAT(judged().output_excerpt, HasSubstr("last line"));
}

// -- The lab's judge.

TEST_F(JudgeTest, TheLabsJudgeGetsTheFactsAndDecides) {
  Activity& launch = run.profile.activities[0];
  launch.name = "hello";
  launch.grid[0] = 2, launch.grid[1] = launch.grid[2] = 1;
  launch.block[0] = 8, launch.block[1] = launch.block[2] = 1;
  c.args = {"8", "--fast"};
  context.options = " --level 2";
  EXPECT_EQ(judged().verdict, Verdict::passed);
  EXPECT_EQ(asked.lab, "lab0");
  EXPECT_EQ(asked.case_id, "first");
  EXPECT_EQ(asked.options, " --level 2");
  EXPECT_EQ(asked.arguments, c.args);
  EXPECT_EQ(asked.expected, data.expected);
  ASSERT_EQ(asked.launches.size(), 1u);
  EXPECT_EQ(asked.launches[0].kernel, "hello");
  EXPECT_EQ(asked.launches[0].threads(), 16u);
  EXPECT_TRUE(folder.names(".").size() == 1) << "no file is left";

  run.process.out = "Hello 1\n";
  const CaseResult wrong = judged();
  EXPECT_EQ(wrong.verdict, Verdict::wrong_answer);
  EXPECT_EQ(wrong.message, "1 line is missing. A line is missing ?[2J.") << "made printable";
  EXPECT_EQ(wrong.next_step, "print it");
  EXPECT_EQ(wrong.mismatch.value().pattern, "one-line");
  EXPECT_EQ(wrong.mismatch->first.at(0).expected, "Hello 0");
  EXPECT_EQ(words_of_extent(c, *wrong.mismatch), "1 line is missing.");
}

/// Whatever a broken judge does, the kit is at fault, not the student.
TEST_F(JudgeTest, ABrokenJudgeIsTheKitsFault) {
  const auto faults = [&](const std::string& why) {
    EXPECT_THAT([&] { judged(); }, throws_error(ErrorKind::fault, why));
  };
  answer = [](const ProcessRequest&) { return exits(2, "", "usage: oracle\n"); };
  faults("usage: oracle");
  answer = [](const ProcessRequest& request) { return hangs(request.limits.wall_s); };
  faults("The judge of lab0");
  answer = [](const ProcessRequest&) {
    ProcessResult died;
    died.end = End::signalled;
    died.code = SIGSEGV;
    return died;
  };
  faults("died of signal 11 (Segmentation fault) at case first");
  const std::string begin = R"({"kind":"judgement","format":1,)";
  const std::pair<std::string, std::string> lies[] = {
      {"", "says nothing"},
      {"yes\n", "its answer"},
      {"[]", "can't be true"},
      {R"({"kind":"judgement","format":2,"verdict":"passed"})", "format 1"},
      {begin + "\"verdict\":\"crash\",\"says\":\"x\"}", "no verdict \"crash\""},
      {begin + "\"verdict\":\"passed\",\"says\":\"but\"}", "passed, with a reason against it"},
      {begin + "\"verdict\":\"wrong_answer\",\"says\":\"x\"}", "nothing wrong"},
      {begin + "\"verdict\":\"wrong_answer\",\"wrong\":3,\"total\":2,\"first\":[]}", "more wrong elements"},
      {begin + "\"verdict\":\"requirement_failed\"}", "without a reason"},
      {begin + "\"verdict\":\"unsupported\",\"says\":\"x\",\"wrong\":1,\"total\":2}", "that is not wrong"},
      {begin + "\"verdict\":\"wrong_answer\",\"wrong\":1,\"total\":2,\"pattern\":\"A b\"}", "no name"},
      {begin + "\"wants\":{\"measured\":false,\"times\":[]}}", "wants nothing"},
      // This judge calls everything wrong, even the oracle's own output.
      {begin + "\"verdict\":\"wrong_answer\",\"wrong\":1,\"total\":2}", "the oracle's own output wrong"},
  };
  for (const auto& [text, why] : lies) {
    says(text);
    faults(why);
  }
}

/// A judge may quote the program's output, so its answer may have any bytes and any length.
TEST_F(JudgeTest, AQuotedOutputIsNoFaultOfTheJudge) {
  says(R"({"kind":"judgement","format":1,"verdict":"requirement_failed","says":")" +
       std::string("it printed \xff\xc3") + std::string(5000, 'x') + "\"}");
  const CaseResult result = judged();
  EXPECT_EQ(result.verdict, Verdict::requirement_failed);
  EXPECT_THAT(result.message, HasSubstr("it printed ??xxx"));
  EXPECT_LT(result.message.size(), 4100u);
}

TEST_F(JudgeTest, AKilledJudgeIsAskedAgain) {
  int times = 0, kills = 1;
  answer = [&](const ProcessRequest&) {
    ProcessResult killed;
    killed.end = End::signalled;
    killed.code = SIGKILL;
    return ++times <= kills ? killed : exits(0, lab::to_json(as_lines(asked)) + "\n");
  };
  EXPECT_EQ(judged().verdict, Verdict::passed);
  EXPECT_EQ(times, 2);
  times = 0, kills = 2;
  EXPECT_THAT([&] { judged(); }, throws_error(ErrorKind::environment, "killed from outside both times"));
  // Only its end counts, since its standard error may quote the program's output.
  times = 0;
  answer = [&](const ProcessRequest&) {
    ++times;
    return exits(2, "", "Killed signal terminated program\n");
  };
  EXPECT_THAT([&] { judged(); }, throws_error(ErrorKind::fault, "The judge of lab0"));
  EXPECT_EQ(times, 1);
}

TEST_F(JudgeTest, ARequirementCanBeTheLabsJudge) {
  const std::vector<float> right = {1, 2, 3};
  lab::write_npy(folder.path / "y.npy", {3}, right);
  lab.output = Output::array("y");
  c.verify = Verify::oracle;
  c.requirements = {Requirement::judge};
  data.expected = run.output = folder.path / "y.npy";
  says(
      R"({"kind":"judgement","format":1,"verdict":"requirement_failed","says":"It is slow.","next":"tune it"})");
  EXPECT_EQ(judged().verdict, Verdict::requirement_failed);
  EXPECT_EQ(judged().message, "the output is right, but: It is slow.");
  EXPECT_EQ(judged().next_step, "tune it");
  EXPECT_EQ(this->right(), true);
  says(R"({"kind":"judgement","format":1,"verdict":"unsupported","says":"Not here."})");
  EXPECT_EQ(judged().verdict, Verdict::unsupported);
  says(R"({"kind":"judgement","format":1,"verdict":"wrong_answer","wrong":1,"total":3})");
  EXPECT_THAT([&] { judged(); }, throws_error(ErrorKind::fault, "verified in another way"));
  lab::write_npy(folder.path / "z.npy", {3}, std::vector<float>{1, 2, 4});
  run.output = folder.path / "z.npy";
  EXPECT_EQ(judged().verdict, Verdict::wrong_answer) << "the judge is not asked";
}

TEST_F(JudgeTest, AJudgeGetsTheFactsThatItWants) {
  c.verify = Verify::none;
  c.requirements = {Requirement::judge};
  answer = [this](const ProcessRequest&) {
    lab::Judgement judgement = lab::Judgement::failed("slow", "");
    if (!asked.times) judgement.wants.times = {{{"TILE", "8"}}};
    return exits(0, lab::to_json(judgement));
  };
  EXPECT_EQ(judged().verdict, Verdict::passed) << "nothing supplies them";
  context.supply = [](const lab::JudgeWants& wants, lab::JudgeRequest& facts) {
    EXPECT_EQ(wants.times.at(0).at("TILE"), "8");
    facts.times = {2, 1};
    return std::nullopt;
  };
  EXPECT_EQ(judged().message, "slow");
  context.supply = [](const lab::JudgeWants&, lab::JudgeRequest&) {
    CaseResult wrong;
    wrong.verdict = Verdict::wrong_answer;
    wrong.message = "wrong where it is timed";
    return wrong;
  };
  EXPECT_EQ(judged().verdict, Verdict::wrong_answer);
  context.supply = [](const lab::JudgeWants&, lab::JudgeRequest&) { return std::nullopt; };
  EXPECT_EQ(judged().verdict, Verdict::passed) << "they can't be supplied";
  lab::JudgeWants again;
  again.measured = true;
  says(lab::to_json(lab::Judgement::wanting(again)));
  context.supply = [](const lab::JudgeWants&, lab::JudgeRequest& facts) {
    facts.measured.emplace();
    return std::nullopt;
  };
  EXPECT_THAT([&] { judged(); }, throws_error(ErrorKind::fault, "wants facts that it was given"));
}

}  // namespace
}  // namespace grader
