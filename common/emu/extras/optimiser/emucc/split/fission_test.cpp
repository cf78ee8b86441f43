// Tests kernels that are split at their barriers: the steps, and refusals with their reasons.
#include "split/fission.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "facts/function_objects.hpp"

namespace emucc {
namespace fission_test {

using testing::HasSubstr;

const std::unordered_set<std::string> plain{"square"}, nonblocking{"say"}, device{"counter"},
    warp_functions{"warp_sum"}, confined{"square", "warp_sum"};
const std::unordered_map<std::string, long long> constants{{"warp_width", 32}, {"nearly", 31}};
const std::unordered_map<std::string, std::uint64_t> references{{"square", 0}};

/// Describes the steps as a word, or contains the refusal. P is a phase (D a deferred one, L an interchanged
/// loop), U runs once for the block, c{…} is control, w{…} the part that each warp runs (d{…} if deferred).
/// In the part of a warp, X is a warp function without a result, and m{…} a part that only some lanes run.
struct Split {
  explicit Split(const std::string& body, const std::string& parameters = "float* in, float* out, int n",
                 const std::string& behind = "")
      : text("__global__ void k(" + parameters + ") {" + body + "}" + behind),
        stream(lex(text)),
        syntax(stream) {
    const Declaration found = syntax.declaration(0, syntax.size());
    plan =
        plan_fission(syntax, found.parameters, found.body + 1, found.end - 1,
                     KnownNames{plain, nonblocking, device, warp_functions, constants, confined, references});
  }

  std::string shape() const { return plan.refusal.empty() ? shape(plan.steps) : "refused: " + plan.refusal; }

  std::string shape(const std::vector<FissionStep>& steps) const {
    std::string all;
    for (const FissionStep& step : steps) {
      if (step.kind == FissionStep::Kind::phase)
        all += step.interchanged ? "L" : step.deferred ? "D" : step.reads_index ? "I" : "P";
      if (step.kind == FissionStep::Kind::uniform) all += "U";
      if (step.kind == FissionStep::Kind::exchange) all += "X";
      if (step.kind == FissionStep::Kind::warps)
        all += (step.deferred ? "d{" : "w{") + shape(step.parts[0]) + "}";
      if (step.kind != FissionStep::Kind::control) continue;
      all += step.masked ? "m" : "c";
      for (const auto& part : step.parts) all += "{" + shape(part) + "}";
    }
    return all;
  }

  KernelVariable::Kind kind(const std::string& name) const {
    for (const KernelVariable& variable : plan.variables)
      if (variable.name == name) return variable.kind;
    ADD_FAILURE() << "no variable " << name;
    return KernelVariable::Kind::group;
  }

  std::string text;
  TokenStream stream;
  Syntax syntax;
  Fission plan;
};

using Kind = KernelVariable::Kind;
#define SYNC " __syncthreads(); "

// ---- uniform values

TEST(Fission, AFunctionsResultMayDependOnTheThread) {
  for (const char* call : {"square(n)", "square<2>(n)", "square<int>(n) + 1"}) {
    const Split split(std::string("int a = ") + call + "; out[a] = 1;" SYNC "out[a] = 2;");
    ASSERT_EQ(split.shape(), "PP") << call;
    EXPECT_EQ(split.kind("a"), Kind::kept) << call;
  }
  EXPECT_EQ(Split("int a = static_cast<int>(n) + max<int>(n, 2); out[a] = 1;" SYNC).kind("a"), Kind::uniform);
}

// ---- grid-stride loops

struct GridStride : Split {
  /// @param after the code after the loop
  explicit GridStride(const std::string& body, const std::string& after = "",
                      const std::string& step = "gridDim.x * 32")
      : Split(
            "__shared__ int s[64], t[64]; int sum = 0; for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i "
            "+= " +
                step + ") " + body + after + SYNC "out[threadIdx.x] = sum + t[0];",
            "const int* in, int* out, int n") {}
  bool interchanged() const {
    EXPECT_EQ(plan.refusal, "");
    return shape().find('L') != std::string::npos;
  }
};

TEST(Interchange, LoopsThatOnlyReadOrAddUp) {
  EXPECT_TRUE(GridStride("sum += in[i];").interchanged());
  EXPECT_TRUE(GridStride("{ const int x = in[i]; if (x > 0) sum += x; }").interchanged());
  EXPECT_TRUE(GridStride("atomicAdd(&s[in[i]], 1);").interchanged());
  EXPECT_TRUE(GridStride("{ atomicMax(&s[in[i]], i); atomicAdd(&t[i % 64], sum); }").interchanged());
  EXPECT_EQ(Split("__shared__ int s[64]; const int all = gridDim.x * blockDim.x; for (int i = threadIdx.x; i "
                  "< n; i += all) "
                  "atomicAdd(&s[i % 64], 1);" SYNC "out[0] = s[0];")
                .shape(),
            "UULP");
}

TEST(Interchange, WarpsBeginBehindTheLoop) {
  EXPECT_EQ(
      Split("int sum = 0; for (int i = threadIdx.x; i < n; i += gridDim.x) sum += in[i];"
            "for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);" SYNC "out[0] = sum;",
            "const int* in, int* out, int n")
          .shape(),
      "PLw{c{P}}P");
}

TEST(Interchange, NotIfAThreadCanObserveIt) {
  EXPECT_FALSE(GridStride("sum += atomicAdd(&s[in[i]], 1);").interchanged())
      << "what was there before is used";
  EXPECT_FALSE(GridStride("{ atomicAdd(&s[i % 64], 1); sum += s[0]; }").interchanged());
  EXPECT_FALSE(GridStride("{ atomicAdd(&s[i % 64], 1); atomicMax(&s[0], 5); }").interchanged());
  EXPECT_FALSE(GridStride("atomicExch(&s[i % 64], i);").interchanged());
  EXPECT_FALSE(GridStride("out[i] = in[i];").interchanged()) << "out may be in";
  EXPECT_FALSE(GridStride("s[i % 64] = i;").interchanged());
  EXPECT_FALSE(GridStride("{ if (in[i] < 0) break; sum += in[i]; }").interchanged());
  EXPECT_FALSE(GridStride("{ if (in[i] < 0) continue; sum += in[i]; }").interchanged());
  EXPECT_FALSE(GridStride("sum += in[i];", "out[0] = sum;").interchanged())
      << "which the next thread may read";
}

TEST(Interchange, NotOfStepsThatStayInACacheLine) {
  EXPECT_FALSE(GridStride("sum += in[i];", "", "32").interchanged());
  EXPECT_FALSE(GridStride("sum += in[i];", "", "blockDim.x").interchanged());
}

TEST(Interchange, VariablesThatCanNotBeKeptKeepTheOrder) {
  const Split split(
      "__shared__ int s[64]; auto& mine = in[threadIdx.x + in[0]]; for (int i = threadIdx.x; i < n; i += "
      "gridDim.x)"
      "atomicAdd(&s[i % 64], mine);" SYNC "out[0] = s[0];",
      "const int* in, int* out, int n");
  EXPECT_EQ(split.shape(), "UPP");
}

// ---- shapes

TEST(Fission, TreeReduction) {
  const Split split(
      "extern __shared__ float s[]; unsigned tid = threadIdx.x; s[tid] = in[tid];" SYNC
      "for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) { if (tid < k) s[tid] += s[tid + k];" SYNC
      "} if (tid == 0) out[blockIdx.x] = s[0];");
  EXPECT_EQ(split.shape(), "UPc{P}P");
  EXPECT_EQ(split.kind("tid"), Kind::index);
  EXPECT_EQ(split.kind("k"), Kind::uniform);
  EXPECT_EQ(split.kind("s"), Kind::shared);
}

TEST(Fission, TiledProduct) {
  const Split split(
      "__shared__ float a[16][16]; int row = blockIdx.y * 16 + threadIdx.y, col = threadIdx.x; float sum = 0;"
      "for (int m = 0; m < (n + 15) / 16; ++m) { a[threadIdx.y][threadIdx.x] = in[row * n + m];" SYNC
      "for (int k = 0; k < 16; ++k) sum += a[threadIdx.y][k];" SYNC
      "} if (row < n && col < n) out[row] = sum;");
  EXPECT_EQ(split.shape(), "UPc{PP}P");
  EXPECT_EQ(split.kind("row"), Kind::index);
  EXPECT_EQ(split.kind("sum"), Kind::kept);
}

TEST(Fission, ScanWithAnOffsetThatAllThreadsDouble) {
  const Split split(
      "__shared__ float s[64]; int t = threadIdx.x; int offset = 1; s[t] = in[t];"
      "for (int d = n >> 1; d > 0; d >>= 1) {" SYNC "if (t < d) s[offset * t] += 1; offset *= 2; }" SYNC
      "out[t] = s[t] + offset;");
  EXPECT_EQ(split.shape(), "UUPc{PU}P");
  EXPECT_EQ(split.kind("offset"), Kind::uniform);
}

TEST(Fission, WithoutBarriersThereIsOnePhase) {
  const Split split("int i = threadIdx.x; if (i >= n) return; say(i); out[i] = 1;");
  EXPECT_EQ(split.shape(), "I");
  EXPECT_FALSE(split.plan.returns);
}

TEST(Fission, BranchesAndLoopsThatAllThreadsTakeTogether) {
  EXPECT_EQ(
      Split("out[threadIdx.x] = 1; if (n > 3) {" SYNC "out[n - threadIdx.x] = 2; } else out[0] = 3;").shape(),
      "Dc{P}{P}");
  EXPECT_EQ(Split("int i = n; while (i > 1) { out[threadIdx.x] += i;" SYNC "i /= 2; }").shape(), "Uc{PU}");
  EXPECT_EQ(Split("int i = 0; do { out[threadIdx.x] += i;" SYNC "} while (++i < n);").shape(),
            "refused: a condition around a barrier may differ between threads (line 1)");
  EXPECT_EQ(Split("int i = 0; do { out[threadIdx.x] += i;" SYNC "++i; } while (i < n);").shape(), "Uc{PU}");
}

TEST(Fission, ABranchBesideOneWithABarrier) {
  EXPECT_EQ(Split("if (n > 3) {" SYNC "} else { int i = threadIdx.x; { out[i] = 1; } }").shape(), "c{}{P}");
  EXPECT_EQ(
      Split("for (int i = 0; i < n; ++i) { if (n > 3) break; else { int j = threadIdx.x; out[j] = 1; }" SYNC
            "}")
          .shape(),
      "c{c{U}{P}}");
}

TEST(Fission, JumpsThatAllThreadsTakeTogether) {
  EXPECT_EQ(
      Split("if (blockIdx.x > 4) return; out[threadIdx.x] = 1;" SYNC "out[n - threadIdx.x] = 2;").shape(),
      "c{U}PP");
  EXPECT_EQ(Split("for (int i = 0; i < n; ++i) { if (i == 7) break;" SYNC "out[threadIdx.x] = i; }").shape(),
            "c{c{U}P}");
  EXPECT_EQ(
      Split("for (int i = 0; i < n; ++i) { if (i == 7) continue;" SYNC "out[threadIdx.x] = i; }").shape(),
      "c{c{U}P}");
}

TEST(Fission, ThreadsThatReturnEarly) {
  const Split split("int i = threadIdx.x; if (i >= n) return; out[i] = 1;" SYNC "out[n - i] = 2;");
  EXPECT_EQ(split.shape(), "PP");
  EXPECT_TRUE(split.plan.returns);
  const Split endless("while (true) { if (in[threadIdx.x] > 0) return;" SYNC "}");
  EXPECT_EQ(endless.shape(), "c{P}");
  EXPECT_TRUE(endless.plan.asks_alive);  // the loop ends with its last thread
  EXPECT_FALSE(split.plan.asks_alive);
}

TEST(Fission, CooperativeGroupsOfTheWholeBlock) {
  EXPECT_EQ(Split("cg::thread_block b = cg::this_thread_block(); out[threadIdx.x] = 1; cg::sync(b); "
                  "out[b.thread_rank()] = 2; b.sync(); out[0] = 1;")
                .shape(),
            "UPIP");
}

/// Returns the split of a kernel with a parameter `Grid grid` and these members.
std::string with_class(const std::string& members, const std::string& body,
                       const std::string& parameter = "Grid grid") {
  const std::string text =
      "struct Grid { " + members + " }; __global__ void k(" + parameter + ", float* out) {" + body + "}";
  const TokenStream stream = lex(text);
  const Syntax syntax(stream);
  std::size_t at = 0;
  while (!syntax.is(at, "__global__")) ++at;
  const Declaration found = syntax.declaration(at, syntax.size());
  const Fission plan =
      plan_fission(syntax, found.parameters, found.body + 1, found.end - 1,
                   KnownNames{plain, nonblocking, device, warp_functions, constants, confined, references});
  return plan.refusal.empty() ? std::to_string(plan.steps.size()) + " steps" : plan.refusal;
}

TEST(Fission, MemberFunctionsOfTheUsersClasses) {
  const std::string body = "out[threadIdx.x] = grid.along(3);" SYNC "out[1] = grid.along(4);";
  const std::string along = "int side; __device__ int along(int x) const { return x < side ? x : side; }";
  EXPECT_EQ(with_class(along, body), "3 steps");
  EXPECT_EQ(with_class(along, "Grid other; { int other = 1; } out[0] = other.along(1);" SYNC), "2 steps");
  EXPECT_EQ(with_class(along, body, "const a::Grid grid"), "it calls the member function 'along' (line 1)");
  for (const char* parameter : {"Grid2 grid", "Grid* grid", "T grid"})
    EXPECT_THAT(with_class(along, body, parameter), HasSubstr("it calls the member function 'along'"))
        << parameter;
  for (const char* member :
       {"int along(int x) const;", "virtual int along(int x) const { return x; }",
        "int along(int x) { __syncthreads(); return x; }",
        "int along(int x) { return x; } int along(float x);", "int other;",
        "int side; void meet() { __syncthreads(); } int along(int x) { meet(); return x; }"})
    EXPECT_THAT(with_class(member, body), HasSubstr("it calls the member function 'along'")) << member;
  EXPECT_EQ(
      with_class("int side; int twice(int x) { return 2 * x; } int along(int x) { return twice(x); }", body),
      "3 steps");
  EXPECT_EQ(with_class("int side; Grid(int s) : side(s) {} int along(int x) const { return x + side; }",
                       "out[threadIdx.x] = Grid(n).along(3);" SYNC, "int n"),
            "1 steps");
  // A value that such a function may change is no longer uniform.
  const std::string decides = " if (grid.side > 3) {" SYNC "out[0] = 1; }";
  EXPECT_EQ(with_class(along, "out[1] = grid.along(3);" + decides), "2 steps");
  EXPECT_THAT(
      with_class("int side; int along(int x) { return side += x; }", "out[1] = grid.along(3);" + decides),
      HasSubstr("may differ"));
}

/// Returns the split of the first kernel of the text, a template with a parameter `F op`.
std::string with_function_objects(const std::string& before, const std::string& body,
                                  const std::string& behind, const std::string& parameters = "class F") {
  const std::string text = before + "template <" + parameters +
                           "> __global__ void k(F op, float* out, int n) {" + body + "}" + behind;
  const TokenStream stream = lex(text);
  const Syntax syntax(stream);
  const Namespaces namespaces(syntax);
  const FunctionObjects objects(syntax, namespaces);
  std::size_t at = 0;
  while (!syntax.is(at, "__global__")) ++at;
  const Declaration found = syntax.declaration(at, syntax.size());
  const Fission plan = plan_fission(
      syntax, found.parameters, found.body + 1, found.end - 1,
      KnownNames{plain, nonblocking, device, warp_functions, constants, confined, references, &objects});
  return plan.refusal.empty() ? std::to_string(plan.steps.size()) + " steps" : plan.refusal;
}

TEST(Fission, ObjectsThatAreCalledLikeFunctions) {
  const std::string body = "out[threadIdx.x] = op(1);" SYNC "out[n] = op(2);";
  EXPECT_EQ(with_function_objects("", body, ""), "3 steps");
  for (const char* harmless :
       {"struct Twice { __device__ float operator()(float x) const { return square(x); } };",
        "void host() { go([=] __device__(int i) { return square(i); }); }",
        "void host() { std::sort(a, b, [](int x, int y) { wait(); return x < y; }); }",  // a host lambda
        "struct Twice { template <class T> __device__ T operator()(T x) const { return op(x); } T op; };"}) {
    EXPECT_EQ(with_function_objects(harmless, body, ""), "3 steps") << harmless;
    EXPECT_EQ(with_function_objects("", body, harmless), "3 steps") << harmless;
  }
  for (const char* waiting :
       {"struct Meet { __device__ void operator()(int) const { __syncthreads(); } };",
        "struct Elsewhere { __device__ float operator()(float x) const; };",
        "void host() { go([=] __device__(int i) { __syncthreads(); return i; }); }",
        "__device__ float f(int i) { const auto all = [&](int j) { return strange(j); }; return all(i); }",
        "__device__ float strange(int i); void host() { k<<<1, 2>>>(strange, out, 3); }"})
    EXPECT_THAT(with_function_objects(waiting, body, ""), HasSubstr("it calls 'op'")) << waiting;
  // An object that may change itself is separate for each thread.
  const std::string decides = "out[threadIdx.x] = op(1); if (op.n > 3) {" SYNC "out[0] = 1; }";
  const std::string counts = "struct Count { int n; __device__ float operator()(float x) { return ++n; } };";
  EXPECT_EQ(with_function_objects("", decides, ""), "2 steps");
  EXPECT_THAT(with_function_objects(counts, decides, ""), HasSubstr("may differ"));
}

TEST(Fission, FunctionsThatAreTemplateArguments) {
  const std::string body = "out[threadIdx.x] = f(1);" SYNC "out[n] = f(2);";
  const std::string used =
      "__device__ float square(float x); void host() { k<int, square><<<1, 2>>>(1, out, 3); }";
  const std::string waits =
      "__device__ float strange(float x); void host() { k<int, strange><<<1, 2>>>(1, out, 3); }";
  for (const char* parameters :
       {"class F, Function f", "class F, function_t f", "class F, float (*f)(float)"}) {
    EXPECT_EQ(with_function_objects("", body, used, parameters), "3 steps");
    EXPECT_THAT(with_function_objects("", body, waits, parameters),
                HasSubstr("it calls 'f'; the function 'strange'"));
    EXPECT_THAT(with_function_objects("__device__ float f(float x);", body, used, parameters),
                HasSubstr("it calls 'f'"))
        << "which may be that function";
  }
}

TEST(Fission, RandomNumbersComeFromAStateInMemory) {
  const std::string draw = "State mine = states[threadIdx.x]; out[threadIdx.x] = curand_uniform(&mine);" SYNC;
  EXPECT_EQ(Split(draw + "states[threadIdx.x] = mine;", "State* states, float* out, int n").kind("mine"),
            Kind::kept);
  EXPECT_NE(Split("State mine = states[0]; float x = curand_uniform(&mine);" SYNC "out[0] = x;",
                  "State* states, float* out, int n")
                .kind("x"),
            Kind::uniform);
}

TEST(Fission, AtomicObjectsNeverWait) {
  const auto shape = [](const std::string& operation) {
    return Split("cuda::atomic_ref<int, cuda::thread_scope_device> count(counts[n]); " + operation +
                     SYNC "out[threadIdx.x] = 1;",
                 "float* out, int n, int* counts, cuda::atomic<int>* shared")
        .shape();
  };
  EXPECT_EQ(shape("count.fetch_add(1);"), "PP");
  EXPECT_EQ(shape("if (count.load(cuda::std::memory_order_acquire) > 3) count.store(0);"), "PP");
  EXPECT_EQ(shape("shared->fetch_max(2);"), "PP");
  EXPECT_THAT(shape("while (count.load() < n) {}"), HasSubstr("may wait for an atomic"));
  EXPECT_THAT(shape("count.wait(3);"), HasSubstr("it calls the member function 'wait'"));
}

TEST(Fission, WritingThroughAPointerThatIsAMemberChangesNoVariable) {
  const std::string decides = "grid.to[threadIdx.x] = 1; if (grid.side > 3) {" SYNC "out[0] = 1; }";
  EXPECT_EQ(with_class("float* to; int side;", decides), "2 steps");
  EXPECT_EQ(with_class("int side; const float *in, *__restrict__ to;", decides), "2 steps");
  for (const char* member : {"float to[4]; int side;", "float* to[4]; int side;", "Vector to; int side;"})
    EXPECT_THAT(with_class(member, decides), HasSubstr("may differ")) << member;
}

TEST(Fission, ElementsOfArraysThatAreMembersArePartsOfTheirVariable) {
  const std::string decides =
      "for (int i = grid.first[1]; i < grid.first[blockIdx.x + 1]; ++i) { out[i] = 1;" SYNC "}";
  EXPECT_EQ(with_class("int side; int first[4];", decides), "1 steps");
  EXPECT_THAT(with_class("int side; int first[4];", "grid.first[threadIdx.x] = 1;" + decides),
              HasSubstr("may differ"));
  for (const char* member : {"int* first;", "int* first[4];", "Vector first;"})
    EXPECT_THAT(with_class(member, decides), HasSubstr("may differ")) << member;
}

TEST(Fission, CallsInAPhase) {
  EXPECT_EQ(Split("out[0] = square(1);" SYNC "say(threadIdx.x);").shape(), "PI");
  EXPECT_EQ(Split("atomicAdd(&out[0], 1.0f);" SYNC "printf(\"%f\", out[0]);").shape(), "PI");
  EXPECT_EQ(Split("out[0] = __low2float(__floats2half2_rn(in[0], 1));" SYNC "out[1] = 2;").shape(), "PP");
  EXPECT_THAT(Split("out[0] = strange(1);" SYNC).shape(), HasSubstr("it calls 'strange'"));
  EXPECT_THAT(Split("out[0] = in.at(1);" SYNC).shape(), HasSubstr("the member function 'at'"));
  EXPECT_EQ(
      Split("int i = 0; while (i < threadIdx.x) { atomicAdd(out, 1); ++i; }" SYNC "out[0] = 1;").shape(),
      "PP");
  EXPECT_THAT(Split("while (atomicAdd(out, 0) < n) {} " SYNC).shape(), HasSubstr("may wait for an atomic"));
  EXPECT_THAT(Split("volatile float* v = out; v[threadIdx.x] = 1;" SYNC).shape(), HasSubstr("'volatile'"));
  EXPECT_THAT(Split("std::sort(out, out + n, [](int a, int b) { return a > b; });" SYNC).shape(),
              HasSubstr("it calls 'sort'"));
}

TEST(Fission, LoadsAndStoresWithHints) {
  EXPECT_EQ(
      Split("float v = __ldcs(in + threadIdx.x); __stcs(out + threadIdx.x, v);" SYNC "out[0] = 1;").shape(),
      "PP");
  EXPECT_EQ(Split("float v = __ldcg(in); memcpy(&v, in, 4); out[threadIdx.x] = v;" SYNC
                  "out[0] = -__builtin_inff();")
                .shape(),
            "PP");
  EXPECT_NE(Split("float v = __ldca(in);" SYNC "out[threadIdx.x] = v;").kind("v"), Kind::uniform);
  EXPECT_THAT(Split("while (__ldcg(in) == 0) {} " SYNC).shape(), HasSubstr("may wait for"));
  EXPECT_THAT(Split("do { } while (__ldcv(in) == 0); " SYNC).shape(), HasSubstr("may wait for"));
}

TEST(Fission, PointersToVariablesMayOutliveABarrier) {
  EXPECT_EQ(Split("float x = 1; float* p = &x;" SYNC "*p = 2; out[0] = x;").shape(), "PP");
  const Split split("__shared__ float s[8]; float a[4] = {0, 1, 2, 3}; float* p = a;" SYNC "out[0] = p[n];");
  EXPECT_EQ(split.shape(), "UPP");
  EXPECT_EQ(split.kind("a"), Kind::kept);
}

TEST(Fission, ReferencesToConstantsChangeNothing) {
  EXPECT_EQ(
      Split("constexpr unsigned columns = 4; say(columns, in);" SYNC "out[0] = columns;").kind("columns"),
      Kind::uniform);
  EXPECT_NE(Split("unsigned columns = 4; say(columns, in);" SYNC "out[0] = columns;").kind("columns"),
            Kind::uniform);
}

TEST(Fission, NonblockingConstructors) {
  const auto shape = [](const std::string& members, const std::string& body) {
    return Split(body + SYNC "out[1] = 2;", "float* in, float* out, int n",
                 "struct V { float x, y; " + members + " };")
        .shape();
  };
  const std::string both = "V v(in[0], n); out[0] = V(v.x, 2).y;";
  EXPECT_EQ(shape("__device__ V(float a, float b) : x(a), y{b} {}", both), "PP");
  EXPECT_EQ(shape("__device__ V(float a, float b) : x(a) { y = b + threadIdx.x; }", both), "IP");
  EXPECT_EQ(shape("V() = default; __device__ V(float a, float b) : x(a), y(sqrtf(b)) {}", both), "PP");
  EXPECT_THAT(shape("__device__ V(float a, float b) : x(a), y(strange(b)) {}", both), HasSubstr("it calls"));
  EXPECT_THAT(shape("__device__ V(float a, float b) : x(a), y(b) { __syncthreads(); }", both),
              HasSubstr("it calls 'V'"));
  EXPECT_THAT(shape("__device__ V(float a, float b);", both), HasSubstr("it calls 'V'"));
  EXPECT_THAT(shape("float z = strange(1); __device__ V(float a, float b) {}", both),
              HasSubstr("it calls 'V'"));
  EXPECT_EQ(shape("", "const dim3 d(2, n); out[d.x] = 1;"), "UPP");
  EXPECT_EQ(
      shape("static constexpr int n = sizeof(float); __device__ V(float a, float b) : x(a), y{b} {}", both),
      "PP");
  EXPECT_EQ(shape("__device__ V(float a, float b) { x = threadIdx.x; }", "V v(n, n); out[0] = v.x;"), "IP");
  EXPECT_EQ(shape("__device__ V(float a, float b) { x = threadIdx.x; }", "V v{n, n}; out[0] = v.x;"), "IP");
  EXPECT_EQ(shape("", "V v{n, n}; out[0] = v.x;"), "UPP");
  const Split warps("if (threadIdx.x / 32 == n) { const V v(n, n); out[0] = v.x; __syncwarp(); }" SYNC,
                    "float* in, float* out, int n",
                    "struct V { float x; __device__ V(float a, float b) { x = threadIdx.x; } };");
  EXPECT_NE(warps.kind("v"), Kind::uniform) << "in what a warp does, too";
}

TEST(Fission, LoopsOverArrays) {
  const std::string start = "__shared__ float s[8]; float a[3] = {1, 2, 3}; ";
  EXPECT_EQ(Split(start + "s[n] = 1;" SYNC "for (float x : s) { if (x > 2) break; out[0] += x; }").shape(),
            "UPP");
  EXPECT_EQ(Split(start + "for (const float& x : a) out[0] += x;" SYNC "out[1] = a[1];").kind("a"),
            VariableKind::kept);
  EXPECT_THAT(Split("for (float x : range(n)) out[0] += x;" SYNC).shape(), HasSubstr("no array"));
  EXPECT_THAT(Split(start + "for (float x : a) { out[0] += x;" SYNC "}").shape(),
              HasSubstr("inside a loop over a range"));
  EXPECT_THAT(Split(start + "for (float x : a) out[0] += __shfl_sync(~0u, x, 0);").shape(),
              HasSubstr("inside of a switch, or of a loop over a range"));
  const std::string turn = start + "for (int i = 0; i < n; ++i) { s[i] = in[i];" SYNC "float sum = 0;";
  EXPECT_EQ(Split(turn + "for (float x : s) sum += x; }").shape(), "UPc{PD}");
  EXPECT_EQ(Split(turn + "for (float x : a) sum += x; }").shape(), "UPc{PP}");
}

TEST(Fission, NonblockingLambdasAreMadeAgain) {
  const std::string start = "int t = threadIdx.x; float v = in[t]; ";
  const Split both(start + "auto f = [&](int k) { v += k; }; f(1);" SYNC "f(2); out[t] = v;");
  EXPECT_EQ(both.shape(), "PP");
  EXPECT_EQ(both.kind("f"), VariableKind::index);
  EXPECT_EQ(both.kind("v"), VariableKind::kept);
  for (const std::string capture : {"&", "=", "v"}) {
    const Split one(start + "auto f = [" + capture + "] { return v; };" SYNC "out[t] = f();");
    EXPECT_EQ(one.kind("f"), VariableKind::index);
    EXPECT_EQ(one.kind("v"), VariableKind::kept);
  }
  const std::string changed = start + "auto f = [=] { return v; }; v = 2;" SYNC "out[t] = f();";
  EXPECT_THAT(Split(changed).shape(), HasSubstr("the type of 'f', which outlives a barrier"));
  const std::string state = start + "auto f = [n]() mutable { return ++n; };" SYNC "out[t] = f();";
  EXPECT_THAT(Split(state).shape(), HasSubstr("the type of 'f', which outlives a barrier"));
  EXPECT_THAT(Split("auto f = [&] { __syncthreads(); };" SYNC "f();").shape(), HasSubstr("it calls"));
  EXPECT_THAT(Split("auto f = [&] { while (atomicAdd(out, 0) < n) {} };" SYNC "f();").shape(),
              HasSubstr("may wait for an atomic"));
}

TEST(Fission, ALambdasEffectsOccurAtItsCall) {
  const std::string start = "__shared__ float s[64]; int t = threadIdx.x; float sum = 0; ";
  const auto turn = [&](const std::string& lambda, const std::string& last) {
    return Split(start + lambda + "for (int i = 0; i < n; ++i) { s[t] = in[i];" SYNC + last +
                 "} out[t] = sum;")
        .shape();
  };
  EXPECT_EQ(turn("auto f = [&](int k) { sum += k; };", "f(2);"), "UPc{PP}P");
  EXPECT_EQ(turn("auto f = [&](int k) { sum += s[k]; };", "f(t);"), "UPc{PD}P");
  EXPECT_EQ(turn("auto f = [](float& to, float v) { to = v; };", "f(sum, n);"), "UPc{PP}P");
  EXPECT_EQ(turn("auto f = [](float& to, float v) { to = v; };", "f(s[0], n);"), "UUc{PD}P");
}

// ---- the order of threads

#define TILES "__shared__ float s[64]; int t = threadIdx.x; float sum = 0; "

TEST(Fission, PhasesWithoutABarrierAtALoopsEndAreDeferred) {
  const std::string load = "for (int i = 0; i < n; ++i) { s[t] = in[i * 64 + t];" SYNC "sum += s[63 - t];";
  EXPECT_EQ(Split(TILES + load + SYNC "} out[t] = sum;").shape(), "UPc{PP}P");
  const Split missing(TILES + load + "} out[t] = sum;");
  EXPECT_EQ(missing.shape(), "UPc{PD}P");
  const FissionStep& last = missing.plan.steps[2].parts[0].back();
  ASSERT_EQ(last.kind, FissionStep::Kind::phase);
  EXPECT_TRUE(last.copies.empty());  // the phase doesn't mention i
  EXPECT_EQ(missing.plan.backlogs.size(), 2U);
  EXPECT_EQ(missing.plan.steps[3].backlogs, (std::set<std::size_t>{0, 1}));
  const Split with_i(TILES + load + "s[t] += i; } out[t] = sum;");
  EXPECT_EQ(with_i.plan.steps[2].parts[0].back().copies.size(), 1U);
}

TEST(Fission, UnobservablePhasesRunInPlace) {
  // Tests a loop whose barrier comes first, registers, different arrays, and code that only reads.
  EXPECT_EQ(
      Split(TILES "s[t] = 1; for (int i = 0; i < n; ++i) {" SYNC "sum += in[t]; } sum += in[2];").shape(),
      "UPc{P}P");
  EXPECT_EQ(Split(TILES "s[t] = 1; if (n > 3) { sum += in[t];" SYNC "}").shape(), "UPc{P}");
  EXPECT_EQ(Split(TILES "s[t] = 1; if (n > 3) { sum += s[0];" SYNC "}").shape(), "UDc{P}");
  EXPECT_EQ(Split(TILES "float* p = s; s[t] = 1; if (n > 3) { sum += in[t];" SYNC "}").shape(), "UUDc{P}");
  EXPECT_EQ(Split(TILES "out[t] = 1; if (n > 3) { sum += in[t];" SYNC "}").shape(), "UDc{P}");
  EXPECT_EQ(Split(TILES "out[t] = 1; if (n > 3) { sum += in[t];" SYNC "}",
                  "const float* __restrict__ in, float* __restrict__ out, int n")
                .shape(),
            "UPc{P}");
}

TEST(Fission, WaysAroundALoopWithoutABarrierAreLeftToFibers) {
  EXPECT_THAT(Split(TILES "for (int i = 0; i < n; ++i) { if (i > 3) {" SYNC "} s[t] += s[63 - t]; }").shape(),
              HasSubstr("threads may come here again without a barrier"));
  EXPECT_EQ(Split(TILES "for (int i = 0; i < n; ++i) { if (i > 3) {" SYNC "} sum += in[t]; }").shape(),
            "UPc{c{}P}");
}

TEST(Fission, TheOrderOfWarpsCountsToo) {
  const std::string sum = TILES "sum += __shfl_down_sync(~0u, sum, 1); ";
  EXPECT_EQ(Split(sum + "s[t] = sum; sum = __shfl_xor_sync(~0u, sum, 2); out[t] = sum;").shape(), "Uw{PPP}");
  const Split read(sum + "s[t] = sum; sum = __shfl_xor_sync(~0u, s[t ^ 1], 2); out[t] = sum;");
  EXPECT_EQ(read.shape(), "Uw{PPDP}");
  EXPECT_EQ(read.plan.steps[1].parts[0][3].merged, 1U);
  const std::string turn =
      TILES "for (int i = 0; i < n; ++i) { sum += __shfl_down_sync(~0u, sum, 1); s[t] = sum;" SYNC;
  EXPECT_EQ(Split(turn + "sum += s[i];" SYNC "}").shape(), "UPc{w{P}P}");
  const Split missing(turn + "sum += s[i]; }");
  EXPECT_EQ(missing.shape(), "UPc{w{P}D}");
  EXPECT_EQ(missing.plan.joined.size(),
            1U);  // per warp: the end of an iteration and the beginning of the next
  EXPECT_EQ(Split(turn + "sum = __shfl_down_sync(~0u, s[i], 1); }").shape(), "UPc{w{P}d{P}}");
}

// ---- warps

#define SUM "for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d); "
#define VALUE "float v = in[threadIdx.x]; "
#define RESULT "out[threadIdx.x] = v; "

TEST(Fission, WarpsRunOneAfterAnotherBetweenBarriers) {
  EXPECT_EQ(Split(VALUE SUM RESULT).shape(), "w{Pc{P}P}");
  EXPECT_EQ(Split(VALUE SUM RESULT SYNC RESULT).shape(), "w{Pc{P}P}P");
  EXPECT_EQ(Split(VALUE RESULT SYNC "v = __shfl_sync(~0u, v, 3); " SYNC RESULT).shape(), "Pw{P}P");
  EXPECT_EQ(Split("if (n > 3) {" SYNC VALUE SUM "}").shape(), "c{w{Pc{P}}}");
  EXPECT_EQ(Split(VALUE "__syncwarp(); " RESULT).shape(), "w{PXP}");
}

TEST(Fission, ConditionsThatWholeWarpsShare) {
  for (const char* condition :
       {"threadIdx.x < 32", "threadIdx.x / 32 == 0", "(threadIdx.x >> 5) == n",
        "threadIdx.x >= warp_width * 2", "threadIdx.x <= nearly", "32 > threadIdx.x", "t < 64u",
        "t / warpSize == 1", "w == 0", "!w", "n > 3 && w < n",
        "(blockIdx.x * blockDim.x + threadIdx.x) / 32 < n", "(t + threadIdx.y * blockDim.x) / 32 == 0",
        "(int)threadIdx.x / 32 == 0", "static_cast<int>(threadIdx.x) / 32 == 0", "min(w, 3) == 2"}) {
    const std::string body =
        "int t = threadIdx.x, w = t / 32; " VALUE "if (" + std::string(condition) + ") { " SUM "} " RESULT;
    EXPECT_EQ(Split(body).shape(), "w{Dc{c{P}}P}") << condition;
  }
}

TEST(Fission, RefusesConditionsThatWholeWarpsMayNotShare) {
  for (const char* condition :
       {"threadIdx.x < 16", "threadIdx.x < n", "threadIdx.x % 32 == 0", "threadIdx.x / 16 == 0",
        "threadIdx.x * 2 / 32 == 0", "(threadIdx.x + 1) / 32 == 0", "threadIdx.y == 0", "threadIdx.x == 32",
        "threadIdx.x < blockDim.x / 32", "threadIdx.x <= 32", "threadIdx.x > warp_width",
        "threadIdx.x < unknown", "in[0] > 0", "v > 0", "t / 32 == 0", "threadIdx.x / 32.0f < 1"}) {
    const std::string body =
        VALUE "int t = threadIdx.x; t += n; if (" + std::string(condition) + ") { " SUM "} " SUM;
    EXPECT_THAT(Split(body).shape(), HasSubstr("refused: a condition around a warp function may differ"))
        << condition;
  }
}

TEST(Fission, LoopsOfWholeWarps) {
  const Split split("for (int row = threadIdx.x / 32; row < n; row += blockDim.x / 32) { " VALUE SUM
                    "if (threadIdx.x % 32 == 0) out[row] = v; }");
  EXPECT_EQ(split.shape(), "w{c{Pc{P}D}}");
  EXPECT_EQ(split.kind("row"), Kind::uniform);
  EXPECT_THAT(Split("for (int i = threadIdx.x; i < n; i += 32) { " VALUE SUM "}").shape(),
              HasSubstr("refused"));
  // A value that one warp changes is not uniform for the other warps.
  EXPECT_THAT(
      Split("int k = 0; " VALUE "if (threadIdx.x < 32) { " SUM "k = 1; } if (k > 0) {" SYNC "}").shape(),
      HasSubstr("refused"));
}

TEST(Fission, LanesMayDivergeIfNoneWaitsForTheOthers) {
  // Masks name only the lanes that reach the call.
  const std::string some = "v += __shfl_down_sync(0xff, v, 4); ";
  const std::string all = "v += __shfl_down_sync(0xffffffff, v, 4); ";
  EXPECT_EQ(Split(VALUE "if (threadIdx.x % 32 < 8) { " + some + "} v += 1;").shape(), "w{Pm{P}P}");
  EXPECT_EQ(Split(VALUE "if (threadIdx.x % 32 < 8) { " + some + "} else { v = 1; } " + all + RESULT).shape(),
            "w{Pm{P}{P}P}");
  EXPECT_THAT(Split(VALUE "if (threadIdx.x % 32 < 4) { " + some + "} " + all + RESULT).shape(),
              HasSubstr("may differ between the threads of a warp"));
  EXPECT_EQ(Split(VALUE "if (threadIdx.x & 32) { " + all + "} " + all).shape(), "w{Pm{P}P}");  // whole warps
  // Masks may name other lanes only if those lanes reach no other warp function.
  EXPECT_EQ(Split(VALUE "if (in[threadIdx.x] < n) { " + all + "} v += 1;").shape(), "w{Pm{P}P}");
  for (const std::string& behind : {all, std::string(SYNC "v = in[0];")})
    EXPECT_THAT(Split(VALUE "if (in[threadIdx.x] < n) { " + all + "} " + behind).shape(),
                HasSubstr("may differ between the threads of a warp"));
  EXPECT_THAT(Split(VALUE "for (int i = 0; i < n; ++i) if (v < i) { " + all + "}").shape(),
              HasSubstr("may differ between the threads of a warp"));
  EXPECT_THAT(Split(VALUE "if (v < 8) { " + all + "if (n > 3) return; } ").shape(),
              HasSubstr("may differ between the threads of a warp"));
  // No thread may be able to observe the order.
  EXPECT_THAT(Split(VALUE "if (threadIdx.x < 8) { " + all + "} " RESULT).shape(),
              HasSubstr("other threads may see what is done before lanes part"));
  EXPECT_THAT(Split(VALUE "if (v < n) { " + all + "out[threadIdx.x] = v; } out[n] = 3;").shape(),
              HasSubstr("memory that others may use at once"));
}

TEST(Fission, RefusesJumpsOutOfWhatWarpsDo) {
  EXPECT_THAT(
      Split("for (int i = 0; i < n; ++i) { " VALUE SYNC "if (n > 3) { " SUM "if (i > 2) break; } " SYNC "}")
          .shape(),
      HasSubstr("a jump leaves what warps do one after another"));
}

TEST(Fission, RefusesWarpFunctionsThatMayBeLeftOut) {
  for (const char* statement :
       {"v = n > 3 ? __shfl_sync(~0u, v, 0) : 1;", "if (n > 3 && __any_sync(~0u, v > 0)) v = 1;",
        "while (__any_sync(~0u, v > 0)) v -= 1;", "v = __shfl_sync(~0u, __shfl_sync(~0u, v, 1), 0);",
        "switch (n) { case 1: v = __shfl_sync(~0u, v, 0); }", "float a = v, b = __shfl_sync(~0u, a, 0);",
        "if (__any_sync(~0u, v > 0)) { v = warp_sum(v); }", "v += __shfl(v, 0);",
        "v = __shfl_sync(~0u, strange(v), 0);"})
    EXPECT_THAT(Split(VALUE + std::string(statement) + RESULT).shape(), HasSubstr("refused")) << statement;
}

TEST(Fission, FunctionsOfWarpFunctions) {
  EXPECT_EQ(Split(VALUE "v = warp_sum(v) + 1; " RESULT).shape(), "w{PP}");
  const auto plan = [](const std::string& body) {
    const std::string text = "__device__ float f(float v, int n) {" + body + "}";
    const TokenStream stream = lex(text);
    const Syntax syntax(stream);
    const Declaration found = syntax.declaration(0, syntax.size());
    return plan_warp_function(
               syntax, found.parameters, found.body + 1, found.end - 1,
               KnownNames{plain, nonblocking, device, warp_functions, constants, confined, references})
        .refusal;
  };
  EXPECT_EQ(plan(SUM "return v;"), "");
  EXPECT_EQ(plan("return warp_sum(v) * n;"), "");
  EXPECT_THAT(plan("return v;"), HasSubstr("no warp function"));
  EXPECT_THAT(plan("if (n > 3) return v; " SUM "return v;"), HasSubstr("returns before its end"));
  EXPECT_THAT(plan("for (int d = n; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d); return v;"),
              HasSubstr("may differ"));
  EXPECT_THAT(plan(SUM "__syncthreads(); return v;"), HasSubstr("waits for the whole block"));
}

// ---- values that differ between threads

TEST(Fission, RefusesConditionsThatMayDiffer) {
  for (const char* condition : {"threadIdx.x < 3", "in[i] > 0", "*(in + i) > 0", "f(n) > 0", "i < 3",
                                "unknown->x > 0", "view[0] > 0", "*iterator > 0", "n + (threadIdx.x > 3)"}) {
    const std::string body =
        "int i = threadIdx.x; if (" + std::string(condition) + ") {" SYNC "out[i] = 1; }";
    EXPECT_THAT(Split(body).shape(), HasSubstr("may differ between threads")) << condition;
  }
}

TEST(Fission, AcceptsConditionsThatCannotDiffer) {
  for (const char* condition :
       {"n > 3", "blockIdx.x == 0 && gridDim.y > 1", "min(n, 4) * warpSize > 3", "N == 4", "(n) * 2 > 3",
        "sizeof(int) * n > 3", "static_cast<int>(n) > 3", "A::value"}) {
    const std::string body = "if (" + std::string(condition) + ") {" SYNC "out[threadIdx.x] = 1; }";
    EXPECT_EQ(Split(body).shape(), "c{P}") << condition;
  }
}

TEST(Fission, UniformMemoryDecidesIfNoThreadWritesThere) {
  const std::string parameters = "float* in, float* out, int n, const int* rows";
  for (const char* condition : {"in[0] > 0", "*in > 0", "counter > 0", "(int)*in > 0",
                                "rows[blockIdx.x] < rows[n]", "rows[rows[0]] > 3"}) {
    const std::string waits = "if (" + std::string(condition) + ") {" SYNC "out[threadIdx.x] = 1; }";
    EXPECT_EQ(Split(waits, parameters).shape(), "c{P}") << condition;
    EXPECT_EQ(Split("out[threadIdx.x] = 2;" SYNC + waits, parameters).shape(), "Pc{P}") << condition;
    if (condition[0] == 'r') continue;  // the elements of a `const int*` are never written
    // In these cases a later thread might read another value.
    EXPECT_THAT(Split("out[threadIdx.x] = 2;" + waits, parameters).shape(),
                HasSubstr("may differ between threads"))
        << condition;
    EXPECT_THAT(Split(waits + "else out[n] = 3;", parameters).shape(),
                HasSubstr("may differ between threads"))
        << condition;
  }
  EXPECT_EQ(
      Split("for (int i = rows[blockIdx.x]; i < rows[blockIdx.x + 1]; ++i) {" SYNC "out[i] = 1;" SYNC "}",
            parameters)
          .shape(),
      "c{P}");
  EXPECT_EQ(Split("int m = n; m += in[0]; while (m > 0) {" SYNC "m -= 1; }").shape(), "UUc{U}");
}

TEST(Fission, AVariableThatOneThreadMayChangeIsNotUniform) {
  for (const char* change : {"if (threadIdx.x == 0) m = 2;", "m = threadIdx.x;", "m += in[threadIdx.x];",
                             "for (int i = 0; i < 3; ++i) m++;", "int* p = &m; *p = threadIdx.x;",
                             "int& r = m; r = threadIdx.x;", "change(m);", "m = 1, m += threadIdx.x;"}) {
    const std::string body = "int m = n; " + std::string(change) + " while (m > 0) {" SYNC "m -= 1; }";
    EXPECT_THAT(Split(body).shape(), HasSubstr("refused")) << change;
  }
}

TEST(Fission, UniformityFollowsThroughVariables) {
  EXPECT_EQ(
      Split("int a = n * 2; int b = a + blockDim.x; if (b > 3) {" SYNC "out[threadIdx.x] = 1; }").shape(),
      "UUc{P}");
  EXPECT_THAT(Split("int a = threadIdx.x; int b = a; int c = b; if (c > 3) {" SYNC "}").shape(),
              HasSubstr("may differ"));
  EXPECT_THAT(Split("int a = 0, b = 0; while (b < 3) {" SYNC "b += a; a = threadIdx.x; }").shape(),
              HasSubstr("may differ"));
}

TEST(Fission, BranchesThatAllTakeAndThatOnlyAssign) {
  const char* const search = "int low = 0, high = n; while (low < high) { int middle = (low + high) / 2; ";
  EXPECT_EQ(
      Split(search + std::string(SYNC "if (middle > n / 3) high = middle; else { low = middle + 1; } }"))
          .shape(),
      "Uc{Uc{U}{U}}");
  // If uniformity isn't needed, each thread executes the branches.
  EXPECT_EQ(
      Split("int m = 1; if (n > 3) m = 2; out[threadIdx.x] = m;" SYNC "out[n - threadIdx.x] = m;").shape(),
      "PP");
  for (const char* branch : {"if (in[threadIdx.x] > 1) high = middle; else low = middle + 1; }",
                             "if (middle > 3) high = in[threadIdx.x]; else low = middle + 1; }",
                             "if (middle > 3) high = middle; else low = threadIdx.x; }",
                             "if (middle > 3) { high = middle; out[0] = 1; } else low += 1; }"})
    EXPECT_THAT(Split(search + std::string(SYNC) + branch).shape(), HasSubstr("may differ")) << branch;
}

TEST(Fission, ADeclarationMayDeclareBothKinds) {
  const Split split(
      "int tid = threadIdx.x, half = n / 2; while (half > 0) { if (tid < half) out[tid] = 1;" SYNC
      "half /= 2; }");
  EXPECT_EQ(split.shape(), "Uc{PU}");
  EXPECT_EQ(split.kind("half"), Kind::uniform);
  EXPECT_EQ(split.kind("tid"), Kind::index);
}

// ---- shared memory that is read once for all threads

#define FLAG \
  "__shared__ int flag, count[2][4]; int i = threadIdx.x; if (i == 0) flag = count[1][n] = in[0];" SYNC

TEST(Fission, ASharedVariableDecidesIfNoThreadWritesIt) {
  for (const char* decision : {"if (flag) {", "while (flag > n) {", "if (!flag && count[1][n] < 3) {",
                               "for (int k = 0; k < count[0][1]; ++k) {", "const int now = flag; if (now) {",
                               "int now = 0; now = flag; while (now) {"}) {
    const Split split(std::string(FLAG) + decision +
                      " out[i] = 1;" SYNC "if (i == 3) flag = in[1];" SYNC "}");
    EXPECT_THAT(split.shape(), HasSubstr("c{P")) << decision;
  }
  EXPECT_EQ(Split(FLAG "if (flag > 1) return; out[i] = 1;" SYNC "out[n - i] = 2;").shape(), "UPc{U}PP");
}

TEST(Fission, ThreadsMayDisagreeOnASharedVariableThatIsWrittenMeanwhile) {
  // Threads write the variable before the iteration's barrier, after it, before the condition, or in a call.
  for (const char* body :
       {"while (flag > n) { if (i == 3) flag = 1;" SYNC "}",
        "while (flag > n) {" SYNC "if (i == 3) flag = 1; }", "if (i == 5) flag = 1; if (flag) {" SYNC "}",
        "if (flag) {" SYNC "} else flag = 3;", "while (flag > n) { atomicAdd(&flag, 1);" SYNC "}",
        "do { if (i == 3) flag = 1; } while (flag);" SYNC "if (flag) { flag = 2;" SYNC "}"})
    EXPECT_THAT(Split(std::string(FLAG) + body).shape(), HasSubstr("reads memory that other threads may"))
        << body;
  EXPECT_THAT(Split(FLAG "if (i == 5) flag = 1; const int x = flag; if (x) {" SYNC "}").shape(),
              HasSubstr("may differ between threads"));
  EXPECT_THAT(Split(FLAG "if (count[i][0]) {" SYNC "}").shape(), HasSubstr("may differ between threads"));
  EXPECT_THAT(Split("__shared__ int* to[3]; if (to[1][n]) {" SYNC "}").shape(), HasSubstr("may differ"));
  // If a value decides nothing, it is separate for each thread.
  const Split own(FLAG "if (i == 5) flag = 1; const int x = flag; out[i] = x;" SYNC "out[n - i] = x;");
  EXPECT_EQ(own.shape(), "UPPP");
  EXPECT_EQ(own.kind("x"), Kind::kept);
}

// ---- variables that outlive a barrier

TEST(Fission, IndicesAreComputedAgainOnlyWhileNothingInThemChanges) {
  const Split split(
      "int step = 1; int at = threadIdx.x * step; int other = threadIdx.x; int mine = in[other]; other += 1;"
      "out[at] = 1;" SYNC "step = 2;" SYNC "out[at] = other + mine;");
  EXPECT_EQ(split.kind("step"), Kind::uniform);
  EXPECT_EQ(split.kind("at"), Kind::kept);
  EXPECT_EQ(split.kind("other"), Kind::kept);
  EXPECT_EQ(split.kind("mine"), Kind::kept);
}

TEST(Fission, IndicesMayUseTheLoopTheyAreIn) {
  const Split split("for (int m = 0; m < n; ++m) { int at = m * 16 + threadIdx.x; out[at] = 1;" SYNC
                    "out[at + 1] = 2;" SYNC "}");
  EXPECT_EQ(split.kind("at"), Kind::index);
}

TEST(Fission, VariablesOfOnePhaseStayThere) {
  const Split split("float x = in[threadIdx.x]; out[threadIdx.x] = x;" SYNC "float y = in[0]; out[1] = y;");
  EXPECT_EQ(split.kind("x"), Kind::local);
  EXPECT_EQ(split.kind("y"), Kind::local);
}

// ---- guards

TEST(Fission, AGuardThatFollowsFromTheIndexIsTakenOut) {
  const auto guard = [](const std::string& body) {
    const Split split(body);
    if (split.plan.steps.size() != 1) return "no single phase: " + split.shape();
    const auto& found = split.plan.steps[0].guard;
    std::string text = found.returns ? "unless " : "if ";
    for (std::size_t i = found.begin; i < found.end; ++i) text += split.syntax.at(i);
    return text + " with " + std::to_string(found.needs.size());
  };
  const std::string index = "int i = blockIdx.x * blockDim.x + threadIdx.x; int j = i * 2;";
  EXPECT_EQ(guard(index + "if (i < n) out[i] = in[i];"), "if i<n with 1");
  EXPECT_EQ(guard(index + "if (j >= n) return; out[i] = in[i];"), "unless j>=n with 2");
  EXPECT_EQ(guard(index + "if (i < n && j > 3) { out[i] = 1; out[j] = 2; }"), "if i<n&&j>3 with 2");
  // There is no guard if the phase does something else or the condition reads memory.
  EXPECT_EQ(guard(index + "if (i < n) out[i] = 1; out[j] = 2;"), "if  with 0");
  EXPECT_EQ(guard(index + "if (i < n) out[i] = 1; else out[j] = 2;"), "if  with 0");
  EXPECT_EQ(guard(index + "if (in[i] > 0) out[i] = 1;"), "if  with 0");
  EXPECT_EQ(guard(index + "i += 1; if (i < n) out[i] = 1;"), "if  with 0");
}

TEST(Fission, AGuardThatOneColumnPasses) {
  const auto column = [](const std::string& body) {
    const Split split("out[threadIdx.x] = 0;" SYNC + body + SYNC "out[threadIdx.x] = 1;");
    for (const FissionStep& step : split.plan.steps) {
      std::string text;
      for (std::size_t i = step.guard.x_begin; i < step.guard.x_end; ++i) text += split.syntax.at(i);
      if (!text.empty()) return text;
    }
    return split.plan.refusal.empty() ? "any" : split.plan.refusal;
  };
  EXPECT_EQ(column("if (threadIdx.x == 0) out[0] = 1;"), "0");
  EXPECT_EQ(column("const unsigned int t = threadIdx.x; int u = t; if (n - 1 == u) out[0] = 1;"), "n-1");
  EXPECT_EQ(column("if ((threadIdx.x == blockDim.x - 1 && n > 3) && in[0] > 0) out[0] = 1;"), "any")
      << "reads";
  EXPECT_EQ(column("if ((threadIdx.x == blockDim.x - 1 && n > 3) && threadIdx.y == 0) out[0] = 1;"),
            "blockDim.x-1");
  for (const char* other :
       {"if (threadIdx.x == 0 || n > 3) out[0] = 1;", "if (threadIdx.y == 0) out[0] = 1;",
        "if (threadIdx.x != 0) out[0] = 1;", "if (threadIdx.x == threadIdx.y) out[0] = 1;",
        "if (threadIdx.x == 0) out[0] = 1; else out[1] = 1;", "if (threadIdx.x == 0) return; out[0] = 1;",
        "unsigned char t = threadIdx.x; if (t == 0) out[0] = 1;", "if (threadIdx.x == in[0]) out[0] = 1;",
        "int t = threadIdx.x; ++t; if (t == 0) out[0] = 1;", "if (threadIdx.x + 1 == 1) out[0] = 1;"})
    EXPECT_EQ(column(other), "any") << other;
}

TEST(Fission, ReferencesToElementsAreMadeAgain) {
  const Split split(
      "__shared__ float s[4][8]; int i = threadIdx.x; float& x = in[i]; auto& row = s[i % 4];"
      "const float& y = s[1][i]; x = 1;" SYNC "row[2] = x + y;");
  EXPECT_EQ(split.shape(), "UPP");
  for (const char* name : {"x", "row", "y"}) EXPECT_EQ(split.kind(name), Kind::index) << name;
  // These are a copy of another type, an index or a pointer that changes, and an element in memory.
  for (const char* bad :
       {"const double& x = in[threadIdx.x];", "int i = threadIdx.x; float& x = in[i]; i += 1;",
        "float* p = in; float& x = p[threadIdx.x]; p += 1;", "float& x = in[(int)out[threadIdx.x]];",
        "const float& x = in[threadIdx.x] + 1;"})
    EXPECT_THAT(Split(std::string(bad) + SYNC "out[0] = x;").shape(), HasSubstr("the reference 'x'")) << bad;
  // The reference is not uniform, and a write through it writes the element.
  EXPECT_THAT(Split("float& x = in[blockIdx.x]; if (x > 0) {" SYNC "}").shape(), HasSubstr("may differ"));
  EXPECT_EQ(
      Split("__shared__ float s[8]; float& x = s[threadIdx.x]; for (int i = 0; i < n; ++i) { x += 1;" SYNC
            "out[0] = s[3]; }")
          .shape(),
      "Uc{PD}");
}

TEST(Fission, ReferencesToPartsOfParametersAreTheSameForAll) {
  const Split split(
      "const World& world = all.world; if (world.points > 3) { out[threadIdx.x] = world.size;" SYNC "}",
      "All all, float* out");
  EXPECT_EQ(split.shape(), "Uc{P}");
  EXPECT_EQ(split.kind("world"), Kind::uniform);
  for (const char* bad :
       {"World& world = all.world;", "const World& world = all.world; all.world.points = 3;",
        "const World& world = *all.world;", "const World& world = all.worlds[1];"})
    EXPECT_THAT(Split(std::string(bad) + "if (world.points > 3) {" SYNC "}", "All all, float* out").shape(),
                HasSubstr("refused"))
        << bad;
}

TEST(Fission, RefusesWhatItCannotKeep) {
  EXPECT_THAT(Split("auto x = in[threadIdx.x];" SYNC "out[0] = x;").shape(), HasSubstr("is not spelled out"));
  EXPECT_THAT(Split("float a = in[0]; float& x = a;" SYNC "x = 1;").shape(), HasSubstr("the reference 'x'"));
}

TEST(Fission, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(Split("again: out[0] = 1;" SYNC "goto again;").shape(), HasSubstr("refused"));
  EXPECT_THAT(Split("switch (n) { case 1: __syncthreads(); }").shape(), HasSubstr("switch"));
  EXPECT_THAT(Split("struct A { int x; }; A a;" SYNC).shape(), HasSubstr("refused"));
  EXPECT_THAT(Split("__shared__ float (*c)[4];" SYNC).shape(), HasSubstr("refused"));
  EXPECT_THAT(Split("__shared__ struct { int x; } c;" SYNC).shape(), HasSubstr("refused"));
  EXPECT_THAT(Split("auto [a, b] = pair();" SYNC).shape(), HasSubstr("refused"));
  EXPECT_THAT(Split("int i = 0; { int i = 1;" SYNC "out[i] = 1; }").shape(), HasSubstr("the same name"));
  EXPECT_THAT(Split("int c = __syncthreads_count(n);").shape(), HasSubstr("refused"));
  EXPECT_THAT(Split("__syncthreads();", "Args... args").shape(), HasSubstr("pack"));
}

// ---- functions that are called

TEST(Fission, FunctionsMayHaveLambdasAndComputeInPTX) {
  const auto reason = [](const std::string& body) {
    const std::string text = "__device__ float f(float v) {" + body + "}";
    const TokenStream stream = lex(text);
    const Syntax syntax(stream);
    const Declaration found = syntax.declaration(0, syntax.size());
    return blocking_reason(
        syntax, found.body + 1, found.end - 1,
        KnownNames{plain, nonblocking, device, warp_functions, constants, confined, references});
  };
  EXPECT_EQ(reason("const auto twice = [&](float x) { return square(x) * 2; }; return twice(v);"), "");
  EXPECT_EQ(reason("float r; asm(\"rsqrt.approx.ftz.f32 %0, %1;\" : \"=f\"(r) : \"f\"(v)); return r;"), "");
  EXPECT_EQ(
      reason("asm(\"{ .reg .f32 t; mul.f32 t, %0, %0; @p add.f32 %0, t, t; }\" : \"+f\"(v)); return v;"), "");
  EXPECT_THAT(reason("const auto wait = [&] { __syncthreads(); }; wait(); return v;"),
              HasSubstr("it calls '__syncthreads'"));
  EXPECT_THAT(reason("return other([&] { return v; });"), HasSubstr("it calls 'other'"));
  for (const char* text :
       {"bar.sync 0;", "mov.u32 %0, %%laneid;", "ld.global.f32 %0, [%1];", "add.f32 %0, %0, %0; trap;"})
    EXPECT_THAT(reason("asm volatile(\"" + std::string(text) + "\" : \"+f\"(v)); return v;"),
                HasSubstr("it has assembly"))
        << text;
}

}  // namespace fission_test
}  // namespace emucc
