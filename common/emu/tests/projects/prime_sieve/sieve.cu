#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

// Segmented sieve of Eratosthenes: each block sieves a segment of odd numbers as bits in shared memory.
#define SEGMENT_WORDS 2048
#define SEGMENT_ODDS (SEGMENT_WORDS * 32)

__constant__ int small_primes[2048];

__global__ void sieve(uint64_t n, int primes, unsigned long long *total)
{
    __shared__ uint32_t composite[SEGMENT_WORDS];
    __shared__ int warp_counts[32];
    const uint64_t low = (uint64_t)blockIdx.x * SEGMENT_ODDS;      // index of an odd number: 2 * index + 1
    for (int w = threadIdx.x; w < SEGMENT_WORDS; w += blockDim.x) composite[w] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < primes; i += blockDim.x) {
        const uint64_t p = small_primes[i];
        uint64_t start = (p * p - 1) / 2;
        if (start < low) start += (low - start + p - 1) / p * p;
        for (uint64_t k = start; k < low + SEGMENT_ODDS; k += p)
            atomicOr(&composite[(k - low) >> 5], 1u << ((k - low) & 31));
    }
    __syncthreads();
    int count = 0;
    for (int w = threadIdx.x; w < SEGMENT_WORDS; w += blockDim.x) {
        uint32_t prime = ~composite[w];
        const uint64_t first = low + 32ull * w;
        if (2 * (first + 31) + 1 > n) {      // the last word
            uint32_t valid = 0;
            for (int b = 0; b < 32; b++)
                if (2 * (first + b) + 1 <= n) valid |= 1u << b;
            prime &= valid;
        }
        if (first == 0) prime &= ~1u;        // 1 is no prime
        count += __popc(prime);
    }
    for (int s = warpSize >> 1; s > 0; s >>= 1) count += __shfl_xor_sync(0xffffffff, count, s);
    if (threadIdx.x % warpSize == 0) warp_counts[threadIdx.x / warpSize] = count;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int w = 0; w < blockDim.x / warpSize; w++) sum += warp_counts[w];
        atomicAdd(total, (unsigned long long)sum);
    }
}

int main(int argc, char* argv[])
{
    uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    int root = (int)sqrt((double)n) + 1, count = 0, primes[2048];
    char *sieved = (char*)calloc(root + 1, 1);
    for (int i = 3; i <= root; i += 2) {
        if (sieved[i]) continue;
        primes[count++] = i;
        for (int k = i * i; k <= root; k += 2 * i) sieved[k] = 1;
    }
    cudaError_t cudaStatus = cudaMemcpyToSymbol(small_primes, primes, count * sizeof(int));
    if (cudaStatus != cudaSuccess) {
        fprintf(stderr, "cudaMemcpyToSymbol failed!");
        return 1;
    }
    unsigned long long *dev_total, total = 0;
    cudaMalloc((void**)&dev_total, sizeof total);
    cudaMemcpy(dev_total, &total, sizeof total, cudaMemcpyHostToDevice);
    sieve<<<(unsigned)((n / 2 + SEGMENT_ODDS) / SEGMENT_ODDS), 256>>>(n, count, dev_total);
    cudaStatus = cudaGetLastError();
    if (cudaStatus != cudaSuccess) {
        fprintf(stderr, "sieve launch failed: %s\n", cudaGetErrorString(cudaStatus));
        return 1;
    }
    // cudaDeviceSynchronize waits for the kernel to finish, and returns any errors encountered during the launch.
    cudaStatus = cudaDeviceSynchronize();
    if (cudaStatus != cudaSuccess) {
        fprintf(stderr, "cudaDeviceSynchronize returned error code %d after launching sieve!\n", cudaStatus);
        return 1;
    }
    cudaMemcpy(&total, dev_total, sizeof total, cudaMemcpyDeviceToHost);
    printf("%llu primes up to %llu\n", total + 1, (unsigned long long)n);
    cudaFree(dev_total);
    free(sieved);
    return 0;
}
