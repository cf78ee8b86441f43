// helloworld.cu: launches the first kernel.
//
// kernel<<<grid, block>>>() starts grid.x * grid.y * grid.z blocks of block.x * block.y * block.z threads
// each. grid and block are of type dim3; what is left out of dim3(x, y, z) is 1. Here:
//
//   grid (2, 1), block (1, 2, 4):     block {0, 0}                   block {1, 0}
//                                     1 * 2 * 4 = 8 threads          8 threads
//
// Step (part 1): choose the grid and the block, launch helloWorld, and wait for it.
//
// Run it:  grader lab0
//          helloworld                                  the sixteen lines
//          helloworld --grid 3,2 --block 64,8          an experiment with other sizes (experiment.cu)
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include "helloworld.h"

int main(int argc, char** argv) {
  if (argc > 1) return experiment(argc, argv);

  // Two blocks side by side, each of 1 × 2 × 4 threads.
  const dim3 grid(2, 1);
  const dim3 block(1, 2, 4);
  helloWorld<<<grid, block>>>();

  CUDA_CHECK_LAUNCH();                  // could it be started?
  CUDA_CHECK(cudaDeviceSynchronize());  // the launch returned at once; what the threads print appears here
  return lab::finish(true);
}
