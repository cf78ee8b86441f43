// Tests the translation of kernels, launches and functions. token_writer_test.cpp tests lines and columns.
#include "lower/translator_test_support.hpp"

namespace emucc {
namespace translator_test {

// ---- kernels

TEST(Kernel, BodyBecomesALambda) {
  EXPECT_TRANSLATION(
      "__global__ void k(int n) { f(n); }",
      "void k(int n) { ::cuemu::kernel_entry(::cuemu::KernelInfo{\"k\",__builtin_FILE()}, [=](P) mutable -> "
      "void { f(n); }); "
      "}"
      "static const ::cuemu::RegisterKernel cuemu_kernel_1(static_cast<void (*)(int n)>(&k));");
}

TEST(Kernel, ReferencesAreHeldAsAddresses) {
  TranslateOptions split = plain();
  split.fission = true;
  EXPECT_THAT(
      squeeze(translated("__global__ void k(T& t, int n, const int (&a)[4]) { f(t); __syncthreads(); f(a); }",
                         split)),
      HasSubstr(
          squeeze("kernel_entry(::cuemu::KernelInfo{\"k\",__builtin_FILE()}, [=, cuemu_at_t = "
                  "::cuemu::device_address(t), cuemu_at_a = "
                  "::cuemu::device_address(a)](P) mutable -> void { [[maybe_unused]] auto& t = *cuemu_at_t; "
                  "[[maybe_unused]] auto& a = *cuemu_at_a; f(t);")));
}

TEST(Kernel, LaunchBoundsComeBeforeOrAfter) {
  EXPECT_THAT(squeeze(translated("__global__ void __launch_bounds__(256, 2) k() {}")),
              HasSubstr("KernelInfo{\"k\",__builtin_FILE(),static_cast<unsigned>(256)}"));
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

TEST(Kernel, IsRegisteredWhereAVariableHoldsIt) {
  EXPECT_THAT(
      squeeze(translated("void g(void (*k)(int)) { cudaLaunchKernel((const void *)k, 1, 1, a, 0, 0); }")),
      HasSubstr("cudaLaunchKernel(::cuemu::kernel_pointer(k),1,1"));
  const std::string text =
      "template <class T> __global__ void k(T t) { f(); } void g() { auto p = &k<int>; }";
  EXPECT_THAT(squeeze(translated(text)), HasSubstr("auto p=[](auto*kernel){"));
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
                          "k<int,A<B>>(int*p){::cuemu::give_to_device(p);::cuemu::kernel_entry(::cuemu::"
                          "KernelInfo{\"k\",__builtin_FILE()}"));
  EXPECT_THAT(squeeze(translated("extern \"C\" __global__ void k() {}")),
              HasSubstr("extern\"C\"void k(){::cuemu"));
  EXPECT_THAT(squeeze(translated("extern \"C\" { __global__ void k() {} }")),
              HasSubstr("extern\"C\"{void k(){::cuemu"));
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
      squeeze(
          translated("template <class T> requires requires(T t) { t.x; } __global__ void k(T* t) { y(); }")),
      HasSubstr("requires requires(T t){t.x;}void k(T*t){::cuemu::give_to_device(t);::cuemu::kernel_entry"));
  EXPECT_THAT(
      squeeze(translated("template <class T> requires (sizeof(T) > 2) __global__ void k(T* t) { y(); }")),
      HasSubstr("void k(T*t){::cuemu::give_to_device(t);::cuemu::kernel_entry"));
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

TEST(Kernel, KernelsThatNvccRefusesAreErrors) {
  EXPECT_THAT(error_of("__global__ int k() { return 1; }"), HasSubstr("must return void"));
  EXPECT_THAT(error_of("__global__ void k(int&& n) {}"), HasSubstr("reference"));
  EXPECT_EQ(error_of("__global__ void k(F<int&> f, int n = a & b) {}"), "");
  EXPECT_THAT(error_of("__global__ void k(int n) { if (n > 1) throw n; }"), HasSubstr("exception"));
  EXPECT_THAT(error_of("__device__ int f() { try { return 1; } catch (...) { return 2; } }"),
              HasSubstr("exception"));
  EXPECT_EQ(error_of("__host__ __device__ void f(int n) { throw n; } void g() { throw 1; }"), "");
  EXPECT_EQ(error_of("template <class T> __device__ void f(T n) { throw n; }"), "");
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

TEST(Kernel, ThreadsThatWatchVolatileMemoryDoNotRunAsAPlainLoop) {
  const auto is_plain = [](const std::string& text) {
    return translated(text).find("plain_loop") != std::string::npos;
  };
  for (const char* text :
       {"__device__ volatile int f; __global__ void k() { while (f == 0) {} }",
        "__device__ int volatile f[2]; __global__ void k() { while (f[1] == 0) {} }",
        "namespace a { __device__ volatile int f; } __global__ void k() { while (a::f == 0) {} }",
        "namespace a { __device__ volatile int f; __global__ void k() { while (f == 0) {} } }",
        "__global__ void k(volatile int* p) { while (p[0] == 0) {} }",
        "__global__ void k(int volatile* p) { while (*p == 0) {} }",
        "__global__ void k(const volatile int& n) { while (n == 0) {} }",
        "struct S { int n; volatile int f; }; __global__ void k(S* s) { while (s->f == 0) {} }",
        "struct S { int n; }; __global__ void k(volatile S* s) { while (s->n == 0) {} }",
        "__device__ void w(volatile int* p) { while (*p == 0) {} } __global__ void k(int* p) { w(p); }",
        "__device__ volatile int f; __device__ void w() { while (f == 0) {} } __global__ void k() { w(); }"})
    EXPECT_FALSE(is_plain(text)) << text;
  EXPECT_TRUE(is_plain("__device__ volatile int f; __global__ void k(int* p) { *p = 1; }"));
  EXPECT_TRUE(is_plain("struct S { int n; volatile int f; }; __global__ void k(S* s) { s->n = 1; }"));
}

// ---- launches

std::string in_main(const std::string& body) {
  const std::string all = squeeze(translated("int main() {" + body + "}"));
  return all.substr(11, all.size() - 12);
}
#define EXPECT_LAUNCH(in, out) EXPECT_EQ(in_main(in), squeeze(out))

TEST(Launch, BecomesACallWithAConfiguration) {
  EXPECT_LAUNCH("k<<<1>>>(3);", "(::cuemu::push_launch(1), k(3));");
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
}

// ---- built-in variables

TEST(BuiltIn, ParametersInAKernelFunctionsElsewhere) {
  EXPECT_EQ(in_kernel("x = threadIdx.x + warpSize;"), "x=threadIdx.x+warpSize;");
  EXPECT_EQ(in_device("x = threadIdx.x + blockDim.y * gridDim.z + warpSize;"),
            "x=::cuemu::thread_idx().x+::cuemu::block_dim().y*::cuemu::grid_dim().z+::cuemu::warp_size();");
  for (const std::string capture : {"&", "=", "&,x"})  // the default capture
    EXPECT_THAT(in_kernel("auto l = [" + capture + "](int i) { return threadIdx.x; };"),
                HasSubstr("auto l=[" + capture + "](int i){return threadIdx.x;};"));
  EXPECT_THAT(in_kernel("auto l = [](int i) { return blockIdx.x; };"),
              HasSubstr("auto l=[](int i){return::cuemu::block_idx().x;};"));
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
  EXPECT_THAT(error_of("__device__ void f() { asm volatile(\"tcgen05.fence;\"); }"),
              HasSubstr("'tcgen05.fence'"));
  EXPECT_EQ(error_of("void f() { asm volatile(\"pause\"); }"), "");
  EXPECT_EQ(error_of("__device__ void f() { asm volatile(\"\" ::: \"memory\"); }"), "");
  EXPECT_EQ(error_of("__device__ void f(float x) { asm volatile(\"\" : \"+f\"(x)); }"), "");
}

}  // namespace translator_test
}  // namespace emucc
