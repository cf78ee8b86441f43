// Text in, text out. Lines and columns have tests of their own (pieces_test.cpp): here all is on few lines,
// blanks squeezed.
#include "translator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

namespace emucc {
namespace {

using testing::HasSubstr;
using testing::Not;

/// White space squeezed, markers dropped, no blank where one makes no difference, and of shared variables'
/// tags the number alone.
std::string squeeze(const std::string& text) {
  std::string lines, all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (line.rfind("# ", 0) != 0) lines += line + " ";
    at = end + 1;
  }
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] != ' ')
      all += lines[i];
    else if (!all.empty() && i + 1 < lines.size() && is_word(all.back()) && is_word(lines[i + 1]))
      all += ' ';
  }
  static const std::regex tag("cuemu_shared_[A-Za-z_]\\w*?_(\\d+)\\b");
  return std::regex_replace(all, tag, "cuemu_shared_$1");
}

TranslateOptions plain() {
  TranslateOptions options;
  options.keep_columns = false;
  options.kernel_parameters = "P";
  return options;
}

std::string translated(const std::string& text, const TranslateOptions& options = plain()) {
  const Translation result = translate(text, options);
  for (const auto& error : result.errors) ADD_FAILURE() << error.message;
  return result.text;
}

#define EXPECT_TRANSLATION(in, out) EXPECT_EQ(squeeze(translated(in)), squeeze(out))

std::string error_of(const std::string& text) {
  const Translation result = translate(text, plain());
  return result.errors.empty() ? "" : result.errors.front().message;
}

/// What stands inside a kernel's body.
std::string in_kernel(const std::string& body) {
  const std::string all = squeeze(translated("template<class T> __global__ void k() {" + body + "}"));
  const std::string begin = "mutable->void{";
  const std::size_t at = all.find(begin) + begin.size();
  return all.substr(at, all.rfind("});}") - at);
}

std::string in_device(const std::string& body) {
  const std::string all = squeeze(translated("__device__ void f() {" + body + "}"));
  return all.substr(9, all.size() - 10);
}

// ---- kernels

TEST(Kernel, BodyBecomesALambda) {
  EXPECT_TRANSLATION(
      "__global__ void k(int n) { f(n); }",
      "void k(int n) { ::cuemu::kernel_entry(::cuemu::KernelInfo{\"k\"}, [=](P) mutable -> void { f(n); }); "
      "}"
      "static const ::cuemu::RegisterKernel cuemu_kernel_1(static_cast<void (*)(int n)>(&k));");
}

TEST(Kernel, LaunchBoundsStandBeforeOrAfter) {
  EXPECT_THAT(squeeze(translated("__global__ void __launch_bounds__(256, 2) k() {}")),
              HasSubstr("KernelInfo{\"k\",static_cast<unsigned>(256)}"));
  EXPECT_THAT(squeeze(translated("__launch_bounds__(f(1,2)) __global__ void k() {}")),
              HasSubstr("static_cast<unsigned>(f(1,2))}"));
}

TEST(Kernel, TemplatesAreRegisteredWhereTheirAddressIsTaken) {
  const std::string all = squeeze(translated(
      "template <class T> __global__ void k(T t) { f(); } void g() { h((void*)n::k<A<int>>, k<int>); }"));
  const std::string known = "[](auto*kernel){::cuemu::RegisterKernel known(kernel);return kernel;}";
  EXPECT_THAT(all, HasSubstr("h((void*)" + known + "(n::k<A<int>>),k<int>);"));
  EXPECT_THAT(squeeze(translated("template <class T> __global__ void k(T t) { f(); } void g() { "
                                 "h(reinterpret_cast<const void*>(k<int>)); }")),
              HasSubstr("h(reinterpret_cast<const void*>(" + known + "(k<int>)));"));
}

TEST(Kernel, TemplatesAreNotRegistered) {
  const std::string text =
      squeeze(translated("template <typename... A> __global__ void k(A... a) { use(a...); }"));
  EXPECT_THAT(text, HasSubstr("void k(A...a){::cuemu::kernel_entry"));
  EXPECT_THAT(text, Not(HasSubstr("RegisterKernel")));
}

TEST(Kernel, SpecialisationsAndNamespaces) {
  EXPECT_THAT(
      squeeze(translated("namespace a::b { template <> __global__ void k<int, A<B>>(int* p) { f(); } }")),
      testing::StartsWith("namespace a::b{template<>void "
                          "k<int,A<B>>(int*p){::cuemu::kernel_entry(::cuemu::KernelInfo{\"k\"}"));
  EXPECT_THAT(squeeze(translated("extern \"C\" __global__ void k() {}")),
              HasSubstr("extern\"C\"void k(){::cuemu"));
  EXPECT_THAT(squeeze(translated("extern \"C\" { __global__ void k() {} }")),
              HasSubstr("extern\"C\"{void k(){::cuemu"));
  EXPECT_THAT(squeeze(translated("struct S { static __global__ void k() { x(); } };")),
              HasSubstr("struct S{static void k(){::cuemu::kernel_entry"));
}

TEST(Kernel, RegistrationHasNoDefaultArguments) {
  EXPECT_THAT(squeeze(translated(
                  "__global__ void k(A<1, 2> a, int n = f(1, 2), float* __restrict__ p = nullptr) {}")),
              HasSubstr("static_cast<void(*)(A<1,2>a,int n,float*__restrict__ p)>(&k)"));
}

TEST(Kernel, PrototypesAndInstantiationsOnlyLoseTheirWords) {
  EXPECT_TRANSLATION("__global__ void k(int);", "void k(int);");
  EXPECT_TRANSLATION("template __global__ void k<int>(int*);", "template void k<int>(int*);");
  EXPECT_TRANSLATION("struct S { friend __global__ void k(S); };", "struct S { friend void k(S); };");
}

TEST(Kernel, ConstraintsAndTrailingParts) {
  EXPECT_THAT(
      squeeze(translated(
          "template <class T> requires requires(T t) { t.x; } __global__ void k(T t) noexcept { y(); }")),
      HasSubstr("requires requires(T t){t.x;}void k(T t)noexcept{::cuemu::kernel_entry"));
  EXPECT_THAT(
      squeeze(translated("template <class T> requires (sizeof(T) > 2) __global__ void k(T t) { y(); }")),
      HasSubstr("void k(T t){::cuemu::kernel_entry"));
}

TEST(Kernel, ItsNameIsKnownToTheBody) {
  EXPECT_EQ(in_kernel("f(__func__, __FUNCTION__);"), "f(\"k\",\"k\");");
}

TEST(Kernel, AParameterMayBeCalledLikeABuiltInVariable) {
  TranslateOptions options = plain();
  options.kernel_parameters = "uint3 threadIdx, dim3 gridDim";
  EXPECT_THAT(squeeze(translated("__global__ void k(dim3 gridDim) { f(gridDim, threadIdx); }", options)),
              HasSubstr("[=](uint3 threadIdx,dim3 cuemu_gridDim)mutable->void{f(gridDim,threadIdx);}"));
}

TEST(Kernel, WhatNvccRefusesIsAnError) {
  EXPECT_THAT(error_of("__global__ int k() { return 1; }"), HasSubstr("must return void"));
  EXPECT_THAT(error_of("__global__ void k(int& n) {}"), HasSubstr("reference"));
  EXPECT_EQ(error_of("__global__ void k(F<int&> f, int n = a & b) {}"), "");
  EXPECT_THAT(error_of("__global__ void k(int n) {} int main() { k(1); }"), HasSubstr("k<<<grid, block>>>"));
  EXPECT_THAT(error_of("template <class T> __global__ void k(T n) {} int main() { k<int>(1); }"),
              HasSubstr("configuration"));
}

TEST(Kernel, AHostFunctionOfTheSameNameMayBeCalled) {
  EXPECT_EQ(error_of("__global__ void k(int n) {} void k(float x) {} int main() { k(1.f); }"), "");
}

TEST(Kernel, ThreadsThatCannotWaitRunAsAPlainLoop) {
  auto is_plain = [](const std::string& text) {
    return translated(text).find("plain_loop") != std::string::npos;
  };
  EXPECT_TRUE(
      is_plain("__global__ void k(float* p) { int i = threadIdx.x; p[i] = sqrtf(p[i]) + float(i); }"));
  EXPECT_TRUE(is_plain(
      "__device__ int f(int x) { return x * x; } __global__ void k(int* p) { p[threadIdx.x] = f(2); }"));
  EXPECT_FALSE(is_plain("__global__ void k() { __syncthreads(); }"));
  EXPECT_FALSE(is_plain("__global__ void k() { __shared__ int n; }"));
  EXPECT_FALSE(is_plain("__global__ void k(int* p) { while (*(volatile int*)p == 0); }"));
  EXPECT_FALSE(is_plain("template <class F> __global__ void k(F f) { f(1); }"));
  EXPECT_FALSE(is_plain("__global__ void k(G g) { g.sync(); }"));
  EXPECT_FALSE(
      is_plain("__device__ int f() { return threadIdx.x; } __global__ void k(int* p) { p[0] = f(); }"));
  EXPECT_FALSE(
      is_plain("__device__ void f(int) { w(); } __device__ void f(float) {} __global__ void k() { f(1); }"));
  EXPECT_FALSE(
      is_plain("__device__ void f(float) {} __device__ void f(int) { w(); } __global__ void k() { f(1); }"));
}

// ---- launches

std::string in_main(const std::string& body) {
  const std::string all = squeeze(translated("int main() {" + body + "}"));
  return all.substr(11, all.size() - 12);
}
#define EXPECT_LAUNCH(in, out) EXPECT_EQ(in_main(in), squeeze(out))

TEST(Launch, BecomesACallWithAConfiguration) {
  EXPECT_LAUNCH("k<<<1, 2>>>(3);", "(::cuemu::push_launch(1, 2), k(3));");
  EXPECT_LAUNCH("k<<<g, b, n * 4, s>>>();", "(::cuemu::push_launch(g, b, n * 4, s), k());");
  EXPECT_LAUNCH("k<<<dim3{1, 2}, {16, 16}>>>(a, b);",
                "(::cuemu::push_launch(dim3{1, 2}, {16, 16}), k(a, b));");
}

TEST(Launch, EveryFormOfCallee) {
  EXPECT_LAUNCH("ns::k<<<1, 2>>>();", "(::cuemu::push_launch(1, 2), ns::k());");
  EXPECT_LAUNCH("::ns::k<<<1, 2>>>();", "(::cuemu::push_launch(1, 2), ::ns::k());");
  EXPECT_LAUNCH("k<int><<<1, 2>>>();", "(::cuemu::push_launch(1, 2), k<int>());");
  EXPECT_LAUNCH("k<A<B<C<int>>>><<<1, 2>>>();", "(::cuemu::push_launch(1, 2), k<A<B<C<int>>>>());");
  EXPECT_LAUNCH("S<T>::template k<(3 > 2)><<<1, 2>>>();",
                "(::cuemu::push_launch(1, 2), S<T>::template k<(3 > 2)>());");
  EXPECT_LAUNCH("(*p)<<<1, 2>>>();", "(::cuemu::push_launch(1, 2), (*p)());");
  EXPECT_LAUNCH("table[i][j]<<<1, 2>>>();", "(::cuemu::push_launch(1, 2), table[i][j]());");
  EXPECT_LAUNCH("a.b->k<<<1, 2>>>();", "(::cuemu::push_launch(1, 2), a.b->k());");
  EXPECT_LAUNCH("pick(3)<<<1, 2>>>();", "(::cuemu::push_launch(1, 2), pick(3)());");
}

TEST(Launch, InStatements) {
  EXPECT_LAUNCH("if (a) k<<<1, 2>>>(); else j<<<1, 2>>>();",
                "if (a) (::cuemu::push_launch(1, 2), k()); else (::cuemu::push_launch(1, 2), j());");
  EXPECT_LAUNCH("if (a) (k)<<<1, 2>>>();", "if (a) (::cuemu::push_launch(1, 2), (k)());");
  EXPECT_LAUNCH("for (;;) k<<<1, 2>>>();", "for (;;) (::cuemu::push_launch(1, 2), k());");
  EXPECT_LAUNCH("a(), k<<<1, 2>>>();", "a(), (::cuemu::push_launch(1, 2), k());");
  EXPECT_LAUNCH("return k<<<1, 2>>>();", "return (::cuemu::push_launch(1, 2), k());");
  EXPECT_LAUNCH("(void)k<<<1, 2>>>();", "(void)(::cuemu::push_launch(1, 2), k());");
  EXPECT_LAUNCH("auto l = [&] { k<<<1, 2>>>(); };", "auto l = [&] { (::cuemu::push_launch(1, 2), k()); };");
  EXPECT_LAUNCH("x: k<<<1, 2>>>();", "x: (::cuemu::push_launch(1, 2), k());");
}

TEST(Launch, ShiftsTemplatesAndLaunchesInside) {
  EXPECT_LAUNCH("k<<<n >> 2, 1 << 3>>>();", "(::cuemu::push_launch(n >> 2, 1 << 3), k());");
  EXPECT_LAUNCH("k<<<f<A<B<int>>>(1), 32>>>();", "(::cuemu::push_launch(f<A<B<int>>>(1), 32), k());");
  EXPECT_LAUNCH("k<<<1, N<4, 2>::v>>>();", "(::cuemu::push_launch(1, N<4, 2>::v), k());");
  EXPECT_LAUNCH("k<<<a > b ? 1 : 2, 3>>>();", "(::cuemu::push_launch(a > b ? 1 : 2, 3), k());");
  EXPECT_LAUNCH("k<<<1, 2>>>(f([&] { j<<<3, 4>>>(); }));",
                "(::cuemu::push_launch(1, 2), k(f([&] { (::cuemu::push_launch(3, 4), j()); })));");
}

TEST(Launch, OperatorTemplatesAreNoLaunches) {
  EXPECT_TRANSLATION("struct S { friend O& operator<<<int>(O&, S); };",
                     "struct S { friend O& operator<<<int>(O&, S); };");
  EXPECT_TRANSLATION("V<V<V<int>>> x; int y = 1 << 2 >> 1;", "V<V<V<int>>> x; int y = 1 << 2 >> 1;");
}

TEST(Launch, BrokenOnesAreErrors) {
  EXPECT_THAT(error_of("int main() { k<<<1, 2>>; }"), HasSubstr(">>>("));
  EXPECT_THAT(error_of("int main() { k<<<>>>(); }"), HasSubstr("grid and a block"));
  EXPECT_THAT(error_of("int main() { k<<<dim3(1, 2)>>>(3, 4); }"), HasSubstr("grid and a block"));
}

// ---- built-in variables

TEST(BuiltIn, ParametersInAKernelFunctionsElsewhere) {
  EXPECT_EQ(in_kernel("x = threadIdx.x + warpSize;"), "x=threadIdx.x+warpSize;");
  EXPECT_EQ(in_device("x = threadIdx.x + blockDim.y * gridDim.z + warpSize;"),
            "x=::cuemu::thread_idx().x+::cuemu::block_dim().y*::cuemu::grid_dim().z+::cuemu::warp_size();");
  EXPECT_EQ(in_kernel("auto l = [=](int i) { return blockIdx.x; };"),
            "auto l=[=](int i){return::cuemu::block_idx().x;};");
  EXPECT_EQ(in_kernel("struct F { __device__ int operator()() { return blockIdx.x; } };"),
            "struct F{int operator()(){return::cuemu::block_idx().x;}};");
}

TEST(BuiltIn, MembersAndTheUsersOwnAreLeftAlone) {
  EXPECT_EQ(in_device("x = a.threadIdx + b->blockDim;"), "x=a.threadIdx+b->blockDim;");
  EXPECT_TRANSLATION("__device__ int f(dim3 blockDim) { return blockDim.x; }",
                     "int f(dim3 blockDim) { return blockDim.x; }");
  EXPECT_EQ(in_device("dim3 gridDim(2); g(gridDim);"), "dim3 gridDim(2);g(gridDim);");
  EXPECT_TRANSLATION("int main() { dim3 gridDim(1), blockDim(2); g(blockDim); }",
                     "int main() { dim3 gridDim(1), blockDim(2); g(blockDim); }");
}

// ---- functions

TEST(Function, AttributesVanishOrBecomeTheHosts) {
  EXPECT_TRANSLATION("__host__ __device__ int f();", "int f();");
  EXPECT_TRANSLATION("__device__ __forceinline__ int f() { return 1; }", "inline int f() { return 1; }");
  EXPECT_TRANSLATION("static __forceinline__ __device__ inline int f() { return 1; }",
                     "static inline int f() { return 1; }");
  EXPECT_TRANSLATION("__device__ __noinline__ int f() { return 1; }",
                     "__attribute__((noinline)) int f() { return 1; }");
  EXPECT_TRANSLATION("struct __align__(2 * 8) V { int x; };",
                     "struct __attribute__((aligned(2 * 8))) V { int x; };");
  EXPECT_TRANSLATION("void __attribute__((__noinline__)) f();", "void __attribute__((__noinline__)) f();");
}

TEST(Function, PrintfIsTheDevicesInDeviceCode) {
  EXPECT_EQ(in_device("printf(\"a\");"), "::cuemu::device_printf(\"a\");");
  EXPECT_EQ(in_device("std::printf(\"a\"); ::printf(\"b\");"),
            "::cuemu::device_printf(\"a\");::cuemu::device_printf(\"b\");");
  EXPECT_EQ(in_device("log.printf(\"a\"); my::printf(\"b\");"), "log.printf(\"a\");my::printf(\"b\");");
  EXPECT_TRANSLATION("void f() { printf(\"a\"); }", "void f() { printf(\"a\"); }");
  EXPECT_TRANSLATION("void f() { run([=] __device__ (int i) { printf(\"a\"); }); }",
                     "void f() { run([=] (int i) { ::cuemu::device_printf(\"a\"); }); }");
}

TEST(Function, AssertIsTheDevicesInDeviceCode) {
  EXPECT_EQ(in_device("(x ? void(0) : __assert_fail(\"x\", \"f\", 1, g));"),
            "(x?void(0):::cuemu::device_assert_fail(\"x\",\"f\",1,g));");
}

TEST(Function, MembersConstructorsAndOperators) {
  EXPECT_TRANSLATION(
      "struct S { __device__ S() : a{1}, b(threadIdx.x) { c = threadIdx.x; } int a, b; };",
      "struct S { S() : a{1}, b(::cuemu::thread_idx().x) { c = ::cuemu::thread_idx().x; } int a, b; };");
  EXPECT_TRANSLATION("struct S { __device__ int operator()(int i) const { return threadIdx.x; } };",
                     "struct S { int operator()(int i) const { return ::cuemu::thread_idx().x; } };");
  EXPECT_TRANSLATION("struct S { __device__ int operator[](int i) const { return threadIdx.x; } };",
                     "struct S { int operator[](int i) const { return ::cuemu::thread_idx().x; } };");
  EXPECT_TRANSLATION("__device__ auto f() -> decltype(g()) { return threadIdx.x; }",
                     "auto f() -> decltype(g()) { return ::cuemu::thread_idx().x; }");
}

TEST(Function, InlineAssemblyIsAnErrorThatNamesTheInstruction) {
  EXPECT_THAT(error_of("__device__ void f() { asm volatile(\"wgmma.fence.sync.aligned;\"); }"),
              HasSubstr("'wgmma.fence.sync.aligned'"));
  EXPECT_EQ(error_of("void f() { asm volatile(\"pause\"); }"), "");
  EXPECT_EQ(error_of("__device__ void f() { asm volatile(\"\" ::: \"memory\"); }"), "");
}

// ---- shared variables

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
  EXPECT_EQ(in_kernel("extern __shared__ float s[];"), "auto&s=::cuemu::dynamic_shared<float[]>();");
  EXPECT_EQ(in_kernel("extern __shared__ __align__(8) int2 s[][4];"),
            "auto&s=::cuemu::dynamic_shared<int2[][4]>();");
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

TEST(Shared, LambdasDeclareItAgain) {
  EXPECT_EQ(in_kernel("__shared__ int n; auto l = [=] { n = 1; };"),
            "auto&n=::cuemu::shared<int,struct cuemu_shared_1>();auto "
            "l=[=]{[[maybe_unused]]auto&n=::cuemu::shared<int,struct cuemu_shared_1>();n=1;};");
}

TEST(Shared, InitialisersAreErrors) {
  EXPECT_THAT(error_of("__global__ void k() { __shared__ int n = 0; }"), HasSubstr("__syncthreads"));
  EXPECT_THAT(error_of("__global__ void k() { __shared__ int n{0}; }"), HasSubstr("initialised"));
}

// ---- device variables

TEST(Variable, IsRegistered) {
  EXPECT_TRANSLATION(
      "__constant__ float c[9];",
      "static float c[9]; static const ::cuemu::RegisterVariable cuemu_variable_1(\"c\", &c, sizeof(c), "
      "::cuemu::VariableKind::constant);");
  EXPECT_TRANSLATION(
      "static __device__ int n = 3;",
      "static int n = 3; static const ::cuemu::RegisterVariable cuemu_variable_1(\"n\", &n, sizeof(n));");
  EXPECT_TRANSLATION("__device__ int a = f(1, 2), b[2] = {1, 2};",
                     "static int a = f(1, 2), b[2] = {1, 2}; static const ::cuemu::RegisterVariable "
                     "cuemu_variable_1(\"a\", &a, sizeof(a));"
                     "static const ::cuemu::RegisterVariable cuemu_variable_2(\"b\", &b, sizeof(b));");
}

TEST(Variable, RelocatableOnesAreVisibleToOtherFiles) {
  TranslateOptions options = plain();
  options.relocatable = true;
  EXPECT_EQ(squeeze(translated("__device__ int n;", options)),
            squeeze("int n; static const ::cuemu::RegisterVariable cuemu_variable_1(\"n\", &n, sizeof(n));"));
  EXPECT_EQ(squeeze(translated("extern __device__ int n;", options)), squeeze("extern int n;"));
}

TEST(Variable, MembersOfClasses) {
  EXPECT_TRANSLATION("struct S { static __device__ int n; }; __device__ int S::n = 1;",
                     "struct S { static int n; }; int S::n = 1; static const ::cuemu::RegisterVariable "
                     "cuemu_variable_1(\"S::n\", &S::n, sizeof(S::n));");
  EXPECT_TRANSLATION("template <class T> __device__ T S<T>::n = 1;", "template <class T> T S<T>::n = 1;");
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

}  // namespace
}  // namespace emucc
