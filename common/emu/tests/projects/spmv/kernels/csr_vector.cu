#include "spmv.h"

// N threads for each row
template <int N>
static __global__ void kernel(int rows, const int *row_ptr, const int *col_idx, const double *values, const double *x, double *y)
{
    const int lane = threadIdx.x % N;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / N;
    double sum = 0;
    if (row < rows) {
        const int end = __ldg(row_ptr + row + 1);
        for (int i = __ldg(row_ptr + row) + lane; i < end; i += N)
            sum = fma(__ldg(values + i), __ldg(x + __ldg(col_idx + i)), sum);
    }
    #pragma unroll
    for (int offset = N / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset, N);
    if (row < rows && lane == 0)
        y[row] = sum;
}

void spmv_csr_vector(const csr_matrix &a, const double *x, double *y)
{
    const int mean = a.nnz / a.rows;
    const int block = 128;
    if (mean <= 4)       kernel<4><<<(a.rows * 4 + block - 1) / block, block>>>(a.rows, a.row_ptr, a.col_idx, a.values, x, y);
    else if (mean <= 8)  kernel<8><<<(a.rows * 8 + block - 1) / block, block>>>(a.rows, a.row_ptr, a.col_idx, a.values, x, y);
    else if (mean <= 16) kernel<16><<<(a.rows * 16 + block - 1) / block, block>>>(a.rows, a.row_ptr, a.col_idx, a.values, x, y);
    else                 kernel<32><<<(a.rows * 32 + block - 1) / block, block>>>(a.rows, a.row_ptr, a.col_idx, a.values, x, y);
}
