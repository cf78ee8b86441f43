/// @file
/// The files of a new lab, with the placeholders `@ID@`, `@NAME@` and `@LEVELS@`. Only scaffold.cpp
/// needs them.
#pragma once

namespace grader::scaffold {

inline constexpr const char* program =
    R"text(// @NAME@.cu: a vector scaled on the device, one thread for each element.
//
//   y[i] = factor * x[i],   i in [0, n)
//
// The host and the device have memories of their own. Names of device pointers begin with d_.
//
//        host                        device
//     x ────── 1. copy in ─────────▶ d_x ──┐
//                                          ├─ 2. launch: scale (part 1)
//     y ◀───── 3. copy back ──────── d_y ◀─┘
//                                    4. free both
//
// Run it:  grader @ID@              builds it, grades it, explains what is wrong
//          @NAME@ [n] [--help]   alone: draws x, computes, checks itself
#include <lab/lab.hpp>

#include <limits>

constexpr int block_size = 256;    // threads of a block: a multiple of the warp's 32, under the limit of 1024
constexpr float factor = 3.0f;

//   y   (n) float32, device memory, written
//   x   (n) float32, device memory, read
__global__ void scale(float* y, const float* x, int n) {
@ANSWER@}

// y = factor * x on the device. Both (n), host memory.
static void scale_on_device(float* y, const float* x, int n) {
  const std::size_t bytes = sizeof(float) * n;
  float* d_x = nullptr;  // (n) float32, device memory
  float* d_y = nullptr;  // (n)

  // 1. Memory on the device, and the input's way there.
  CUDA_CHECK(cudaMalloc(&d_x, bytes));
  CUDA_CHECK(cudaMalloc(&d_y, bytes));
  CUDA_CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));

  // 2. Enough blocks for n elements: n / block_size would drop a last block that is not full.
  scale<<<(n + block_size - 1) / block_size, block_size>>>(d_y, d_x, n);
  CUDA_CHECK_LAUNCH();  // could it be started?

  // 3. Copy the result back: this copy waits for the kernel.
  CUDA_CHECK(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));

  // 4. What was allocated is freed.
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
}

int main(int argc, char** argv) {
  lab::Args args("@NAME@", "y = 3 x, one thread for each element");
  args.argument("n", "elements of the vector", "1000");
  args.reads({"x"}).writes("y").parse(argc, argv);
  const int n = static_cast<int>(args.integer("n", 1, 1 << 28));
  const std::vector<std::size_t> shape = {static_cast<std::size_t>(n)};
  lab::require_host_memory(3.0 * n * sizeof(float), "n = " + std::to_string(n));

  // Whole numbers up to 1000: their triples are exact, so the check can require equality.
  std::vector<float> x(n);
  lab::Random random(args.seed());
  if (args.inputs().empty()) {
    for (float& element : x) element = static_cast<float>(random.integer(-1000, 1000));
  } else {
    x = lab::load<float>(args.inputs()[0], "x", shape);
  }

  // NaN in every element: one that is never copied back can't pass for a result.
  std::vector<float> y(n, std::numeric_limits<float>::quiet_NaN());
  scale_on_device(y.data(), x.data(), n);

  if (!args.output().empty()) {  // the grader compares, with inputs and results of its own
    lab::save(args.output(), shape, y);
    return lab::finish(true);
  }
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = factor * x[i];
  const bool passed = lab::compare("y", y.data(), expected.data(), shape) == 0;
  std::printf("Check ok? %s\n", passed ? "Passed." : "Failed.");
  return lab::finish(passed);
}
)text";

/// The text in place of `@ANSWER@`: in the solution, at level 1, and at all other levels.
inline constexpr const char* answer =
    R"text(  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // [0, gridDim.x * blockDim.x), so perhaps n or more
  if (i < n) y[i] = factor * x[i];                      // the guard: the last block sticks out over the end
)text";

inline constexpr const char* blank_of_level_1 =
    R"text(  // ---- part 1: scale one element (two lines) --------------------------------------------------------------
  // Input: x, n, and blockIdx, blockDim, threadIdx, each with .x.
  // Result: this thread's element of y is `factor` times that of x.
  //   a. Which element is mine? Block 2 of 256 threads begins at element 512.
  //   b. A thread beyond the end of the vector must not touch memory.
  LAB_TODO(1);
  // ---- end of part 1 --------------------------------------------------------------------------------------
)text";

inline constexpr const char* blank_of_other_levels =
    R"text(  // ---- part 1: this thread's element of y, for any n ------------------------------------------------------
  LAB_TODO(1);
  // ---- end of part 1 --------------------------------------------------------------------------------------
)text";

inline constexpr const char* wrong =
    R"text(# Wrong solutions of @ID@, each a small change to the right one. All must fail. `find` occurs exactly once in the solution.
format = 1

[[wrong]]
name = "last-element"
title = "the guard leaves out the last element"
file = "@NAME@.cu"
find = "if (i < n) y"
replace = "if (i < n - 1) y"
verdict = "wrong_answer"

[[wrong]]
name = "not-scaled"
title = "the input copied, not scaled"
file = "@NAME@.cu"
find = "y[i] = factor * x[i];  "
replace = "y[i] = x[i];  "
verdict = "wrong_answer"
)text";

inline constexpr const char* metadata =
    R"text(# @ID@: what the grader knows of this lab. The words are explained in docs/ARCHITECTURE.md.
format = 1
id = "@ID@"
name = "@NAME@"
title = "A vector scaled, one thread per element"
objectives = ["find a thread's element", "guard the end of an array"]
levels = @LEVELS@

[data]
inputs = ["x"]
output = "y"

[[part]]
id = 1
title = "Scale one element in each thread"
points = 2
hints = [
  "With blocks of 4 threads, which element belongs to thread 1 of block 2? Write down how you found it.",
  "The index is blockIdx.x * blockDim.x + threadIdx.x. In the last block it may be n or more.",
  "When the index i is less than n, store factor * x[i] in y[i].",
]

# Whole blocks, a last block that is not full, and a single element. Inputs are drawn afresh for each grading.
[[case]]
id = "n256"
args = ["256"]
checked = ["256"]    # there must be no race either: the checker looks for one with these arguments

[[case]]
id = "n1000"
args = ["1000"]
checked = ["1000"]
points = 2

[[case]]
id = "n1"
args = ["1"]
checked = ["1"]
visibility = "hidden"

[[case]]
id = "freed"
args = ["64"]
checked = ["64"]
requires = ["freed"]
)text";

inline constexpr const char* handout = R"text(# @ID@: a vector scaled, one thread per element

**Goal.** Each element of a vector is multiplied by 3 on the GPU, by a thread of its own.

**You need to know** how a kernel is launched, and what a block and a thread are.

## Steps

1. Run `grader @ID@`. It makes your folder `work/@ID@/level1`, builds the program and says which part is still to do.
2. Open `work/@ID@/level1/@NAME@.cu` and read its banner.
3. Fill in part 1: find this thread's element, guard the end of the vector, scale.
4. Run `grader @ID@` again, until all cases pass. `grader watch @ID@` does so each time you save.

<details><summary>Stuck?</summary>

`grader hint @ID@` gives one hint at a time, from a first nudge to nearly the answer.

</details>

## Questions

1. With n = 1000 and blocks of 256 threads: how many threads have nothing to do?
2. What would happen without the guard, and would you always notice?
)text";

inline constexpr const char* answers = R"text(# Answers: @ID@

For instructors; students' kits never hold this file.

## Questions

1. 24: four blocks of 256 threads are 1024.
2. The last threads would read and write beyond the arrays. What lies there is chance: a result can be right all the same, and `grader check` says it each time.
)text";

inline constexpr const char* oracle = R"text(/// @file
/// The oracle of @ID@: draws a vector of whole numbers, and scales it on the host.
///
///     oracle inputs --seed N --dir D [n]     D/x.npy, float32 (n)
///     oracle expect --dir D [n]              D/y.npy, float32 (n): 3 x
#include <lab/npy.hpp>
#include <lab/oracle.hpp>
#include <lab/random.hpp>

#include <algorithm>

namespace {

constexpr std::int64_t default_n = 1000;
constexpr std::int64_t largest_n = 1 << 28;  // as in the program

/// Would some wrong program give the right result with this input? A 0 is its own triple.
bool trivial(const std::vector<float>& x) {
  const bool constant = x.size() > 1 && std::all_of(x.begin(), x.end(), [&x](float e) { return e == x.front(); });
  return constant || x.back() == 0;
}

void draw(const lab::OracleRequest& request) {
  std::vector<float> x(static_cast<std::size_t>(request.integer(0, default_n, 1, largest_n)));
  lab::Random random(request.seed);
  do {
    for (float& element : x) element = static_cast<float>(random.integer(-1000, 1000));
  } while (trivial(x));
  lab::write_npy(request.path("x.npy"), {x.size()}, x.data());
}

void expect(const lab::OracleRequest& request) {
  lab::NpyArray<float> x = lab::read_npy<float>(request.path("x.npy"), 1);
  for (float& element : x.data) element = static_cast<float>(3.0 * element);
  lab::write_npy(request.path("y.npy"), x.shape, x.data.data());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return lab::run_oracle(argc, argv, draw, expect);
  } catch (const lab::NpyError& error) {
    lab::usage_error(error.what());
  }
}
)text";

inline constexpr const char* next_steps = R"text(Next:
  grader @ID@ --solution    the solution passes
  grader @ID@               the skeleton is still to do
Then make it yours, in this order:
  1. solutions/@FOLDER@/@NAME@.cu      the solution: clean CUDA
  2. labs/@FOLDER@/lab.toml            title, parts, points, hints, cases
  3. labs/@FOLDER@/level1/@NAME@.cu    the same file with blanks (grader new-level makes more)
  4. labs/@FOLDER@/oracle/oracle.cpp   what is right
  5. labs/@FOLDER@/README.md           the handout
  6. solutions/@FOLDER@/wrong.toml     mistakes that must be found
  7. solutions/@FOLDER@/ANSWERS.md     answers to the handout's questions
After each change of the solution:
  grader release @ID@              carries it into the levels, and proves them
  grader mistakes @ID@ --check     every mistake is caught and named
  grader inventory                 nothing is missing
)text";

}  // namespace grader::scaffold
