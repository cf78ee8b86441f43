// experiment.cu: launches kernels with sizes from the command line, and prints the errors that CUDA returns.
// There is nothing to do here; the handout asks you to try it.
//
//   helloworld --block 1024                  threads of a block; likewise --grid X,Y,Z and --block X,Y,Z
//   helloworld --shared 65536                dynamic shared memory of each block, in bytes
//   helloworld --shared 65536 --allow 65536  the same, after the kernel was allowed this size
//
// An impossible launch does not crash: it sets an error code, which cudaGetLastError() returns once.
#include <lab/lab.hpp>

#include "helloworld.h"

// Grids of up to this number of threads run helloWorld; larger ones run a kernel that prints nothing.
constexpr double most_lines = 256;

static __global__ void nothing() {}

// Three sizes, from text such as "2,1"; sizes that are left out are 1.
static dim3 extents(const lab::Args& args, const char* option) {
  std::vector<std::int64_t> numbers = args.integers(option, 3, 0, 4294967295);
  numbers.resize(3, 1);
  return dim3(static_cast<unsigned>(numbers[0]), static_cast<unsigned>(numbers[1]),
              static_cast<unsigned>(numbers[2]));
}

// An error's number, name and meaning.
static void printError(const char* when, cudaError_t error) {
  std::printf("%s %d %s (%s)\n", when, static_cast<int>(error), cudaGetErrorName(error),
              cudaGetErrorString(error));
}

int experiment(int argc, char** argv) {
  lab::Args args("helloworld", "every thread of a grid says who it is; with options, an experiment");
  args.option("grid", "X,Y,Z", "blocks of the grid", "2,1");
  args.option("block", "X,Y,Z", "threads of a block", "1,2,4");
  args.option("shared", "BYTES", "dynamic shared memory of each block", "0");
  args.option("allow", "BYTES", "allow the kernel to have that much dynamic shared memory", "");
  args.parse(argc, argv);
  const dim3 grid = extents(args, "grid");
  const dim3 block = extents(args, "block");
  const auto shared = static_cast<std::size_t>(args.integer("shared", 0, std::int64_t{1} << 40));
  // A double, since the product of the six sizes may be too large for any integer type.
  const double threads = static_cast<double>(grid.x) * grid.y * grid.z * block.x * block.y * block.z;
  void (*const kernel)() = threads <= most_lines ? helloWorld : nothing;

  std::printf("grid {%u, %u, %u}, block {%u, %u, %u}, %zu bytes of dynamic shared memory\n", grid.x, grid.y,
              grid.z, block.x, block.y, block.z, shared);
  if (args.has("allow")) {
    const int bytes = static_cast<int>(args.integer("allow", 0, 2147483647));
    printError("allow:  ", cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    cudaGetLastError();  // shown already: the launch must not report it again
  }
  kernel<<<grid, block, shared>>>();
  printError("launch: ", cudaGetLastError());       // was the launch accepted?
  printError("run:    ", cudaDeviceSynchronize());  // did it run to its end?
  cudaGetLastError();
  return lab::finish(true);
}
