#include "spmv.h"

static __device__ int widest;

static __global__ void measure(int rows, const int *row_ptr)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < rows) atomicMax(&widest, row_ptr[row + 1] - row_ptr[row]);
}
static __global__ void convert(csr_matrix a, ell_matrix e)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row >= e.rows) return;
    const int first = a.row_ptr[row], n = a.row_ptr[row + 1] - first;
    for (int k = 0; k < e.width; ++k) {
        e.col_idx[k * e.rows + row] = k < n ? a.col_idx[first + k] : -1;
        e.values[k * e.rows + row] = k < n ? a.values[first + k] : 0.0;
    }
}
static __global__ void kernel(ell_matrix e, const double *x, double *y)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row >= e.rows) return;
    double dot = 0;
    for (int k = 0; k < e.width; ++k) {
        const int col = e.col_idx[k * e.rows + row];
        if (col < 0) break;
        dot += e.values[k * e.rows + row] * x[col];
    }
    y[row] = dot;
}

ell_matrix csr_to_ell(const csr_matrix &a)
{
    ell_matrix e;
    e.rows = a.rows;
    int zero = 0;
    cudaMemcpyToSymbol(widest, &zero, sizeof(int));
    measure<<<(a.rows + 127) / 128, 128>>>(a.rows, a.row_ptr);
    cudaMemcpyFromSymbol(&e.width, widest, sizeof(int));
    cudaMalloc((void **)&e.col_idx, sizeof(int) * e.rows * e.width);
    cudaMalloc((void **)&e.values, sizeof(double) * e.rows * e.width);
    convert<<<(a.rows + 127) / 128, 128>>>(a, e);
    return e;
}
void spmv_ell(const ell_matrix &e, const double *x, double *y) { kernel<<<(e.rows + 127) / 128, 128>>>(e, x, y); }
