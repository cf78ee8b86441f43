#include "analyse/pointer_sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emucc {
namespace pointer_sizes_test {

using testing::ElementsAre;
using testing::IsEmpty;

/// Returns "line: variable" for each warning about a function with this body. The function's parameters are
/// `float* d, float** all`.
std::vector<std::string> said(const std::string& body, const std::string& before = "") {
  const std::string text =
      "# 1 \"a.cu\"\n" + before + "void f(float* d, float** all, int n) {\nfloat h[4];\n" + body + "\n}\n";
  const TokenStream stream = lex(text);
  std::vector<std::string> all;
  for (const Diagnostic& one : check_pointer_sizes(Syntax(stream))) {
    const std::size_t begin = one.message.find('(') + 1;
    all.push_back(std::to_string(one.line) + ": " + one.message.substr(begin, one.message.find(')') - begin));
  }
  return all;
}

TEST(PointerSizes, OfWhatIsCopiedSetOrAllocated) {
  EXPECT_THAT(said("cudaMemcpy(d, h, sizeof(d), cudaMemcpyHostToDevice);"), ElementsAre("3: d"));
  EXPECT_THAT(said("cudaMemcpyAsync(h, d, n * sizeof d, cudaMemcpyDeviceToHost, 0);"), ElementsAre("3: d"));
  EXPECT_THAT(said("cudaMemset(d + 4, 0, sizeof((d)));"), ElementsAre("3: d"));
  EXPECT_THAT(said("cudaMalloc(&d, sizeof(d));\ncudaMalloc((void**)&d, n * sizeof(d));"),
              ElementsAre("3: d", "4: d"));
  EXPECT_THAT(said("cudaMemcpyToSymbol(table, d, sizeof(d));"), ElementsAre("3: d"));
  EXPECT_THAT(said("float* m = static_cast<float*>(malloc(n));\ncudaMemcpy(d, m, sizeof(m), k);"),
              ElementsAre("4: m"));
}
TEST(PointerSizes, InCallsOfCallsAndInEveryFunction) {
  EXPECT_THAT(said("for (int i = 0; i < n; ++i)\nif (check((cudaMemset(d, 0, sizeof(d))), 3)) return;"),
              ElementsAre("4: d"));
  EXPECT_THAT(said("", "template <class T> void up(T* t, const T* h) { cudaMemcpy(t, h, sizeof(h), k); }\n"),
              ElementsAre("1: h"));
  EXPECT_THAT(said("", "namespace a { struct S { float* p; void g() { cudaMemset(p, 0, sizeof(p)); } }; }\n"),
              ElementsAre("1: p"));
}
TEST(PointerSizes, OfOtherThingsAreRight) {
  for (const char* const right : {
           "cudaMemcpy(d, h, sizeof(h), k);",       // an array
           "cudaMemcpy(d, h, n * sizeof(*d), k);",  // the object that it points to
           "cudaMemcpy(d, h, sizeof(d[0]) * n, k);",
           "cudaMemcpy(d, h, sizeof(float*), k);",  // a type, as written
           "cudaMemcpy(all, &d, sizeof(d), k);",    // the pointer itself is copied
           "cudaMemcpyToSymbol(table, &d, sizeof(d));",
           "cudaMalloc(&all, n * sizeof(all));",  // elements are pointers
           "cudaMalloc(&all, sizeof(d));",
           "float* d[4]; cudaMemset(d, 0, sizeof(d));",    // an array of pointers
           "float d[4]; cudaMemcpy(d, h, sizeof(d), k);",  // a local array of the same name
           "cudaMalloc(&all[2], sizeof(d));",
           "use(d, 0, sizeof(d)); s.cudaMemset(d, 0, sizeof(d));",  // these functions aren't CUDA's
       })
    EXPECT_THAT(said(right), IsEmpty()) << right;
}
TEST(PointerSizes, UnknownCodeIsLeftAlone) {
  EXPECT_THAT(said("cudaMemset(unheard_of, 0, sizeof(unheard_of));"), IsEmpty());
  EXPECT_THAT(said("auto p = g(); cudaMemset(p, 0, sizeof(p));"), IsEmpty());
  EXPECT_THAT(said("cudaMemset(d);"), IsEmpty());
}

}  // namespace pointer_sizes_test
}  // namespace emucc
