// Tests runs of cases with shell scripts as the oracle and as the student's program.
#include "run/run.hpp"

#include "catalog/test_kit.hpp"
#include "lab/npy.hpp"
#include "process/fake_machine.hpp"
#include "process/sandbox.hpp"
#include "run/turns.hpp"

namespace grader {
namespace {

using End = ProcessResult::End;
using testing::HasSubstr;

class Run : public testing::Test {
 protected:
  Run() {
    lab = kit.lab();
    lab.inputs = {"A.bin", "B.bin"};
    lab.output = Output::own_format("C.bin", {});
    test_case.id = "small";
    test_case.args = {"8"};
    // The oracle's output shows its arguments.
    script("oracle", R"(case $1 in
inputs) [ "$2 $4 $6" = "--seed --dir 8" ] || exit 9; echo "$3" > "$5/A.bin"; echo b > "$5/B.bin" ;;
expect) [ "$2 $4" = "--dir 8" ] || exit 9; cat "$3/A.bin" "$3/B.bin" > "$3/C.bin" ;;
esac)");
  }
  fs::path script(const std::string& name, const std::string& body) {
    const fs::path path = fs::path("programs") / name / "program";
    kit.write(path, "#!/bin/sh\n" + body + "\n");
    fs::permissions(kit.path / path, fs::perms(0755));
    return kit.path / path;
  }
  CaseData prepare() {
    return prepare_case(kit.kit, lab, test_case, kit.path / "programs/oracle/program", kit.path / "data");
  }
  RunResult run(const std::string& body, Backend backend = Backend::emu) {
    return run_case(toolchain, lab, test_case, backend, script("student", body), prepare(),
                    kit.path / "work");
  }

  TestKit kit;
  Toolchain toolchain;
  Lab lab;
  Case test_case;
};

TEST_F(Run, DrawsInputsAndExpectedOutput) {
  test_case.seed = 77;
  const CaseData data = prepare();
  EXPECT_EQ(data.seed, 77u);
  EXPECT_THAT(data.inputs, testing::ElementsAre(kit.path / "data/A.bin", kit.path / "data/B.bin"));
  EXPECT_EQ(kit.read("data/A.bin"), "77\n");
  EXPECT_EQ(data.expected, kit.path / "data/C.bin");
  EXPECT_EQ(kit.read("data/C.bin"), "77\nb\n");
}

TEST_F(Run, ASeedThatIsNotGivenIsDrawnAnew) {
  EXPECT_NE(prepare().seed, prepare().seed);
}

TEST_F(Run, FreivaldsNeedsNoExpectedOutput) {
  test_case.verify = Verify::freivalds;
  EXPECT_TRUE(prepare().expected.empty());
  EXPECT_FALSE(fs::exists(kit.path / "data/C.bin"));
}

TEST_F(Run, NothingOfAFormerCaseIsLeft) {
  kit.write("data/old.npy", "old");
  prepare();
  EXPECT_FALSE(fs::exists(kit.path / "data/old.npy"));
}

TEST_F(Run, AnOracleThatFailsIsTheKitsFault) {
  script("oracle", "echo 'no such size' >&2; exit 2");
  EXPECT_THAT([&] { prepare(); }, throws_error(ErrorKind::fault, "no such size"));
  script("oracle", "kill -9 $$");
  EXPECT_THAT([&] { prepare(); }, throws_error(ErrorKind::environment, "killed from outside both times"));
  script("oracle", "exit 0");
  EXPECT_THAT([&] { prepare(); }, throws_error(ErrorKind::fault, "did not write A.bin"));
}

TEST_F(Run, AnOracleThatWritesAnArrayOfTheWrongTypeIsTheKitsFault) {
  lab.inputs = {"A"};
  script("oracle", "case $1 in inputs) echo 'no array' > $5/A.npy;; expect) touch $3/C.bin;; esac");
  EXPECT_THAT([&] { prepare(); }, throws_error(ErrorKind::fault, "wrote a broken array for case small"));

  const std::vector<double> numbers = {1, 2};
  lab::write_npy((kit.path / "doubles.npy").string(), {2}, numbers);
  script("oracle", "case $1 in inputs) cp " + (kit.path / "doubles.npy").string() +
                       " $5/A.npy;; expect) touch $3/C.bin;; esac");
  EXPECT_EQ(prepare().inputs.size(), 1u) << "nobody knows better";
  kit.write("gold/lab1.1-scale/manifest.toml",
            "format = 1\nlab = \"lab1.1\"\n[[case]]\nid = \"g\"\nseed = 1\nargs = []\n[[case.file]]\nname = "
            "\"A.npy\"\n"
            "dtype = \"<f4\"\nshape = [2]\nbytes = 136\nsha256 = \"00\"\n");
  EXPECT_THAT([&] { prepare(); }, throws_error(ErrorKind::fault, "the lab's gold has"));
}

TEST_F(Run, AFullDiskIsNoFaultOfTheStudent) {
  script("oracle", "echo 'A.bin: No space left on device' >&2; exit 2");
  EXPECT_THAT([&] { prepare(); }, throws_error(ErrorKind::environment, "disk is full"));
}

TEST_F(Run, GivesArgumentsInputsAndOutput) {
  const RunResult result = run("echo \"$@\"; cat $3 $5 > $7");
  EXPECT_EQ(result.process.end, End::exited) << result.process.error;
  const std::string root = kit.path.string();
  EXPECT_EQ(result.process.out, "8 --input " + root + "/data/A.bin --input " + root +
                                    "/data/B.bin --output " + root + "/work/output/C.bin\n");
  EXPECT_EQ(result.output, kit.path / "work.taken/C.bin") << "where no program can write";
  EXPECT_THAT(kit.read("work.taken/C.bin"), HasSubstr("b\n"));
}

TEST_F(Run, AMissingOutputIsEmpty) {
  EXPECT_TRUE(run("true").output.empty());
}

TEST_F(Run, ALinkIsNoOutput) {
  const RunResult result = run("ln -s $3 $7");
  EXPECT_EQ(result.output, "");
  EXPECT_THAT(result.output_problem, HasSubstr("symbolic link"));
}

TEST_F(Run, NoFolderOfItsOwnLeadsElsewhere) {
  const RunResult result = run("rmdir output; ln -s ../data output");
  EXPECT_EQ(result.output, "");
  EXPECT_THAT(result.output_problem, HasSubstr("symbolic link"));
}

TEST_F(Run, NoOutputFileIsRequestedIfThePrintedLinesAreTheResult) {
  lab.output = {};
  lab.inputs.clear();
  script("oracle", "[ $1 = expect ] && echo line > $3/expected.txt; true");
  EXPECT_EQ(prepare().expected.filename(), "expected.txt");
  EXPECT_EQ(run("echo \"$@\"").process.out, "8\n");
}

TEST_F(Run, RequestsAProfileAndPoison) {
  const RunResult result = run(
      R"(echo '{"kind":"header","source":"emulation","device":"forged"}' >&4; echo $LAB_PROFILE $LAB_POISON)");
  EXPECT_EQ(result.process.out, "fd:4 1\n");
  EXPECT_EQ(result.profile.source, "") << "a line without its seal";
  EXPECT_THAT(result.profile.doubt, HasSubstr("did not write"));
}

TEST_F(Run, InjectsTheProfilerOnAGpu) {
  kit.write("lib/libcuda_lab_profile.so", "library");
  toolchain.profile_library = kit.path / "lib/libcuda_lab_profile.so";
  EXPECT_EQ(run("cat $CUDA_INJECTION64_PATH", Backend::gpu).process.out, "library");
  EXPECT_EQ(run("echo $CUDA_INJECTION64_PATH", Backend::emu).process.out, "\n");
}

TEST_F(Run, HasAGpuToItselfAndLearnsWhichOfSeveral) {
  FakeMachine fake;
  fake.commands.play = [](const ProcessRequest&) { return exits(0); };
  const auto visible = [&](Backend backend) {
    run_case(toolchain, lab, test_case, backend, script("student", ""), {}, kit.path / "work", {},
             fake.machine);
    const auto& environment = fake.commands.asked.back().environment;
    const auto found = environment.find("CUDA_VISIBLE_DEVICES");
    return found == environment.end() ? "not set" : found->second;
  };
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(visible(Backend::emu), "not set");
  EXPECT_TRUE(fake.devices.asked.empty()) << "emulations may run side by side";
  toolchain.gpus = {{"A", "1.2", 9, 0, "GPU-1"}};
  EXPECT_EQ(visible(Backend::gpu), "not set");
  toolchain.gpus = {{"A", "1.2", 9, 0, "GPU-1"}, {"B", "1.2", 8, 0, "GPU-2"}, {"A", "1.2", 9, 0, "GPU-3"}};
  EXPECT_EQ(visible(Backend::gpu), "GPU-3");
  using Words = std::vector<std::string>;
  EXPECT_EQ(fake.devices.asked, (std::vector<Words>{{"GPU-1"}, {"GPU-1", "GPU-3"}}));
  // A case that uses several GPUs has a turn on each of them, always in the same order.
  fake.devices.asked.clear();
  toolchain.gpus = {{"A", "1.2", 9, 0, "GPU-3"}, {"A", "1.2", 9, 0, "GPU-1"}, {"A", "1.2", 9, 0, "GPU-2"}};
  test_case.devices = 2;
  EXPECT_EQ(visible(Backend::gpu), "GPU-1,GPU-3");
  EXPECT_EQ(fake.devices.asked, (std::vector<Words>{{"GPU-1"}, {"GPU-3"}}));
  test_case.devices = 8;
  EXPECT_EQ(visible(Backend::gpu), "GPU-1,GPU-2,GPU-3") << "as many as there are";
  EXPECT_EQ(run("echo $CUEMU_DEVICES").process.out, "8\n");
}

TEST_F(Run, ALabsOwnRunMayUseAsManyGpusAsAnyCaseOrTable) {
  EXPECT_EQ(most_devices(lab), 1);
  lab.cases.push_back(test_case);
  lab.cases.back().devices = 2;
  EXPECT_EQ(most_devices(lab), 2);
  lab.tables.emplace_back().devices = 8;
  EXPECT_EQ(most_devices(lab), 8);
}

TEST_F(Run, KeepsToTheTimeOfItsBackend) {
  test_case.timeout_emu = 0.2;
  EXPECT_EQ(run("sleep 100").process.end, End::time_out);
}

TEST_F(Run, EmulationKnowsTheTimeLimitOfItsKernels) {
  test_case.timeout_emu = 1.5;
  EXPECT_EQ(run("echo $CUEMU_TIMEOUT").process.out, "1.5\n");
  EXPECT_EQ(run("echo $CUEMU_TIMEOUT", Backend::gpu).process.out, "\n");
  RunTool patient;
  patient.patience = 20;
  EXPECT_EQ(run_case(toolchain, lab, test_case, Backend::emu, script("student", "echo $CUEMU_TIMEOUT"),
                     prepare(), kit.path / "work", patient)
                .process.out,
            "1.5\n")
      << "a program sees no difference";
  const std::string said =
      "echo 'cuemu: kernel k was stopped: it ran longer than CUEMU_TIMEOUT allows' >&2; exit 3";
  EXPECT_EQ(run(said).process.end, End::exited) << "a program's own words";
  EXPECT_EQ(run(said, Backend::gpu).process.end, End::exited);
  EXPECT_EQ(run("exit 3").process.end, End::exited);
}

TEST_F(Run, ACudaErrorIsReadFromTheTextOnAGpuAlone) {
  const std::string said = "echo 'CUDA error at a.cu:3: cudaFree(p)' >&2; echo more >&2; exit 3";
  const RunResult on_gpu = run(said, Backend::gpu);
  ASSERT_TRUE(on_gpu.cuda_error);
  EXPECT_EQ(on_gpu.cuda_error->call, "cudaFree(p)");
  EXPECT_EQ(on_gpu.process.err, "more\n");
  EXPECT_FALSE(run(said).cuda_error);
}

TEST_F(Run, TheExpectedOutputIsOutOfSight) {
  if (!sandbox_status().works) GTEST_SKIP() << sandbox_status().reason;
  EXPECT_NE(run("cat ${3%A.bin}C.bin > $7").process.code, 0);
}

TEST_F(Run, AProgramThatCanNotStartIsNoStudentsVerdict) {
  const CaseData data = prepare();
  EXPECT_THAT(
      [&] {
        run_case(toolchain, lab, test_case, Backend::emu, kit.path / "programs/none/program", data,
                 kit.path / "work");
      },
      throws_error(ErrorKind::environment, "was not started"));
}

}  // namespace
}  // namespace grader
