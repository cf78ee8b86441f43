#include "radix.cuh"
#include "error.h"
#include <algorithm>
#include <numeric>
#include <vector>
#include <string>

static uint32_t lcg(uint32_t &s) { return s = s * 1664525u + 1013904223u; }

int main(int argc, char *argv[])
{
    int n = argc > 1 ? std::stoi(argv[1]) : 1 << 20;
    std::vector<uint32_t> keys(n), values(n);
    uint32_t seed = 42;
    for (auto &k : keys) k = lcg(seed) >> (lcg(seed) >> 28);
    std::iota(values.begin(), values.end(), 0u);

    uint32_t *d[4];
    for (auto &p : d) gpuErrchk(cudaMalloc(&p, n * sizeof(uint32_t)));
    cudaStream_t stream;
    gpuErrchk(cudaStreamCreate(&stream));
    gpuErrchk(cudaMemcpyAsync(d[0], keys.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice, stream));
    gpuErrchk(cudaMemcpyAsync(d[1], values.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice, stream));
    cudaEvent_t t0, t1;
    gpuErrchk(cudaEventCreate(&t0)); gpuErrchk(cudaEventCreate(&t1));
    gpuErrchk(cudaEventRecord(t0, stream));
    radix_sort_pairs(d[0], d[1], d[2], d[3], n, stream);
    gpuErrchk(cudaEventRecord(t1, stream));
    std::vector<uint32_t> sorted(n), order(n);
    gpuErrchk(cudaMemcpyAsync(sorted.data(), d[0], n * sizeof(uint32_t), cudaMemcpyDeviceToHost, stream));
    gpuErrchk(cudaMemcpyAsync(order.data(), d[1], n * sizeof(uint32_t), cudaMemcpyDeviceToHost, stream));
    gpuErrchk(cudaStreamSynchronize(stream));
    float ms;
    gpuErrchk(cudaEventElapsedTime(&ms, t0, t1));
    std::cout << "time: " << ms << " ms\n";

    std::vector<uint32_t> index(n);
    std::iota(index.begin(), index.end(), 0u);
    std::stable_sort(index.begin(), index.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += sorted[i] != keys[index[i]] || order[i] != index[i];
    std::cout << n << " pairs, " << wrong << " wrong, smallest " << sorted[0] << ", largest " << sorted[n - 1] << std::endl;
    for (auto p : d) gpuErrchk(cudaFree(p));
    gpuErrchk(cudaStreamDestroy(stream));
    return wrong != 0;
}
