#pragma once
#define N_ROWS 128
double JacobiMethodGpu(const float *A, const double *b, float conv_threshold, int max_iter, double *x, int *iterations);
