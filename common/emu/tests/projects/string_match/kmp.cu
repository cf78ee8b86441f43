#include "search.h"
#include <algorithm>

struct Automaton {
    int m;
    bool ignore_case;
    char pattern[MAX_PATTERN];
    int fail[MAX_PATTERN + 1];
};

// Each thread scans a stretch of its own, and as much of the next as a match may need.
__global__ void kmp(const __grid_constant__ Automaton a, const char *__restrict__ text, int n, int stretch, unsigned char *hits)
{
    const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * stretch;
    const int end = min(begin + stretch + a.m - 1, n);
    int state = 0;
    for (int i = begin; i < end; ++i) {
        char c = text[i];
        if (a.ignore_case && c >= 'A' && c <= 'Z') c += 'a' - 'A';
        while (state > 0 && (state == a.m || a.pattern[state] != c)) state = a.fail[state];
        if (a.pattern[state] == c) ++state;
        if (state == a.m) hits[i - a.m + 1] = 1;
    }
}

std::vector<int> search_kmp(const std::string& text, const std::string& pattern, bool ignore_case)
{
    Automaton a = {};
    a.m = (int)pattern.size();
    a.ignore_case = ignore_case;
    for (int i = 0; i < a.m; ++i) a.pattern[i] = ignore_case ? (char)tolower(pattern[i]) : pattern[i];
    for (int i = 1, k = 0; i < a.m; ++i) {
        while (k > 0 && a.pattern[k] != a.pattern[i]) k = a.fail[k];
        if (a.pattern[k] == a.pattern[i]) ++k;
        a.fail[i + 1] = k;
    }
    const int n = (int)text.size(), stretch = 128, threads = 32;
    char *d_text;
    unsigned char *d_hits;
    cudaMalloc((void**)&d_text, n);
    cudaMalloc((void**)&d_hits, n);
    cudaMemset(d_hits, 0, n);
    cudaMemcpy(d_text, text.c_str(), n, cudaMemcpyHostToDevice);
    const int count = (n + stretch - 1) / stretch;
    kmp<<<(count + threads - 1) / threads, threads>>>(a, d_text, n, stretch, d_hits);
    std::vector<unsigned char> hits(n);
    cudaMemcpy(hits.data(), d_hits, n, cudaMemcpyDeviceToHost);
    cudaFree(d_text);
    cudaFree(d_hits);
    std::vector<int> positions;
    for (int i = 0; i < n; ++i)
        if (hits[i]) positions.push_back(i);
    return positions;
}
