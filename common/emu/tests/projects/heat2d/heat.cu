// 2D heat equation, explicit Euler, fixed temperature at the rim.
#include <cuda.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "heat_cpu.h"

#define BX 16
#define BY 8
#define IDX(i, j) ((j) * NX + (i))

#define CUDA_SAFE_CALL(call) do {                                       \
    cudaError err = call;                                               \
    if (cudaSuccess != err) {                                           \
        fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n",   \
                __FILE__, __LINE__, cudaGetErrorString(err));           \
        exit(EXIT_FAILURE);                                             \
    } } while (0)

__global__ void heat_step(const float *__restrict__ in, float *__restrict__ out, const float a)
{
    __shared__ float s[BY + 2][BX + 2];
    const int i = blockIdx.x * BX + threadIdx.x;
    const int j = blockIdx.y * BY + threadIdx.y;
    const int si = threadIdx.x + 1, sj = threadIdx.y + 1;
    const bool inside = i < NX && j < NY;
    if (inside) {
        s[sj][si] = in[IDX(i, j)];
        if (threadIdx.x == 0 && i > 0) s[sj][0] = in[IDX(i - 1, j)];
        if (threadIdx.x == BX - 1 && i < NX - 1) s[sj][BX + 1] = in[IDX(i + 1, j)];
        if (threadIdx.y == 0 && j > 0) s[0][si] = in[IDX(i, j - 1)];
        if (threadIdx.y == BY - 1 && j < NY - 1) s[BY + 1][si] = in[IDX(i, j + 1)];
    }
    __syncthreads();
    if (inside && i > 0 && i < NX - 1 && j > 0 && j < NY - 1)
        out[IDX(i, j)] = s[sj][si] + a * (s[sj][si - 1] + s[sj][si + 1] + s[sj - 1][si] + s[sj + 1][si] - 4.0f * s[sj][si]);
}

__global__ void maxdiff(const float *a, const float *b, int n, float *result)
{
    float m = 0.f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) m = fmaxf(m, fabsf(a[i] - b[i]));
    for (int d = warpSize / 2; d; d >>= 1) m = fmaxf(m, __shfl_down_sync(0xffffffff, m, d));
    if ((threadIdx.x & 31) == 0) atomicMax((int *)result, __float_as_int(m));   // values are not negative
}

int main(int argc, char **argv)
{
    int steps = 100, c;
    const char *file = NULL;
    while ((c = getopt(argc, argv, "n:o:h")) != -1) {
        switch (c) {
        case 'n': steps = atoi(optarg); break;
        case 'o': file = optarg; break;
        default: printf("usage: %s [-n steps] [-o file]\n", argv[0]); return 1;
        }
    }
    const size_t bytes = NX * NY * sizeof(float);
    float *h = (float *)calloc(NX * NY, sizeof(float)), *ref[2], *d[2], *d_diff, diff = 0;
    for (int i = 0; i < NX; i++) h[IDX(i, 0)] = 100.0f;
    for (int j = 0; j < NY; j++) h[IDX(0, j)] = 50.0f * (1 + sinf(j * 0.1f));
    for (int k = 0; k < 2; k++) {
        ref[k] = (float *)malloc(bytes);
        memcpy(ref[k], h, bytes);
        CUDA_SAFE_CALL(cudaMalloc((void **)&d[k], bytes));
        CUDA_SAFE_CALL(cudaMemcpy(d[k], h, bytes, cudaMemcpyHostToDevice));
    }
    CUDA_SAFE_CALL(cudaMalloc((void **)&d_diff, sizeof(float)));
    CUDA_SAFE_CALL(cudaMemset(d_diff, 0, sizeof(float)));
    const dim3 threads(BX, BY), grid((NX + BX - 1) / BX, (NY + BY - 1) / BY, 1);
    for (int n = 0; n < steps; n++) {
        heat_step <<< grid, threads >>> (d[n & 1], d[(n + 1) & 1], 0.2f);
        heat_cpu(ref[n & 1], ref[(n + 1) & 1], 0.2f);
    }
    CUDA_SAFE_CALL(cudaGetLastError());
    maxdiff<<<4, 128>>>(d[0], d[1], NX * NY, d_diff);
    CUDA_SAFE_CALL(cudaMemcpy(&diff, d_diff, sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_SAFE_CALL(cudaMemcpy(h, d[steps & 1], bytes, cudaMemcpyDeviceToHost));
    double worst = 0, mean = 0;
    for (int i = 0; i < NX * NY; i++) {
        worst = fmax(worst, fabs(h[i] - ref[steps & 1][i]));
        mean += h[i] / (NX * NY);
    }
    printf("%d steps, mean temperature %.2f, last change %s\n", steps, mean, diff > 0.f && diff < 20.f ? "plausible" : "odd");
    printf("%s\n", worst < 1e-3 ? "agrees with the CPU" : "DOES NOT AGREE");
    if (file) {
        FILE *f = fopen(file, "wb");
        fprintf(f, "P5\n%d %d\n255\n", NX, NY);
        for (int i = 0; i < NX * NY; i++) fputc((int)(h[i] * 2.55f), f);
        fclose(f);
    }
    free(h);
    for (int k = 0; k < 2; k++) free(ref[k]);
    CUDA_SAFE_CALL(cudaDeviceReset());
    return worst < 1e-3 ? 0 : 1;
}
