// PTX text to C++: what is known becomes calls, what is not is named.
#include "lower/ptx.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emucc {
namespace {

using testing::HasSubstr;

PtxOperand operand(const char* constraint, const char* name = "") {
  PtxOperand result;
  result.constraint = constraint;
  result.name = name;
  return result;
}

TEST(Ptx, BindsOperandsAndLiterals) {
  const auto ptx = translate_ptx("add.u32 %0, %1, 0x10;", {operand("=r"), operand("r")}, 1);
  EXPECT_EQ(ptx.error, "");
  EXPECT_THAT(ptx.code, HasSubstr("::cuemu::ptx::add<::cuemu::ptx::u32>(cuemu_r0, cuemu_r1, "
                                  "::cuemu::ptx::Integer{static_cast<long long>(0x10ull)});"));
}

TEST(Ptx, VideoInstructionsTakeThreeTypes) {
  const std::vector<PtxOperand> four = {operand("=r"), operand("r"), operand("r"), operand("r")};
  const auto ptx = translate_ptx("vabsdiff4.u32.s32.u32.add %0, %1, %2, %3;", four, 1);
  EXPECT_EQ(ptx.error, "");
  EXPECT_THAT(
      ptx.code,
      HasSubstr("vabsdiff<::cuemu::ptx::u32, ::cuemu::ptx::s32, ::cuemu::ptx::u32, 4, false, true>("));
  EXPECT_THAT(translate_ptx("vmax2.s32.s32.s32.sat %0, %1, %2, %3;", four, 1).code,
              HasSubstr("2, true, false>("));
  EXPECT_THAT(translate_ptx("vadd4.u32.u32 %0, %1, %2, %3;", four, 1).error, HasSubstr("'vadd4.u32.u32'"));
}

TEST(Ptx, FindsOperandsByName) {
  const auto ptx = translate_ptx("mov.u32 %[to], %[from];", {operand("=r", "to"), operand("r", "from")}, 1);
  EXPECT_EQ(ptx.error, "");
  EXPECT_THAT(ptx.code, HasSubstr("(cuemu_r0, cuemu_r1)"));
}

TEST(Ptx, InnerRegistersHideOuterOnes) {
  const auto ptx = translate_ptx("{ .reg .u32 t; { .reg .u64 t; mov.u64 %0, t; } }", {operand("=l")}, 1);
  EXPECT_EQ(ptx.error, "");
  EXPECT_THAT(ptx.declarations, HasSubstr("u32 cuemu_t_1"));
  EXPECT_THAT(ptx.code, HasSubstr("(cuemu_r0, cuemu_t_2)"));
}

TEST(Ptx, LabelsOfTwoStatementsDiffer) {
  const char* const text = "L: bra L;";
  EXPECT_NE(translate_ptx(text, {}, 1).code, translate_ptx(text, {}, 2).code);
}

TEST(Ptx, NegatedPredicatesGuard) {
  const auto ptx = translate_ptx("{ .reg .pred p; @!p mov.u32 %0, 1; }", {operand("=r")}, 1);
  EXPECT_THAT(ptx.code, HasSubstr("if (!cuemu_p_1) { "));
}

TEST(Ptx, NamesWhatItDoesNotKnow) {
  EXPECT_THAT(translate_ptx("wgmma.fence.sync.aligned;", {}, 1).error,
              HasSubstr("'wgmma.fence.sync.aligned'"));
  EXPECT_THAT(translate_ptx("add.fancy.u32 %0, %0, 1;", {operand("+r")}, 1).error,
              HasSubstr("'add.fancy.u32'"));
  EXPECT_THAT(translate_ptx("add.u32 %0, %0;", {operand("+r")}, 1).error, HasSubstr("'add.u32'"));
  EXPECT_THAT(translate_ptx("mov.u32 %0, %envreg3;", {operand("=r")}, 1).error, HasSubstr("'%envreg3'"));
  EXPECT_THAT(translate_ptx("mov.u32 %1, 0;", {operand("=r")}, 1).error, HasSubstr("no operand %1"));
  EXPECT_THAT(translate_ptx(".local .u32 x;", {}, 1).error, HasSubstr("'.local'"));
  EXPECT_THAT(translate_ptx("mov.u32 %0, 1 2", {operand("=r")}, 1).error, HasSubstr("';' is missing"));
}

TEST(Ptx, EveryModifierMustBeKnown) {
  EXPECT_NE(translate_ptx("ld.tensor.u32 %0, [%1];", {operand("=r"), operand("l")}, 1).error, "");
  EXPECT_NE(translate_ptx("shl.wrap.b32 %0, %0, 1;", {operand("+r")}, 1).error, "");
  EXPECT_EQ(
      translate_ptx("ld.global.nc.v2.f32 {%0, %1}, [%2+8];", {operand("=f"), operand("=f"), operand("l")}, 1)
          .error,
      "");
  EXPECT_NE(translate_ptx("ld.global.v4.f32 {%0, %1}, [%2];", {operand("=f"), operand("=f"), operand("l")}, 1)
                .error,
            "");
}

TEST(Ptx, ConstraintsTellTheRegister) {
  EXPECT_EQ(operand("=&r").type(), "::cuemu::ptx::u32");
  EXPECT_EQ(operand("+d").type(), "::cuemu::ptx::f64");
  EXPECT_EQ(operand("x").type(), "");
  EXPECT_TRUE(operand("+r").is_input() && operand("+r").is_output());
  EXPECT_FALSE(operand("=r").is_input());
}

}  // namespace
}  // namespace emucc
