#include "block_ops.cuh"

__constant__ int kLogBanks = 5;

__device__ int padded(int i) { return i + (i >> kLogBanks); }

__device__ void upsweep(int *temp, int n, int tid)
{
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = padded(offset * (2 * tid + 1) - 1);
            int bi = padded(offset * (2 * tid + 2) - 1);
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
}

__device__ void downsweep(int *temp, int n, int tid)
{
    int offset = n;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int ai = padded(offset * (2 * tid + 1) - 1);
            int bi = padded(offset * (2 * tid + 2) - 1);
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
}
