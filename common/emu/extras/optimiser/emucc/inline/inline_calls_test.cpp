#include "inline/inline_calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lower/translator.hpp"
#include "lower/translator_test_support.hpp"
#include "parse/parameters.hpp"

namespace emucc {
namespace inline_calls_test {

/// Returns the kernel with inlined calls, as `--dump=inline` prints it, or the reason why it is unchanged.
std::string inlined(const std::string& functions, const std::string& body,
                    const std::string& parameters = "float* in, float* out, int n") {
  TranslateOptions options = plain();
  options.dump = "inline";
  const Translation result =
      translate(functions + "\n__global__ void k(" + parameters + ") {" + body + "}", options);
  if (result.dump.empty()) return result.notes.empty() ? "" : result.notes.back().message;
  const std::string all = squeeze(result.dump);
  const std::size_t begin = all.find("){") + 2;
  return all.substr(begin, all.rfind('}') - begin);
}

#define EXPECT_INLINED(functions, body, out) EXPECT_EQ(inlined(functions, body), squeeze(out))

TEST(InlineCalls, ArgumentsBecomeVariablesOrAreSubstituted) {
  const std::string store =
      "__device__ void store(float* s, float v, int n) { s[threadIdx.x] = v; __syncthreads(); v = n; }";
  EXPECT_INLINED(
      store, "__shared__ float t[64]; store(t, in[0], 3); out[0] = t[n];",
      "__shared__ float t[64]; { float cuemu_1_v = in[0]; int cuemu_1_n = 3; t[threadIdx.x] = cuemu_1_v;"
      "__syncthreads(); cuemu_1_v = cuemu_1_n; } out[0] = t[n];");
  EXPECT_INLINED(store, "store(in + 3, 1, n);",
                 "{ float* cuemu_1_s = in + 3; float cuemu_1_v = 1; cuemu_1_s[threadIdx.x] = cuemu_1_v;"
                 "__syncthreads(); cuemu_1_v = n; }");
}

TEST(InlineCalls, ResultsReplaceTheCall) {
  const std::string sum = "__device__ float sum(float v) { __syncthreads(); return v + 1; }";
  EXPECT_INLINED(sum, "float x = sum(in[0]);",
                 "float cuemu_1_v = in[0]; __syncthreads(); float x = static_cast<float>(cuemu_1_v + 1);");
  EXPECT_INLINED(
      sum, "if (n > 3) out[n] += sum(2);",
      "if (n > 3) {{ float cuemu_1_v = 2; __syncthreads(); out[n] += static_cast<float>(cuemu_1_v + 1);}}");
  EXPECT_INLINED(
      sum, "out[0] = sum(sum(1));",
      "{ float cuemu_2_v = 1; __syncthreads(); float cuemu_1_v = static_cast<float>(cuemu_2_v + 1);"
      "__syncthreads(); out[0] = static_cast<float>(cuemu_1_v + 1);}");
}

TEST(InlineCalls, BarriersThatCountAreVotes) {
  EXPECT_INLINED(
      "", "int c = __syncthreads_count(in[n] > 0); out[n] = c;",
      "int cuemu_1_votes = 0; cuemu_vote(cuemu_1_votes, static_cast<int>(in[n] > 0)); __syncthreads();"
      "const int cuemu_1_voted = cuemu_votes(cuemu_1_votes); int c = cuemu_1_voted; out[n] = c;");
  EXPECT_INLINED("", "if (__syncthreads_and(n)) out[n] = 1;",
                 "int cuemu_1_votes = 0; { cuemu_vote(cuemu_1_votes, !static_cast<int>(n)); __syncthreads();"
                 "const int cuemu_1_voted = cuemu_votes(cuemu_1_votes);"
                 "if (static_cast<int>(cuemu_1_voted == 0)) { out[n] = 1; } }");
}

TEST(InlineCalls, ConditionsOfLoopsAndWhatMayBeLeftOut) {
  const std::string any = "__device__ bool any(float v) { __syncthreads(); return v > 1; }";
  EXPECT_INLINED(
      any, "while (any(2)) out[n] = 1;",
      "for (;;) { float cuemu_1_v = 2; __syncthreads(); if (!(static_cast<bool>(cuemu_1_v > 1))) break;"
      "{ out[n] = 1; } }");
  EXPECT_INLINED(
      any, "while (any(2)) { out[n] = 1; n /= 2; }",
      "for (;;) { float cuemu_1_v = 2; __syncthreads(); if (!(static_cast<bool>(cuemu_1_v > 1))) break;"
      "out[n] = 1; n /= 2; }");
  EXPECT_INLINED(any, "for (int i = 0; i < n && any(i); ++i) out[i] = 1;",
                 "for (int i = 0;; ++i) { bool cuemu_1_holds = static_cast<bool>(i < n);"
                 "if (cuemu_1_holds) { float cuemu_2_v = i; __syncthreads();"
                 "cuemu_1_holds = static_cast<bool>(static_cast<bool>(cuemu_2_v > 1)); }"
                 "if (!(cuemu_1_holds)) break; { out[i] = 1; } }");
  EXPECT_INLINED(
      any, "if (n > 3 || !(n == 2 || any(n))) out[0] = 1;",
      "{ bool cuemu_1_holds = static_cast<bool>(n > 3); if (!cuemu_1_holds) {"
      "bool cuemu_2_holds = static_cast<bool>(n == 2); if (!cuemu_2_holds) { float cuemu_3_v = n;"
      "__syncthreads(); cuemu_2_holds = static_cast<bool>(static_cast<bool>(cuemu_3_v > 1)); }"
      "cuemu_1_holds = static_cast<bool>(!(cuemu_2_holds)); } if (cuemu_1_holds) { out[0] = 1; } }");
  EXPECT_THAT(inlined(any, "do { if (n > 3) continue; } while (any(2));"), HasSubstr("'continue' leads to"));
  EXPECT_THAT(inlined(any, "for (int i = any(2); i < n; ++i) ;"), HasSubstr("other than in its condition"));
}

TEST(InlineCalls, EarlyReturnsBecomeBranches) {
  EXPECT_INLINED(
      "__device__ int f(int n) { if (n > 3) { __syncthreads(); return 1; } if (n > 2) return 2; "
      "__syncthreads(); return 3; }",
      "out[0] = f(n);",
      "{ int cuemu_1_result; if (n > 3) { __syncthreads(); cuemu_1_result = 1; } else { if (n > 2) {"
      "cuemu_1_result = 2; } else { __syncthreads(); cuemu_1_result = 3; } } out[0] = cuemu_1_result; }");
  EXPECT_INLINED("__device__ void f(int n) { if (n > 3) return; __syncthreads(); }", "f(n);",
                 "{ if (n > 3) {} else { __syncthreads(); } }");
}

TEST(InlineCalls, SharedVariablesExistOnce) {
  EXPECT_INLINED(
      "__device__ void f(int at) { constexpr int size = 8; __shared__ int s[size]; s[at] = size;"
      "__syncthreads(); }",
      "f(0); f(n);",
      "constexpr int size_in_f = 8; __shared__ int s_in_f[size_in_f];"
      "{ int cuemu_1_at = 0; s_in_f[cuemu_1_at] = size_in_f; __syncthreads(); }"
      "{ s_in_f[n] = size_in_f; __syncthreads(); }");
}

TEST(InlineCalls, EachInstanceHasSharedVariablesOfItsOwnThatKeepTheirNames) {
  EXPECT_INLINED(
      "template <int N> __device__ void f(int at) { __shared__ int s; s = at + N; __syncthreads(); }",
      "f<1>(n); f<2>(n); f<1>(n);",
      "__shared__ int s_in_f; __shared__ int s_in_f_2; { s_in_f = n + (1); __syncthreads(); }"
      "{ s_in_f_2 = n + (2); __syncthreads(); } { s_in_f = n + (1); __syncthreads(); }");
}

TEST(InlineCalls, TemplateArgumentsAreTakenFromTheCall) {
  const std::string sum =
      "template <int N, class T> __device__ T sum(const T* p, T v) { __shared__ T s[N]; __syncthreads(); "
      "return v; }";
  EXPECT_INLINED(sum, "out[0] = sum<4>(in, 1);",
                 "__shared__ float s_in_sum[(4)]; { float cuemu_1_v = 1; __syncthreads();"
                 "out[0] = static_cast<float>(cuemu_1_v); }");
  EXPECT_THAT(inlined(sum, "out[0] = sum<4, double>(nullptr, in[0] * 2);"),
              HasSubstr("double cuemu_1_v=in[0]*2;"));
  EXPECT_THAT(
      inlined("template <class T> __device__ T f(T v) { __syncthreads(); return v; }", "f(in[0] * 2);"),
      HasSubstr("what 'T' is in the call of 'f' does not show"));
}

TEST(InlineCalls, FunctionsAreTemplateArguments) {
  EXPECT_INLINED(
      "template <float (*of_warp)(float)> __device__ float f(float x) { __syncthreads(); return of_warp(x); "
      "}",
      "out[0] = f<warp_sum>(1.0f);",
      "{ float cuemu_1_x = 1.0f; __syncthreads(); out[0] = static_cast<float>(warp_sum(cuemu_1_x)); }");
}

TEST(InlineCalls, ReferencesAreTheVariablesThemselves) {
  EXPECT_INLINED(
      "__device__ void f(float& x, const float& y, float (&s)[8]) { __syncthreads(); x = y + s[0]; }",
      "__shared__ float t[8]; float a = 1; f(a, 2, t); f(in[0], a, t);",
      "__shared__ float t[8]; float a = 1; { const float& cuemu_1_y = 2; __syncthreads();"
      "a = cuemu_1_y + t[0]; } { float& cuemu_2_x = in[0]; __syncthreads(); cuemu_2_x = a + t[0]; }");
}

TEST(InlineCalls, RefusedCalls) {
  const auto reason = [](const std::string& function, const std::string& body) {
    return inlined("constexpr int size = 4; __device__ int " + function, body);
  };
  EXPECT_THAT(reason("f(int n) { __syncthreads(); return n ? f(n - 1) : 0; }", "f(n);"),
              HasSubstr("may be skipped"));
  EXPECT_THAT(reason("f(int n) { __syncthreads(); return f(n - 1); }", "f(n);"),
              HasSubstr("'f' calls itself"));
  EXPECT_THAT(reason("f(int n) { for (;;) { if (n) return 1; __syncthreads(); } }", "f(n);"),
              HasSubstr("returns from a loop"));
  const std::string plain_one = "f(int n) { __syncthreads(); return size; }";
  EXPECT_THAT(reason(plain_one, "out[0] = n > 2 && f(n);"), HasSubstr("may be skipped"));
  EXPECT_THAT(reason(plain_one, "out[0] = in[0] + f(n);"), HasSubstr("others may come before it"));
  EXPECT_THAT(reason(plain_one, "for (;; n += f(n)) out[0] = 1;"), HasSubstr("a loop's header"));
  EXPECT_THAT(
      reason("f(int n) { __syncthreads(); __assert_fail(\"n\", \"a.cu\", 1, __func__); return n; }", "f(n);"),
      HasSubstr("asks for its own name"));
  EXPECT_THAT(inlined("namespace a { __device__ void f() { __syncthreads(); } }", "f();"),
              HasSubstr("'f' can't be identified by its name"));
  EXPECT_THAT(inlined("__device__ void f(); constexpr int min = 2;", "int min = n; f();") +
                  inlined("__device__ int f() { __syncthreads(); return min(1, 2); }", "int min = n; f();"),
              HasSubstr("'min' is something else in 'f'"));
}

TEST(InlineCalls, NamesAreThoseOfTheFunctionsPlace) {
  const std::string body = "{ __syncthreads(); return size; }";
  EXPECT_INLINED("constexpr int size = 4; __device__ int f()" + body, "int size = 3; out[0] = f();",
                 "int size = 3; { __syncthreads(); out[0] = static_cast<int>(::size); }");
  EXPECT_INLINED("namespace a { enum { size }; namespace b { __device__ int f()" + body + "}}",
                 "out[0] = a::b::f();", "{ __syncthreads(); out[0] = static_cast<int>(::a::size); }");
  EXPECT_INLINED(
      "namespace a { using size = int; __device__ size f()" + std::string("{ __syncthreads(); return 1; } }"),
      "out[0] = a::f();", "{ __syncthreads(); out[0] = static_cast<::a::size>(1); }");
  EXPECT_INLINED("namespace a { __device__ void f() { __syncthreads(); } } using a::f;", "f();",
                 "{ __syncthreads(); }");
  EXPECT_THAT(inlined("namespace a { __device__ int f() { return 1; } } namespace b { __device__ int f()"
                      "{ return 2; } __device__ int g() { __syncthreads(); return f(); } }",
                      "b::g();"),
              HasSubstr("'f' is something else in 'g'"));
}

TEST(InlineCalls, FunctionsMayBeDefinedBelow) {
  const auto below = [](const std::string& before, const std::string& body, const std::string& behind) {
    TranslateOptions options = plain();
    options.dump = "inline";
    const std::string text = before + "__global__ void k(int* out, int n) {" + body + "}" + behind;
    const Translation result = translate(text, options);
    return result.dump.empty() ? result.notes.back().message : squeeze(result.dump);
  };
  EXPECT_EQ(below("__device__ void f(int* p, int by = 2);", "f(out);",
                  "__device__ void f(int* p, int by) { __syncthreads(); p[0] = by; }"),
            squeeze("__global__ void k(int* out, int n) {"
                    "{ int cuemu_1_by = 2; __syncthreads(); out[0] = cuemu_1_by; } }"));
  EXPECT_THAT(below("__device__ void f(int* p);", "f(out);",
                    "constexpr int size = 4; __device__ void f(int* p) { __syncthreads(); p[0] = size; }"),
              HasSubstr("'size', which 'f' uses, is declared below the kernel"));
  EXPECT_THAT(below("__device__ int f(int); __device__ int g(int);", "__syncthreads(); out[n] = f(n);",
                    "__device__ int f(int n) { return g(n); } __device__ int g(int n) { return n; }"),
              HasSubstr("from barrier to barrier"));
  EXPECT_THAT(below("__device__ int f(int); __device__ int g(int);", "__syncthreads(); out[n] = f(n);",
                    "__device__ int f(int n) { return g(n); } __device__ int g(int n) { return f(n); }"),
              HasSubstr("thread by thread"));
}

TEST(Parameters, AreReadUnchanged) {
  const std::string text =
      "f(const float* __restrict__ in, T (&s)[4], unsigned, int n = g(1, 2), A<1, 2>&& a)";
  const TokenStream stream = lex(text);
  const Syntax syntax(stream);
  const std::vector<Parameter> all = read_parameters(syntax, 1);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(syntax.at(all[0].name), "in");
  EXPECT_EQ(all[0].pointers, 1);
  EXPECT_EQ(syntax.at(all[1].name), "s");
  EXPECT_TRUE(all[1].reference);
  EXPECT_EQ(all[2].name, Syntax::npos);
  EXPECT_EQ(syntax.at(all[3].default_begin), "g");
  EXPECT_TRUE(all[4].rvalue);
  EXPECT_EQ(reference_mask(all), 0b10010U);
}

}  // namespace inline_calls_test
}  // namespace emucc
