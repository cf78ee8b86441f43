#include "histogram.h"
#include <stdexcept>

#define CHECK(call)                                                         \
{                                                                           \
    const cudaError_t error = call;                                         \
    if (error != cudaSuccess)                                               \
        throw std::runtime_error(std::string(__FILE__) + ":" + std::to_string(__LINE__) + " " + cudaGetErrorString(error)); \
}

__global__ void histo_global(const unsigned char *buffer, long size, unsigned int *histo)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int stride = blockDim.x * gridDim.x;
    while (i < size) {
        atomicAdd(&(histo[buffer[i]]), 1);
        i += stride;
    }
}

__global__ void histo_shared(const unsigned char *buffer, long size, unsigned int *histo)
{
    __shared__ unsigned int temp[NUM_BINS];
    temp[threadIdx.x] = 0;
    __syncthreads();
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int offset = blockDim.x * gridDim.x;
    while (i < size) {
        atomicAdd(&temp[buffer[i]], 1);
        i += offset;
    }
    __syncthreads();
    atomicAdd(&(histo[threadIdx.x]), temp[threadIdx.x]);
}

// Four bytes at a time, one sub-histogram for each warp.
__global__ void histo_warps(const uchar4 *__restrict__ buffer, long size4, unsigned int *histo)
{
    extern __shared__ unsigned int sub[];
    const int warps = blockDim.x / warpSize;
    unsigned int *mine = sub + (threadIdx.x / warpSize) * NUM_BINS;
    for (int b = threadIdx.x; b < NUM_BINS * warps; b += blockDim.x) sub[b] = 0;
    __syncthreads();
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < size4; i += (long)gridDim.x * blockDim.x) {
        const uchar4 v = buffer[i];
        atomicAdd(mine + v.x, 1u);
        atomicAdd(mine + v.y, 1u);
        atomicAdd(mine + v.z, 1u);
        atomicAdd(mine + v.w, 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) {
        unsigned int sum = 0;
        for (int w = 0; w < warps; ++w) sum += sub[w * NUM_BINS + b];
        if (sum) atomicAdd(histo + b, sum);
    }
}

std::vector<Result> histograms(const unsigned char *pixels, size_t n)
{
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    const int blocks = prop.multiProcessorCount * 2 < 16 ? prop.multiProcessorCount * 2 : 16;
    unsigned char *d_pixels;
    unsigned int *d_bins;
    CHECK(cudaMalloc(&d_pixels, n));
    CHECK(cudaMalloc(&d_bins, NUM_BINS * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_pixels, pixels, n, cudaMemcpyHostToDevice));
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));

    std::vector<Result> all;
    for (int method = 0; method < 3; method++) {
        CHECK(cudaMemset(d_bins, 0, NUM_BINS * sizeof(unsigned)));
        CHECK(cudaEventRecord(start, 0));
        if (method == 0) histo_global<<<blocks, 256>>>(d_pixels, n, d_bins);
        if (method == 1) histo_shared<<<blocks, NUM_BINS>>>(d_pixels, n, d_bins);
        if (method == 2)
            histo_warps<<<blocks, 128, 4 * NUM_BINS * sizeof(unsigned)>>>(reinterpret_cast<uchar4 *>(d_pixels), n / 4, d_bins);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(stop, 0));
        CHECK(cudaEventSynchronize(stop));
        Result r{method == 0 ? "global" : method == 1 ? "shared" : "per warp", std::vector<unsigned>(NUM_BINS), 0};
        CHECK(cudaEventElapsedTime(&r.milliseconds, start, stop));
        CHECK(cudaMemcpy(r.bins.data(), d_bins, NUM_BINS * sizeof(unsigned), cudaMemcpyDeviceToHost));
        all.push_back(std::move(r));
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_pixels));
    CHECK(cudaFree(d_bins));
    return all;
}
