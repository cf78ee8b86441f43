// matrixmul.cu: the host's side of the matrix product P = M · N, and the program's report on its kernel.
//
// On the host all matrices are (n, n) row-major. On the device they are (width, width): n rounded up to whole
// tiles, and filled up with zeros, which add nothing to any sum. So the kernel needs no guards, and the
// parameters tune the product alone.
//
//        host (n, n)                       device (width, width)
//     M ─────┐                          ┌──▶ d_M ──┐
//     N ─────┴── 1. copy (PCIe) ────────┴──▶ d_N ──┤ 2. launch matrixMul (matrixmul_kernel.cu)
//     P ◀─────── 3. copy back ───────────── d_P ◀──┘
//                                       4. free all three
//
// Run it:  grader lab3.1            builds it, grades it, explains what is wrong
//          matrixmul [n] [--help]   alone: draws M and N, computes, checks itself
//          matrixmul 4096 --version fp32      the same with an expert's kernel (level 3)
#include <lab/lab.hpp>
#include <lab/product.hpp>

#include <limits>
#include <type_traits>

#include "matrixmul.h"
#include "matrixmul_experts.h"

// Prints the parameters and what the kernel takes with them. The resources come from the compiler, the
// occupancy from the runtime: warps that a multiprocessor holds at a time, over warps that it could hold.
static void printParameters(const dim3& block) {
  std::printf("Optimization parameters:\n");
  std::printf("Block size: %d\n", compiled.block_size);
  std::printf("Unrolling factor: %d\n", compiled.unroll);
  std::printf("Working size: %d\n", compiled.work_size);
  std::printf("Register spilling: %d\n", compiled.spill);
  std::printf("Data prefetch: %d\n", compiled.prefetch);

  const int threads = static_cast<int>(block.x * block.y);
  int device = 0, blocks = 0, most_threads = 0;
  cudaFuncAttributes kernel;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&most_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  CUDA_CHECK(cudaFuncGetAttributes(&kernel, matrixMul));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, matrixMul, threads, 0));
  const int warps = (threads + 31) / 32;  // a block of 16 threads occupies a whole warp
  std::printf("Registers per thread: %d\n", kernel.numRegs);
  std::printf("Shared memory per block: %zu (bytes)\n", kernel.sharedSizeBytes);
  std::printf("Local memory per thread: %zu (bytes)\n", kernel.localSizeBytes);
  std::printf("Occupancy: %.3f (%d blocks of %d warps, of %d warps)\n", blocks * warps * 32.0 / most_threads,
              blocks, warps, most_threads / 32);
}

// Refuses a block that the device can't hold, and names the limit. A failed launch would not name it.
static void requireDevice(const dim3& block) {
  int device = 0, threads = 0, shared = 0;
  cudaFuncAttributes kernel;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device));
  CUDA_CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, device));
  CUDA_CHECK(cudaFuncGetAttributes(&kernel, matrixMul));
  if (static_cast<int>(block.x * block.y) > threads)
    lab::usage_error("BLOCK_SIZE " + std::to_string(compiled.block_size) + " needs " +
                     std::to_string(block.x * block.y) + " threads a block, but this device allows " +
                     std::to_string(threads) + ".");
  if (kernel.sharedSizeBytes > static_cast<std::size_t>(shared))
    lab::usage_error("BLOCK_SIZE " + std::to_string(compiled.block_size) + " with WORK_SIZE " +
                     std::to_string(compiled.work_size) + " needs " + std::to_string(kernel.sharedSizeBytes) +
                     " bytes of shared memory a block, but this device allows " + std::to_string(shared) +
                     ".");
}

// The kernels that --version chooses from.
enum class Version { lab, fp32, tensor, hopper };

static Version findVersion(const lab::Args& args) {
  const std::string name = args.text("version");
  if (name == "lab") return Version::lab;
  if (!std::is_same_v<Real, float>) args.fail("--version " + name + " is for REAL float only");
  if (name == "fp32") return Version::fp32;
  if (name == "tensor") return Version::tensor;
  if (name == "hopper") return Version::hopper;
  args.fail("--version must be lab, fp32, tensor or hopper, but is '" + name + "'");
}

// The product by an expert's kernel, which chooses its launch by itself. Nothing is launched for width = 0.
static void runExpert(Version version, Real* d_P, const Real* d_M, const Real* d_N, int width,
                      void* workspace) {
  // Real is float here: findVersion has checked it.
  float* const p = reinterpret_cast<float*>(d_P);
  const float* const m = reinterpret_cast<const float*>(d_M);
  const float* const n = reinterpret_cast<const float*>(d_N);
  if (version == Version::fp32) matrixMulFp32(p, m, n, width);
  if (version == Version::tensor) matrixMulTensor(p, m, n, width, workspace);
  if (version == Version::hopper) matrixMulHopper(p, m, n, width, workspace);
}

// Computes P = M · N on the device.
//   P      (n, n) row-major, host memory, written
//   M, N   (n, n) row-major, host memory, read
static void runTest(Real* P, const Real* M, const Real* N, int n, Version version) {
  // The smallest multiple of a block's columns that is not less than n; its rows divide it as well.
  const int step = version == Version::lab ? compiled.block_size * compiled.work_size : expert_step;
  const int width = (n + step - 1) / step * step;
  const std::size_t bytes = sizeof(Real) * width * width;  // of each matrix on the device
  const std::size_t row = sizeof(Real) * n;                // of a row on the host
  const std::size_t d_row = sizeof(Real) * width;          // of a row on the device
  Real* d_M = nullptr;                                     // (width, width) row-major, device memory
  Real* d_N = nullptr;                                     // (width, width)
  Real* d_P = nullptr;                                     // (width, width)
  void* d_workspace = nullptr;                             // of the versions on tensor cores
  lab::Timer copy_in, computation, copy_out;
  lab::warm_up(matrixMul);  // CUDA's start-up is in none of the three times
  runExpert(version, nullptr, nullptr, nullptr, 0, nullptr);

  const dim3 block(compiled.block_size, compiled.block_size);
  const dim3 grid(width / step, width / compiled.block_size);
  if (version == Version::lab) requireDevice(block);

  // 1. Copy the inputs to the device, row by row into the larger matrices.
  std::printf("Allocate device memory.\n");
  CUDA_CHECK(cudaMalloc(&d_M, bytes));
  CUDA_CHECK(cudaMalloc(&d_N, bytes));
  CUDA_CHECK(cudaMemset(d_M, 0, bytes));
  CUDA_CHECK(cudaMemset(d_N, 0, bytes));
  std::printf("Copy host memory data to device.\n");
  CUDA_CHECK(cudaDeviceSynchronize());  // the zeros are written before the timer starts
  copy_in.start();
  CUDA_CHECK(cudaMemcpy2D(d_M, d_row, M, row, row, n, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy2D(d_N, d_row, N, row, row, n, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaDeviceSynchronize());
  copy_in.stop();
  std::printf("Allocate device memory for results.\n");
  CUDA_CHECK(cudaMalloc(&d_P, bytes));
  if (version == Version::tensor || version == Version::hopper)
    CUDA_CHECK(cudaMalloc(&d_workspace, tensorWorkspace(width)));

  // 2. A block for work_size tiles of P that lie side by side.
  std::printf("Setup kernel execution parameters.\n");
  if (version == Version::lab) {
    std::printf("# of threads in a block: %u x %u = %u\n", block.x, block.y, block.x * block.y);
    std::printf("# of blocks in a grid : %u x %u = %u\n", grid.x, grid.y, grid.x * grid.y);
  }
  std::printf("Executing the kernel...\n");
  computation.start();
  if (version == Version::lab) {
    matrixMul<<<grid, block>>>(d_P, d_M, d_N, width);
    CUDA_CHECK_LAUNCH();
  } else {
    runExpert(version, d_P, d_M, d_N, width, d_workspace);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  computation.stop();
  if (version == Version::lab) printParameters(block);

  // 3. Copy the result back, without the padding.
  std::printf("Copy result from device to host.\n");
  copy_out.start();
  CUDA_CHECK(cudaMemcpy2D(P, row, d_P, d_row, row, n, cudaMemcpyDeviceToHost));
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
  CUDA_CHECK(cudaFree(d_workspace));
}

// Ends the program; prints the reasons for the combination, unless it is a trial.
static int finish(bool passed, Version version) {
  const int code = lab::finish(passed);
  if (code == 0 && !is_trial && version == Version::lab)
    std::printf("Why this combination:\n%s\n", explanation());
  return code;
}

int main(int argc, char** argv) {
  lab::Args args("matrixmul",
                 "P = M N for square matrices, tiles in shared memory, tuned by five parameters");
  args.argument("n", "rows and columns of each matrix: 8, 128, 512, 3072, 4096 or any other", "128");
  args.option("version", "V", "lab, or an expert's kernel of level 3: fp32, tensor or hopper", "lab");
  args.option("reals", "1", "draw any numbers in [-1, 1) instead of multiples of 1/2", "0");
  args.reads({"M", "N"}).writes("P").parse(argc, argv);
  const int n = static_cast<int>(args.integer("n", 1, 46080, "so that n * n fits in an int, in whole tiles"));
  const Version version = findVersion(args);
  const bool reals = args.integer("reals", 0, 1, "no or yes") == 1;
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
  const auto input = [&](int which, const char* name) {
    if (from_files) return lab::load<Real>(args.inputs()[which], name, shape);
    return reals ? lab::draw_reals<Real>(random, n) : lab::draw_matrix<Real>(random, n);
  };
  const std::vector<Real> M = input(0, "M");
  const std::vector<Real> N = input(1, "N");

  runTest(P.data(), M.data(), N.data(), n, version);

  if (!args.output().empty()) {  // the grader compares, with inputs and results of its own
    lab::save(args.output(), shape, std::vector<float>(P.begin(), P.end()));  // float32, whatever Real is
    return finish(true, version);
  }
  std::printf("Check results with those computed by CPU.\n");
  const bool passed = checkProduct(P.data(), M.data(), N.data(), n, reals ? 1e-6 : 0);
  std::printf("Check ok? %s\n", passed ? "Passed." : "Failed.");
  return finish(passed, version);
}
