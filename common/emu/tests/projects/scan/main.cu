#include <cstdio>
#include <cstdlib>
#include <vector>
#include <numeric>
#include "scan.h"

int main(int argc, char **argv)
{
    int failures = 0;
    const int largest = argc > 1 ? atoi(argv[1]) : 1 << 20;
    const int sizes[] = {1, 2, 255, 256, 257, 1000, 65536, largest};
    for (int n : sizes) {
        std::vector<int> in(n), out(n), gold(n);
        for (int i = 0; i < n; ++i) in[i] = (i * 7919) % 13 - 3;
        std::exclusive_scan(in.begin(), in.end(), gold.begin(), 0);
        int *d_in, *d_out;
        cudaMalloc(&d_in, n * sizeof(int));
        cudaMalloc(&d_out, n * sizeof(int));
        cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
        exclusive_scan(d_in, d_out, n);
        cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
        bool ok = out == gold;
        failures += !ok;
        printf("n = %6d: %s (last %d)\n", n, ok ? "OK" : "WRONG", out[n - 1]);
        cudaFree(d_in);
        cudaFree(d_out);
    }
    cudaDeviceReset();
    return failures;
}
