// matrixmul.cu: the host's side of the matrix product P = M · N.
//
// All matrices are (n, n) row-major: element [row][col] of an array is at row * n + col. The host and the
// device have separate memories, and a pointer into one is invalid in the other. Names of device pointers
// begin with d_.
//
//        host                              device
//     M ─────┐                          ┌──▶ d_M ──┐
//     N ─────┴── 1. copy (PCIe) ────────┴──▶ d_N ──┤ 2. launch matrixMul (matrixmul_kernel.cu, part 5)
//     P ◀─────── 3. copy back ───────────── d_P ◀──┘
//                                       4. free all three
//
// Steps 1 to 4 are the parts 1 to 4. The copies and the kernel are timed, since the lesson of this lab is
// where the time goes.
//
// Run it:  grader lab1.1            builds it, grades it, explains what is wrong
//          matrixmul [n] [--help]   alone: draws M and N, computes, checks itself
#include <lab/lab.hpp>
#include <lab/product.hpp>

#include <limits>

#include "matrixmul.h"

// Computes P = M · N on the device.
//   P      (n, n) row-major, host memory, written
//   M, N   (n, n) row-major, host memory, read
static void runTest(Real* P, const Real* M, const Real* N, int n) {
  const std::size_t bytes = sizeof(Real) * n * n;  // of each matrix
  Real* d_M = nullptr;                             // (n, n) row-major, device memory
  Real* d_N = nullptr;                             // (n, n)
  Real* d_P = nullptr;                             // (n, n)
  lab::Timer copy_in, computation, copy_out;       // each has start(), stop() and ms()
  lab::warm_up(matrixMul);                         // CUDA's start-up is in none of the three times

  // 1. Allocate device memory for the inputs, and copy them there (part 1).
  std::printf("Allocate device memory.\n");
  std::printf("Copy host memory data to device.\n");
  // ---- part 1: memory for M and N on the device, and the copies (about seven lines) -----------------------
  // Result: d_M and d_N hold M and N, and copy_in has timed both copies and nothing else.
  LAB_TODO(1);
  // ---- end of part 1 --------------------------------------------------------------------------------------

  std::printf("Allocate device memory for results.\n");
  // ---- part 1: memory for P on the device (one line) ------------------------------------------------------
  // As many bytes as for M.
  (void)bytes;  // until it is used: no warning
  LAB_TODO(1);
  // ---- end of part 1 --------------------------------------------------------------------------------------

  // 2. The shape of the grid, and the launch (part 2).
  std::printf("Setup kernel execution parameters.\n");
  // ---- part 2: the shape of a block and of the grid (two lines) -------------------------------------------
  // A block has BLOCK_SIZE × BLOCK_SIZE threads. How many blocks in x and in y give a thread to each of the n
  // × n elements, for any n? These two lines only let the rest compile: replace them.
  const dim3 block(1, 1);
  const dim3 grid(1, 1);
  LAB_TODO(2);
  // ---- end of part 2 --------------------------------------------------------------------------------------
  std::printf("# of threads in a block: %u x %u = %u\n", block.x, block.y, block.x * block.y);
  std::printf("# of blocks in a grid : %u x %u = %u\n", grid.x, grid.y, grid.x * grid.y);

  std::printf("Executing the kernel...\n");
  // ---- part 2: launch the kernel, and time it (about five lines) ------------------------------------------
  // Result: d_P is computed, and `computation` holds the whole time that it took.
  LAB_TODO(2);
  // ---- end of part 2 --------------------------------------------------------------------------------------

  // 3. Copy the result back (part 3).
  std::printf("Copy result from device to host.\n");
  // ---- part 3: copy the result back (three lines) ---------------------------------------------------------
  // Result: P holds the product, and copy_out has timed its copy.
  LAB_TODO(3);
  // ---- end of part 3 --------------------------------------------------------------------------------------

  lab::print_time("GPU memory access time", copy_in.ms() + copy_out.ms());
  lab::print_time("  copy to the device ", copy_in.ms(), "h2d");
  lab::print_time("  copy to the host ", copy_out.ms(), "d2h");
  lab::print_time("GPU computation time ", computation.ms(), "kernel");
  lab::print_time("GPU processing time ", copy_in.ms() + computation.ms() + copy_out.ms());

  // 4. Free all three arrays (part 4).
  // ---- part 4: free the device memory (three lines) -------------------------------------------------------
  // Free all memory of the device.
  (void)&d_M, (void)&d_N, (void)&d_P;  // until they are used: no warning
  LAB_TODO(4);
  // ---- end of part 4 --------------------------------------------------------------------------------------
}

int main(int argc, char** argv) {
  lab::Args args("matrixmul", "P = M N for square matrices, one thread for each element of P");
  args.argument("n", "rows and columns of each matrix: 8, 128, 512, 3072, 4096 or any other", "128");
  args.reads({"M", "N"}).writes("P").parse(argc, argv);
  const int n = static_cast<int>(args.integer("n", 1, 46340, "so that n * n fits in an int"));
  const std::size_t count = static_cast<std::size_t>(n) * n;
  const std::vector<std::size_t> shape = {static_cast<std::size_t>(n), static_cast<std::size_t>(n)};

  const bool from_files = !args.inputs().empty();
  std::printf("Input matrix file name: %s\n",
              from_files ? (args.inputs()[0] + ", " + args.inputs()[1]).c_str() : "none, drawn at random");
  std::printf("Setup host side environment and launch kernel:\n");
  std::printf("Allocate host memory for matrices M and N.\n");
  std::printf("M: %d x %d\nN: %d x %d\n", n, n, n, n);
  lab::require_host_memory(3.0 * count * sizeof(Real), "n = " + std::to_string(n));

  // NaN in every element: an element that is never copied back can't pass for a result.
  std::printf("Allocate memory for the result on host side.\n");
  std::vector<Real> P = lab::host_array<Real>(count, "P", std::numeric_limits<Real>::quiet_NaN());

  // Small multiples of 1/2: all products and sums are exact, so the check can demand equality. M and N
  // differ, and neither is symmetric, so that N M instead of M N, or a transposed result, is found.
  std::printf("Initialize the input matrices.\n");
  lab::Random random(args.seed());
  const std::vector<Real> M =
      from_files ? lab::load<Real>(args.inputs()[0], "M", shape) : lab::draw_matrix<Real>(random, n);
  const std::vector<Real> N =
      from_files ? lab::load<Real>(args.inputs()[1], "N", shape) : lab::draw_matrix<Real>(random, n);

  runTest(P.data(), M.data(), N.data(), n);

  if (!args.output().empty()) {  // the grader compares, with its own inputs and results
    lab::save(args.output(), shape, std::vector<float>(P.begin(), P.end()));  // float32, whatever Real is
    return lab::finish(true);
  }
  std::printf("Check results with those computed by CPU.\n");
  const bool passed = checkProduct(P.data(), M.data(), N.data(), n);
  std::printf("Check ok? %s\n", passed ? "Passed." : "Failed.");
  return lab::finish(passed);
}
