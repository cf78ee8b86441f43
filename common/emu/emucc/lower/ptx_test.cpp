// Tests the translation of PTX to C++: known instructions become calls, and an error names an unknown one.
#include "lower/ptx.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emucc {
namespace ptx_test {

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

TEST(Ptx, ScalarVideoInstructionsTakePartsOfRegisters) {
  const std::vector<PtxOperand> four = {operand("+r"), operand("r"), operand("r"), operand("r")};
  EXPECT_THAT(
      translate_ptx("vadd.s32.u32.s32.sat %0.h1, %1.b2, %2, %3;", four, 1).code,
      HasSubstr("scalar_vadd<::cuemu::ptx::s32, ::cuemu::ptx::u32, ::cuemu::ptx::s32, "
                "::cuemu::ptx::VideoThen::nothing, true>(cuemu_r0, ::cuemu::ptx::Part{16, 16}, "
                "cuemu_r1, ::cuemu::ptx::Part{16, 8}, cuemu_r2, ::cuemu::ptx::Part{0, 32}, cuemu_r3);"));
  EXPECT_EQ(
      translate_ptx("{ .reg .u32 %t; vshr.u32.u32.u32.wrap %t, %1, %2.h1; mov.u32 %0, %t; }", four, 1).error,
      "");
  EXPECT_EQ(
      translate_ptx("{ .reg .u32 %t; mov.u32 %t, 1; vset.u32.s32.ge.max %0, %t.b3, %2.h1, -3; }", four, 1)
          .error,
      "");
  EXPECT_THAT(translate_ptx("vmad.s32.u32.u32.shr7 %0, -%1.b0, %2, %3;", four, 1).code,
              HasSubstr("vmad<::cuemu::ptx::u32, ::cuemu::ptx::u32, true, false, false, 7, false>("));
  for (const char* const wrong : {"vadd.u32.u32.u32 %0.b0, %1, %2;", "vadd.u32.u32.u32 %0, %1, %2, %3;",
                                  "vadd.u32.u32.u32.add %0.b0, %1, %2, %3;", "vshl.u32.u32.u32 %0, %1, %2;",
                                  "vset.u32.u32.lt.sat %0, %1, %2;", "vmad.u32.u32.u32.po %0, -%1, %2, %3;",
                                  "add.u32 %0, %1.b0, %2;", "add.u32 %0, -%1, %2;"})
    EXPECT_THAT(translate_ptx(wrong, four, 1).error, HasSubstr("does not know the PTX instruction")) << wrong;
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

TEST(Ptx, NamesOfRegistersMayBeginWithAPercentSign) {
  for (const char* const text : {"{ .reg .u32 %t, %u; mov.u32 %u, 1; mov.u32 %0, %t; }",
                                 "{ .reg .u32 %%t, %%u; mov.u32 %%u, 1; mov.u32 %0, %%t; }"}) {
    const auto ptx = translate_ptx(text, {operand("=r")}, 1);
    EXPECT_EQ(ptx.error, "") << text;
    EXPECT_THAT(ptx.code, HasSubstr("(cuemu_r0, cuemu_t_1)")) << text;
  }
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
  EXPECT_THAT(translate_ptx("tcgen05.alloc.sync;", {}, 1).error, HasSubstr("'tcgen05.alloc.sync'"));
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

TEST(Ptx, BulkCopiesNameWhereTheyGoTo) {
  const std::vector<PtxOperand> six(6, operand("r"));
  const auto code = [&](const char* text) {
    const auto ptx = translate_ptx(text, six, 1);
    EXPECT_EQ(ptx.error, "") << text;
    return ptx.code;
  };
  EXPECT_THAT(code("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 64, [%2];"),
              HasSubstr("cp_async_bulk(::cuemu::ptx::shared_address(::cuemu::ptx::address(cuemu_r0)), "
                        "::cuemu::ptx::address(cuemu_r1), "));
  EXPECT_THAT(code("cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], 64, %2;"),
              HasSubstr("cp_async_bulk(::cuemu::ptx::address(cuemu_r0), ::cuemu::ptx::shared_address("));
  EXPECT_THAT(code("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%0], [%1], %2;"),
              HasSubstr("cp_reduce_async_bulk<::cuemu::ptx::Reduction::add, ::cuemu::ptx::bf16>("));
  EXPECT_THAT(code("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                   ".multicast::cluster.L2::cache_hint [%0], [%1, {%2, %3}], [%4], 3, %5;"),
              HasSubstr("::cuemu::ptx::coordinates(cuemu_r2, cuemu_r3), "
                        "::cuemu::ptx::shared_address(::cuemu::ptx::address(cuemu_r4)), "
                        "::cuemu::ptx::Integer{static_cast<long long>(3ull)});"));
  EXPECT_THAT(code("cp.reduce.async.bulk.tensor.1d.global.shared::cta.max.bulk_group [%0, {%1}], [%2];"),
              HasSubstr("reduce_tile<::cuemu::ptx::Reduction::max>("));
  EXPECT_THAT(code("cp.async.bulk.prefetch.tensor.1d.L2.global [%0, {%1}];"),
              HasSubstr("static_cast<void>(0);"));
  EXPECT_THAT(code("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"),
              HasSubstr("st_async<::cuemu::ptx::u32>("));
  // If no operand signals its end, such an instruction is unknown.
  for (const char* unknown : {"cp.async.bulk.tensor.2d.shared::cluster.global [%0], [%1, {%2, %3}], [%4];",
                              "cp.reduce.async.bulk.global.shared::cta.bulk_group.u32 [%0], [%1], %2;"})
    EXPECT_NE(translate_ptx(unknown, six, 1).error, "") << unknown;
}

TEST(Ptx, PixelsOfImagesHaveOffsets) {
  const std::vector<PtxOperand> six(6, operand("r"));
  const auto read = [&](const std::string& text) { return translate_ptx(text.c_str(), six, 1); };
  const std::string load =
                        "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes",
                    place = " [%0], [%1, {%2, %3, %4}], [%5]",
                    store = "cp.async.bulk.tensor.3d.global.shared::cta";
  EXPECT_THAT(read(load + place + ", {1};").code,
              HasSubstr("im2col(::cuemu::ptx::coordinates(cuemu_r2, cuemu_r3, cuemu_r4), "
                        "::cuemu::ptx::Integer{static_cast<long long>(1ull)}), "
                        "::cuemu::ptx::shared_address(::cuemu::ptx::address(cuemu_r5)));"));
  EXPECT_THAT(read(load + ".multicast::cluster" + place + ", {1}, 3;").code,
              HasSubstr("(cuemu_r5)), ::cuemu::ptx::Integer{static_cast<long long>(3ull)});"));
  EXPECT_THAT(read(store + ".im2col_no_offs.bulk_group [%0, {%1, %2, %3}], [%4];").code,
              HasSubstr("im2col(::cuemu::ptx::coordinates(cuemu_r1, cuemu_r2, cuemu_r3)), "));
  EXPECT_THAT(read("cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.im2col_no_offs.bulk_group "
                   "[%0, {%1, %2, %3}], [%4];")
                  .code,
              HasSubstr("reduce_tile<::cuemu::ptx::Reduction::add>("));
  EXPECT_THAT(read("cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%0, {%1, %2, %3}], {1};").code,
              HasSubstr("static_cast<void>(0);"));
  for (const std::string& unknown :
       {load + place + ";", load + place + ", {1, 2};", load + ".multicast::cluster" + place + ", {1};",
        std::string(
            "cp.async.bulk.tensor.2d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], "
            "[%1, {%2, %3}], [%4], {};"),
        std::string("cp.async.bulk.tensor.3d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes "
                    "[%0], [%1, {%2, %3, %4}], [%5], {1};"),
        store + ".im2col.bulk_group [%0, {%1, %2, %3}], [%4];"})
    EXPECT_NE(read(unknown).error, "") << unknown;
}

TEST(Ptx, TensorMapsAreChangedByField) {
  const std::vector<PtxOperand> three = {operand("r"), operand("l"), operand("r")};
  const auto code = [&](const char* text) {
    const auto ptx = translate_ptx(text, three, 1);
    EXPECT_EQ(ptx.error, "") << text;
    return ptx.code;
  };
  EXPECT_THAT(code("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;"),
              HasSubstr("tensormap_replace<::cuemu::ptx::MapField::global_address, ::cuemu::ptx::u64>("
                        "::cuemu::ptx::shared_address(::cuemu::ptx::address(cuemu_r0)), 0u, cuemu_r1);"));
  EXPECT_THAT(code("tensormap.replace.tile.global_dim.global.b1024.b32 [%1], 1, %2;"),
              HasSubstr("tensormap_replace<::cuemu::ptx::MapField::global_dim, ::cuemu::ptx::u32>("
                        "::cuemu::ptx::address(cuemu_r1), "
                        "::cuemu::ptx::Integer{static_cast<long long>(1ull)}, cuemu_r2);"));
  EXPECT_THAT(code("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
                   "[%1], [%0], 128;"),
              HasSubstr("tensormap_cp_fenceproxy(::cuemu::ptx::address(cuemu_r1), "
                        "::cuemu::ptx::shared_address(::cuemu::ptx::address(cuemu_r0)), "));
  EXPECT_THAT(code("fence.proxy.tensormap::generic.acquire.gpu [%1], 128;"), HasSubstr("fence();"));
  EXPECT_THAT(code("fence.proxy.tensormap::generic.release.gpu;"), HasSubstr("fence();"));
  for (const char* unknown : {"tensormap.replace.tile.global_dim.global.b1024.b32 [%1], %2;",
                              "tensormap.replace.tile.global_stride.global.b1024.b32 [%1], 1, %2;",
                              "tensormap.replace.tile.colour.global.b1024.b32 [%1], %2;",
                              "tensormap.replace.global_dim.global.b1024.b32 [%1], 1, %2;",
                              "tensormap.cp_fenceproxy.global.shared::cta.sync.aligned [%1], [%0], 128;",
                              "fence.proxy.async [%1], 128;"})
    EXPECT_NE(translate_ptx(unknown, three, 1).error, "") << unknown;
}

TEST(Ptx, BarriersCountArrivalsAndBytes) {
  const std::vector<PtxOperand> two = {operand("r"), operand("r")};
  const auto code = [&](const char* text) { return translate_ptx(text, two, 1).code; };
  EXPECT_THAT(code("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;"),
              HasSubstr("mbarrier_arrive_expect_tx(::cuemu::ptx::Nowhere{}, "));
  EXPECT_THAT(code("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"),
              HasSubstr("mbarrier_expect_tx("));
  EXPECT_THAT(code("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;"),
              HasSubstr("mbarrier_complete_tx("));
  EXPECT_THAT(code("mbarrier.arrive_drop.shared.b64 _, [%0];"), HasSubstr("mbarrier_arrive_drop("));
  EXPECT_THAT(code("barrier.cluster.arrive.relaxed.aligned;"), HasSubstr("cluster_arrive("));
  EXPECT_THAT(code("barrier.cluster.wait.acquire;"), HasSubstr("cluster_wait("));
}

TEST(Ptx, ProductsOfWarpgroupsNameTheirRegisters) {
  std::vector<PtxOperand> operands(4, operand("+f"));
  operands.insert(operands.end(), 2, operand("l"));
  operands.insert(operands.end(), 4, operand("r"));
  const auto read = [&](const char* text) { return translate_ptx(text, operands, 1); };
  const auto shared =
      read("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, -1, 0, 1;");
  EXPECT_EQ(shared.error, "");
  EXPECT_THAT(shared.code, HasSubstr("{&cuemu_r0, &cuemu_r1, &cuemu_r2, &cuemu_r3}"));
  EXPECT_THAT(shared.code, HasSubstr("wgmma<8, ::cuemu::ptx::bf16, ::cuemu::ptx::bf16, ::cuemu::ptx::f32>("));
  EXPECT_THAT(shared.code, HasSubstr("WgmmaA(::std::false_type{}"));
  EXPECT_EQ(read("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, {%6, %7, %8, %9}, %5, "
                 "1, 1, 1;")
                .error,
            "");
  EXPECT_EQ(read("wgmma.fence.sync.aligned;").error, "");
  EXPECT_EQ(read("wgmma.wait_group.sync.aligned 1;").error, "");
  for (const char* wrong :
       {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;",
        "wgmma.mma_async.sync.aligned.m64n8k8.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;",
        "wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;",
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;",
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1;"})
    EXPECT_NE(read(wrong).error, "") << wrong;
}

TEST(Ptx, ProductsOfWarpgroupsKnowBits) {
  std::vector<PtxOperand> operands(20, operand("+r"));
  operands.insert(operands.end(), 2, operand("l"));
  const auto read = [&](const std::string& text) { return translate_ptx(text.c_str(), operands, 1); };
  const std::string bits = "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1", d = " {%0, %1, %2, %3}, ";
  const auto shared = read(bits + ".and.popc" + d + "%20, %21, 1;");
  EXPECT_EQ(shared.error, "");
  EXPECT_THAT(shared.code,
              HasSubstr("wgmma<8, ::cuemu::ptx::b1_and, ::cuemu::ptx::b1_and, ::cuemu::ptx::s32>("));
  EXPECT_EQ(read(bits + ".and.popc" + d + "{%4, %5, %6, %7}, %21, 0;").error, "");
  for (const char* wrong : {".xor.popc", ".and", "", ".popc"})
    EXPECT_NE(read(bits + wrong + d + "%20, %21, 1;").error, "") << wrong;
  // Sums of integers have 8 or 24 columns, or a multiple of 16.
  const std::string many =
      " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19}, ";
  EXPECT_NE(read("wgmma.mma_async.sync.aligned.m64n40k256.s32.b1.b1.and.popc" + many + "%20, %21, 1;").error,
            "");
  EXPECT_NE(read("wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8" + many + "%20, %21, 1;").error, "");
  EXPECT_THAT(read("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8.satfinite" + d + "%20, %21, 1;").code,
              HasSubstr(", true}"));
}

TEST(Ptx, SparseProductsOfWarpgroupsHaveMetadata) {
  std::vector<PtxOperand> operands(4, operand("+r"));
  operands.insert(operands.end(), 2, operand("l"));
  operands.insert(operands.end(), 5, operand("r"));
  const auto read = [&](const char* text) { return translate_ptx(text, operands, 1); };
  const auto shared = read(
      "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, %6, 1, 1, 1, -1, 0, "
      "1;");
  EXPECT_EQ(shared.error, "");
  EXPECT_THAT(shared.code,
              HasSubstr("wgmma_sparse<8, ::cuemu::ptx::f16, ::cuemu::ptx::f16, ::cuemu::ptx::f32>("));
  EXPECT_THAT(shared.code, HasSubstr("Sparsity{::cuemu::ptx::get<::cuemu::ptx::u32>(cuemu_r6), "));
  EXPECT_EQ(read("wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32 {%0, %1, %2, %3}, "
                 "{%7, %8, %9, %10}, %5, %6, 0, 1, 1, 1;")
                .error,
            "");
  EXPECT_EQ(
      read("wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.u8 {%0, %1, %2, %3}, %4, %5, %6, 0, 1;").error,
      "");
  for (const char* wrong :
       {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, %6, 0, 1, 1, 1;",
        "wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, %6, 0, 1, 1, 1, 0, "
        "0;",
        "wgmma.mma_async.sync.aligned.m64n8k32.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;",
        "wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.u8 {%0, %1, %2, %3}, %4, %5, %6, 0, 1, 1, 1;",
        "wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.u8 {%0, %1, %2, %3}, %4, %5, 1;"})
    EXPECT_NE(read(wrong).error, "") << wrong;
}

TEST(Ptx, ProductsOfWarpsHaveShapesAndTypes) {
  std::vector<PtxOperand> operands(4, operand("+r"));
  operands.insert(operands.end(), 9, operand("r"));
  const auto read = [&](const std::string& text) { return translate_ptx(text.c_str(), operands, 1); };
  const std::string d = " {%0, %1, %2, %3}, ", c = ", {%0, %1, %2, %3}", two = "{%4, %5}",
                    four = "{%4, %5, %6, %7}";
  const auto whole =
      read("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.u8.s32" + d + two + ", {%8}" + c + ";");
  EXPECT_EQ(whole.error, "");
  EXPECT_THAT(whole.code, HasSubstr("mma<16, 16, ::cuemu::ptx::s8, ::cuemu::ptx::u8, ::cuemu::ptx::s32, "
                                    "::cuemu::ptx::s32, false>("));
  EXPECT_THAT(whole.code, HasSubstr("MmaFlags{true}"));
  EXPECT_EQ(
      read("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32" + d + four + ", {%8, %9}" + c + ";").error,
      "");
  EXPECT_THAT(
      read("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc" + d + four + ", {%8, %9}" + c + ";")
          .code,
      HasSubstr("mma<16, 8, ::cuemu::ptx::b1_and, ::cuemu::ptx::b1_and, "));
  for (const char* wrong : {"m16n8k32.row.col.f32.f16.f16.f32", "m16n8k16.row.col.f32.f16.bf16.f32",
                            "m16n8k16.row.col.f32.f16.f16.f16", "m16n8k16.row.col.f32.s8.s8.f32",
                            "m16n8k16.row.col.satfinite.f32.f16.f16.f32", "m16n8k256.row.col.s32.b1.b1.s32",
                            "m16n8k256.row.col.s32.b1.b1.s32.or.popc", "m16n8k256.row.col.s32.b1.b1.s32.and"})
    EXPECT_NE(read("mma.sync.aligned." + std::string(wrong) + d + four + ", {%8, %9}" + c + ";").error, "")
        << wrong;
}

TEST(Ptx, ProductsOfDoublesHaveWideRegisters) {
  std::vector<PtxOperand> operands(4, operand("+d"));
  operands.insert(operands.end(), 6, operand("d"));
  const auto read = [&](const std::string& text) { return translate_ptx(text.c_str(), operands, 1); };
  const std::string four = " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};";
  EXPECT_THAT(read("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64.rn" + four).code,
              HasSubstr("mma<16, 8, ::cuemu::ptx::f64, "));
  EXPECT_THAT(read("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%4}, {%5}, {%0, %1};").code,
              HasSubstr("mma<8, 4, ::cuemu::ptx::f64, "));
  for (const char* wrong :
       {"m16n8k8.row.col.rz.f64.f64.f64.f64", "m8n8k8.row.col.f64.f64.f64.f64",
        "m16n8k8.row.row.f64.f64.f64.f64", "m16n8k8.row.col.f64.f64.f64", "row.col.f64.f64.f64.f64"})
    EXPECT_NE(read("mma.sync.aligned." + std::string(wrong) + four).error, "") << wrong;
}

TEST(Ptx, MatricesAreTransposedInRegisters) {
  const std::vector<PtxOperand> two = {operand("=r"), operand("r")};
  EXPECT_THAT(translate_ptx("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;", two, 1).code,
              HasSubstr("movmatrix("));
  for (const char* wrong :
       {"movmatrix.sync.aligned.m8n8.b16 %0, %1;", "movmatrix.sync.aligned.m8n8.trans.b8 %0, %1;",
        "movmatrix.sync.aligned.m8n8.trans.x2.b16 %0, %1;"})
    EXPECT_NE(translate_ptx(wrong, two, 1).error, "") << wrong;
}

TEST(Ptx, SparseProductsOfWarpsHaveMetadata) {
  std::vector<PtxOperand> operands(4, operand("+r"));
  operands.insert(operands.end(), 9, operand("r"));
  const auto read = [&](const std::string& text) { return translate_ptx(text.c_str(), operands, 1); };
  const std::string d = " {%0, %1, %2, %3}, ", c = ", {%0, %1, %2, %3}";
  const std::string two = "{%4, %5}, {%6, %7}", four = "{%4, %5, %6, %7}, {%8, %9, %10, %11}";
  const auto any = read("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32" + d + four + c + ", %12, 1;");
  EXPECT_EQ(any.error, "");
  EXPECT_THAT(any.code, HasSubstr("mma<16, 32, ::cuemu::ptx::f16, ::cuemu::ptx::f16, ::cuemu::ptx::f32, "
                                  "::cuemu::ptx::f32, true>("));
  EXPECT_THAT(any.code, HasSubstr("Metadata::any_order, {::cuemu::ptx::get<::cuemu::ptx::u32>(cuemu_r12), "));
  EXPECT_EQ(read("mma.sp.sync.aligned.m16n8k128.row.col.satfinite.s32.s4.u4.s32" + d + four + c + ", %12, 0;")
                .error,
            "");
  const auto ordered = read("mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32" + d +
                            two + c + ", %12, 3;");
  EXPECT_EQ(ordered.error, "");
  EXPECT_THAT(ordered.code, HasSubstr("Metadata::ordered, "));
  for (const char* wrong : {"m16n8k8.row.col.f32.f16.f16.f32", "m16n8k32.row.col.f32.e4m3.e4m3.f32",
                            "m16n8k16.row.col.s32.s8.s8.s32", "m16n8k256.row.col.s32.b1.b1.s32.and.popc"})
    EXPECT_NE(read("mma.sp.sync.aligned." + std::string(wrong) + d + two + c + ", %12, 0;").error, "")
        << wrong;
  EXPECT_NE(read("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + d + two + c + ", %12;").error, "");
  EXPECT_NE(read("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + d + two + c + ", %12, 0;").error, "");
  EXPECT_NE(
      read("mma.sp::any.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + d + two + c + ", %12, 0;").error,
      "");
}

TEST(Ptx, ConstraintsShowTheRegister) {
  EXPECT_EQ(operand("=&r").type(), "::cuemu::ptx::u32");
  EXPECT_EQ(operand("+d").type(), "::cuemu::ptx::f64");
  EXPECT_EQ(operand("x").type(), "");
  EXPECT_TRUE(operand("+r").is_input() && operand("+r").is_output());
  EXPECT_FALSE(operand("=r").is_input());
}

}  // namespace ptx_test
}  // namespace emucc
