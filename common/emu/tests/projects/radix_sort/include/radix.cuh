#pragma once
#include <cstddef>
#include <cstdint>

constexpr int kBits = 4;
constexpr int kBuckets = 1 << kBits;
constexpr int kBlock = 256;

/// Sorts n keys with their values on the device; `temp_*` are scratch of the same size.
void radix_sort_pairs(uint32_t *keys, uint32_t *values, uint32_t *temp_keys, uint32_t *temp_values, int n,
                      cudaStream_t stream = 0);

inline int div_up(int a, int b) { return (a + b - 1) / b; }
