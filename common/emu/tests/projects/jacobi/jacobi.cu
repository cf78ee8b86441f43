// Jacobi iteration for A x = b in a single cooperative launch: the whole grid synchronises between the sweeps.
#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>
#include "jacobi.h"
namespace cg = cooperative_groups;

#define ROWS_PER_CTA 8

struct Args {
    const float *A;
    const double *b;
    double *x[2];
    double *residual;     // one for each of two rounds
    int *iterations;
    float threshold;
    int max_iter;
};

static __global__ void __launch_bounds__(32 * ROWS_PER_CTA) jacobi(const __grid_constant__ Args args)
{
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block cta = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(cta);
    __shared__ double x_shared[N_ROWS];
    const int first = blockIdx.x * ROWS_PER_CTA + warp.meta_group_rank();
    int iter = 0;
    for (; iter < args.max_iter; ++iter) {
        const double *x = args.x[iter & 1];
        double *x_new = args.x[(iter + 1) & 1];
        for (int i = threadIdx.x; i < N_ROWS; i += blockDim.x) x_shared[i] = x[i];
        if (grid.thread_rank() == 0) args.residual[(iter + 1) & 1] = 0;
        cta.sync();
        for (int row = first; row < N_ROWS; row += gridDim.x * ROWS_PER_CTA) {
            double sum = 0;
            for (int j = warp.thread_rank(); j < N_ROWS; j += warp.size()) sum += args.A[row * N_ROWS + j] * x_shared[j];
            for (int offset = warp.size() / 2; offset > 0; offset >>= 1) sum += warp.shfl_down(sum, offset);
            if (warp.thread_rank() == 0) {
                const double dx = (args.b[row] - sum) / args.A[row * N_ROWS + row];
                x_new[row] = x_shared[row] + dx;
                atomicAdd(&args.residual[iter & 1], fabs(dx));
            }
        }
        grid.sync();
        if (args.residual[iter & 1] <= args.threshold) break;
        grid.sync();
    }
    if (grid.thread_rank() == 0) *args.iterations = iter + 1;
}

double JacobiMethodGpu(const float *A, const double *b, float conv_threshold, int max_iter, double *x, int *iterations)
{
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { printf("%s at line %d\n", cudaGetErrorString(e), __LINE__); exit(1); } } while (0)
    int supports = 0, device = 0, sms = 0, per_sm = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&supports, cudaDevAttrCooperativeLaunch, device));
    if (!supports) { printf("no cooperative launch on this device, waiving\n"); exit(0); }
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, jacobi, 32 * ROWS_PER_CTA, 0));
    Args args = {};
    float *d_A;
    double *d_b;
    CHECK(cudaMalloc(&d_A, N_ROWS * N_ROWS * sizeof(float)));
    CHECK(cudaMalloc(&d_b, N_ROWS * sizeof(double)));
    CHECK(cudaMalloc(&args.x[0], 2 * N_ROWS * sizeof(double)));
    CHECK(cudaMalloc(&args.residual, 2 * sizeof(double)));
    CHECK(cudaMalloc(&args.iterations, sizeof(int)));
    args.x[1] = args.x[0] + N_ROWS;
    CHECK(cudaMemcpy(d_A, A, N_ROWS * N_ROWS * sizeof(float), cudaMemcpyDefault));
    CHECK(cudaMemcpy(d_b, b, N_ROWS * sizeof(double), cudaMemcpyDefault));
    CHECK(cudaMemset(args.x[0], 0, 2 * N_ROWS * sizeof(double)));
    CHECK(cudaMemset(args.residual, 0, 2 * sizeof(double)));
    args.A = d_A;
    args.b = d_b;
    args.threshold = conv_threshold;
    args.max_iter = max_iter;
    void *kernelArgs[] = {(void *)&args};
    dim3 nblocks(min(min(sms * per_sm, N_ROWS / ROWS_PER_CTA), 6));
    CHECK(cudaLaunchCooperativeKernel((void *)jacobi, nblocks, 32 * ROWS_PER_CTA, kernelArgs, 0, NULL));
    CHECK(cudaMemcpy(iterations, args.iterations, sizeof(int), cudaMemcpyDefault));
    CHECK(cudaMemcpy(x, args.x[*iterations & 1], N_ROWS * sizeof(double), cudaMemcpyDefault));
    double residual[2];
    CHECK(cudaMemcpy(residual, args.residual, sizeof residual, cudaMemcpyDefault));
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(args.x[0]));
    CHECK(cudaFree(args.residual));
    CHECK(cudaFree(args.iterations));
    return residual[(*iterations - 1) & 1];
}
