// Tests the interface of passes with a pass of its own, and the forms that kernels have without passes.
#include "lower/kernel_pass.hpp"

#include "lower/translator_test_support.hpp"

namespace emucc {
namespace kernel_pass_test {

/// Writes kernels whose names begin with "block", and replaces `here` in them. Records the translator's
/// calls.
class TestPass : public KernelPass {
 public:
  explicit TestPass(KernelWriter& writer) : writer_(writer) { log.clear(); }

  void note_variable(const Declaration& found) override {
    log += "variable " + std::string(writer_.syntax().at(found.begin + 1)) + "; ";
  }
  void note_device_variable(std::string_view name) override { log += "device " + std::string(name) + "; "; }
  void note_prototype(const Declaration& found) override { log += "prototype " + name(found) + "; "; }
  void note_function(const Declaration& found, const Context&) override {
    log += "function " + name(found) + (writer_.is_device_function(found) ? "; " : " of both; ");
  }
  bool after_function(const Context&) override {
    log += "written; ";
    writer_.text(" int second_form;");
    return true;
  }

  KernelPlan plan(const Declaration& kernel, const Context&, bool plain) override {
    log += "kernel " + name(kernel) + (plain ? ", plain; " : "; ");
    if (name(kernel).rfind("block", 0) != 0) return {"the test refuses it", "", ""};
    kernel_ = kernel;
    return {"", "runs as the test likes", "dumped"};
  }
  void write(Context& context) override {
    writer_.text(" whole {");
    writer_.code(kernel_.body + 1, kernel_.end - 1, context);
    writer_.text(" }");
  }
  std::size_t write_instead(std::size_t at) override {
    if (!writer_.syntax().is(at, "here")) return npos;
    writer_.replace(at, "there");
    return at + 1;
  }

  static std::string log;

 private:
  std::string name(const Declaration& found) const { return std::string(writer_.syntax().at(found.name)); }

  KernelWriter& writer_;
  Declaration kernel_;
};
std::string TestPass::log;

std::unique_ptr<KernelPass> make_test_pass(KernelWriter& writer) {
  return std::make_unique<TestPass>(writer);
}

Translation with(const std::vector<MakePass>& passes, const std::string& text, bool fission = true) {
  TranslateOptions options = plain();
  options.passes = &passes;
  options.fission = fission;
  return translate(text, options);
}

const std::string both =
    "__global__ void block(int* p) { here(p); __syncthreads(); } "
    "__global__ void other(int* p) { here(p); __syncthreads(); }";

TEST(Passes, OneThatAcceptsAKernelWritesItsBody) {
  const Translation result = with({&make_test_pass}, both);
  EXPECT_THAT(squeeze(result.text), HasSubstr("kernel_entry<::cuemu::whole_block>"));
  EXPECT_THAT(squeeze(result.text), HasSubstr("whole{there(p);__syncthreads();}});}"));
  EXPECT_THAT(squeeze(result.text), HasSubstr("{here(p);__syncthreads();});}"));
  EXPECT_TRUE(result.split);
  EXPECT_EQ(result.dump, "dumped");
  ASSERT_EQ(result.notes.size(), 2U);
  EXPECT_EQ(result.notes[0].message, "kernel 'block' runs as the test likes");
  EXPECT_EQ(result.notes[1].message, "kernel 'other' runs thread by thread: the test refuses it");
}

TEST(Passes, KnowDeclarationsInTheOrderOfTheText) {
  const Translation result = with({&make_test_pass},
                                  "const int n = 3; __device__ float sum; __device__ int f(int x);"
                                  "__device__ int f(int x) { return x; } void host() {}"
                                  "__global__ void k(int* p) { p[0] = f(n); }");
  EXPECT_EQ(TestPass::log, "variable int; device sum; prototype f; function f; written; kernel k, plain; ");
  EXPECT_THAT(squeeze(result.text), HasSubstr("return x;}int second_form;"));
  EXPECT_THAT(result.text, HasSubstr("plain_loop"));  // the pass refused the kernel
}

TEST(Passes, WithoutOneAKernelIsAPlainLoopOrRunsThreadByThread) {
  const Translation result = with({}, both + "__global__ void each(int* p) { p[threadIdx.x] = 1; }");
  EXPECT_THAT(result.text, Not(HasSubstr("whole_block")));
  EXPECT_FALSE(result.split);
  ASSERT_EQ(result.notes.size(), 3U);
  EXPECT_EQ(result.notes[0].message,
            "kernel 'block' runs thread by thread: it is no plain loop, and this kit was built without the "
            "optimiser: build it with -DKIT_EMU_EXTRAS=ON");
  EXPECT_EQ(result.notes[2].message, "kernel 'each' runs as a loop over the threads of a block");
}

TEST(Passes, AreNotMadeWhereEachThreadRunsByItself) {
  TestPass::log = "untouched";
  const Translation result = with({&make_test_pass}, both, false);
  EXPECT_EQ(TestPass::log, "untouched");
  EXPECT_EQ(result.notes[0].message, "kernel 'block' runs thread by thread: splitting is off");
}

TEST(Passes, APlainLoopMayCallWhatIsDefinedLater) {
  const auto note = [](const std::string& text) { return with({}, text).notes.at(0).message; };
  const std::string kernel = "__global__ void k(int* p) { p[threadIdx.x] = f(2); }";
  const std::string loop = "kernel 'k' runs as a loop over the threads of a block";
  EXPECT_EQ(note("__device__ int f(int);" + kernel + "__device__ int f(int x) { return x; }"), loop);
  EXPECT_EQ(note("__device__ int f(int);" + kernel +
                 "__device__ int g(int x) { return x; } __device__ int f(int x) { return g(x); }"),
            loop);
  EXPECT_NE(note("__device__ int f(int);" + kernel + "__device__ int f(int x) { return threadIdx.x; }"),
            loop);
  EXPECT_NE(note("__device__ int f(int);" + kernel +
                 "__device__ int f(int x) { return x; } __device__ int f(long x) { return threadIdx.x; }"),
            loop);
}

TEST(Passes, APlainLoopMayNotCallWhatIsOnlyDeclared) {
  const auto is_loop = [](const std::string& text) {
    return with({}, text).notes.at(0).message == "kernel 'k' runs as a loop over the threads of a block";
  };
  const std::string plain = "__device__ int f(int x) { return x; }",
                    declared = "__device__ int f(int x, int* s);",
                    waits = "__device__ int f(int x, int* s) { return x + threadIdx.x; }",
                    computes = "__device__ int f(int x, int* s) { return x + s[0]; }",
                    kernel = "__global__ void k(int* s) { s[threadIdx.x] = f(1, s); }";
  EXPECT_FALSE(is_loop(plain + declared + kernel + waits));
  EXPECT_FALSE(is_loop(plain + declared + kernel)) << "it is defined elsewhere";
  EXPECT_FALSE(is_loop("__device__ int f(int x);" + plain + declared + kernel));
  EXPECT_TRUE(is_loop(plain + declared + kernel + computes));
  EXPECT_TRUE(is_loop(declared + computes + declared + kernel));
  EXPECT_TRUE(is_loop(computes + declared + kernel));
  const std::string member = "struct S { static __device__ int f(int x, int* s); };",
                    of_member = "__global__ void k(int* s) { s[threadIdx.x] = S::f(1, s); }";
  EXPECT_FALSE(
      is_loop(plain + member + of_member + "__device__ int S::f(int x, int* s) { return threadIdx.x; }"));
  EXPECT_TRUE(is_loop(plain + member + of_member + "__device__ int S::f(int x, int* s) { return x; }"));
  EXPECT_TRUE(is_loop(plain + "int f(int x, double* s);" + kernel)) << "a function of the host";
}

TEST(Passes, ACallerIsNoPlainFunctionIfOneCalleeOfThatNameIsNot) {
  EXPECT_EQ(with({},
                 "__device__ int g(int); __global__ void k(int* p) { p[threadIdx.x] = g(2); }"
                 "__device__ int f(int x) { return x; } __device__ int g(int x) { return f(x, 1); }"
                 "__device__ int f(int x, int y) { return x + threadIdx.x; }")
                .notes.at(0)
                .message.find("as a loop"),
            std::string::npos);
}

}  // namespace kernel_pass_test
}  // namespace emucc
