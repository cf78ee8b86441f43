// vector_reduction.cu: the host's side of a sum of n numbers, computed by one block of threads.
//
//   sum = data[0] + data[1] + … + data[n-1]
//
//        host                             device
//     data ───── 1. copy ──────────────▶ d_data (n)
//                                           │ 2. launch one block of NUM_ELEMENTS threads, which leave the
//                                           ▼    sum in d_data[0] (vector_reduction_kernel.cu)
//     sum  ◀──── 2. copy back ────────── d_data[0]        and free
//
// Steps 1 and 2 are the parts 1 and 2.
//
// There are no timers here: the times of this lab come from a profiler.
//
// Run it:  grader lab1.2                                       builds it, grades it, explains what is wrong
//          vector_reduction                                    alone: 512 random numbers, scheme 1a
//          vector_reduction data.txt --scheme 2                the numbers of a file
//          vector_reduction --length 1000                      the second half of the lab: any length
#include <lab/lab.hpp>
#include <lab/sums.hpp>

#include <limits>

#include "vector_reduction.h"

namespace {

struct Scheme {
  const char* name;     // as --scheme wants it
  Reduction reduction;  // its kernel
};

constexpr int scheme_count = 5;
const Scheme schemes[scheme_count] = {{"1a", reduction1a},
                                      {"1b", reduction1b},
                                      {"2", reduction2},
                                      {"3", reduction3},
                                      {"expert", reductionExpert}};

// The kernel of a scheme; "1" is "1a".
Reduction findReduction(const lab::Args& args) {
  const std::string name = args.text("scheme") == "1" ? "1a" : args.text("scheme");
  for (const Scheme& scheme : schemes) {
    if (name == scheme.name) return scheme.reduction;
  }
  args.fail("--scheme must be 1a, 1b, 2, 3 or expert, but is '" + name + "'");
}

}  // namespace

// Returns the sum of data, computed on the device.
//   data        (n), host memory, read
//   reduction   one of the kernels
static float computeOnDevice(const float* data, int n, Reduction reduction) {
  const std::size_t bytes = sizeof(float) * n;
  float* d_data = nullptr;                              // (n), device memory; element 0 becomes the sum
  float sum = std::numeric_limits<float>::quiet_NaN();  // NaN: a sum that is never copied back can't pass
  lab::warm_up(reduction);                              // the kernel's time must not include CUDA's start-up

  // 1. Allocate device memory, and copy the numbers there (part 1).
  // ---- part 1: memory on the device, and the copy (two lines) ---------------------------------------------
  // Result: d_data holds the numbers, on the device.
  (void)data, (void)bytes, (void)&d_data;  // until they are used: no warning
  LAB_TODO(1);
  // ---- end of part 1 --------------------------------------------------------------------------------------

  // 2. Launch one block, and copy the sum back (part 2). All threads must be in the same block: only threads
  //    of one block share memory, and only they can wait for each other.
  // ---- part 2: launch one block, copy the sum back, free the memory (four lines) --------------------------
  // The block has a thread for each partial sum. Result: `sum` is what the kernel left in element 0, and
  // all memory of the device is free again.
  (void)n;  // until it is used: no warning
  LAB_TODO(2);
  // ---- end of part 2 --------------------------------------------------------------------------------------
  return sum;
}

int main(int argc, char** argv) {
  lab::Args args("vector_reduction", "sum of n numbers in one block, by one of several schemes");
  args.argument("data", "text file with the numbers, such as data.txt; none: they are drawn at random", "");
  args.option("scheme", "S", "1a or 1b (adjacent pairs), 2 (halves), 3 (mirror images), expert", "1a");
  args.option("length", "N", "how many numbers", std::to_string(NUM_ELEMENTS));
  args.reads({"data"}).writes("sum").parse(argc, argv);
  const Reduction reduction = findReduction(args);
  const int n = static_cast<int>(
      args.integer("length", 1, 16000000, "one block adds them all; longer arrays are for lab2.2"));

  std::string source = "random generated";
  std::vector<float> data;
  if (!args.inputs().empty()) {
    source = args.inputs()[0];
    data = lab::load<float>(source, "data", {static_cast<std::size_t>(n)});
  } else if (args.has("data")) {
    source = args.text("data");
    data = readNumbers(source, n);
  } else {
    lab::Random random(args.seed());
    data = lab::draw_terms<float>(random, n);
  }

  const float sum = computeOnDevice(data.data(), n, reduction);  // the GPU first, then the CPU

  if (!args.output().empty()) {  // the grader compares, with inputs and results of its own
    lab::save(args.output(), {1}, std::vector<float>{sum});
    return lab::finish(true);
  }
  return lab::finish(checkSum(sum, data, source));
}
