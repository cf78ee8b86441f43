// A texture object that is destroyed while kernels that use it are queued.
#include <texture_types.h>

#include <cstdio>

__global__ void slow_look_up(cudaTextureObject_t texture, const int* wait, float* out) {
  float sum = 0;
  for (int i = 0; i < 20000; ++i) sum += wait[i % 64];
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x) + sum;
}

int main() {
  float *data, *out;
  int* wait;
  cudaMallocManaged(&data, 128);
  cudaMallocManaged(&out, 128);
  cudaMallocManaged(&wait, 256);
  for (int i = 0; i < 64; ++i) wait[i] = 0;
  for (int i = 0; i < 32; ++i) data[i] = 2.0f * i;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 128;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  slow_look_up<<<1, 32>>>(texture, wait, out);
  slow_look_up<<<1, 32>>>(texture, wait, out);
  printf("texture destroyed: %s\n", cudaGetErrorName(cudaDestroyTextureObject(texture)));
  printf("kernels: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("looked up: %g %g\n", out[3], out[31]);
  cudaFree(data);
  cudaFree(out);
  cudaFree(wait);
}
