#include <stdio.h>
#include <stdlib.h>
#include "kmeans.h"

#define THREADS_PER_BLOCK 128
#define MAX_CLUSTERS 64

static float *feature_d, *sum_d;
static int *membership_d, *size_d, *delta_d;
static __constant__ float c_clusters[MAX_CLUSTERS * DIMS];

static void check_error(const char *msg)
{
    cudaError_t err = cudaGetLastError();
    if (cudaSuccess != err) {
        fprintf(stderr, "Cuda error: %s: %s.\n", msg, cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
}

__global__ static void find_nearest(const float *feature, int npoints, int nclusters, int *membership, int *delta)
{
    unsigned int point_id = blockIdx.x * blockDim.x + threadIdx.x;
    int changed = 0;
    if (point_id < npoints) {
        int index = -1;
        float min_dist = 3.40282347e+38;
        for (int i = 0; i < nclusters; i++) {
            float dist = 0.0;
            for (int l = 0; l < DIMS; l++) {
                float diff = feature[point_id * DIMS + l] - c_clusters[i * DIMS + l];
                dist += diff * diff;
            }
            if (dist < min_dist) {
                min_dist = dist;
                index = i;
            }
        }
        changed = membership[point_id] != index;
        membership[point_id] = index;
    }
    int in_block = __syncthreads_count(changed);
    if (threadIdx.x == 0 && in_block > 0) atomicAdd(delta, in_block);
}

__global__ static void sum_clusters(const float *feature, int npoints, int nclusters, const int *membership, float *sum, int *size)
{
    __shared__ float s_sum[MAX_CLUSTERS][DIMS];
    __shared__ int s_size[MAX_CLUSTERS];
    for (int i = threadIdx.x; i < nclusters; i += blockDim.x) {
        s_size[i] = 0;
        for (int l = 0; l < DIMS; l++) s_sum[i][l] = 0;
    }
    __syncthreads();
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < npoints; p += gridDim.x * blockDim.x) {
        const int c = membership[p];
        atomicAdd(&s_size[c], 1);
        for (int l = 0; l < DIMS; l++) atomicAdd(&s_sum[c][l], feature[p * DIMS + l]);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < nclusters; i += blockDim.x) {
        atomicAdd(&size[i], s_size[i]);
        for (int l = 0; l < DIMS; l++) atomicAdd(&sum[i * DIMS + l], s_sum[i][l]);
    }
}

extern "C" void allocate_memory(int npoints, int nclusters, const float *features)
{
    cudaMalloc((void **)&feature_d, npoints * DIMS * sizeof(float));
    cudaMalloc((void **)&membership_d, npoints * sizeof(int));
    cudaMalloc((void **)&sum_d, nclusters * DIMS * sizeof(float));
    cudaMalloc((void **)&size_d, nclusters * sizeof(int));
    cudaMalloc((void **)&delta_d, sizeof(int));
    cudaMemset(membership_d, 0xff, npoints * sizeof(int));
    cudaMemcpy(feature_d, features, npoints * DIMS * sizeof(float), cudaMemcpyHostToDevice);
    check_error("allocate_memory");
}

extern "C" void deallocate_memory()
{
    cudaFree(feature_d);
    cudaFree(membership_d);
    cudaFree(sum_d);
    cudaFree(size_d);
    cudaFree(delta_d);
}

extern "C" int kmeans_step(int npoints, int nclusters, float *clusters, int *membership, int *sizes)
{
    int delta = 0;
    float *sum = (float *)malloc(nclusters * DIMS * sizeof(float));
    cudaMemcpyToSymbol(c_clusters, clusters, nclusters * DIMS * sizeof(float));
    cudaMemset(sum_d, 0, nclusters * DIMS * sizeof(float));
    cudaMemset(size_d, 0, nclusters * sizeof(int));
    cudaMemset(delta_d, 0, sizeof(int));
    dim3 grid((npoints + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK), threads(THREADS_PER_BLOCK);
    find_nearest<<< grid, threads >>>(feature_d, npoints, nclusters, membership_d, delta_d);
    sum_clusters<<< 4, threads >>>(feature_d, npoints, nclusters, membership_d, sum_d, size_d);
    cudaDeviceSynchronize();
    check_error("kmeans_step");
    cudaMemcpy(membership, membership_d, npoints * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(sum, sum_d, nclusters * DIMS * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(sizes, size_d, nclusters * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&delta, delta_d, sizeof(int), cudaMemcpyDeviceToHost);
    if (delta > 0)
        for (int i = 0; i < nclusters * DIMS; i++)
            if (sizes[i / DIMS] > 0) clusters[i] = sum[i] / sizes[i / DIMS];
    free(sum);
    return delta;
}
