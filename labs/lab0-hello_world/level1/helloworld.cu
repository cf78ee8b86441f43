// helloworld.cu: launches the first kernel.
//
// kernel<<<grid, block>>>() starts grid.x * grid.y * grid.z blocks of block.x * block.y * block.z threads
// each. grid and block are of type dim3; sizes that are left out of dim3(x, y, z) are 1. Here:
//
//   grid (2, 1), block (1, 2, 4):     block {0, 0}                   block {1, 0}
//                                     1 * 2 * 4 = 8 threads          8 threads
//
// Steps:
//   1. Choose the grid and the block, and launch helloWorld (part 1).
//   2. Wait until the device has finished.
//
// Run it:  grader lab0
//          helloworld                                  the sixteen lines
//          helloworld --grid 3,2 --block 64,8          an experiment with other sizes (experiment.cu)
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "helloworld.h"

int main(int argc, char** argv) {
  if (argc > 1) return experiment(argc, argv);

  // 1. Two blocks side by side, each of 1 × 2 × 4 threads.
  // ---- part 1: configure and launch the kernel (three lines) ----------------------------------------------
  //   const dim3 grid(…);      the number of blocks in x and in y
  //   const dim3 block(…);     the number of threads of a block in x, y and z
  //   kernel<<<…, …>>>();      with the name of the kernel that helloworld.h declares
  LAB_TODO(1);
  // ---- end of part 1 --------------------------------------------------------------------------------------

  // 2. The launch returns at once. The threads' output appears when the host waits for them.
  CUDA_CHECK_LAUNCH();  // was the launch accepted?
  CUDA_CHECK(cudaDeviceSynchronize());
  return lab::finish(true);
}
