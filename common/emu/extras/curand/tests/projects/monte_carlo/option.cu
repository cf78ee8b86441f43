// Price of a European call by simulation against Black and Scholes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cmath>
#include <curand_kernel.h>
#include "check.h"
namespace cg = cooperative_groups;

struct Option { double S, K, r, sigma, T; };
struct Value { double expected, confidence; };

__global__ void price(Option o, int paths, double2 *sums)
{
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<32>(block);
    __shared__ double2 partial[8];
    curandStatePhilox4_32_10_t state;
    curand_init(777ULL, cg::this_grid().thread_rank(), 0, &state);
    const double drift = (o.r - 0.5 * o.sigma * o.sigma) * o.T, scale = o.sigma * sqrt(o.T);
    double sum = 0, squares = 0;
    for (int i = 0; i < paths; i += 2) {
        const double2 z = curand_normal2_double(&state);
        for (double n : {z.x, z.y}) {
            const double payoff = fmax(o.S * exp(drift + scale * n) - o.K, 0.0);
            sum += payoff;
            squares += payoff * payoff;
        }
    }
    sum = cg::reduce(tile, sum, cg::plus<double>());
    squares = cg::reduce(tile, squares, cg::plus<double>());
    if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = make_double2(sum, squares);
    cg::sync(block);
    if (block.thread_rank() == 0) {
        double2 all = partial[0];
        for (unsigned i = 1; i < tile.meta_group_size(); ++i) { all.x += partial[i].x; all.y += partial[i].y; }
        sums[blockIdx.x] = all;
    }
}

static double cdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
static double black_scholes(const Option &o)
{
    const double d1 = (log(o.S / o.K) + (o.r + 0.5 * o.sigma * o.sigma) * o.T) / (o.sigma * sqrt(o.T)), d2 = d1 - o.sigma * sqrt(o.T);
    return o.S * cdf(d1) - o.K * exp(-o.r * o.T) * cdf(d2);
}

int main()
{
    const Option options[] = {{40, 35, 0.03, 0.2, 0.5}, {20, 25, 0.06, 0.3, 2}, {100, 100, 0.01, 0.4, 1}};
    const int blocks = 8, threads = 256, paths = 32;
    double2 *d_sums, sums[blocks];
    CUDA_CALL(cudaMalloc(&d_sums, sizeof sums));
    int failures = 0;
    for (const Option &o : options) {
        price<<<blocks, threads>>>(o, paths, d_sums);
        CUDA_CALL(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
        double sum = 0, squares = 0;
        for (const double2 &s : sums) { sum += s.x; squares += s.y; }
        const double n = (double)blocks * threads * paths, discount = exp(-o.r * o.T);
        const Value v = {discount * sum / n, discount * 1.96 * sqrt((squares / n - sum / n * sum / n) / n)};
        const bool ok = fabs(v.expected - black_scholes(o)) < 2.5 * v.confidence;
        printf("S=%g K=%g: Black-Scholes %.4f, simulation %s\n", o.S, o.K, black_scholes(o), ok ? "agrees" : "DOES NOT AGREE");
        failures += !ok;
    }
    CUDA_CALL(cudaFree(d_sums));
    return failures;
}
