#pragma once
// Device functions that live in a translation unit of their own (needs relocatable device code).
extern __device__ int padded(int i);
extern __device__ void upsweep(int *temp, int n, int tid);
extern __device__ void downsweep(int *temp, int n, int tid);
extern __constant__ int kLogBanks;
