// Tests the translation of shared variables, device variables, pragmas, and other text.
#include "lower/translator_test_support.hpp"

namespace emucc {
namespace translator_variables_test {

// ---- shared variables

TEST(Shared, OperatorsInTheSizeStayWhole) {
  EXPECT_THAT(translated("__global__ void k() { __shared__ float s[8 << 1]; f(s); }"),
              testing::HasSubstr("sizeof(float [ 8 << 1 ]"));
  EXPECT_THAT(
      translated("template <int N> struct A {}; __global__ void k(A<(1 << 3)> a, A<(4 >> 1)> b) { f(a); }"),
      testing::AllOf(testing::HasSubstr("1 << 3"), testing::HasSubstr("4 >> 1")));
}

TEST(Shared, BecomesAReference) {
  EXPECT_EQ(in_kernel("__shared__ float t[4][8];"),
            "auto&t=::cuemu::shared<float[4][8],struct cuemu_shared_1>();");
  EXPECT_EQ(in_kernel("static __shared__ volatile unsigned int n;"),
            "auto&n=::cuemu::shared<volatile unsigned int,struct cuemu_shared_1>();");
  EXPECT_EQ(in_device("volatile __shared__ int n;"),
            "auto&n=::cuemu::shared<volatile int,struct cuemu_shared_1>();");
  EXPECT_EQ(in_device("int __shared__ n;"), "auto&n=::cuemu::shared<int,struct cuemu_shared_1>();");
  EXPECT_EQ(in_kernel("__shared__ typename B<T, 4>::Storage s;"),
            "auto&s=::cuemu::shared<typename B<T,4>::Storage,struct cuemu_shared_1>();");
  EXPECT_EQ(in_kernel("__shared__ ::n::V<A<int>> s[N];"),
            "auto&s=::cuemu::shared<::n::V<A<int>>[N],struct cuemu_shared_1>();");
}

TEST(Shared, TagsNameTheVariable) {
  EXPECT_THAT(translated("__global__ void k() { __shared__ float tile[4]; }"),
              HasSubstr("cuemu_shared_tile_1"));
}

TEST(Shared, SeveralDeclarators) {
  EXPECT_EQ(in_kernel("__shared__ float a[2], *b, (*c)[4], d;"),
            "auto&a=::cuemu::shared<float[2],struct cuemu_shared_1>();auto&b=::cuemu::shared<float*,struct "
            "cuemu_shared_2>();"
            "auto&c=::cuemu::shared<float(*)[4],struct cuemu_shared_3>();auto&d=::cuemu::shared<float,struct "
            "cuemu_shared_4>();");
}

TEST(Shared, Alignment) {
  EXPECT_EQ(in_kernel("__align__(16) __shared__ float t[4];"),
            "struct alignas(16)cuemu_shared_1{float "
            "value[4];};auto&t=::cuemu::shared<cuemu_shared_1,cuemu_shared_1>().value;");
  EXPECT_EQ(in_kernel("__shared__ alignas(N * 2) T t;"),
            "struct alignas(N*2)cuemu_shared_1{T "
            "value;};auto&t=::cuemu::shared<cuemu_shared_1,cuemu_shared_1>().value;");
}

TEST(Shared, TypesDefinedInPlace) {
  EXPECT_EQ(in_kernel("__shared__ struct { int a; } s;"),
            "struct cuemu_type_1{int a;};auto&s=::cuemu::shared<cuemu_type_1,struct cuemu_shared_2>();");
  EXPECT_EQ(in_kernel("__shared__ union U { int a; float b; } s[2];"),
            "union U{int a;float b;};auto&s=::cuemu::shared<U[2],struct cuemu_shared_1>();");
  EXPECT_EQ(in_kernel("__shared__ struct V v;"), "auto&v=::cuemu::shared<struct V,struct cuemu_shared_1>();");
}

TEST(Shared, Dynamic) {
  EXPECT_EQ(in_kernel("extern __shared__ __align__(1024) char s[];"),
            "auto&s=::cuemu::dynamic_shared<char[],::cuemu::detail::alignment<1024>()>();");
  EXPECT_EQ(in_kernel("extern __shared__ float s[];"), "auto&s=::cuemu::dynamic_shared<float[]>();");
  EXPECT_EQ(in_kernel("extern __shared__ __align__(8) int2 s[][4];"),
            "auto&s=::cuemu::dynamic_shared<int2[][4],::cuemu::detail::alignment<8>()>();");
}

TEST(Shared, AtNamespaceLevelEachFunctionDeclaresIt) {
  EXPECT_TRANSLATION(
      "extern __shared__ float s[]; __device__ float f() { return s[0]; } __device__ void g() { x.s = 1; }",
      "float f() { [[maybe_unused]] auto& s = ::cuemu::dynamic_shared<float[]>(); return s[0]; } void g() { "
      "x.s = 1; }");
  EXPECT_TRANSLATION("__shared__ int n; __device__ void f() { n = 1; }",
                     "namespace { struct cuemu_shared_1; } void f() { [[maybe_unused]] auto& n = "
                     "::cuemu::shared<int, cuemu_shared_1>(); n = 1; }");
}

TEST(Shared, LambdasDeclareItAgainUnlessTheyCaptureByReference) {
  for (const std::string capture : {"=", "=,&m", ""})
    EXPECT_THAT(in_kernel("__shared__ int n; int m; auto l = [" + capture + "] { n = 1; };"),
                HasSubstr("auto l=[" + capture +
                          "]{[[maybe_unused]]auto&n=::cuemu::shared<int,struct cuemu_shared_1>();n=1;};"));
  EXPECT_THAT(in_kernel("__shared__ int n; auto l = [&] { n = 1; };"), HasSubstr("auto l=[&]{n=1;};"));
}

TEST(Shared, InitialisersAreErrors) {
  EXPECT_THAT(error_of("__global__ void k() { __shared__ int n = 0; }"), HasSubstr("__syncthreads"));
  EXPECT_THAT(error_of("__global__ void k() { __shared__ int n{0}; }"), HasSubstr("initialised"));
}

// ---- local arrays of a checked program

std::string checked(const std::string& body) {
  TranslateOptions options = plain();
  options.check = true;
  return squeeze(translated("__device__ void f(int n) {" + body + "}", options));
}
std::string as_written(const std::string& body) {
  return squeeze("void f(int n) {" + body + "}");
}

TEST(LocalArrays, HaveZonesWhereTheyAreHandedOn) {
  EXPECT_EQ(checked("float a[8]; g(a);"),
            as_written("::cuemu::GuardedArray<float[8]> cuemu_array_1; cuemu_array_1.before.is_of(\"a\"); "
                       "[[maybe_unused]] auto& a = cuemu_array_1.array(); g(a);"));
  EXPECT_EQ(
      checked("n = 1; const unsigned a[2][N >> 1] = {{1}, {2}}; g(a[1]);"),
      as_written(
          "n = 1; ::cuemu::GuardedArray<const unsigned[2][(N >> 1)]> cuemu_array_1{{}, {{1}, {2}}, {}, {}}; "
          "cuemu_array_1.before.is_of(\"a\"); [[maybe_unused]] auto& a = cuemu_array_1.array(); g(a[1]);"));
  EXPECT_THAT(checked("int a[4]{}; int* p = &a[2];"),
              HasSubstr("GuardedArray<int[4]>cuemu_array_1{{},{},{},{}};"));
}

TEST(LocalArrays, OthersStayAsTheyAre) {
  for (const char* const body : {
           "int a[4]; a[n] = sizeof(a) + p.a;",                            // the compiler checks its indices
           "int a[] = {1, 2}; g(a);",                                      // its type is not spelled out
           "static int a[4]; g(a);",                                       //
           "int a[4], b; g(a);",                                           //
           "switch (n) { case 0: n; int a[4]; g(a); break; case 1: n; }",  // a jump into its scope
           "int a[4]; g(a); goto end; end: n;",                            //
           "a[n] = 3; g(a);",                                              // no declaration
           "return a[n];",                                                 //
           "delete a[n];",                                                 //
           "T::a[n] = 3; g(a);",
       })
    EXPECT_EQ(checked(body), as_written(body));
}

// ---- device variables

/// Returns the assertion after a constant. It adds up the bytes of the constants so far.
std::string limit(const std::string& bytes) {
  return "static_assert(" + bytes +
         " <= 65536, \"a file has at most 64 KiB (0x10000 bytes) of __constant__ variables: larger arrays "
         "belong in "
         "memory of cudaMalloc()\");";
}

TEST(Variable, ConstantsOfAFileShareTheirMemory) {
  const std::string text =
      squeeze(translated("namespace a { __constant__ int x; } __constant__ float c[9];"));
  EXPECT_NE(text.find(squeeze(limit("sizeof(::a::x)"))), text.npos) << text;
  EXPECT_NE(text.find(squeeze(limit("sizeof(::a::x) + sizeof(::c)"))), text.npos) << text;
}

TEST(Variable, IsRegistered) {
  EXPECT_TRANSLATION("__constant__ float c[9];",
                     "static float c[9]; static const ::cuemu::RegisterVariable cuemu_variable_1(\"c\", &c, "
                     "sizeof(c), "
                     "::cuemu::VariableKind::constant);" +
                         limit("sizeof(::c)"));
  EXPECT_TRANSLATION(
      "static __device__ int n = 3;",
      "static int n = 3; static const ::cuemu::RegisterVariable cuemu_variable_1(\"n\", &n, sizeof(n));");
  EXPECT_TRANSLATION("__device__ int a = f(1, 2), b[2] = {1, 2};",
                     "static int a = f(1, 2), b[2] = {1, 2}; static const ::cuemu::RegisterVariable "
                     "cuemu_variable_1(\"a\", &a, sizeof(a));"
                     "static const ::cuemu::RegisterVariable cuemu_variable_2(\"b\", &b, sizeof(b));");
}

TEST(Class, VirtualFunctionsRegisterTheProgramOnce) {
  EXPECT_TRANSLATION("namespace a { struct S { virtual void f(); }; } struct T { virtual void g(); };",
                     "namespace a { struct S { virtual void f(); }; static const ::cuemu::RegisterTables "
                     "cuemu_tables_1; } struct T { virtual void g(); };");
  EXPECT_TRANSLATION("struct S { void f(); }; void f() { struct T { virtual void g(); }; }",
                     "struct S { void f(); }; void f() { struct T { virtual void g(); }; }");
}

TEST(Variable, RelocatableOnesAreVisibleToOtherFiles) {
  TranslateOptions options = plain();
  options.language.relocatable = true;
  EXPECT_EQ(squeeze(translated("__device__ int n;", options)),
            squeeze("int n; static const ::cuemu::RegisterVariable cuemu_variable_1(\"n\", &n, sizeof(n));"));
  EXPECT_EQ(squeeze(translated("extern __device__ int n;", options)), squeeze("extern int n;"));
}

TEST(Variable, DefinedOutsideOfItsNamespace) {
  EXPECT_TRANSLATION("namespace a { extern __device__ int n; } __device__ int a::n = 1;",
                     "namespace a { extern int n; } int a::n = 1; static const ::cuemu::RegisterVariable "
                     "cuemu_variable_1(\"a::n\", &a::n, sizeof(a::n));");
}

TEST(Variable, MembersOfClassesAreNone) {
  EXPECT_TRANSLATION("struct S { __device__ int n; };", "struct S { int n; };");
  EXPECT_TRANSLATION("struct S { __shared__ int n; };", "struct S { int n; };");
}

TEST(Variable, FunctionsAreNone) {
  EXPECT_TRANSLATION("__device__ float f(float);", "float f(float);");
  EXPECT_TRANSLATION("__device__ constexpr int n = 3;", "constexpr int n = 3;");
}

// ---- pragmas and the rest

TEST(Pragma, UnrollIsTheHostsBeforeALoop) {
  EXPECT_EQ(translated("void f() {\n#pragma unroll 4\nfor (;;);\n}"),
            "void f() {\n#pragma GCC unroll 4\nfor (;;);\n}\n");
  EXPECT_EQ(translated("void f() {\n#pragma unroll\nwhile (x);\n}"),
            "void f() {\n#pragma GCC unroll 16\nwhile (x);\n}\n");
  EXPECT_EQ(translated("void f() {\n#pragma unroll\nx();\n}"), "void f() {\n\nx();\n}\n");
  TranslateOptions clang = plain();
  clang.host = HostKind::clang;
  EXPECT_EQ(translated("void f() {\n#pragma unroll\nfor (;;);\n}", clang),
            "void f() {\n#pragma unroll\nfor (;;);\n}\n");
}

TEST(Pragma, UnrollVanishesWhereItIsNotWanted) {
  TranslateOptions checked = plain();
  checked.unroll = false;
  EXPECT_EQ(translated("void f() {\n#pragma unroll 4\nfor (;;);\n}", checked),
            "void f() {\n\nfor (;;);\n}\n");
}

TEST(Pragma, NvidiasVanishOthersStay) {
  EXPECT_EQ(translated("#pragma nv_diag_suppress 177\n#pragma omp parallel\nint a;\n"),
            "\n#pragma omp parallel\nint a;\n");
}

TEST(Text, SystemHeadersPassUntouched) {
  const std::string text =
      "# 1 \"a.cu\"\n# 1 \"/usr/include/x.h\" 1 3\n__global__ void k(int& n);\n# 2 \"a.cu\" 2\nint a;\n";
  EXPECT_EQ(translated(text), text);
}

TEST(Text, FoldersOfIsystemAreUserCode) {
  TranslateOptions options = plain();
  options.lex.user_system_folders = {"third"};
  EXPECT_THAT(translated("# 1 \"third/x.h\" 1 3\n__device__ int f();\n# 2 \"a.cu\" 2\n", options),
              Not(HasSubstr("__device__")));
}

TEST(Text, RawStringsAndLiteralsAreNoCode) {
  EXPECT_TRANSLATION("auto a = R\"x(k<<<1,2>>>() \")x\"; auto b = \"__shared__\"; int c = 1'000'000;",
                     "auto a = R\"x(k<<<1,2>>>() \")x\"; auto b = \"__shared__\"; int c = 1'000'000;");
}

TEST(Text, BrokenCodePassesOn) {
  for (const char* text : {"{",
                           "}",
                           "(",
                           ")",
                           "[",
                           "<",
                           "<<<",
                           "k<<<",
                           "__shared__",
                           "__global__",
                           "__global__ void k(",
                           "template <",
                           "[](",
                           "extern __shared__",
                           "struct",
                           "\"",
                           "__device__",
                           "asm",
                           "namespace",
                           "operator",
                           "__launch_bounds__(",
                           "__align__",
                           "'",
                           "#",
                           "# 1",
                           "# 1 \"a"}) {
    translate(text, plain());
    translate("void f() { " + std::string(text), plain());
    translate("__global__ void k() { " + std::string(text) + " }", plain());
  }
}

}  // namespace translator_variables_test
}  // namespace emucc
