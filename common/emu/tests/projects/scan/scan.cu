#include "scan.h"
#include "block_ops.cuh"

#include <cstdio>
#include <cstdlib>

#define THREADS 128
#define ELEMENTS (2 * THREADS)
#define SHARED_BYTES ((ELEMENTS + (ELEMENTS >> 5)) * sizeof(int))

#define CUDA_CHECK(x)                                                                      \
    do {                                                                                   \
        cudaError_t err__ = (x);                                                           \
        if (err__ != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err__)); \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

__global__ void scan_blocks(const int *in, int *out, int *sums, int n)
{
    extern __shared__ int temp[];
    const int tid = threadIdx.x;
    const int base = blockIdx.x * ELEMENTS;
    temp[padded(tid)] = base + tid < n ? in[base + tid] : 0;
    temp[padded(tid + THREADS)] = base + tid + THREADS < n ? in[base + tid + THREADS] : 0;
    upsweep(temp, ELEMENTS, tid);
    if (tid == 0) {
        const int last = padded(ELEMENTS - 1);
        if (sums) sums[blockIdx.x] = temp[last];
        temp[last] = 0;
    }
    downsweep(temp, ELEMENTS, tid);
    if (base + tid < n) out[base + tid] = temp[padded(tid)];
    if (base + tid + THREADS < n) out[base + tid + THREADS] = temp[padded(tid + THREADS)];
}

__global__ void add_sums(int *out, const int *sums, int n)
{
    int i = blockIdx.x * ELEMENTS + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
    i += THREADS;
    if (i < n) out[i] += sums[blockIdx.x];
}

void exclusive_scan(const int *d_in, int *d_out, int n)
{
    const int blocks = (n + ELEMENTS - 1) / ELEMENTS;
    if (blocks == 1) {
        scan_blocks<<<1, THREADS, SHARED_BYTES>>>(d_in, d_out, NULL, n);
        CUDA_CHECK(cudaGetLastError());
        return;
    }
    int *d_sums, *d_scanned;
    CUDA_CHECK(cudaMalloc((void **)&d_sums, blocks * sizeof(int)));
    CUDA_CHECK(cudaMalloc((void **)&d_scanned, blocks * sizeof(int)));
    scan_blocks<<<blocks, THREADS, SHARED_BYTES>>>(d_in, d_out, d_sums, n);
    exclusive_scan(d_sums, d_scanned, blocks);   // recursive on the block sums
    add_sums<<<blocks, THREADS>>>(d_out, d_scanned, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaFree(d_sums));
    CUDA_CHECK(cudaFree(d_scanned));
}
