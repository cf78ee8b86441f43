// Tests that reports of several versions of compute-sanitizer become findings.
#include "check/sanitizer.hpp"

#include "base/test_folder.hpp"

namespace grader {
namespace sanitizer_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Sanitizer, ABadAccessNamesThreadLineAndDistance) {
  const auto findings = parse_sanitizer(R"(========= COMPUTE-SANITIZER
what the program printed itself
========= Invalid __global__ write of size 4 bytes
=========     at scale(float *, const float *, int)+0x70 in /home/me/source/scale.cu:25
=========     by thread (232,0,0) in block (3,0,0)
=========     Access at 0x7f5c92600fa0 is out of bounds
=========     and is 0 bytes after the nearest allocation at 0x7f5c92600000 of size 4,000 bytes
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: main [0x8a2e] in scale
=========
========= Invalid __global__ write of size 4 bytes
=========     at scale(float *, const float *, int)+0x70 in /home/me/source/scale.cu:25
=========     by thread (233,0,0) in block (3,0,0)
=========     Access at 0x7f5c92600fa4 is out of bounds
=========
========= Program hit cudaErrorLaunchFailure (error 719) due to "unspecified launch failure" on CUDA API call to cudaDeviceSynchronize.
=========     Saved host backtrace up to driver entry point at error
=========
========= Target application returned an error
========= ERROR SUMMARY: 3 errors
)");
  ASSERT_EQ(findings.size(), 1u) << "the same line once, and no call that failed for the same reason";
  EXPECT_EQ(findings[0].rule, "out-of-bounds");
  EXPECT_EQ(findings[0].kernel, "scale");
  EXPECT_EQ(findings[0].count, 2u);
  EXPECT_TRUE(findings[0].error);
  EXPECT_EQ(findings[0].headline, "a thread's write of 4 bytes in global memory is out of bounds");
  ASSERT_EQ(findings[0].parties.size(), 1u);
  EXPECT_EQ(findings[0].parties[0].what, "write by thread (232,0,0) of block (3,0,0)");
  EXPECT_EQ(findings[0].parties[0].file, "scale.cu");
  EXPECT_EQ(findings[0].parties[0].line, 25u);
  EXPECT_THAT(findings[0].notes, ElementsAre("0 bytes after the nearest allocation, which has 4,000 bytes"));
}

TEST(Sanitizer, OlderVersionsPutTheFunctionLast) {
  const auto findings = parse_sanitizer(R"(========= COMPUTE-SANITIZER
========= Invalid __shared__ read of size 16 bytes
=========     at 0x578 in /home/me/task1.cu:120:void product<float>(Matrix, Matrix)
=========     by thread (0,1,0) in block (0,0,0)
=========     Address 0x401 is misaligned
========= ERROR SUMMARY: 1 error
)");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].rule, "misaligned");
  EXPECT_EQ(findings[0].kernel, "product<float>");
  EXPECT_EQ(findings[0].parties[0].file, "task1.cu");
  EXPECT_EQ(findings[0].parties[0].line, 120u);
}

TEST(Sanitizer, WithoutLineInformationThereIsStillAFinding) {
  const auto findings = parse_sanitizer(
      "========= Invalid __global__ atomic of size 4 bytes\n"
      "=========     at 0x1b8 in kernel(float *, float *)\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kernel, "kernel");
  EXPECT_EQ(findings[0].parties[0].line, 0u);
}

TEST(Sanitizer, ARaceNamesBothLines) {
  const auto findings = parse_sanitizer(R"(========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at matrixMul(float *, int)+0x190 in k.cu:96
=========     and Read access at matrixMul(float *, int)+0x250 in k.cu:109 [508 hazards]
=========     and Write access at matrixMul(float *, int)+0x190 in k.cu:96 [12 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
)");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].rule, "race");
  EXPECT_EQ(findings[0].count, 508u);
  EXPECT_EQ(findings[0].kernel, "matrixMul");
  EXPECT_EQ(findings[0].parties[0].what, "write");
  EXPECT_EQ(findings[0].parties[0].line, 96u);
  EXPECT_EQ(findings[0].parties[1].what, "read");
  EXPECT_EQ(findings[0].parties[1].line, 109u);
  EXPECT_EQ(findings[1].parties[1].line, 96u);
}

TEST(Sanitizer, UnwrittenMemoryAndBarriersHaveTheCheckersRules) {
  const auto findings = parse_sanitizer(R"(========= COMPUTE-SANITIZER
========= Uninitialized __global__ memory read of size 4 bytes
=========     at sum(int *)+0x70 in memset_error.cu:41
=========     by thread (31,0,0) in block (1,0,0)
=========     Address 0x7f3c7ec000fc
=========
========= Barrier error detected. Divergent thread(s) in block.
=========     at tree(int *)+0xa0 in tree.cu:61
=========     by thread (19,0,0) in block (0,0,0)
=========
========= Leaked 64 bytes at 0x7f3c7ec00000
=========     Saved host backtrace up to driver entry point at allocation time
=========
========= LEAK SUMMARY: 64 bytes leaked in 1 allocations
========= ERROR SUMMARY: 3 errors
)");
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].rule, "uninitialised");
  EXPECT_EQ(findings[1].rule, "barrier");
  EXPECT_THAT(findings[1].headline, HasSubstr("Divergent thread(s) in block"));
  EXPECT_EQ(findings[1].parties[0].what, "waits by thread (19,0,0) of block (0,0,0)");
  EXPECT_EQ(findings[2].rule, "leak");
  EXPECT_FALSE(findings[2].error);
  EXPECT_EQ(findings[2].headline, "Leaked 64 bytes: never freed");
}

TEST(Sanitizer, MemoryThatCudaTookForItselfIsNoLeak) {
  const auto findings = parse_sanitizer(R"(========= COMPUTE-SANITIZER
========= Leaked 128 bytes at 0x7f3c7ec00000
=========     Saved host backtrace up to driver entry point at allocation time
=========     Host Frame: [0x28e3ce]
=========                in /usr/lib/x86_64-linux-gnu/libcuda.so.1
=========     Host Frame:libcudart_static_5382377d5c772c9d [0xb452d]
=========                in /tmp/program
=========     Host Frame:cudaLaunchKernel [0xb1c0]
=========                in /tmp/program
=========     Host Frame:main [0x9afad]
=========                in /tmp/program
=========
========= Leaked 4,096 bytes at 0x7f3c7ec00200
=========     Saved host backtrace up to driver entry point at allocation time
=========     Host Frame: [0x28e3ce]
=========                in /usr/lib/x86_64-linux-gnu/libcuda.so.1
=========     Host Frame:libcudart_static_5382377d5c772c9d [0xb452d]
=========                in /tmp/program
=========     Host Frame: cudaMallocPitch [0xb1c0]
=========                in /tmp/program
=========     Host Frame: product(float*, int) in product.cu:12 [0x9afad]
=========                in /tmp/program
=========
========= LEAK SUMMARY: 4224 bytes leaked in 2 allocations
)");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].headline, "Leaked 4,096 bytes: never freed");
  EXPECT_THAT(findings[0].notes, testing::ElementsAre("allocated by cudaMallocPitch in product"));
}

TEST(Sanitizer, TheKitsOwnMemoryIsNoLeakThoughTheFirstCudaMallocAllocatesIt) {
  const std::string report = R"(========= COMPUTE-SANITIZER
========= Leaked 128 bytes at 0x7f3c7ec00000
=========     Saved host backtrace up to driver entry point at allocation time
=========     Host Frame:cudaMalloc [0xb1c0]
=========                in /tmp/program
=========     Host Frame:main [0x9afad]
=========                in /tmp/program
=========
========= Leaked 1,128 bytes at 0x7f3c7ed00000
=========     Saved host backtrace up to driver entry point at allocation time
=========     Host Frame:cudaMalloc [0xb1c0]
=========                in /tmp/program
=========     Host Frame:main [0x9bfad]
=========                in /tmp/program
)";
  const auto own = own_memory(
      "a line\nown memory of the kit at 0x7f3c7ec00000\nown memory of the kit at 0x7f3c7f000080\n");
  EXPECT_THAT(own, ElementsAre(0x7f3c7ec00000u, 0x7f3c7f000080u));
  const auto findings = parse_sanitizer(report, own);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].headline, "Leaked 1,128 bytes: never freed");
  EXPECT_EQ(parse_sanitizer(report).size(), 2u);
  EXPECT_THAT(parse_sanitizer(report, {0x7f3c7ed00467}), testing::SizeIs(1)) << "its last byte";
  EXPECT_EQ(parse_sanitizer(report, {0x7f3c7ed00468}).size(), 2u) << "behind it";
}

TEST(Sanitizer, ACallThatFailsByItselfIsAFinding) {
  const auto findings = parse_sanitizer(
      "========= Program hit cudaErrorInvalidValue (error 1) due to \"invalid argument\" on CUDA API call to "
      "cudaMemcpy.\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].rule, "copy");
  EXPECT_EQ(findings[0].headline, "cudaMemcpy failed: invalid argument (cudaErrorInvalidValue)");
}

TEST(Sanitizer, UnknownReportsAreKept) {
  const auto findings =
      parse_sanitizer("========= A record of a later version\n=========     at f()+0x1 in f.cu:3\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].rule, "other");
  EXPECT_EQ(findings[0].headline, "A record of a later version");
  EXPECT_EQ(findings[0].parties[0].line, 3u);
}

TEST(Sanitizer, ACleanReportHasNone) {
  EXPECT_THAT(parse_sanitizer("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"), IsEmpty());
  EXPECT_THAT(parse_sanitizer("========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n"),
              IsEmpty());
}

TEST(Sanitizer, ReportsAreFittedToTheSubmission) {
  const std::string report =
      "========= Uninitialized __global__ memory read of size 4 bytes\n"
      "=========     at sum(int *)+0x70 in a.cu:2\n";
  Submission submission;
  submission.files = {{"a.cu", "one\n  two\n"}};
  const auto findings = read_sanitizer_report(report, submission);
  ASSERT_TRUE(findings);
  EXPECT_EQ(findings->front().parties[0].text, "two");
  EXPECT_FALSE(read_sanitizer_report(std::nullopt, submission));
}

TEST(Sanitizer, AToolThatCannotWorkIsNoVerdict) {
  const std::string report =
      "========= COMPUTE-SANITIZER\n"
      "========= Error: Target application terminated before first instrumented API call\n";
  EXPECT_THAT([&] { read_sanitizer_report(report, Submission{}); },
              throws_error(ErrorKind::environment, "compute-sanitizer does not work here"));
}

TEST(Sanitizer, AMissingToolIsOneSentence) {
  EXPECT_THAT([] { sanitizer_command(Toolchain{}, sanitizer_tools[0], "report"); },
              throws_error(ErrorKind::environment, "no compute-sanitizer here"));
  Toolchain toolchain;
  toolchain.sanitizer = "/cuda/bin/compute-sanitizer";
  EXPECT_THAT(sanitizer_command(toolchain, sanitizer_tools[1], "report"),
              ElementsAre("/cuda/bin/compute-sanitizer", "--tool", "racecheck", "--log-file", "report",
                          "--print-limit", "100"));
}

}  // namespace sanitizer_test
}  // namespace grader
