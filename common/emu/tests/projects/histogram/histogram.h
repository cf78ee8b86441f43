#pragma once
#include <cuda_runtime.h>
#include <vector>
#include <string>

constexpr int NUM_BINS = 256;
struct Result {
    std::string method;
    std::vector<unsigned> bins;
    float milliseconds;
};
std::vector<Result> histograms(const unsigned char* pixels, size_t n);
