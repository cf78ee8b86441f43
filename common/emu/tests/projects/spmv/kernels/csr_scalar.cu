#include "spmv.h"

static __global__ void kernel(int rows, const int *__restrict__ row_ptr, const int *__restrict__ col_idx,
                              const double *__restrict__ values, const double *__restrict__ x, double *__restrict__ y)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < rows) {
        double dot = 0;
        for (int i = row_ptr[row]; i < row_ptr[row + 1]; i++)
            dot += values[i] * x[col_idx[i]];
        y[row] = dot;
    }
}

void spmv_csr_scalar(const csr_matrix &a, const double *x, double *y)
{
    kernel<<<(a.rows + 255) / 256, 256>>>(a.rows, a.row_ptr, a.col_idx, a.values, x, y);
}
