// Memory that is never freed.
#include "../pair.cuh"

// pair: never_freed
// exact: leak @made values
// hint: call cudaFree (cudaFreeHost for pinned memory) when it is no longer needed
PAIR(never_freed) {
  int* values;
  cudaMalloc(&values, 64);  // @made
  if (!wrong) cudaFree(values);
}

// The pointer gets other memory in each iteration of a loop, and only the last memory is freed.
// pair: lost_in_a_loop
// exact: leak @again data
PAIR(lost_in_a_loop) {
  float* data = nullptr;
  for (int turn = 0; turn < 3; ++turn) {
    cudaMalloc(&data, 256);  // @again
    if (!wrong || turn == 2) cudaFree(data);
  }
}

// Pinned memory of the host.
// pair: pinned_never_freed
// exact: leak @pinned host
PAIR(pinned_never_freed) {
  int* host;
  cudaMallocHost(&host, 64);  // @pinned
  if (!wrong) cudaFreeHost(host);
}

// An early return skips the free.
// pair: early_return
// exact: leak @early scratch
static int use_scratch(bool fails) {
  int* scratch;
  if (cudaMallocManaged(&scratch, 64) != cudaSuccess) return 1;  // @early
  if (fails) return 1;
  cudaFree(scratch);
  return 0;
}
PAIR(early_return) {
  use_scratch(wrong);
}

// An array of textures must be freed by a separate function.
// pair: array_kept
// exact: leak @array image
// hint: call cudaFreeArray when it is no longer needed
PAIR(array_kept) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t image;
  cudaMallocArray(&image, &format, 8, 8);  // @array
  if (!wrong) cudaFreeArray(image);
}
