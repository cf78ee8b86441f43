#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cuda_runtime_api.h>
#include "kmeans.h"

int main(int argc, char **argv)
{
    int npoints = 10000, nclusters = 5, opt, loop = 0, delta, i, d, bad = 0;
    float *features, *clusters;
    int *membership, sizes[64];

    while ((opt = getopt(argc, argv, "k:n:")) != EOF) {
        switch (opt) {
            case 'k': nclusters = atoi(optarg); break;
            case 'n': npoints = atoi(optarg); break;
            default: fprintf(stderr, "Usage: %s [-k clusters] [-n points]\n", argv[0]); exit(1);
        }
    }
    cudaSetDevice(0);
    /* pinned, so that copies are fast */
    if (cudaMallocHost((void **)&features, npoints * DIMS * sizeof(float)) != cudaSuccess) {
        fprintf(stderr, "cudaMallocHost: %s\n", cudaGetErrorString(cudaGetLastError()));
        exit(1);
    }
    clusters = (float *)malloc(nclusters * DIMS * sizeof(float));
    membership = (int *)malloc(npoints * sizeof(int));
    get_input(features, npoints, nclusters);
    memcpy(clusters, features, nclusters * DIMS * sizeof(float));
    for (i = 0; i < npoints; i++) membership[i] = -1;

    allocate_memory(npoints, nclusters, features);
    do {
        delta = kmeans_step(npoints, nclusters, clusters, membership, sizes);
    } while (delta > 0 && loop++ < 50);
    deallocate_memory();

    for (i = 0; i < npoints; i++) {   /* is each point with its nearest centre? */
        int best = 0, k;
        float least = 1e30f;
        for (k = 0; k < nclusters; k++) {
            float dist = 0;
            for (d = 0; d < DIMS; d++) dist += powf(features[i * DIMS + d] - clusters[k * DIMS + d], 2);
            if (dist < least) { least = dist; best = k; }
        }
        bad += best != membership[i];
    }
    printf("%d points, %d clusters, %s after %d loops, %d misplaced\n", npoints, nclusters, delta ? "not converged" : "converged", loop, bad);
    for (i = 0; i < nclusters; i++)
        printf("  %d: (%.1f, %.1f) with %d\n", i, clusters[i * DIMS], clusters[i * DIMS + 1], sizes[i]);
    cudaFreeHost(features);
    free(clusters);
    free(membership);
    return bad;
}
