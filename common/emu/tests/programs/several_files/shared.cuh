#pragma once
extern __device__ int total;
__device__ int twice(int n);
__device__ inline void add(int n) { atomicAdd(&total, n); }
void launch_more();
int plain(int n);
