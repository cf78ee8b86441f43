#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include "spmv.h"

template <typename T>
T *to_device(const std::vector<T> &v)
{
    T *p;
    if (cudaMalloc(&p, v.size() * sizeof(T)) != cudaSuccess) { fprintf(stderr, "out of memory\n"); exit(1); }
    cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}

int main(void)
{
    // Five-point Laplacian, plus some long rows.
    const int w = 70, h = 50, n = w * h;
    std::vector<int> row_ptr(1, 0), col_idx;
    std::vector<double> values, x(n), y(n), gold(n);
    for (int i = 0; i < n; ++i) {
        const int cx = i % w, cy = i / w;
        auto add = [&](int j, double v) { col_idx.push_back(j); values.push_back(v); };
        if (cy > 0) add(i - w, -1);
        if (cx > 0) add(i - 1, -1);
        add(i, 4 + 0.01 * (i % 3));
        if (cx < w - 1) add(i + 1, -1);
        if (cy < h - 1) add(i + w, -1);
        for (int j = 0; i % 500 == 0 && j < 40; ++j) add((i + j * 83) % n, 0.25);
        row_ptr.push_back((int)col_idx.size());
        x[i] = std::sin(0.01 * i);
    }
    for (int i = 0; i < n; ++i)
        for (int k = row_ptr[i]; k < row_ptr[i + 1]; ++k) gold[i] += values[k] * x[col_idx[k]];

    csr_matrix a = {n, n, (int)values.size(), to_device(row_ptr), to_device(col_idx), to_device(values)};
    double *dx = to_device(x), *dy = to_device(y);
    ell_matrix e = csr_to_ell(a);
    printf("%d rows, %d non-zeros, ELL width %d\n", n, a.nnz, e.width);
    int failures = 0;
    struct { std::string name; spmv_fn run; } variants[] = {{"csr scalar", spmv_csr_scalar}, {"csr vector", spmv_csr_vector}, {"ell", nullptr}};
    for (auto &v : variants) {
        cudaMemset(dy, 0xff, n * sizeof(double));   // NaN
        if (v.run) v.run(a, dx, dy); else spmv_ell(e, dx, dy);
        cudaError_t err = cudaGetLastError();
        cudaMemcpy(y.data(), dy, n * sizeof(double), cudaMemcpyDeviceToHost);
        double worst = 0;
        for (int i = 0; i < n; ++i) worst = y[i] == y[i] ? std::fmax(worst, std::fabs(y[i] - gold[i])) : 1e9;
        printf("%-10s %s (%s)\n", v.name.c_str(), worst < 1e-12 ? "passed" : "FAILED", cudaGetErrorString(err));
        failures += worst >= 1e-12;
    }
    cudaDeviceReset();
    return failures;
}
