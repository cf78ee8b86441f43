#include <cmath>
#include <curand_kernel.h>
#include "check.h"

__global__ void setup_kernel(curandState *state, unsigned long long seed)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    /* Each thread gets same seed, a different sequence number, no offset */
    curand_init(seed, id, 0, &state[id]);
}

template <typename State>
__global__ void count_kernel(State *state, int n, unsigned long long *result)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned int count = 0;
    /* Copy state to local memory for efficiency */
    State localState = state[id];
    for (int i = 0; i < n; i++) {
        float x = curand_uniform(&localState), y = curand_uniform(&localState);
        if (x * x + y * y <= 1.0f) count++;
    }
    state[id] = localState;
    atomicAdd(result, (unsigned long long)count);
}

__global__ void philox_kernel(unsigned long long seed, int n, unsigned long long *result)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, id, 0, &state);
    unsigned int count = 0;
    for (int i = 0; i < n; i += 2) {
        float4 u = curand_uniform4(&state);
        count += (u.x * u.x + u.y * u.y <= 1.0f) + (u.z * u.z + u.w * u.w <= 1.0f);
    }
    for (int d = 16; d; d >>= 1) count += __shfl_xor_sync(0xffffffff, count, d);
    if (threadIdx.x % 32 == 0) atomicAdd(result, (unsigned long long)count);
}

int main(int argc, char *argv[])
{
    const int totalThreads = 64 * 16, samples = argc > 1 ? atoi(argv[1]) / totalThreads / 2 * 2 : 1000;
    curandState *devStates;
    unsigned long long *devResults, inside[2];
    CUDA_CALL(cudaMalloc((void **)&devStates, totalThreads * sizeof(curandState)));
    CUDA_CALL(cudaMalloc((void **)&devResults, 2 * sizeof(unsigned long long)));
    CUDA_CALL(cudaMemset(devResults, 0, 2 * sizeof(unsigned long long)));
    setup_kernel<<<16, 64>>>(devStates, 1234);
    count_kernel<<<16, 64>>>(devStates, samples, devResults);
    philox_kernel<<<16, 64>>>(1234, samples, devResults + 1);
    CUDA_CALL(cudaGetLastError());
    CUDA_CALL(cudaMemcpy(inside, devResults, sizeof inside, cudaMemcpyDeviceToHost));
    const double n = (double)samples * totalThreads;
    for (unsigned long long count : inside) {
        const double pi = 4.0 * count / n;
        printf("%.0f points: pi is about %.4f, %s\n", n, pi, fabs(pi - M_PI) < 0.02 ? "close enough" : "TOO FAR");
    }
    CUDA_CALL(cudaFree(devStates));
    CUDA_CALL(cudaFree(devResults));
    return fabs(4.0 * inside[0] / n - M_PI) >= 0.02 || fabs(4.0 * inside[1] / n - M_PI) >= 0.02;
}
