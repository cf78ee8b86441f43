// 3D finite differences, order in space 2*RADIUS; threads walk along z with a queue of values in registers.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "reference.h"
namespace cg = cooperative_groups;

__constant__ float stencil[RADIUS + 1];

__global__ void FiniteDifferences3DKernel(float *output, const float *input, const int dimx, const int dimy, const int dimz)
{
    bool validr = true, validw = true;
    const int gtidx = blockIdx.x * blockDim.x + threadIdx.x;
    const int gtidy = blockIdx.y * blockDim.y + threadIdx.y;
    const int ltidx = threadIdx.x;
    const int ltidy = threadIdx.y;
    const int workx = blockDim.x;
    const int worky = blockDim.y;
    cg::thread_block cta = cg::this_thread_block();
    __shared__ float tile[K_BLOCK_Y + 2 * RADIUS][K_BLOCK_X + 2 * RADIUS];

    const int stride_y = dimx + 2 * RADIUS;
    const int stride_z = stride_y * (dimy + 2 * RADIUS);
    int inputIndex = 0;
    int outputIndex = 0;

    // Advance inputIndex to start of inner volume
    inputIndex += RADIUS * stride_y + RADIUS;
    // Advance inputIndex to target element
    inputIndex += gtidy * stride_y + gtidx;

    float infront[RADIUS];
    float behind[RADIUS];
    float current;
    const int tx = ltidx + RADIUS;
    const int ty = ltidy + RADIUS;

    if ((gtidx >= dimx + RADIUS) || (gtidy >= dimy + RADIUS)) validr = false;
    if ((gtidx >= dimx) || (gtidy >= dimy)) validw = false;

    // Preload the "infront" and "behind" data
    for (int i = RADIUS - 2; i >= 0; i--) {
        if (validr) behind[i] = input[inputIndex];
        inputIndex += stride_z;
    }
    if (validr) current = input[inputIndex];
    outputIndex = inputIndex;
    inputIndex += stride_z;
    for (int i = 0; i < RADIUS; i++) {
        if (validr) infront[i] = input[inputIndex];
        inputIndex += stride_z;
    }

// Step through the xy-planes
#pragma unroll 9
    for (int iz = 0; iz < dimz; iz++) {
        // Advance the slice (move the thread-front)
        for (int i = RADIUS - 1; i > 0; i--) behind[i] = behind[i - 1];
        behind[0] = current;
        current = infront[0];
#pragma unroll 4
        for (int i = 0; i < RADIUS - 1; i++) infront[i] = infront[i + 1];
        if (validr) infront[RADIUS - 1] = input[inputIndex];

        inputIndex += stride_z;
        outputIndex += stride_z;
        cg::sync(cta);

        // Update the data slice in the local tile: halo above & below, left & right
        if (ltidy < RADIUS) {
            tile[ltidy][tx] = input[outputIndex - RADIUS * stride_y];
            tile[ltidy + worky + RADIUS][tx] = input[outputIndex + worky * stride_y];
        }
        if (ltidx < RADIUS) {
            tile[ty][ltidx] = input[outputIndex - RADIUS];
            tile[ty][ltidx + workx + RADIUS] = input[outputIndex + workx];
        }
        tile[ty][tx] = current;
        cg::sync(cta);

        // Compute the output value
        float value = stencil[0] * current;
#pragma unroll 4
        for (int i = 1; i <= RADIUS; i++) {
            value += stencil[i] * (infront[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] + tile[ty][tx + i]);
        }
        if (validw) output[outputIndex] = value;
    }
}

#define checked(x) if ((x) != cudaSuccess) { fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(cudaGetLastError())); exit(1); }

int main(int argc, char **argv)
{
    const int dimx = argc > 1 ? atoi(argv[1]) : 96, dimy = argc > 2 ? atoi(argv[2]) : 96, dimz = argc > 3 ? atoi(argv[3]) : 96;
    const int timesteps = argc > 4 ? atoi(argv[4]) : 5;
    const size_t volume = (size_t)(dimx + 2 * RADIUS) * (dimy + 2 * RADIUS) * (dimz + 2 * RADIUS);
    // the last blocks read beyond the volume's rows
    const size_t padded = volume + (size_t)(K_BLOCK_Y + RADIUS) * (dimx + 2 * RADIUS) + K_BLOCK_X + RADIUS;
    std::vector<float> input(volume), output(volume), reference(volume), coeff(RADIUS + 1, 0.1f);
    srand(1);
    for (float &f : input) f = rand() % 100 * 0.01f;

    float *in, *out;
    checked(cudaMalloc(&in, padded * sizeof(float)));
    checked(cudaMalloc(&out, padded * sizeof(float)));
    checked(cudaMemset(in, 0, padded * sizeof(float)));
    checked(cudaMemcpy(in, input.data(), volume * sizeof(float), cudaMemcpyHostToDevice));
    checked(cudaMemcpy(out, input.data(), volume * sizeof(float), cudaMemcpyHostToDevice));
    checked(cudaMemcpyToSymbol(stencil, coeff.data(), coeff.size() * sizeof(float)));

    struct cudaFuncAttributes funcAttrib;
    checked(cudaFuncGetAttributes(&funcAttrib, FiniteDifferences3DKernel));
    printf("shared memory of the kernel: %zu bytes\n", funcAttrib.sharedSizeBytes);
    dim3 dimBlock(K_BLOCK_X, K_BLOCK_Y), dimGrid((dimx + K_BLOCK_X - 1) / K_BLOCK_X, (dimy + K_BLOCK_Y - 1) / K_BLOCK_Y);
    float *src = in, *dst = out;
    for (int it = 0; it < timesteps; it++) {
        FiniteDifferences3DKernel<<<dimGrid, dimBlock>>>(dst, src, dimx, dimy, dimz);
        float *tmp = dst; dst = src; src = tmp;
    }
    checked(cudaGetLastError());
    checked(cudaMemcpy(output.data(), src, volume * sizeof(float), cudaMemcpyDeviceToHost));
    fdtdReference(reference.data(), input.data(), coeff.data(), dimx, dimy, dimz, timesteps);
    const bool ok = compareData(output.data(), reference.data(), dimx, dimy, dimz, 1e-4f);
    printf("%d x %d x %d, %d steps, radius %d: %s\n", dimx, dimy, dimz, timesteps, RADIUS, ok ? "PASS" : "FAIL");
    return !ok;
}
