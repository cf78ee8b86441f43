#include "search.h"
#include <algorithm>
#include <cstdio>

__constant__ char c_pattern[MAX_PATTERN];

__host__ __device__ static inline char lower(char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; }

template <bool IGNORE_CASE>
__global__ void naive(const char *text, int n, int m, int *positions, int *found)
{
    extern __shared__ char window[];
    const int begin = blockIdx.x * blockDim.x;
    for (int i = threadIdx.x; i < blockDim.x + m - 1; i += blockDim.x)
        window[i] = begin + i < n ? text[begin + i] : '\0';
    __syncthreads();
    const int at = begin + threadIdx.x;
    bool match = at + m <= n;
    for (int k = 0; match && k < m; ++k) {
        char a = window[threadIdx.x + k], b = c_pattern[k];
        if (IGNORE_CASE) { a = lower(a); b = lower(b); }
        match = a == b;
    }
    // one atomic for all threads of a warp that found something
    const unsigned int mask = __ballot_sync(0xFFFFFFFF, match);
    int base = 0;
    const int lane = threadIdx.x & 31;
    if (lane == 0 && mask) base = atomicAdd(found, __popc(mask));
    base = __shfl_sync(0xFFFFFFFF, base, 0);
    if (match) positions[base + __popc(mask & ((1u << lane) - 1u))] = at;
}

std::vector<int> search_naive(const std::string& text, const std::string& pattern, bool ignore_case)
{
    char *d_text;
    int *d_positions, *d_found, found;
    const int n = (int)text.size(), m = (int)pattern.size(), block = 96;
    cudaMalloc(&d_text, n);
    cudaMalloc(&d_positions, n * sizeof(int));
    cudaMalloc(&d_found, sizeof(int));
    cudaMemset(d_found, 0, sizeof(int));
    cudaMemcpy(d_text, text.data(), n, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(c_pattern, pattern.data(), m);
    auto kernel = ignore_case ? naive<true> : naive<false>;
    kernel<<<(n + block - 1) / block, block, block + m>>>(d_text, n, m, d_positions, d_found);
    if (cudaGetLastError() != cudaSuccess) fprintf(stderr, "launch failed\n");
    cudaMemcpy(&found, d_found, sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<int> positions(found);
    if (found) cudaMemcpy(positions.data(), d_positions, found * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(positions.begin(), positions.end());
    cudaFree(d_text); cudaFree(d_positions); cudaFree(d_found);
    return positions;
}
