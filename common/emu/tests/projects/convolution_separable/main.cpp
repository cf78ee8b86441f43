#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>
#include <helper_cuda.h>

#include "convolutionSeparable_common.h"

int main(int argc, char **argv) {
  printf("[%s] - Starting...\n", strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0]);
  findCudaDevice(argc, (const char **)argv);

  float *h_Kernel, *h_Input, *h_Buffer, *h_OutputCPU, *h_OutputGPU;
  float *d_Input, *d_Output, *d_Buffer;
  const int imageW = 256;
  const int imageH = 192;
  const int iterations = 2;

  printf("Image Width x Height = %i x %i\n\n", imageW, imageH);
  printf("Allocating and initializing host arrays...\n");
  h_Kernel = (float *)malloc(KERNEL_LENGTH * sizeof(float));
  h_Input = (float *)malloc(imageW * imageH * sizeof(float));
  h_Buffer = (float *)malloc(imageW * imageH * sizeof(float));
  h_OutputCPU = (float *)malloc(imageW * imageH * sizeof(float));
  h_OutputGPU = (float *)malloc(imageW * imageH * sizeof(float));
  srand(200);
  for (unsigned int i = 0; i < KERNEL_LENGTH; i++) h_Kernel[i] = (float)(rand() % 16);
  for (int i = 0; i < imageW * imageH; i++) h_Input[i] = (float)(rand() % 16);

  printf("Allocating and initializing CUDA arrays...\n");
  checkCudaErrors(cudaMalloc((void **)&d_Input, imageW * imageH * sizeof(float)));
  checkCudaErrors(cudaMalloc((void **)&d_Output, imageW * imageH * sizeof(float)));
  checkCudaErrors(cudaMalloc((void **)&d_Buffer, imageW * imageH * sizeof(float)));
  setConvolutionKernel(h_Kernel);
  checkCudaErrors(cudaMemcpy(d_Input, h_Input, imageW * imageH * sizeof(float), cudaMemcpyHostToDevice));

  printf("Running GPU convolution (%d identical iterations)...\n\n", iterations);
  cudaEvent_t start, stop;
  checkCudaErrors(cudaEventCreate(&start));
  checkCudaErrors(cudaEventCreate(&stop));
  for (int i = -1; i < iterations; i++) {
    // i == -1 -- warmup iteration
    if (i == 0) {
      checkCudaErrors(cudaDeviceSynchronize());
      checkCudaErrors(cudaEventRecord(start, 0));
    }
    convolutionRowsGPU(d_Buffer, d_Input, imageW, imageH);
    convolutionColumnsGPU(d_Output, d_Buffer, imageW, imageH);
  }
  checkCudaErrors(cudaEventRecord(stop, 0));
  checkCudaErrors(cudaEventSynchronize(stop));
  float ms = 0;
  checkCudaErrors(cudaEventElapsedTime(&ms, start, stop));
  printf("convolutionSeparable, Time = %.5f s, Size = %d Pixels\n", 1e-3 * ms / iterations, imageW * imageH);

  printf("Reading back GPU results...\n\n");
  checkCudaErrors(cudaMemcpy(h_OutputGPU, d_Output, imageW * imageH * sizeof(float), cudaMemcpyDeviceToHost));

  printf("Checking the results...\n");
  convolutionRowCPU(h_Buffer, h_Input, h_Kernel, imageW, imageH, KERNEL_RADIUS);
  convolutionColumnCPU(h_OutputCPU, h_Buffer, h_Kernel, imageW, imageH, KERNEL_RADIUS);
  double sum = 0, delta = 0;
  for (int i = 0; i < imageW * imageH; i++) {
    delta += (h_OutputGPU[i] - h_OutputCPU[i]) * (h_OutputGPU[i] - h_OutputCPU[i]);
    sum += h_OutputCPU[i] * h_OutputCPU[i];
  }
  double L2norm = sqrt(delta / sum);
  printf("%s\n\n", L2norm < 1e-6 ? "Relative L2 norm is small" : "Relative L2 norm is LARGE");
  printf("Shutting down...\n");
  checkCudaErrors(cudaFree(d_Buffer));
  checkCudaErrors(cudaFree(d_Output));
  checkCudaErrors(cudaFree(d_Input));
  free(h_OutputGPU);
  free(h_OutputCPU);
  free(h_Buffer);
  free(h_Input);
  free(h_Kernel);
  if (L2norm > 1e-6) {
    printf("Test failed!\n");
    exit(EXIT_FAILURE);
  }
  printf("Test passed\n");
  exit(EXIT_SUCCESS);
}
