// Device code can't call functions of the host's library.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>
__global__ void kernel(int* x, float* f) {
  *f = std::sqrt(*f) + std::abs(*f) + fmaxf(*f, 1) + max(x[0], x[1]);
  memset(x, 0, 4);
  printf("%d\n", *x);
  std::vector<int> numbers(4);      // error
  std::sort(x, x + 4);              // error
  std::cout << *x;                  // error
  std::string text;                 // error
  *x = std::max(x[0], x[1]);        // error
  std::swap(x[0], x[1]);            // error
  std::fill(x, x + 4, 1);           // error
  *x = std::accumulate(x, x + 4, 0);  // error
  auto pair = std::make_pair(1, 2);   // error
  std::unique_ptr<int> owner(x);      // error
  fprintf(stderr, "%d\n", *x);      // error
}
struct Job { int n; std::vector<int> parts; int* sizes; };
__global__ void members(Job* job, int* x) { *x = job->n + job->sizes[0]; }
__global__ void calls_of_member(Job* job, int* x) { *x = (int)job->parts.size(); }  // error
__global__ void index_of_member(Job* job, int* x) { *x = job->parts[0]; }  // error
