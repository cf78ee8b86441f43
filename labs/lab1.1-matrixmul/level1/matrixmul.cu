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
  // Input: M and N on the host, `bytes` bytes each. Result: d_M and d_N hold the same on the device.
  //   a. Allocate d_M and d_N, each with cudaMalloc(&pointer, bytes). d_P below shows how.
  //   b. Start the timer copy_in.
  //   c. Copy each with cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice).
  //   d. Wait until the copies have arrived: cudaDeviceSynchronize waits for the device. Stop the timer.
  // Put CUDA_CHECK( ) around each call, so that a mistake is reported where it happens.
  LAB_TODO(1);
  // ---- end of part 1 --------------------------------------------------------------------------------------

  std::printf("Allocate device memory for results.\n");
  CUDA_CHECK(cudaMalloc(&d_P, bytes));

  // 2. The shape of the grid, and the launch (part 2).
  std::printf("Setup kernel execution parameters.\n");
  // Enough blocks to cover n in each direction. n / BLOCK_SIZE would omit a last block that is not full:
  // for n = 37 and blocks of 16, (37 + 15) / 16 = 3, but 37 / 16 = 2.
  const dim3 block(BLOCK_SIZE, BLOCK_SIZE);
  const dim3 grid((n + BLOCK_SIZE - 1) / BLOCK_SIZE, (n + BLOCK_SIZE - 1) / BLOCK_SIZE);
  std::printf("# of threads in a block: %u x %u = %u\n", block.x, block.y, block.x * block.y);
  std::printf("# of blocks in a grid : %u x %u = %u\n", grid.x, grid.y, grid.x * grid.y);

  std::printf("Executing the kernel...\n");
  // ---- part 2: launch the kernel, and time it (about five lines) ------------------------------------------
  // Input: grid, block, d_P, d_M, d_N, n. Result: d_P is computed, and `computation` holds the kernel's time.
  //   a. Start the timer.
  //   b. Launch: kernel<<<grid, block>>>(arguments). The kernel's declaration is in matrixmul.h.
  //   c. CUDA_CHECK_LAUNCH() on a separate line reports a launch that was refused.
  //   d. A launch returns before the kernel has run. Which call waits for the device? Then stop the timer.
  LAB_TODO(2);
  // ---- end of part 2 --------------------------------------------------------------------------------------

  // 3. Copy the result back (part 3).
  std::printf("Copy result from device to host.\n");
  // ---- part 3: copy the result back (three lines) ---------------------------------------------------------
  // Copy d_P to P, as in part 1 but in the other direction, timed by copy_out.
  LAB_TODO(3);
  // ---- end of part 3 --------------------------------------------------------------------------------------

  lab::print_time("GPU memory access time", copy_in.ms() + copy_out.ms());
  lab::print_time("  copy to the device ", copy_in.ms(), "h2d");
  lab::print_time("  copy to the host ", copy_out.ms(), "d2h");
  lab::print_time("GPU computation time ", computation.ms(), "kernel");
  lab::print_time("GPU processing time ", copy_in.ms() + computation.ms() + copy_out.ms());

  // 4. Free all three arrays (part 4).
  // ---- part 4: free the device memory (three lines) -------------------------------------------------------
  // One cudaFree(pointer) for each cudaMalloc.
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
