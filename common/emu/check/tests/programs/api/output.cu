// Kernels print, and the program ends without a wait for them.
#include "../pair.cuh"

__global__ void hello() {
  printf("hello from %d\n", threadIdx.x);
}

// The program ends right after the launch.
// pair: printed_too_late
// exact: lost-output @launch -
// contains: nothing shows what kernel hello printed: the program ended before it
// lacks: hello from
// hint: call cudaDeviceSynchronize() before the program ends
PAIR(printed_too_late) {
  hello<<<1, 4>>>();  // @launch
  if (!wrong) cudaDeviceSynchronize();
}

// The host has waited for the first launch, but not for the second.
// pair: waited_for_the_first
// exact: lost-output @launch -
PAIR(waited_for_the_first) {
  hello<<<1, 4>>>();
  cudaDeviceSynchronize();
  hello<<<1, 1>>>();  // @launch
  if (!wrong) cudaStreamSynchronize(nullptr);
}
