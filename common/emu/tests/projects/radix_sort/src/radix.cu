#include "radix.cuh"
#include "error.h"

// One count per bucket and block, bucket-major, so that an exclusive scan gives the places.
__global__ void count_kernel(const uint32_t *keys, int n, int shift, uint32_t *counts)
{
    __shared__ uint32_t local[kBuckets];
    if (threadIdx.x < kBuckets) local[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&local[(keys[i] >> shift) & (kBuckets - 1)], 1u);
    __syncthreads();
    if (threadIdx.x < kBuckets) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

__global__ void scan_kernel(uint32_t *counts, int n)
{
    __shared__ uint32_t sums[1024];
    const int per = (n + blockDim.x - 1) / blockDim.x;
    const int begin = threadIdx.x * per, end = min(begin + per, n);
    uint32_t sum = 0;
    for (int i = begin; i < end; ++i) sum += counts[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        const uint32_t v = threadIdx.x >= d ? sums[threadIdx.x - d] : 0;
        __syncthreads();
        sums[threadIdx.x] += v;
        __syncthreads();
    }
    uint32_t running = sums[threadIdx.x] - sum;
    for (int i = begin; i < end; ++i) {
        const uint32_t c = counts[i];
        counts[i] = running;
        running += c;
    }
}

// Stable within a block: each warp ranks its keys with match_any, warps follow one another.
__global__ void scatter_kernel(const uint32_t *keys, const uint32_t *values, int n, int shift, const uint32_t *places,
                               uint32_t *out_keys, uint32_t *out_values)
{
    constexpr int warps = kBlock / 32;
    __shared__ uint32_t per_warp[kBuckets][warps];
    for (int i = threadIdx.x; i < kBuckets * warps; i += blockDim.x) ((uint32_t *)per_warp)[i] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    const bool valid = i < n;
    const uint32_t key = valid ? keys[i] : 0xffffffffu;
    const int bucket = valid ? (int)((key >> shift) & (kBuckets - 1)) : kBuckets;
    const unsigned same = __match_any_sync(0xffffffffu, bucket);
    const int rank = __popc(same & ((1u << lane) - 1));
    if (valid && rank == 0) per_warp[bucket][warp] = __popc(same);
    __syncthreads();
    if (valid) {
        uint32_t place = places[bucket * gridDim.x + blockIdx.x] + rank;
        for (int w = 0; w < warp; ++w) place += per_warp[bucket][w];
        out_keys[place] = key;
        out_values[place] = values[i];
    }
}

void radix_sort_pairs(uint32_t *keys, uint32_t *values, uint32_t *temp_keys, uint32_t *temp_values, int n, cudaStream_t stream)
{
    const int blocks = div_up(n, kBlock);
    uint32_t *counts;
    gpuErrchk(cudaMallocAsync(&counts, blocks * kBuckets * sizeof(uint32_t), stream));
    for (int shift = 0; shift < 32; shift += kBits) {
        count_kernel<<<blocks, kBlock, 0, stream>>>(keys, n, shift, counts);
        scan_kernel<<<1, 1024, 0, stream>>>(counts, blocks * kBuckets);
        scatter_kernel<<<blocks, kBlock, 0, stream>>>(keys, values, n, shift, counts, temp_keys, temp_values);
        gpuErrchk(cudaPeekAtLastError());
        std::swap(keys, temp_keys);
        std::swap(values, temp_values);
    }
    gpuErrchk(cudaFreeAsync(counts, stream));
}
