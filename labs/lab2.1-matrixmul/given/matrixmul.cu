// matrixmul.cu: the host's side of the matrix product P = M · N. There is nothing to do here: all of this lab
// is in matrixmul_kernel.cu. Compare this file with lab1.1's: the host does not see how a kernel works.
//
// All matrices are (n, n) row-major: element [row][col] of an array is at row * n + col. Names of device
// pointers begin with d_.
//
//        host                              device
//     M ─────┐                          ┌──▶ d_M ──┐
//     N ─────┴── 1. copy (PCIe) ────────┴──▶ d_N ──┤ 2. launch matrixMul (matrixmul_kernel.cu)
//     P ◀─────── 3. copy back ───────────── d_P ◀──┘
//                                       4. free all three
//
// Run it:  grader lab2.1            builds it, grades it, explains what is wrong
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

  // 1. Copy the inputs to the device.
  std::printf("Allocate device memory.\n");
  CUDA_CHECK(cudaMalloc(&d_M, bytes));
  CUDA_CHECK(cudaMalloc(&d_N, bytes));
  std::printf("Copy host memory data to device.\n");
  copy_in.start();
  CUDA_CHECK(cudaMemcpy(d_M, M, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaDeviceSynchronize());  // a small copy may return while its data are still in a buffer
  copy_in.stop();
  std::printf("Allocate device memory for results.\n");
  CUDA_CHECK(cudaMalloc(&d_P, bytes));

  // 2. One thread for each element of P, one block for each tile of P. The division rounds up: the last
  // blocks of a row or column may extend beyond the edge.
  std::printf("Setup kernel execution parameters.\n");
  const dim3 block(BLOCK_SIZE, BLOCK_SIZE);
  const dim3 grid((n + BLOCK_SIZE - 1) / BLOCK_SIZE, (n + BLOCK_SIZE - 1) / BLOCK_SIZE);
  std::printf("# of threads in a block: %u x %u = %u\n", block.x, block.y, block.x * block.y);
  std::printf("# of blocks in a grid : %u x %u = %u\n", grid.x, grid.y, grid.x * grid.y);

  std::printf("Executing the kernel...\n");
  computation.start();
  matrixMul<<<grid, block>>>(d_P, d_M, d_N, n);
  CUDA_CHECK_LAUNCH();                  // was the launch accepted?
  CUDA_CHECK(cudaDeviceSynchronize());  // the launch returned at once: wait, or the timer sees nothing
  computation.stop();

  // 3. Copy the result back.
  std::printf("Copy result from device to host.\n");
  copy_out.start();
  CUDA_CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));  // returns when P is complete
  copy_out.stop();

  lab::print_time("GPU memory access time", copy_in.ms() + copy_out.ms());
  lab::print_time("  copy to the device ", copy_in.ms(), "h2d");
  lab::print_time("  copy to the host ", copy_out.ms(), "d2h");
  lab::print_time("GPU computation time ", computation.ms(), "kernel");
  lab::print_time("GPU processing time ", copy_in.ms() + computation.ms() + copy_out.ms());

  // 4. Free the device memory.
  CUDA_CHECK(cudaFree(d_M));
  CUDA_CHECK(cudaFree(d_N));
  CUDA_CHECK(cudaFree(d_P));
}

int main(int argc, char** argv) {
  lab::Args args("matrixmul", "P = M N for square matrices, tile by tile in shared memory");
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

  if (!args.output().empty()) {  // the grader compares, with inputs and results of its own
    lab::save(args.output(), shape, std::vector<float>(P.begin(), P.end()));  // float32, whatever Real is
    return lab::finish(true);
  }
  std::printf("Check results with those computed by CPU.\n");
  const bool passed = checkProduct(P.data(), M.data(), N.data(), n);
  std::printf("Check ok? %s\n", passed ? "Passed." : "Failed.");
  return lab::finish(passed);
}
