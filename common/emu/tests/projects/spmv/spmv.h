#ifndef SPMV_H
#define SPMV_H
#include <cuda_runtime.h>

struct csr_matrix {
    int rows, cols, nnz;
    int *row_ptr, *col_idx;     // device
    double *values;             // device
};
struct ell_matrix {
    int rows, width;
    int *col_idx;               // column-major, -1: empty
    double *values;
};
typedef void (*spmv_fn)(const csr_matrix &, const double *x, double *y);
void spmv_csr_scalar(const csr_matrix &, const double *, double *);
void spmv_csr_vector(const csr_matrix &, const double *, double *);
void spmv_ell(const ell_matrix &, const double *, double *);
ell_matrix csr_to_ell(const csr_matrix &);
#endif
