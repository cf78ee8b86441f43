// Tests the code that the optimiser writes. Tests of the other folders test its decisions.
#include "lower/translator_test_support.hpp"

namespace emucc {
namespace optimiser_test {

TEST(Split, NamesOfTypesAreOfOneKernel) {
  TranslateOptions split = plain();
  split.fission = true;
  const std::string all = squeeze(translated(
      "template <int n> __global__ void first(float* out) { constexpr int m = 2 * n; float a[m] = {1};"
      "out[threadIdx.x] = a[0]; __syncthreads(); out[threadIdx.x] += a[n]; }"
      "__global__ void second(float* out, int n) { int a[3] = {1, 2, 3};"
      "for (int i = threadIdx.x; i < n; ++i) { a[i % 3] += i; __syncthreads(); } out[threadIdx.x] = a[0]; }",
      split));
  const std::size_t second = all.find("void second");
  EXPECT_THAT(all.substr(0, second), HasSubstr("using cuemu_type_2=float[m];"));
  EXPECT_THAT(all.substr(second), HasSubstr("values_for_threads<int[3]>"));
  EXPECT_THAT(all.substr(second), HasSubstr("int cuemu_begin[3]={1,2,3};"));
}

TEST(Split, LoopsHaveSharedNumbersAsValuesIfNoThreadWritesThem) {
  TranslateOptions split = plain();
  split.fission = true;
  const auto body = [&](const std::string& declared, const std::string& phase) {
    return squeeze(
        translated("__global__ void k(float* __restrict__ p) { __shared__ " + declared +
                       "; __shared__ float s[64]; int t = threadIdx.x; s[t] = p[t]; __syncthreads(); " +
                       phase + " __syncthreads(); p[t] = s[t]; }",
                   split));
  };
  EXPECT_THAT(body("int n", "s[t] += n;"), HasSubstr("[&,n=n]("));
  for (const char* written :
       {"n += s[t];", "s[t] += n; if (t == 0) n = 1;", "atomicAdd(&n, 1);", "p[f(n)] = n;"})
    EXPECT_THAT(body("int n", written), Not(HasSubstr("n=n"))) << written;
  for (const char* declared : {"volatile int n", "int n[4]", "Number n"})
    EXPECT_THAT(body(declared, "s[t] += n;"), Not(HasSubstr("n=n"))) << declared;
}

TEST(Split, AtomicsOnOwnSharedMemoryArePlain) {
  const auto call = [](const std::string& declaration, const std::string& statement) {
    TranslateOptions options = plain();
    options.fission = true;
    return translated("__global__ void k(int* g, int n) { __shared__ " + declaration + "; __syncthreads(); " +
                          statement + " }",
                      options);
  };
  const auto is_plain = HasSubstr("::cuemu::block_only::atomicAdd(&s");
  EXPECT_THAT(call("unsigned s[4]", "atomicAdd(&s[n], 1u);"), is_plain);
  EXPECT_THAT(call("float s[4][4]", "g[0] = atomicAdd(&s[n][1], 1.0f);"), is_plain);
  EXPECT_THAT(call("int s", "atomicAdd(&s, 1);"), is_plain);
  // These have another type, are pointers in shared memory, or are in other memory.
  for (const char* declaration : {"unsigned short s[4]", "T s[4]", "int* s[4]"})
    EXPECT_THAT(call(declaration, "atomicAdd(&s[n][0], 1);"), Not(HasSubstr("block_only"))) << declaration;
  EXPECT_THAT(call("int s[4]", "atomicAdd(&g[n], s[0]);"), Not(HasSubstr("block_only")));
  EXPECT_THAT(call("float s[4]", "atomicMax(&s[n], 1);"), Not(HasSubstr("block_only")));
}

TEST(Split, FunctionsOfWarpFunctionsHaveASecondForm) {
  TranslateOptions options = plain();
  options.fission = true;
  const std::string text = translated(
      "__device__ float f(float v) { v += __shfl_xor_sync(~0u, v, 1); return v; }"
      "__global__ void k(float* p) { p[threadIdx.x] = f(p[threadIdx.x]); }",
      options);
  EXPECT_THAT(text,
              HasSubstr("static inline ::cuemu::Lanes<float > cuemu_warp_form_f(const ::cuemu::WarpForm& "
                        "cuemu_warp, ::cuemu::Lanes<float> cuemu_lanes_v)"));
  EXPECT_THAT(text, HasSubstr("cuemu_warp_form_f(cuemu_warp, ::cuemu::lanes_of(cuemu_warp,"));
  // A name imported from another namespace would lack the second form.
  EXPECT_THAT(
      translated("namespace a { __device__ int g(int v) { return __shfl_xor_sync(~0u, v, 1); } } using a::g;",
                 options),
      Not(HasSubstr("cuemu_warp_form_g")));
}

TEST(Split, VolatileMemoryMayBeWatched) {
  TranslateOptions options = plain();
  options.fission = true;
  for (const char* text :
       {"__device__ volatile int f; __global__ void k() { __syncthreads(); while (f == 0) {} }",
        "__device__ volatile int f; __global__ void k() { if (threadIdx.x == 3) while (f == 0) {} }",
        "struct S { volatile int f; }; __global__ void k(S* s) { __syncthreads(); while (s->f == 0) {} }",
        "__device__ volatile int f; __device__ void w() { while (f == 0) {} }"
        "__global__ void k() { __syncthreads(); w(); }",
        "__device__ void w(volatile int* p) { while (*p == 0) {} }"
        "__global__ void k(int* p) { __syncthreads(); w(p); }"}) {
    EXPECT_THAT(translated(text, options), Not(HasSubstr("whole_block"))) << text;
    EXPECT_THAT(translated(text, options), Not(HasSubstr("plain_loop"))) << text;
  }
  EXPECT_THAT(translated("__device__ volatile int f; __global__ void k(int* p) { __syncthreads(); *p = 1; }",
                         options),
              HasSubstr("whole_block"));
}

TEST(Split, AFunctionThatIsOnlyDeclaredMayWait) {
  TranslateOptions options = plain();
  options.fission = true;
  const std::string add = "__device__ void f(int* p) { atomicAdd(p, 1); }",
                    declared = "__device__ void f(int* p, int n);",
                    kernel = "__global__ void k(int* p) { f(p, 1); p[1] = 2; }";
  EXPECT_THAT(translated(add + declared + kernel, options), Not(HasSubstr("whole_block")));
  EXPECT_THAT(translated(add + declared + kernel +
                             "__device__ void f(int* p, int n) { while (atomicAdd(p, 0) < n) {} }",
                         options),
              Not(HasSubstr("whole_block")));
  EXPECT_THAT(
      translated(add + declared + kernel + "__device__ void f(int* p, int n) { atomicAdd(p, n); }", options),
      HasSubstr("whole_block"));
}

}  // namespace optimiser_test
}  // namespace emucc
