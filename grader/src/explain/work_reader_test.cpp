#include "explain/work_reader.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace grader {
namespace {

/// The loop of a matrix product, followed by a square root, a quotient and a sine.
const char* const disassembly =
    "    1095:\tcall   f3e0 <__sanitizer_cov_trace_pc>\n"
    "    109a:\tmov    %r12,%rdi\n"
    "    109d:\tcall   26b0 <__tsan_read4>\n"
    "    10bc:\tmulss  0x0(%rbp),%xmm0\n"
    "    10c1:\taddss  0xc(%rsp),%xmm0\n"
    "    10cd:\tadd    $0x1,%ebx\n"
    "    10da:\tadd    $0x4,%r12\n"
    "    10db:\tlea    0x8(%r12),%rdi\n"
    "    10e1:\tcmp    %ebx,%r14d\n"
    "    10e4:\tjne    1095 <k+0x16d>\n"
    "    10e6:\tcall   f3e0 <__sanitizer_cov_trace_pc>\n"
    "    10eb:\tsqrtss %xmm5,%xmm5\n"
    "    10ff:\tcall   8950 <sinf@plt>\n"
    "    1130:\taddss  0x9ddac(%rip),%xmm4        # adee4 <_IO_stdin_used+0x4>\n"
    "    113c:\tdivss  %xmm4,%xmm1\n"
    "    1150:\tjmp    1166 <k+0x23e>\n"
    "    1155:\taddss  %xmm4,%xmm1\n";

TEST(MachineCode, CountsTheArithmeticOfALoop) {
  const Mix mix = mix_of(disassembly, {{0x109a, 10}});
  EXPECT_EQ(mix.fp32, 10);  // a multiply-add
  EXPECT_EQ(mix.flops, 20);
  EXPECT_EQ(mix.integer, 30);  // without the address that is reported
  EXPECT_EQ(mix.special, 0);
}

TEST(MachineCode, ExpandsOperationsAndEndsAtAJump) {
  const Mix mix = mix_of(disassembly, {{0x10eb, 1}});
  EXPECT_EQ(mix.special, 2);            // a root and a reciprocal
  EXPECT_EQ(mix.fp32, 6 + 8 + 14 + 1);  // with the sum, without the code after the jump
}

TEST(MachineCode, LeavesOutCodeThatDidNotRun) {
  EXPECT_EQ(mix_of(disassembly, {}).flops, 0);
  EXPECT_EQ(mix_of("", {{0x109a, 1}}).flops, 0);
}

constexpr const char* report = R"({"kernels": [{"name": "sum", "code": [],
  "launches": [
    {"grid": [100, 1, 1], "block": [64, 1, 1], "shared": 256, "loaded_bytes": 4096, "stored_bytes": 8,
     "counters": {"blocks": 17, "steps": 30, "global_loads": 17}},
    {"grid": [1, 1, 1], "block": [64, 1, 1], "shared": 256, "loaded_bytes": 8, "stored_bytes": 8,
     "counters": {"blocks": 1, "steps": 10, "global_loads": 1}}],
  "lines": [{"file": "sum.cu", "line": 3, "text": "x", "accesses": 1, "counters": {"global_loads": 20}}]}]})";

TEST(WorkReader, GroupsLaunchesByTheirShape) {
  const auto works = read_work(report, [](const auto&) { return ""; });
  ASSERT_EQ(works.size(), 2u);
  EXPECT_EQ(works[0].blocks, 100);
  EXPECT_EQ(works[0].counted_blocks, 17);
  EXPECT_EQ(works[0].launches, 1);
  EXPECT_EQ(works[0].lines[0].counts[Counter::global_loads], 15);  // 30 of 40 steps
  EXPECT_EQ(works[1].blocks, 1);
}

TEST(WorkReader, GivesNoneForADamagedReport) {
  const auto none = [](const auto&) { return ""; };
  EXPECT_TRUE(read_work("", none).empty());
  EXPECT_TRUE(read_work(R"({"kernels": [{"name": 3}]})", none).empty());
}

TEST(WorkReader, ReadsItsOwnJson) {
  const auto works = read_work(report, [](const auto&) { return ""; });
  const auto json = to_json(works[0]);
  EXPECT_EQ(to_json(work_of(json)), json);
  EXPECT_EQ(work_of(json).counts[Counter::global_loads], 17);
}

}  // namespace
}  // namespace grader
