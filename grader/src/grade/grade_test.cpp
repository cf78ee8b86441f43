// Tests whole gradings with a fake compiler, program and GPU.
#include "grade/grade.hpp"

#include "base/files.hpp"
#include "catalog/test_kit.hpp"
#include "lab/judge.hpp"
#include "lab/npy.hpp"
#include "process/fake_machine.hpp"
#include "wire/seal.hpp"

#include <set>

namespace grader {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Player = std::function<ProcessResult(const ProcessRequest&)>;

/// The word after an option; empty if the option is missing.
std::string value_of(const ProcessRequest& request, const std::string& option) {
  const auto found = std::find(request.argv.begin(), request.argv.end(), option);
  return found == request.argv.end() || found + 1 == request.argv.end() ? "" : *(found + 1);
}

bool has(const ProcessRequest& request, const std::string& word) {
  return std::find(request.argv.begin(), request.argv.end(), word) != request.argv.end();
}

constexpr const char* whole_profile =
    "{\"kind\":\"header\",\"source\":\"emulation\",\"device\":\"emulated\"}\n"
    "{\"kind\":\"kernel\",\"name\":\"twice\",\"start_ns\":0,\"duration_ns\":5000}\n"
    "{\"kind\":\"end\"}\n";

/// A lab with the result y = 2 x, and a machine on which everything succeeds.
class GradeTest : public testing::Test {
 protected:
  GradeTest() {
    kit.write("prefix/bin/emucc", "");  // not a program: starting it would fail
    kit.write("prefix/bin/c++", "");
    kit.write("common/lab/include/lab/npy.hpp", "");
    kit.write("labs/lab1.1-scale/oracle/oracle.cpp", "");
    toolchain.emucc = kit.path / "prefix/bin/emucc";
    toolchain.host_compiler = kit.path / "prefix/bin/c++";
    toolchain.include_folder = kit.path / "common/lab/include";

    lab = kit.lab();
    lab.inputs = {"x"};
    lab.output = Output::array("y");
    lab.parts = {{1, "Kernel", 4, {}, {}}, {2, "Launch", 2, {}, {}}};
    lab.cases.clear();
    for (const char* id : {"n4", "n8", "n16"}) {
      Case c;
      c.id = id;
      c.args = {std::string(id).substr(1)};
      lab.cases.push_back(c);
    }
    submission.lab = &lab;
    submission.files = {{"scale.cu", "int main() {}\n"}};

    emucc = [this](const ProcessRequest& request) { return takes(2, compiles(request)); };
    cpp = compiles;
    oracle = [](const ProcessRequest& request) {
      const fs::path folder = value_of(request, "--dir");
      std::vector<float> values(std::stoul(request.argv.back()));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
      if (request.argv[1] == "expect")
        for (float& value : values) value *= 2;
      lab::write_npy(folder / (request.argv[1] == "expect" ? "y.npy" : "x.npy"), {values.size()},
                     values.data());
      return exits(0);
    };
    program = [this](const ProcessRequest& request) { return runs_well(request); };
    fake.commands.play = [this](const ProcessRequest& request) {
      if (has(request, "--make-headers")) return exits(0);
      if (request.argv[0] == toolchain.emucc) return emucc(request);
      if (request.argv[0] == toolchain.host_compiler) return cpp(request);
      if (has(request, "--facts"))
        return exits(0, lab::to_json(judge_of_lab(lab::read_facts(read_file(request.argv[3], 1 << 20)))));
      return has(request, "inputs") || has(request, "expect") ? oracle(request) : program(request);
    };
  }

  static ProcessResult compiles(const ProcessRequest& request) {
    const fs::path made = value_of(request, "-o");
    std::ofstream(made.is_absolute() ? made : request.cwd / made) << "made by " << request.argv[0];
    const std::string rule = value_of(request, "-MF");
    if (!rule.empty()) std::ofstream(request.cwd / rule) << "scale.o: scale.cu\n";
    return exits(0);
  }

  /// A student's program whose kernel multiplies by `factor`.
  ProcessResult runs_well(const ProcessRequest& request, float factor = 2) {
    auto x = lab::read_npy<float>(value_of(request, "--input"));
    for (float& value : x.data) value *= factor;
    lab::write_npy(value_of(request, "--output"), x.shape, x.data.data());
    return takes(0.5, tells(request, whole_profile + reported));
  }

  /// A run under the checker that searches for mistakes.
  static bool is_look(const ProcessRequest& request) {
    return request.hello.find("CUEMU_CHECK=") != std::string::npos && !is_story(request);
  }
  /// A run under the checker that records how an element got its value.
  static bool is_story(const ProcessRequest& request) {
    return request.hello.find("record=") != std::string::npos;
  }
  static std::string report_of(const std::string& kind, std::string report) {
    std::replace(report.begin(), report.end(), '\n', ' ');
    return "{\"kind\":\"" + kind + "\",\"report\":" + report + "}\n";
  }
  /// A successful run that sent these lines to the grader, as the emulation does.
  static ProcessResult tells(const ProcessRequest& request, const std::string& lines) {
    const std::string key = request.hello.substr(std::string("key=").size(), kit_wire::seal_key_digits);
    ProcessResult result = exits(0);
    std::istringstream in(lines);
    std::uint64_t number = 0;
    for (std::string line; std::getline(in, line); ++number)
      result.channel += kit_wire::seal_of(key, number, line) + " " + line + "\n";
    return result;
  }

  ProcessResult takes(double seconds, ProcessResult result) {
    fake.clocks.seconds = fake.clocks.seconds + seconds;
    result.wall_s = seconds;
    return result;
  }

  GradeContext context() { return {kit.kit, toolchain, submission, Backend::emu, {}, fake.machine}; }
  Grading graded() { return grade(context()); }

  static std::vector<Verdict> verdicts(const Grading& grading) {
    std::vector<Verdict> all;
    for (const CaseResult& c : grading.cases) all.push_back(c.verdict);
    return all;
  }
  std::size_t times_run(const std::string& argument) const {
    return static_cast<std::size_t>(std::count_if(
        fake.commands.asked.begin(), fake.commands.asked.end(), [&](const ProcessRequest& request) {
          return request.argv.size() > 1 && request.argv[1] == argument;
        }));
  }
  /// The files that a grading left in its folder for temporary files.
  std::vector<std::string> left_over() const {
    return fs::exists(kit.path / ".grader/work") ? kit.names(".grader/work") : std::vector<std::string>();
  }

  TestKit kit;
  Toolchain toolchain;
  Lab lab;
  Submission submission;
  FakeMachine fake;
  Player emucc, cpp, oracle, program;
  std::function<lab::Judgement(const lab::JudgeRequest&)> judge_of_lab;
  std::string reported;  ///< reports of the tools that are linked with the program, besides its profile
};

TEST_F(GradeTest, ARightProgramHasAllPoints) {
  const Grading grading = graded();
  EXPECT_EQ(grading.verdict, Verdict::passed);
  EXPECT_EQ(grading.points, 6);
  EXPECT_EQ(grading.max_points, 6);
  EXPECT_THAT(verdicts(grading), ElementsAre(Verdict::passed, Verdict::passed, Verdict::passed));
  EXPECT_EQ(grading.started_at, "2030-01-02T03:04:05Z");
  EXPECT_DOUBLE_EQ(grading.cases[0].times.at({Measure::Kind::kernel}), 5e-6);
  EXPECT_THAT(left_over(), IsEmpty());
}

TEST_F(GradeTest, AWrongResultIsShownAndLosesItsPoints) {
  program = [this](const ProcessRequest& request) { return runs_well(request, 3); };
  const Grading grading = graded();
  EXPECT_EQ(grading.verdict, Verdict::wrong_answer);
  EXPECT_EQ(grading.points, 0);
  EXPECT_EQ(grading.max_points, 6);
  ASSERT_TRUE(grading.cases[0].mismatch);
  EXPECT_EQ(grading.cases[0].mismatch->wrong, 4u);
  EXPECT_EQ(exit_code(grading), 1);
}

TEST_F(GradeTest, DetailsForAfterTheDueDateAreKept) {
  lab.cases[1].visibility = Visibility::after_due_date;
  program = [](const ProcessRequest&) { return exits(99); };
  EXPECT_EQ(graded().cases.at(1).message, "");
  submission.origin = Origin::folder;
  EXPECT_NE(graded().cases.at(1).message, "");
}

TEST_F(GradeTest, OfAHiddenCaseOnlyTheVerdictIsShown) {
  program = [this](const ProcessRequest& request) { return runs_well(request, 3); };
  lab.cases[1].visibility = Visibility::hidden;
  EXPECT_THAT(graded().cases[1].message, IsEmpty());
  EXPECT_FALSE(graded().cases[1].mismatch);
  program = [](const ProcessRequest&) { return exits(99, "its secret size is 7\n"); };
  const Grading ended = graded();
  EXPECT_TRUE(ended.cases[0].ended);
  EXPECT_FALSE(ended.cases[1].ended) << "the facts of its end are details, too";
  program = [this](const ProcessRequest& request) { return runs_well(request, 3); };
  submission.origin = Origin::solution;
  EXPECT_TRUE(graded().cases[1].mismatch);
}

TEST_F(GradeTest, AProgramThatComesToABlankStopsTheCasesOfThatPart) {
  submission.todo = {{1, "scale.cu", 3}};
  lab.cases[2].parts = {2};
  program = [](const ProcessRequest&) { return exits(4, "", "part 1 is still to do\n"); };
  const Grading grading = graded();
  EXPECT_EQ(grading.verdict, Verdict::todo);
  EXPECT_EQ(times_run("4"), 1u);
  EXPECT_EQ(times_run("8"), 0u);
  EXPECT_EQ(times_run("16"), 1u) << "it proves another part";
}

TEST_F(GradeTest, AKernelThatDoesOtherWorkIsFoundByItsCounts) {
  lab.cases[0].counts = {{"global_loads", {}, {}, 100, "Each thread loads all."}};
  lab.cases[1].counts = {{"launches", {}, 2, {}, "One launch is not enough."}};
  program = [this](const ProcessRequest& request) {
    reported = report_of(
        "counters", R"({"kernels": [{"name": "k", "launches": [{"counters": {"global_loads": 4000}}]}]})");
    return runs_well(request);
  };
  const Grading grading = graded();
  EXPECT_THAT(verdicts(grading),
              ElementsAre(Verdict::requirement_failed, Verdict::requirement_failed, Verdict::passed));
  EXPECT_EQ(
      grading.cases[0].message,
      "the output is right, but: Each thread loads all. (global loads: 4000; at most 100 are expected.)");
  EXPECT_THAT(grading.cases[0].next_step, HasSubstr("grader profile lab1.1 --case n4"));
  EXPECT_THAT(grading.cases[1].message, HasSubstr("launches: 1; at least 2"));
}

TEST_F(GradeTest, AHeaderThatTheLabDoesNotAllowIsReportedAndNothingRuns) {
  submission.files[0].text = "#include <thrust/reduce.h>\nint main() {}\n";
  Grading grading = graded();
  EXPECT_EQ(grading.verdict, Verdict::requirement_failed);
  EXPECT_EQ(grading.points, 0);
  EXPECT_THAT(grading.cases[0].message, HasSubstr("scale.cu:1 includes <thrust/reduce.h>"));
  EXPECT_EQ(times_run("4"), 0u);
  lab.allowed = {"thrust/reduce.h"};
  EXPECT_EQ(graded().verdict, Verdict::passed);
}

TEST_F(GradeTest, ACaseWithMacrosHasAProgramOfItsOwn) {
  lab.cases[1].macros = {{"BLOCK_SIZE", "8"}};
  submission.files[0].text = "int main() { return BLOCK_SIZE; }\n";
  const Player good = emucc;
  emucc = [good](const ProcessRequest& request) {
    return has(request, "-DBLOCK_SIZE=8") ? exits(1, "", "scale.cu:1: error: 8 is too small\n")
                                          : good(request);
  };
  const Grading grading = graded();
  EXPECT_THAT(verdicts(grading), ElementsAre(Verdict::passed, Verdict::compile_error, Verdict::passed));
  EXPECT_THAT(grading.cases[1].message, HasSubstr("-DBLOCK_SIZE=8"));
  EXPECT_THAT(grading.diagnostics, HasSubstr("too small"));
}

TEST_F(GradeTest, ALevelRequiresItsOwnPartsUnlessACaseIsNamed) {
  lab.parts[1].levels = {2};
  lab.cases[1].parts = {2};
  EXPECT_EQ(graded().cases.size(), 2u);
  lab.cases = {lab.cases[1]};  // grader LAB --case n8
  EXPECT_EQ(graded().verdict, Verdict::passed);
}

TEST_F(GradeTest, ALabWithoutCasesIsNoErrorOfItsSource) {
  lab.cases.clear();
  EXPECT_EQ(graded().verdict, Verdict::unsupported);
  emucc = [](const ProcessRequest&) { return exits(1, "", "scale.cu:1: error: what?\n"); };
  EXPECT_EQ(graded().verdict, Verdict::unsupported) << "the program is in the cache";
  submission.files[0].text = "what?";
  EXPECT_EQ(graded().verdict, Verdict::compile_error);
}

// -- Compilers --------------------------------------------------------------------------------------------------------

TEST_F(GradeTest, ACompilerThatHangsOnTheStudentsSourceIsStoppedAndSaysSo) {
  emucc = [this](const ProcessRequest& request) {
    EXPECT_LE(request.limits.wall_s, 120);
    return takes(request.limits.wall_s, hangs(request.limits.wall_s));
  };
  const Grading grading = graded();
  EXPECT_EQ(grading.verdict, Verdict::compile_error);
  EXPECT_THAT(grading.diagnostics, HasSubstr("did not end within 120 s"));
  EXPECT_EQ(grading.points, 0);
  EXPECT_EQ(grading.max_points, 6);
  EXPECT_GE(grading.build_s, 120);
  EXPECT_EQ(times_run("4"), 0u);
}

TEST_F(GradeTest, ACompilerThatHangsOnTheOracleIsNotTheStudentsLoss) {
  cpp = [](const ProcessRequest& request) { return hangs(request.limits.wall_s); };
  const Grading grading = graded();
  EXPECT_EQ(grading.verdict, Verdict::grader_fault);
  EXPECT_THAT(grading.cases[0].message,
              AllOf(HasSubstr("oracle of lab1.1"), HasSubstr("did not end within 120 s")));
  EXPECT_THAT(grading.cases[0].next_step, HasSubstr("costs you nothing"));
  EXPECT_EQ(exit_code(grading), 4);
}

TEST_F(GradeTest, ACompilerThatIsMissingIsTheMachinesLack) {
  const Player good = emucc;
  emucc = [](const ProcessRequest&) { return is_missing("there is no file emucc"); };
  EXPECT_THAT([&] { graded(); }, throws_error(ErrorKind::environment, "could not be started"));
  emucc = good;
  kit.write("labs/lab1.1-scale/oracle/oracle.cpp", "// another one");
  cpp = [](const ProcessRequest&) { return is_missing("there is no file c++"); };
  EXPECT_THAT([&] { graded(); }, throws_error(ErrorKind::environment, "grader doctor"));
  EXPECT_THAT(left_over(), IsEmpty());
}

// -- A full disk ------------------------------------------------------------------------------------------------------

TEST_F(GradeTest, ADiskThatIsFullBeforeTheDataCostsNoPoints) {
  GradeContext filling = context();
  filling.progress = [this](const std::string& step, int, int) { fake.files.full = step == "case n4"; };
  EXPECT_THAT([&] { grade(filling); }, throws_error(ErrorKind::environment, "free some disk space"));
  EXPECT_EQ(times_run("4"), 0u);
  EXPECT_THAT(left_over(), IsEmpty());
}

TEST_F(GradeTest, ADiskThatFillsWhileTheOracleWritesLeavesNothingHalfWritten) {
  oracle = [](const ProcessRequest& request) {
    std::ofstream(fs::path(value_of(request, "--dir")) / "x.npy") << "\x93NUMPY";
    return exits(1, "", "x.npy: No space left on device\n");
  };
  EXPECT_THAT([&] { graded(); },
              throws_error(ErrorKind::environment, "The disk is full: the data of case n4"));
  EXPECT_THAT(left_over(), IsEmpty());
  EXPECT_EQ(times_run("4"), 0u);
}

TEST_F(GradeTest, AProgramThatCouldNotWriteIsNotBlamed) {
  program = [this](const ProcessRequest&) {
    fake.files.full = true;
    return exits(0);  // a program that ignores the failure of its write
  };
  EXPECT_THAT([&] { graded(); }, throws_error(ErrorKind::environment, "The disk is full"));
  fake.files.full = false;
  fake.files.almost_full = true;
  program = [](const ProcessRequest&) { return exits(2, "", "y.npy: No space left on device\n"); };
  EXPECT_THAT([&] { graded(); }, throws_error(ErrorKind::environment, "The disk is full"));
  EXPECT_THAT(left_over(), IsEmpty());
}

// An Error would stop the grading of a whole class.
TEST_F(GradeTest, AProgramThatOnlyClaimsAFullDiskStopsNoClass) {
  program = [](const ProcessRequest&) { return exits(1, "", "y.npy: No space left on device\n"); };
  EXPECT_EQ(graded().verdict, Verdict::no_output);
}

TEST_F(GradeTest, WhoseCompilerOnlySaysItDoesNotCompile) {
  emucc = [](const ProcessRequest&) { return exits(1, "", "#error No space left on device\n"); };
  EXPECT_EQ(graded().verdict, Verdict::compile_error);
}

TEST_F(GradeTest, ACompilerThatCouldNotWriteIsNotTheStudentsError) {
  fake.files.almost_full = true;
  emucc = [](const ProcessRequest&) { return exits(1, "", "scale.s: No space left on device\n"); };
  EXPECT_THAT([&] { graded(); }, throws_error(ErrorKind::environment, "The disk is full"));
  EXPECT_THAT(kit.names(".grader/cache/objects"), IsEmpty());
}

// -- A clock that jumps -----------------------------------------------------------------------------------------------

TEST_F(GradeTest, ATimeOfDayThatJumpsChangesNoDurationAndNoLimit) {
  const std::vector<std::string> jumps = {"2031-01-01T00:00:00Z", "1970-01-01T00:00:00Z",
                                          "2030-01-02T03:04:06Z"};
  std::size_t jump = 0;
  std::vector<double> limits;
  program = [&](const ProcessRequest& request) {
    fake.clocks.time_of_day = jumps[jump++];
    limits.push_back(request.limits.wall_s);
    return runs_well(request);
  };
  const Grading grading = graded();
  EXPECT_EQ(jump, 3u);
  EXPECT_GE(limits[0], lab.cases[0].timeout_emu);
  EXPECT_THAT(limits, testing::Each(limits[0]));
  EXPECT_EQ(grading.verdict, Verdict::passed);
  EXPECT_EQ(grading.started_at, "2030-01-02T03:04:05Z");
  EXPECT_DOUBLE_EQ(grading.build_s, 4) << "a source and a link";
  EXPECT_DOUBLE_EQ(grading.run_s, 1.5);
  EXPECT_DOUBLE_EQ(grading.total_s, 5.5);
}

TEST_F(GradeTest, NoDurationIsNegativeEvenWhenTheSteadyClockGoesBack) {
  program = [&](const ProcessRequest& request) {
    ProcessResult done = runs_well(request);
    fake.clocks.seconds = -1e6;
    return done;
  };
  const Grading grading = graded();
  EXPECT_EQ(grading.verdict, Verdict::passed);
  EXPECT_EQ(grading.total_s, 0);
  EXPECT_GE(grading.build_s, 0);
}

// -- Programs that don't end ------------------------------------------------------------------------------------------

TEST_F(GradeTest, TwoTimeOutsStopTheRest) {
  program = [this](const ProcessRequest& request) {
    return takes(request.limits.wall_s, hangs(request.limits.wall_s));
  };
  const Grading grading = graded();
  EXPECT_THAT(verdicts(grading), ElementsAre(Verdict::time_out, Verdict::time_out, Verdict::time_out));
  EXPECT_EQ(times_run("8"), 1u);
  EXPECT_EQ(times_run("16"), 0u);
  EXPECT_THAT(grading.cases[2].message, HasSubstr("2 cases ran out of time"));
}

TEST_F(GradeTest, CtrlCBetweenTwoCasesEndsTheGradingAndKeepsNothing) {
  program = [this](const ProcessRequest& request) {
    ProcessResult done = runs_well(request);
    fake.commands.ctrl_c = true;  // the program had ended
    return done;
  };
  EXPECT_THAT([&] { graded(); }, throws_error(ErrorKind::environment, "Interrupted"));
  EXPECT_EQ(times_run("8"), 0u);
  EXPECT_THAT(left_over(), IsEmpty());
}

// -- A kit that is broken ---------------------------------------------------------------------------------------------

TEST_F(GradeTest, AnOracleThatFailsAtOneCaseSaysNothingOfThatCase) {
  const Player good = oracle;
  oracle = [good](const ProcessRequest& request) {
    return request.argv.back() == "8" ? exits(2, "", "no such size\n") : good(request);
  };
  const Grading grading = graded();
  EXPECT_THAT(verdicts(grading), ElementsAre(Verdict::passed, Verdict::grader_fault, Verdict::passed));
  EXPECT_THAT(grading.cases[1].message, HasSubstr("no such size"));
  EXPECT_EQ(times_run("8"), 0u);
  EXPECT_FALSE(is_graded(grading));
  EXPECT_EQ(exit_code(grading), 4);
  oracle = good;
  EXPECT_EQ(graded().points, 6) << "graded anew when it is mended";
}

TEST_F(GradeTest, ABrokenOracleHidesNoWrongAnswerAndGivesNoPoints) {
  const Player good = oracle;
  oracle = [good](const ProcessRequest& request) {
    return request.argv.back() == "8" ? exits(2) : good(request);
  };
  program = [this](const ProcessRequest& request) { return runs_well(request, 3); };
  const Grading grading = graded();
  EXPECT_EQ(grading.verdict, Verdict::wrong_answer);
  EXPECT_EQ(grading.points, 0);
  EXPECT_EQ(grading.max_points, 0);
  EXPECT_EQ(exit_code(grading), 1);
}

TEST_F(GradeTest, GoldThatIsDamagedIsNoGrade) {
  lab.cases[1].verify = Verify::gold;
  lab.cases[1].seed = 1;
  const Grading grading = graded();
  EXPECT_THAT(verdicts(grading), ElementsAre(Verdict::passed, Verdict::grader_fault, Verdict::passed));
  EXPECT_THAT(grading.cases[1].message, HasSubstr("manifest.toml is missing"));
  EXPECT_THAT(grading.cases[1].next_step, AllOf(HasSubstr("costs you nothing"), HasSubstr("git checkout")));
}

// -- grader check -----------------------------------------------------------------------------------------------------

TEST_F(GradeTest, ACheckRunsTheCheckersProgramAndGivesNoPoints) {
  lab.cases[0].checked = std::vector<std::string>{"2"};
  program = [this](const ProcessRequest& request) {
    EXPECT_EQ(request.argv[1], "2");
    reported = report_of("findings", R"({"version": 1, "findings": []})");
    return runs_well(request);
  };
  const Grading grading = check(context());
  EXPECT_TRUE(grading.check);
  EXPECT_EQ(grading.verdict, Verdict::passed);
  EXPECT_THAT(verdicts(grading), ElementsAre(Verdict::passed)) << "the lab names one case";
  EXPECT_EQ(grading.max_points, 0);
  EXPECT_TRUE(
      std::any_of(fake.commands.asked.begin(), fake.commands.asked.end(), [&](const ProcessRequest& request) {
        return request.argv[0] == toolchain.emucc && has(request, "--check");
      }));
}

constexpr const char* no_findings = R"({"version": 1, "findings": []})";
/// The checker's report on a program with one mistake.
constexpr const char* one_race =
    R"({"version": 1, "findings": [{"rule": "race", "group": "races", "error": true,
  "headline": "two threads touch y[0]", "parties": [], "hint": "a barrier", "count": 1, "blocks": 1}]})";

TEST_F(GradeTest, TheCheckersFindingIsTheVerdict) {
  lab.cases[0].checked = lab.cases[0].args;
  program = [this](const ProcessRequest& request) {
    reported = report_of("findings", one_race);
    return runs_well(request);
  };
  EXPECT_EQ(check(context()).verdict, Verdict::finding);
  const Grading grading = graded();
  EXPECT_EQ(grading.cases[0].verdict, Verdict::finding) << "its right result is luck";
  EXPECT_TRUE(grading.cases[0].times.empty()) << "and what is wrong has no time";
  EXPECT_THAT(grading.cases[0].message, AllOf(HasSubstr("the output is right"), HasSubstr("two threads")));
  EXPECT_EQ(grading.cases[1].verdict, Verdict::passed) << "nobody knows at which size it can be checked";

  lab.cases[0].unchecked = "its race is the lesson of the next lab";
  EXPECT_EQ(graded().verdict, Verdict::passed);
}

/// The same report with other sentences.
constexpr const char* other_words =
    R"({"version": 1, "findings": [{"rule": "race", "group": "races", "error": true,
  "headline": "other words", "parties": [], "hint": "other words", "count": 1, "blocks": 1}]})";

TEST_F(GradeTest, NoVerdictDependsOnTheCheckersSentences) {
  lab.cases[0].checked = lab.cases[0].args;
  for (const float factor : {2.f, 3.f}) {  // with a right result, and with a wrong one
    std::string report = one_race;
    program = [&](const ProcessRequest& request) {
      reported = report_of("findings", report);
      return runs_well(request, factor);
    };
    const Grading one = graded();
    report = other_words;
    const Grading other = graded();
    EXPECT_EQ(verdicts(other), verdicts(one));
    EXPECT_EQ(other.cases[0].cause, one.cases[0].cause);
    EXPECT_THAT(other.cases[0].message, HasSubstr("other words")) << "they are shown";
    EXPECT_EQ(check(context()).verdict, Verdict::finding);
  }
}

TEST_F(GradeTest, LooksAtTheSameTimeSayWhatTheySayInTurn) {
  lab.cases[0].checked = {{"4"}};
  lab.cases[1].checked = {{"8"}};
  lab.cases[2].checked = {{"5"}};
  program = [this](const ProcessRequest& request) {
    const std::string& size = request.argv[1];
    reported = report_of("findings", size == "8" ? one_race : no_findings);
    return size == "5" ? exits(99) : runs_well(request);
  };
  GradeContext in_turn = context(), together = context();
  together.looks_at_once = 3;
  const auto all = ElementsAre(Verdict::passed, Verdict::finding, Verdict::crash);
  EXPECT_THAT(verdicts(check(in_turn)), all);
  EXPECT_THAT(verdicts(check(together)), all);
  EXPECT_THAT(verdicts(grade(in_turn)), all);
  EXPECT_THAT(verdicts(grade(together)), all);
  EXPECT_EQ(times_run("5"), 4u);
  EXPECT_THAT(left_over(), IsEmpty());
}

TEST_F(GradeTest, ALookThatTheKitCantMakeIsTheFaultOfItsCase) {
  for (Case& c : lab.cases) c.checked = c.args;
  const Player good = oracle;
  oracle = [good](const ProcessRequest& request) {
    return request.argv.back() == "8" ? exits(1, "", "what?\n") : good(request);
  };
  reported = report_of("findings", no_findings);
  GradeContext together = context();
  together.looks_at_once = 2;
  EXPECT_THAT(verdicts(check(together)),
              ElementsAre(Verdict::passed, Verdict::grader_fault, Verdict::passed));
}

TEST_F(GradeTest, CtrlCWhileSeveralAreLookedAtKeepsNothing) {
  for (Case& c : lab.cases) c.checked = c.args;
  program = [this](const ProcessRequest& request) {
    fake.commands.ctrl_c = true;
    return runs_well(request);
  };
  GradeContext together = context();
  together.looks_at_once = 3;
  EXPECT_THAT([&] { check(together); }, throws_error(ErrorKind::environment, "Interrupted"));
  EXPECT_THAT(left_over(), IsEmpty());
}

TEST_F(GradeTest, TheCheckerRunsOnceForOneProgramWithItsArguments) {
  for (Case& c : lab.cases) c.checked = {{"5"}};
  int checked = 0;
  program = [&](const ProcessRequest& request) {
    checked += is_look(request) ? 1 : 0;
    reported = report_of("findings", one_race);
    return runs_well(request);
  };
  EXPECT_THAT(verdicts(graded()), ElementsAre(Verdict::finding, Verdict::finding, Verdict::finding));
  EXPECT_EQ(checked, 1);
}

TEST_F(GradeTest, AProgramThatTheCheckerCantCompileIsTriedOnceAndDoesNotPass) {
  for (Case& c : lab.cases) c.checked = {{c.id}};
  const Player good = emucc;
  int refused = 0;
  emucc = [&](const ProcessRequest& request) {
    if (!has(request, "--check")) return good(request);
    ++refused;
    return exits(1, "", "note: first words\nscale.cu:7: error: what is asm?\n");
  };
  const Grading grading = graded();
  EXPECT_EQ(grading.verdict, Verdict::requirement_failed);
  EXPECT_EQ(grading.points, 0);
  EXPECT_LE(refused, 2) << "by all programs at once, and when the first case asks";
  for (const CaseResult& one : grading.cases) {
    EXPECT_EQ(one.verdict, Verdict::requirement_failed);
    EXPECT_THAT(one.message, AllOf(HasSubstr("can't be checked"), HasSubstr("what is asm?")));
    EXPECT_THAT(one.next_step, HasSubstr("grader check lab1.1"));
  }
}

TEST_F(GradeTest, AProgramWhoseKernelsCantBeCountedDoesNotPass) {
  lab.cases[0].counts = {{"global_loads", {}, {}, 100, "Each thread loads all."}};
  const Player good = emucc;
  emucc = [&](const ProcessRequest& request) {
    return has(request, "--counters") ? exits(1, "", "scale.cu:7: error: what is asm?\n") : good(request);
  };
  Grading grading = graded();
  EXPECT_EQ(grading.cases[0].verdict, Verdict::requirement_failed);
  EXPECT_THAT(grading.cases[0].message, AllOf(HasSubstr("can't be counted"), HasSubstr("what is asm?")));
  emucc = good;
  grading = graded();  // no report of the checker is kept
  EXPECT_EQ(grading.cases[0].verdict, Verdict::requirement_failed);
  EXPECT_THAT(grading.cases[0].message, HasSubstr("The counters left no report"));
}

TEST_F(GradeTest, TheResultOfARunThatIsCountedIsJudgedToo) {
  lab.cases[0].counts = {{"global_loads", {}, {}, 100, "Each thread loads all."}};
  reported = report_of("counters",
                       R"({"kernels": [{"name": "k", "launches": [{"counters": {"global_loads": 4}}]}]})");
  EXPECT_EQ(graded().cases[0].verdict, Verdict::passed);
  int runs = 0;
  program = [&](const ProcessRequest& request) {
    return runs_well(request, request.argv[1] == "4" && ++runs == 2 ? 3 : 2);
  };
  const Grading grading = graded();
  EXPECT_EQ(grading.cases[0].verdict, Verdict::wrong_answer);
  EXPECT_THAT(grading.cases[0].message, HasSubstr("in which what the kernels do is counted"));
}

TEST_F(GradeTest, TheCheckerSaysOnceWhyAResultIsWrong) {
  for (Case& c : lab.cases) c.checked = c.args;
  int checked = 0;
  program = [&](const ProcessRequest& request) {
    checked += is_look(request) ? 1 : 0;
    reported = report_of("findings", one_race);
    return runs_well(request, 3);
  };
  const Grading grading = graded();
  EXPECT_EQ(grading.verdict, Verdict::wrong_answer);
  EXPECT_EQ(checked, 1);
  const CaseResult& first = grading.cases[0];
  EXPECT_THAT(first.message,
              StartsWith("4 of 4 elements are wrong. The checker found why: race: two threads touch y[0]. "));
  EXPECT_THAT(first.message, EndsWith(first.mismatch->explanation));
  EXPECT_EQ(first.next_step, "a barrier");
  EXPECT_EQ(first.findings.size(), 1u);
  EXPECT_EQ(first.mismatch->pattern, "scaled");
  EXPECT_THAT(grading.cases[1].message, HasSubstr("times"));
}

/// The checker's report on a program with a race between two lanes of a warp. The program is right only in lockstep.
constexpr const char* race_between_lanes =
    R"({"version": 1, "findings": [{"rule": "race", "error": true, "between": "warp", "within": "block",
  "headline": "two threads of a warp touch y[0]", "parties": [], "hint": "a barrier of the block"}]})";

TEST_F(GradeTest, AResultThatIsRightOnlyInLockstepIsReportedSo) {
  for (Case& c : lab.cases) c.checked = c.args;
  std::string report = race_between_lanes;
  float factor_in_step = 2;
  int built = 0, run = 0;  // counts of builds and runs in lockstep
  const Player usual = emucc;
  emucc = [&](const ProcessRequest& request) {
    if (!has(request, "--lockstep")) return usual(request);
    ++built;
    const fs::path made = value_of(request, "-o");
    std::ofstream(made.is_absolute() ? made : request.cwd / made) << "in step";
    return exits(0);
  };
  program = [&](const ProcessRequest& request) {
    std::ifstream file(request.argv[0]);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const bool in_step = text == "in step";
    run += in_step ? 1 : 0;
    reported = report_of("findings", report);
    return runs_well(request, in_step ? factor_in_step : 3);
  };
  const Grading relies = graded();
  EXPECT_THAT(verdicts(relies),
              ElementsAre(Verdict::wrong_answer, Verdict::wrong_answer, Verdict::wrong_answer));
  EXPECT_EQ(relies.points, 0);
  EXPECT_EQ(run, 1) << "once for all cases";
  EXPECT_THAT(
      relies.cases[0].message,
      StartsWith("4 of 4 elements are wrong. The checker found why: race: two threads of a warp touch y[0]. "
                 "With the lanes of each warp in step (emucc --lockstep) the result is right: the code "
                 "relies on that, which "
                 "CUDA does not promise."));
  EXPECT_EQ(relies.cases[0].next_step, "a barrier of the block");

  factor_in_step = 3;  // the program has another mistake, too
  run = 0;
  submission.files = {{"scale.cu", "int main() { return 1; }\n"}};
  const Grading wrong_anyway = graded();
  EXPECT_EQ(run, 1);
  EXPECT_THAT(wrong_anyway.cases[0].message,
              AllOf(HasSubstr("The checker found why: race"), testing::Not(HasSubstr("step"))));

  report = one_race;
  built = run = 0;
  submission.files = {{"scale.cu", "int main() { return 2; }\n"}};
  EXPECT_THAT(graded().cases[0].message, testing::Not(HasSubstr("step")));
  EXPECT_EQ(built + run, 0) << "nothing is tried where no race is between lanes of a warp";
}

TEST_F(GradeTest, TheCheckerRunsOnTheNextFailedCaseIfTheFirstOneShowsNothing) {
  for (Case& c : lab.cases) c.checked = c.args;
  int checked = 0;
  program = [&](const ProcessRequest& request) {
    reported.clear();
    if (is_look(request)) reported = report_of("findings", ++checked == 2 ? one_race : no_findings);
    return runs_well(request, 3);
  };
  const Grading grading = graded();
  EXPECT_EQ(checked, 2) << "and of no further one";
  EXPECT_THAT(grading.cases[0].message, testing::Not(HasSubstr("The checker")));
  EXPECT_THAT(grading.cases[1].message, HasSubstr("The checker found why: race"));
}

TEST_F(GradeTest, AnElementIsNamedIfItsHistoryIsRecorded) {
  for (Case& c : lab.cases) c.checked = c.args;
  std::string array = "d_y";
  program = [&](const ProcessRequest& request) {
    reported = report_of("findings", no_findings);
    if (is_story(request))
      reported += report_of("record", R"({"version": 1, "array": ")" + array +
                                          R"(", "array_bytes": 16, "launches": 1, "count": 0, "writes": [],
        "neighbours": [], "arrays": [{"name": "d_y", "bytes": 16}]})");
    return runs_well(request, 3);
  };
  Grading grading = graded();
  EXPECT_EQ(grading.cases[0].element, "y[0]");
  EXPECT_TRUE(grading.cases[0].checker_silent);
  EXPECT_EQ(grading.cases[1].element, "") << "one story is told: it takes a run";
  array = "";
  grading = graded();
  EXPECT_EQ(grading.cases[0].element, "") << "no array on the device has the name of the result";
  lab.cases[0].checked = {{"5"}};
  array = "d_y";
  EXPECT_EQ(graded().cases[0].element, "") << "the wrong element is one of another size";
}

TEST_F(GradeTest, AWrongCaseThatTheLabKeepsFromTheCheckerSuggestsNoCheck) {
  for (Case& c : lab.cases) c.unchecked = "the host alone works";
  program = [this](const ProcessRequest& request) { return runs_well(request, 3); };
  EXPECT_TRUE(graded().cases[0].checker_silent);
  program = [this](const ProcessRequest& request) { return runs_well(request, 2); };
  EXPECT_FALSE(graded().cases[0].checker_silent) << "it is right";
}

TEST_F(GradeTest, AMistakeThatShowsAtTheCheckingSizeAloneNamesIt) {
  lab.cases[1].checked = {{"5"}};
  program = [this](const ProcessRequest& request) {
    reported = report_of("findings", no_findings);
    return runs_well(request, request.argv[1] == "5" ? 3 : 2);
  };
  const Grading grading = graded();
  EXPECT_THAT(grading.cases[1].message,
              StartsWith("the output is right, but under the checker, which runs the case with 5: 5 of 5"));
  EXPECT_TRUE(grading.cases[1].checker_silent);
}

TEST_F(GradeTest, NoSecondProgramIsCompiledToExplainAWrongResult) {
  for (Case& c : lab.cases) c.checked = c.args;
  lab.cases[1].macros = {{"BLOCK_SIZE", "8"}};
  int checked = 0;
  program = [&](const ProcessRequest& request) {
    reported.clear();
    if (is_look(request)) {
      reported = report_of("findings", no_findings);
      ++checked;
    }
    return runs_well(request, 3);
  };
  graded();
  EXPECT_EQ(checked, 2) << "of the first and the last case";
}

TEST_F(GradeTest, ConsequencesOfAWrongResultAreNotItsCause) {
  lab.cases[0].checked = lab.cases[0].args;
  std::string rule = "uninitialised";
  program = [&](const ProcessRequest& request) {
    std::string report = one_race;
    report.replace(report.find("\"race\""), 6, '"' + rule + '"');
    reported = report_of("findings", report);
    return runs_well(request, 3);
  };
  for (const char* const consequence : {"uninitialised", "early-event"}) {
    rule = consequence;
    EXPECT_THAT(graded().cases[0].message, testing::Not(HasSubstr("checker"))) << rule;
  }
}

TEST_F(GradeTest, ACheckerThatTakesTooLongCostsNoPoints) {
  lab.cases[0].checked = lab.cases[0].args;
  program = [this](const ProcessRequest& request) {
    if (is_look(request)) return hangs(request.limits.wall_s);
    return runs_well(request);
  };
  const Grading grading = graded();
  EXPECT_EQ(grading.verdict, Verdict::passed);
  EXPECT_THAT(grading.notes, Contains(HasSubstr("Not checked to the end")));
}

TEST_F(GradeTest, ACheckOnAGpuNeedsComputeSanitizer) {
  const GradeContext on_gpu{kit.kit, toolchain, submission, Backend::gpu, {}, fake.machine};
  EXPECT_THAT([&] { check(on_gpu); }, throws_error(ErrorKind::environment, "compute-sanitizer"));
}

TEST_F(GradeTest, AProgramThatIsWrongWhereItIsTimedHasNoTime) {
  lab.cases[2].requirements = {Requirement::judge};
  std::vector<double> times;
  judge_of_lab = [&](const lab::JudgeRequest& facts) {
    lab::Judgement judgement;
    if (!facts.times) judgement.wants.times = {{{"TILE", "8"}}};
    times = facts.times.value_or(times);
    return judgement;
  };
  int runs = 0;
  program = [&](const ProcessRequest& request) {
    const bool timed = request.argv[1] == "16" && ++runs > 1;
    return runs_well(request, timed ? 3 : 2);
  };
  const Grading grading = graded();
  EXPECT_EQ(grading.cases[2].verdict, Verdict::wrong_answer);
  EXPECT_THAT(grading.cases[2].message, HasSubstr("in one of the runs that were timed: "));
  runs = -100;  // so that no run becomes wrong
  EXPECT_EQ(graded().cases[2].verdict, Verdict::passed);
  EXPECT_THAT(times, ElementsAre(5e-6, 5e-6)) << "with its own macros, and with the others";
}

TEST_F(GradeTest, AJudgeOfTheLabGetsWhatWasCounted) {
  lab.cases[0].requirements = {Requirement::judge};
  judge_of_lab = [&](const lab::JudgeRequest& facts) {
    lab::Judgement judgement;
    judgement.wants.measured = !facts.measured;
    if (!facts.measured) return judgement;
    return facts.measured->empty() ? lab::Judgement::unsupported("Nothing was counted.")
                                   : lab::Judgement::failed("Why so many?", "look");
  };
  EXPECT_EQ(graded().cases[0].verdict, Verdict::unsupported);
  program = [this](const ProcessRequest& request) {
    reported = report_of(
        "counters", R"({"kernels": [{"name": "k", "launches": [{"counters": {"global_loads": 4000}}]}]})");
    return runs_well(request);
  };
  EXPECT_EQ(graded().cases[0].message, "the output is right, but: Why so many?");
  EXPECT_EQ(graded().cases[1].verdict, Verdict::passed) << "a case that does not require the judge";
}

TEST_F(GradeTest, ABrokenJudgeOfTheLabIsNoGrade) {
  lab.cases[0].requirements = {Requirement::judge};
  judge_of_lab = [](const lab::JudgeRequest&) {
    lab::Judgement judgement = lab::Judgement::failed("", "");  // no reason
    return judgement;
  };
  const Grading grading = graded();
  EXPECT_EQ(grading.cases[0].verdict, Verdict::grader_fault);
  EXPECT_THAT(grading.cases[0].message, HasSubstr("The judge of lab1.1"));
  EXPECT_FALSE(is_graded(grading));
}

/// A student who solves everything that the level requires has all points, although the program still has the
/// blanks of another level.
TEST_F(GradeTest, ACaseThatNeedsAnotherLevelsBlankIsNotRun) {
  kit.write("labs/lab1.1-scale/level2/expert.cu",
            "// ---- part 2: more ----\nLAB_TODO(2);\n// ---- end of part 2 ----\n");
  kit.write("solutions/lab1.1-scale/expert.cu", "more();\n");
  lab.levels = 2;
  lab.parts[1].levels = {2};
  lab.cases[0].parts = lab.cases[1].parts = {1};
  lab.cases[2].parts = {1, 2};
  submission.level = 1;
  const Grading grading = graded();
  EXPECT_EQ(grading.cases.size(), 2u);
  EXPECT_EQ(grading.verdict, Verdict::passed);
  EXPECT_EQ(grading.points, 4);
  submission.level = 2;
  EXPECT_EQ(graded().cases.size(), 3u);
}

TEST_F(GradeTest, AClassHasCasesOfItsOwnThatAreTheSameForAll) {
  lab.cases[2].drawn = {DrawnArgument::parse("{10..9999}").value()};
  std::vector<std::string> seeds;
  const auto draws = oracle;
  oracle = [&](const ProcessRequest& request) {
    if (has(request, "inputs")) seeds.push_back(value_of(request, "--seed"));
    return draws(request);
  };
  std::vector<std::string> sizes;  // the sizes of the third case, as given to programs
  program = [&](const ProcessRequest& request) {
    if (request.argv[1] != "4" && request.argv[1] != "8") sizes.push_back(request.argv[1]);
    return runs_well(request);
  };
  {
    ClassCases cases(kit.kit, "secret");
    const auto graded_with = [&](const std::string& text, int attempt) {
      submission.files = {{"scale.cu", text}};
      GradeContext own{kit.kit, toolchain, submission, Backend::emu, {}, fake.machine, &cases, attempt};
      return grade(own);
    };
    const Grading first = graded_with("int main() {}\n", 1);
    EXPECT_THAT(first.notes,
                ::testing::Contains("Sizes were drawn for this class: case n16 with " + sizes.at(0) + "."));
    graded_with("int main() { return 0; }\n", 1);
    EXPECT_EQ(seeds.size(), 3u) << "drawn once for both";
    graded_with("int main() { return 0; }\n", 2);
    EXPECT_EQ(seeds.size(), 6u);
    EXPECT_EQ(std::set<std::string>(seeds.begin(), seeds.end()).size(), 6u)
        << "other inputs for another attempt";
    EXPECT_EQ(std::set<std::string>(sizes.begin(), sizes.end()).size(), 1u) << "of the same size";
    EXPECT_NE(sizes.at(0), "16");
    ClassCases others(kit.kit, "another secret");
    grade({kit.kit, toolchain, submission, Backend::emu, {}, fake.machine, &others, 1});
    EXPECT_NE(sizes.back(), sizes.front());
  }
  EXPECT_TRUE(left_over().empty());
}

}  // namespace
}  // namespace grader
