// Copies of bytes to and from arrays, row after row: in a stream, and from array to array.
#include <cstdio>

int main() {
  const int count = 4 * 4;
  int numbers[count], back[count] = {};
  for (int i = 0; i < count; ++i) numbers[i] = i;
  cudaArray_t first, second;
  const cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
  cudaMallocArray(&first, &ints, 4, 4);
  cudaMallocArray(&second, &ints, 4, 4);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  // From the first column of the first row on, over all rows.
  printf("%s\n", cudaGetErrorName(cudaMemcpyToArrayAsync(first, 0, 0, numbers, sizeof numbers, cudaMemcpyHostToDevice, stream)));
  cudaStreamSynchronize(stream);
  // Copies everything, and then one row over another.
  printf("%s\n", cudaGetErrorName(cudaMemcpyArrayToArray(second, 0, 0, first, 0, 0, sizeof numbers)));
  printf("%s\n", cudaGetErrorName(cudaMemcpyArrayToArray(second, 0, 3, first, 0, 1, 4 * sizeof(int), cudaMemcpyDeviceToDevice)));
  printf("%s\n", cudaGetErrorName(cudaMemcpyFromArrayAsync(back, second, 0, 0, sizeof back, cudaMemcpyDeviceToHost, stream)));
  cudaStreamSynchronize(stream);
  for (int i = 0; i < count; ++i) printf("%d%c", back[i], i % 4 == 3 ? '\n' : ' ');
  cudaStreamDestroy(stream);
  cudaFreeArray(first);
  cudaFreeArray(second);
}
