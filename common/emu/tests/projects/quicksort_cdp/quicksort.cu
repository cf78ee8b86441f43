// Quicksort whose kernel launches itself for the two halves (dynamic parallelism).
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>

#define MAX_DEPTH 12
#define INSERTION_SORT 32

__device__ void selection_sort(unsigned int *data, int left, int right)
{
    for (int i = left; i <= right; ++i) {
        unsigned min_val = data[i];
        int min_idx = i;
        for (int j = i + 1; j <= right; ++j) {
            unsigned val_j = data[j];
            if (val_j < min_val) {
                min_idx = j;
                min_val = val_j;
            }
        }
        if (i != min_idx) {
            data[min_idx] = data[i];
            data[i] = min_val;
        }
    }
}

__global__ void cdp_simple_quicksort(unsigned int *data, int left, int right, int depth)
{
    // If we're too deep or there are few elements left, we use a selection sort...
    if (depth >= MAX_DEPTH || right - left <= INSERTION_SORT) {
        selection_sort(data, left, right);
        return;
    }
    unsigned int *lptr = data + left;
    unsigned int *rptr = data + right;
    unsigned int pivot = data[(left + right) / 2];

    // Do the partitioning.
    while (lptr <= rptr) {
        unsigned int lval = *lptr;
        unsigned int rval = *rptr;
        while (lval < pivot) { lptr++; lval = *lptr; }
        while (rval > pivot) { rptr--; rval = *rptr; }
        if (lptr <= rptr) {
            *lptr++ = rval;
            *rptr-- = lval;
        }
    }
    int nright = rptr - data;
    int nleft = lptr - data;

    // Launch a new block to sort the left part.
    if (left < (rptr - data)) {
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        cdp_simple_quicksort<<<1, 1, 0, s>>>(data, left, nright, depth + 1);
        cudaStreamDestroy(s);
    }
    // Launch a new block to sort the right part.
    if ((lptr - data) < right) {
        cudaStream_t s1;
        cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking);
        cdp_simple_quicksort<<<1, 1, 0, s1>>>(data, nleft, right, depth + 1);
        cudaStreamDestroy(s1);
    }
}

int main(int argc, char **argv)
{
    int num_items = argc > 1 ? atoi(argv[1]) : 128;
    std::vector<unsigned> h(num_items);
    srand(2047);
    for (auto &v : h) v = rand() % num_items;
    unsigned int *d_data = 0;
    cudaMalloc((void **)&d_data, num_items * sizeof(unsigned int));
    cudaMemcpy(d_data, h.data(), num_items * sizeof(unsigned int), cudaMemcpyHostToDevice);
    cdp_simple_quicksort<<<1, 1>>>(d_data, 0, num_items - 1, 0);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) { printf("%s\n", cudaGetErrorString(e)); return 1; }
    std::vector<unsigned> r(num_items);
    cudaMemcpy(r.data(), d_data, num_items * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaFree(d_data);
    std::sort(h.begin(), h.end());
    printf("Validating results: %s\n", r == h ? "OK" : "FAILED");
    return r != h;
}
