#include "analyse/execution_space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emucc {
namespace execution_space_test {

/// Returns errors and warnings in the form "line message".
std::vector<std::string> said(const std::string& source, const LanguageOptions& options = {}) {
  const std::string text = "# 1 \"a.cu\"\n" + source;
  const TokenStream stream = lex(text);
  std::vector<std::string> all;
  const Findings findings = check_spaces(Syntax(stream), options);
  for (const auto* list : {&findings.errors, &findings.warnings})
    for (const auto& one : *list) all.push_back(std::to_string(one.line) + " " + one.message);
  return all;
}
auto one(const std::string& text) {
  return testing::ElementsAre(testing::HasSubstr(text));
}

TEST(ExecutionSpace, AHostFunctionInDeviceCode) {
  const std::string host = "float f(float x) { return x; }\n";
  EXPECT_THAT(said(host + "__global__ void k(float* a) { a[0] = f(1); }\n"), one("2 the host function 'f'"));
  EXPECT_THAT(said("float f(float);\nnamespace { __device__ void g() { f(1); } }\n"),
              one("2 the host function"));
  EXPECT_THAT(said("template <class T> T f(T x) { return x; }\n__device__ void g() { f<int>(1); }\n"),
              one("the host function 'f'"));
  EXPECT_THAT(said("struct S { __device__ void g() { f(1); } };\n" + host), one("1 the host function 'f'"));
  EXPECT_THAT(said("__global__ void k() { int x = rand(); }\n"), one("'rand' is a function of the host's"));
  for (const char* const call : {"strlen(s)", "std::strlen(s)", "memcmp(s, t, 4)", "std::memmove(s, t, 4)"})
    EXPECT_THAT(said("__global__ void k(char* s, char* t) { " + std::string(call) + "; }\n"),
                one("is a function of the host's library"))
        << call;
  EXPECT_THAT(
      said(
          "__device__ int strlen(const char*);\n"
          "__global__ void k(char* s) { strlen(s); memcpy(s, s, 4); std::memset(s, 0, 4); n::strcmp(s); }\n"),
      testing::IsEmpty());
  EXPECT_THAT(said("__global__ void k() { std::cout << 1; }\n"), one("printf works there"));
}

TEST(ExecutionSpace, ADeviceFunctionInHostCode) {
  EXPECT_THAT(said("__device__ int f();\nint main() {\n return f(); }\n"),
              one("3 the __device__ function 'f'"));
  EXPECT_THAT(said("namespace n { __device__ int f(); }\nint main() { return n::f() +\n ::n::f(); }\n"),
              testing::ElementsAre(testing::HasSubstr("the __device__ function 'f'"),
                                   testing::HasSubstr("the __device__ function 'f'")));
  EXPECT_THAT(
      said("namespace n { int f(); int v; }\n__global__ void k(int* a) { a[0] = n::f() + n::v; }\n"),
      testing::ElementsAre(testing::HasSubstr("the host function 'f'"), testing::HasSubstr("variable 'v'")));
  EXPECT_THAT(said("__device__ int f();\nint main() { return m::f() + a.f() + T<int>::f(); }\n"),
              testing::IsEmpty());
  EXPECT_THAT(said("void f() { __syncthreads(); }\n"), one("'__syncthreads' works in device code only"));
}

TEST(ExecutionSpace, AConstantArrayOfTheHostInDeviceCode) {
  const std::string array = "const float w[2] = {1, 2};\n";
  EXPECT_THAT(said(array + "__global__ void k(float* a) { a[0] = w[1]; }\n"),
              one("2 the array 'w' of the host is used in device code"));
  for (const char* const source : {
           "__global__ void k(int* a) { a[0] = sizeof(w); }",
           "__global__ void k(int* w) { w[0] = 1; }",
           "void f() { g(w[0]); }",
       })
    EXPECT_THAT(said(array + source), testing::IsEmpty()) << source;
  EXPECT_THAT(said("constexpr float c[2] = {1, 2}; const int n = 3; __constant__ const float d[2] = {1, 2};\n"
                   "__global__ void k(float* a) { a[0] = c[0] + n + d[1]; }\n"),
              testing::IsEmpty());
}

TEST(ExecutionSpace, AHostVariableInDeviceCode) {
  EXPECT_THAT(said("int table[4];\n__global__ void k(int* a) { a[0] = table[1]; }\n"),
              one("2 the host variable 'table'"));
  EXPECT_THAT(said("const int n = 4; __device__ int d; __constant__ int c[2]; static __managed__ int m;\n"
                   "constexpr float e = 1; __global__ void k(int* a) { a[0] = n + d + c[1] + m + e; }\n"),
              testing::IsEmpty());
}

/// Returns the names of device variables in host code, as they are written.
std::vector<std::string> on_host(const std::string& source) {
  const std::string text = "# 1 \"a.cu\"\n" + source;
  const TokenStream stream = lex(text);
  const Syntax syntax(stream);
  std::vector<std::string> all;
  for (const NameOnHost& one : check_spaces(syntax, {}).names_on_host) {
    all.emplace_back();
    for (std::size_t i = one.begin; i <= one.last; ++i) all.back() += syntax.at(i);
  }
  return all;
}

TEST(ExecutionSpace, TheAddressOfADeviceFunctionInHostCode) {
  const std::string functions =
      "__device__ int f(int x) { return x; }\n__host__ __device__ int both(int x) { return x; }\n"
      "template <class T> __device__ T g(T x) { return x; }\n";
  EXPECT_THAT(on_host(functions + "void h() { use(f, &f, both); auto p = g<int>; }\n"),
              testing::ElementsAre("f", "f", "g<int>"));
  EXPECT_THAT(on_host(functions + "namespace n { __device__ int e(int x) { return x; } }\n"
                                  "void h() { int (*p)(int) = g; p = &n::e; }\n"),
              testing::ElementsAre("g", "n::e"));
  EXPECT_THAT(
      on_host(functions + "__device__ float f(float x) { return x; }\nvoid h() { int (*p)(int) = f; }\n"),
      testing::ElementsAre("f"));
  for (const char* const source : {
           "void h() { k<f><<<1, 1>>>(); }",
           "void h() { using F = decltype(&f); }",
           "__device__ int (*p)(int) = f;",
           "__global__ void k() { int (*p)(int) = f; }",
       })
    EXPECT_THAT(on_host(functions + source), testing::IsEmpty()) << source;
}

TEST(ExecutionSpace, ADeviceVariableInHostCode) {
  const std::string variables =
      "__device__ int d, a[4]; __constant__ float c[2]; namespace n { __device__ int e; }\n";
  EXPECT_THAT(said(variables + "void f() { d = 1; }\n"),
              one("2 the __device__ variable 'd' is used in host code"));
  EXPECT_THAT(said(variables + "__global__ void k(int*);\nvoid f() { k<<<1, 1>>>(a); }\n"),
              one("variable 'a'"));
  EXPECT_THAT(said(variables + "void f() { printf(\"%d\", d); }\n"), one("variable 'd'"));
  EXPECT_THAT(said(variables + "void f() { cudaMemcpyToSymbol(c, p, 8); g(&d); g((const void*)&d); }\n"),
              testing::IsEmpty())
      << "it may be taken by reference";
  EXPECT_THAT(on_host(variables + "void f() { d = a[1]; cudaMemcpyToSymbol(c, p, 8); n::e = ::d; }\n"),
              testing::ElementsAre("d", "a", "c", "n::e", "::d"));
  EXPECT_THAT(on_host(variables + "namespace n { void f() { e = 1; } }\n"), testing::ElementsAre("e"));
  EXPECT_THAT(on_host("namespace { __device__ int d; namespace n { __device__ int e; } }\n"
                      "void f() { d = n::e; }\n"),
              testing::ElementsAre("d", "n::e"));
  EXPECT_THAT(
      on_host(variables + "int x = d, y{n::e}; static const float* z = c; auto l = [] { return a[0]; };\n"),
      testing::ElementsAre("d", "n::e", "c", "a"))
      << "initialisers run on the host";
  for (const char* const source : {
           "__device__ void f() { d = 1; }",
           "__host__ __device__ void f() { d = 1; }",
           "void f() { auto g = [] __device__ () { d = 1; }; }",
           "void f(int d) { d = 1; }",
           "void f() { int d = 1; d = 2; }",
           "void f() { s.d = p->d + S::d + m::d + T<int>::d; }",
           "void f() { g(sizeof d, sizeof(a)); decltype(d) x; h(std::size(a)); }",
           "void f() { e = 1; }",
           "__device__ int* x = &d; constexpr int* y = &d; int z[sizeof(a)] = {sizeof d};",
           "auto l = [] __device__ { return d; };",
       })
    EXPECT_THAT(on_host(variables + source), testing::IsEmpty()) << source;
  EXPECT_THAT(on_host("__managed__ int m; __device__ const int n = 4; __constant__ constexpr int o = 5;\n"
                      "void f() { m = n + o; }"),
              testing::IsEmpty());
}

TEST(ExecutionSpace, SizesThatAKernelsPrintfDoesNotKnow) {
  const std::string begin = "__global__ void k(size_t n, char c) { printf(";
  EXPECT_THAT(said(begin + "\"%zu %s\", n, \"a\"); }\n"), one("1 a kernel's printf has no size 'z'"));
  EXPECT_THAT(said(begin + "\"%d\" \"%-4hhd\", 1, c); }\n"), one("print an int with %d"));
  EXPECT_THAT(said(begin + "\"%5.1Lf\", 1.0L); }\n"), one("print a double"));
  EXPECT_THAT(said(begin + "\"%% z %hd %lu %lld %5.1f %c %s\", 1, 2ul, 3ll, 4.0, c, \"z\"); }\n"),
              testing::IsEmpty());
  EXPECT_THAT(said("void f(size_t n) { printf(\"%zu\", n); }\n"), testing::IsEmpty());
}

TEST(ExecutionSpace, AConstantOfTheHost) {
  const std::string table = "constexpr float w[2] = {1, 2};\n";
  EXPECT_THAT(said(table + "__global__ void k(float* a, int i) { a[0] = w[i]; }\n"), one("2 the array 'w'"));
  EXPECT_THAT(said(table + "__global__ void k(float* a, int i) { a[0] = w[1] + sizeof(w); }\n"),
              testing::IsEmpty());
  EXPECT_THAT(said("const int n = rand();\n__global__ void k(int* a) { a[0] = n; }\n"), one("2 'n' is used"));
  EXPECT_THAT(said("const int n = 4;\n__global__ void k(int* a) { f(&n); a[0] = a[1] & n; }\n"),
              one("2 device code can't reach the address of 'n'"));
}

TEST(ExecutionSpace, AFunctionForBothSides) {
  const std::string sides =
      "int h(); __device__ int d(); __host__ __device__ int b(); constexpr int c(); int v;\n";
  const std::string both = "__host__ __device__ void f() { ";
  EXPECT_THAT(said(sides + both + "h(); }\n"),
              one("2 the host function 'h' is called in a __host__ __device__"));
  EXPECT_THAT(said(sides + both + "rand(); }\n"), one("2 the host function 'rand'"));
  EXPECT_THAT(said(sides + both + "d(); }\n"), one("2 the __device__ function 'd' is called in a __host__"));
  EXPECT_THAT(said(sides + both + "__syncthreads(); }\n"), one("2 the __device__ function '__syncthreads'"));
  EXPECT_THAT(said(sides + both + "v = 1; }\n"), one("2 the host variable 'v'"));
  EXPECT_THAT(said(sides + both + "b(); c(); f(sizeof(h()), sizeof(v)); s.h(); }\n"), testing::IsEmpty());
}

TEST(ExecutionSpace, AConstantOfTheDeviceThatIsWritten) {
  const std::string constants = "__constant__ int n, a[2], *p; __device__ int d;\n";
  EXPECT_THAT(said(constants + "__device__ void f() { n = 1; }\n"),
              one("2 the __constant__ variable 'n' can't be"));
  EXPECT_THAT(said(constants + "__device__ void f() { ++n; }\n"),
              one("2 the __constant__ variable 'n' can't be"));
  EXPECT_THAT(said(constants + "__device__ void f() { a[1] += 1; }\n"),
              one("2 device code can't store to constant"));
  EXPECT_THAT(said(constants + "void f() { n = 1; }\n"),
              one("2 the __constant__ variable 'n' can't be assigned"));
  for (const char* const right : {
           "__device__ void f() { *p = n == 1; d = n; s.n = 1; }",
           "__device__ void f(int n) { n = 1; }",
           "__device__ void f() { auto g = [n = n, a = 1] { return n + a; }; x + ++d; }",
           "__device__ void f() { int n; n = 1; }",
       })
    EXPECT_THAT(said(constants + right), testing::IsEmpty()) << right;
}

TEST(ExecutionSpace, AVariableOfTheDeviceBeginsWithAConstant) {
  EXPECT_THAT(said("int f();\n__device__ int d = 1 + f();\n"), one("2 the variable 'd' of the device needs"));
  EXPECT_THAT(said("__device__ int f();\n__constant__ int c = f();\n"), one("2 the variable 'c'"));
  EXPECT_THAT(said("constexpr int f() { return 1; } int g(); __device__ int d = f(), e = sizeof(g());\n"
                   "template <class T> __device__ T t = g();\n"),
              testing::IsEmpty());
}

TEST(ExecutionSpace, AmbiguousNamesAreLeftAlone) {
  const std::string host = "float f(float x) { return x; } int v;\n";
  for (const char* const source : {
           "__device__ float f(int x) { return 1; } __global__ void k() { f(1); }",  // an overload
           "__global__ void k(float (*f)(float)) { f(1); }",                         // a parameter
           "__global__ void k() { auto f = [](float x) { return x; }; f(1); }",      // a variable
           "struct S { __device__ float f(float); }; __device__ void g(S s) { s.f(1); }",
           "namespace a { __device__ void g() { b::f(1); } }",
           "inline __host__ __device__ void g() { f(1); }",  // nvcc warns at the use
           "struct S { __host__ __device__ void g() { f(1); } };",
           "template <class T> __host__ __device__ void g() { f(1); v = 1; }",
           "__host__ __device__ void g() { if (::cuemu::on_device()) { } else { f(v); } }",
           "#pragma nv_exec_check_disable\n__host__ __device__ void g() { f(1); }",
           "void g() { f(v); }",
           "__global__ void k(int v) { v = 1; }",
           "__global__ void k() { float* v = nullptr; v[0] = 1; }",
           "__global__ void k() { for (int v = 0; v < 4; ++v) use(v); }",
           "struct S { int v; }; __global__ void k(S s) { s.v = 1; }",
       })
    EXPECT_THAT(said(host + source), testing::IsEmpty()) << source;
  EXPECT_THAT(said("namespace a { int f(int); }\n__global__ void k() { f(1); }\n"), testing::IsEmpty());
  EXPECT_THAT(said("int max(int a, int b, int c);\n__global__ void k() { max(1, 2); }\n"),
              testing::IsEmpty());
  const std::string use = "__device__ void g() { int a = v; f(sizeof(v)); }\n";
  EXPECT_THAT(said("int v;\n" + use), one("2 the host variable 'v'"));
  LanguageOptions relaxed;
  relaxed.relaxed_constexpr = true;
  const std::string computed =
      "constexpr int f(int x) { return x; }\n__global__ void k() { f(1); std::max(1, 2); }\n";
  EXPECT_THAT(said(computed, relaxed), testing::IsEmpty());
  EXPECT_THAT(said(computed),
              testing::ElementsAre(testing::HasSubstr("2 the constexpr function 'f'"),
                                   testing::HasSubstr("2 'std::max' is a function of the host's library")));
  EXPECT_THAT(
      said("consteval int f(int x) { return x; }\n__global__ void k() { f(1); }\nint g() { return f(2); }\n"),
      testing::IsEmpty());
  EXPECT_THAT(said("constexpr int f() { return 1; }\n"
                   "template <class T> __device__ void k() { f(); std::max(1, 2); }\n"
                   "__device__ int x = sizeof(f());\n"),
              testing::IsEmpty())
      << "it may have no instance";
  EXPECT_THAT(said("__device__ int f();\nvoid g() { run([=] __device__(int) { f(); __syncthreads(); }); }\n"),
              testing::IsEmpty());
  EXPECT_THAT(said("__device__ float (*f(int i))(float) { return 0; }\nfloat g() { return 0; }\n"),
              testing::IsEmpty());
}

}  // namespace execution_space_test
}  // namespace emucc
