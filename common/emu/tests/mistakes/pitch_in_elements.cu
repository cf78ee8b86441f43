// The pitch is in bytes, but is added to a pointer to int.
// gpu: prints 360 wrong
// finding: copy
#include <cstdio>
#include <vector>
int main() {
  const int w = 20, h = 6, z = 4;
  std::vector<int> src(w * h * z), back(w * h * z);
  for (size_t i = 0; i < src.size(); ++i) src[i] = i;
  int* d;
  size_t pitch;
  cudaMallocPitch(&d, &pitch, w * sizeof(int), h * z);
  for (int k = 0; k < z; ++k)
#ifdef MENDED
    cudaMemcpy2D((char*)d + k * h * pitch, pitch, src.data() + k * w * h, w * sizeof(int), w * sizeof(int), h,
#else
    cudaMemcpy2D(d + k * h * pitch, pitch, src.data() + k * w * h, w * sizeof(int), w * sizeof(int), h,
#endif
                 cudaMemcpyHostToDevice);
  cudaMemcpy2D(back.data(), w * sizeof(int), d, pitch, w * sizeof(int), h * z, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (size_t i = 0; i < src.size(); ++i) bad += src[i] != back[i];
  printf("%d wrong\n", bad);
  cudaFree(d);
}
