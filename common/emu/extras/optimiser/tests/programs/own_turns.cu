// Barriers in control flow that each thread decides for itself, by its own counters, memory and objects. In
// fact all threads decide alike, but this is known only when the program runs.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

constexpr int threads = 64, blocks = 3;

__device__ int scale = 3;

// A counter begins at the thread's index. n is a multiple of the number of the block's threads.
__global__ void strided(const int* in, int* out, int n) {
  __shared__ int row[threads];
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    row[threadIdx.x] = in[i];
    __syncthreads();
    sum = sum * scale + row[(threadIdx.x + 1) % threads];
    __syncthreads();
  }
  for (int i = 0; i < 3; ++i) sum += i;
  out[blockIdx.x * threads + threadIdx.x] = sum + blockIdx.x;
}

// Threads decide by a list in memory that the kernel might change.
__global__ void list(int* next, int* out, int node) {
  __shared__ int seen[threads];
  const int t = threadIdx.x;
  seen[t] = t;
  int steps = 0;
  for (node += blockIdx.x; node >= 0; node = next[node]) {
    __syncthreads();
    const int other = seen[(t + node) % threads];
    __syncthreads();
    seen[t] += other;
    ++steps;
  }
  out[blockIdx.x * threads + t] = seen[t] * 10 + steps;
}

// A member function of an object decides.
struct Rounds {
  int left, parity = 0;
  __host__ __device__ explicit Rounds(int all) : left(all) {}
  __host__ __device__ bool next() {
    parity ^= 1;
    return left-- > 0;
  }
};

template <int N>
__global__ void rounds(int* out, int all) {
  __shared__ int sums[2][threads];
  Rounds round(all + blockIdx.x);
  const int t = threadIdx.x;
  int own[N] = {t, 1};
  sums[0][t] = sums[1][t] = 0;
  while (round.next()) {
    int* const mine = &own[round.left % N];
    __syncthreads();
    sums[round.parity][t] += *mine;
    if (round.parity == 0) {
      __syncthreads();
      *mine += sums[0][threads - 1 - t];
    } else
      __syncthreads();
  }
  int all_own = 0;
  for (int i = 0; i < N; ++i) all_own = all_own * 7 + own[i];
  out[blockIdx.x * threads + t] = all_own + sums[1][t];
}

// Contains barriers. A number of the thread decides whether the thread calls the function.
__device__ int turned(int* row, int value, int by, int n) {
  row[threadIdx.x] = value;
  __syncthreads();
  const int other = row[(threadIdx.x + by) % n];
  __syncthreads();
  return other;
}

__global__ void turns(const int* how, int* out, int n) {
  __shared__ int row[threads];
  const auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  if (t >= n) return;  // the barriers are for the remaining threads
  row[t] = t;
  int value = t, kind = how[t % n];
  do {
    if (kind % 2 == 1) {
      value += turned(row, value, kind, n) & 0xff;
    } else {
      const int more = kind * 2;
      block.sync();
      value ^= more;
    }
    if (kind == 6) break;
    kind = kind * 3 % 7;
  } while (kind != 0);
  if (kind > 0) cg::sync(block);
  for (int i = t; i < t + 2; ++i) {
    __syncthreads();
    value += i;
  }
  for (int i = t; i > t - 2; --i) {
    __syncthreads();
    value -= 2 * i;
  }
  out[blockIdx.x * threads + t] = value;
}

// Each thread counts down by itself. A counting barrier shows when all have finished.
__global__ void votes(int* out) {
  __shared__ int last;
  const int t = threadIdx.x;
  int left = (t * 5 + blockIdx.x) % 11, turns = 0, sum = 0;
  for (int limit = t + 40; limit > t; --limit) {
    const bool mine = left > 0;
    if (!__syncthreads_or(mine)) break;
    if (mine) --left;
    if (t == turns) last = left + turns;
    const int busy = __syncthreads_count(left > 0);
    sum += busy * (turns + 1) + last;
    if (__syncthreads_and(left % 2 == 0 || turns < 3)) sum += 1000;
    ++turns;
  }
  out[blockIdx.x * threads + t] = sum + turns;
}

template <class Reference>
void compare(const char* name, const int* device, Reference reference, int n = threads) {
  std::vector<int> got(blocks * threads);
  if (cudaMemcpy(got.data(), device, got.size() * sizeof(int), cudaMemcpyDefault) != cudaSuccess) return;
  int wrong = 0;
  unsigned sum = 0;
  for (int b = 0; b < blocks; ++b) {
    const std::vector<int> right = reference(b);
    for (int t = 0; t < n; ++t) {
      wrong += got[b * threads + t] != right[t];
      sum = sum * 31 + static_cast<unsigned>(got[b * threads + t]);
    }
  }
  std::printf("%s: %d wrong, %08x\n", name, wrong, sum);
}

int main() {
  constexpr int n = 5 * threads;
  int *in, *out, *next, *how;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&next, 8 * sizeof(int));
  cudaMallocManaged(&how, threads * sizeof(int));
  cudaMalloc(&out, blocks * threads * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i * i % 101;
  const int order[8] = {4, 3, 7, 6, -1, 0, 2, 5};
  for (int i = 0; i < 8; ++i) next[i] = order[i];
  for (int i = 0; i < threads; ++i) how[i] = 5;

  strided<<<blocks, threads>>>(in, out, n);
  compare("strided", out, [&](int b) {
    std::vector<int> all(threads);
    for (int t = 0; t < threads; ++t) {
      for (int i = 0; i < n; i += threads) all[t] = all[t] * 3 + in[i + (t + 1) % threads];
      all[t] += 3 + b;
    }
    return all;
  });

  list<<<blocks, threads>>>(next, out, 1);
  compare("list", out, [&](int b) {
    std::vector<int> seen(threads);
    for (int t = 0; t < threads; ++t) seen[t] = t;
    int steps = 0;
    for (int node = 1 + b; node >= 0; node = order[node], ++steps) {
      const std::vector<int> before = seen;
      for (int t = 0; t < threads; ++t) seen[t] += before[(t + node) % threads];
    }
    for (int& one : seen) one = one * 10 + steps;
    return seen;
  });

  rounds<3><<<blocks, threads>>>(out, 6);
  compare("rounds", out, [&](int b) {
    std::vector<int> own(3 * threads), sums(2 * threads), all(threads);
    for (int t = 0; t < threads; ++t) own[3 * t] = t, own[3 * t + 1] = 1;
    Rounds round(6 + b);
    while (round.next()) {
      const int mine = round.left % 3;
      for (int t = 0; t < threads; ++t) sums[round.parity * threads + t] += own[3 * t + mine];
      for (int t = 0; t < threads && round.parity == 0; ++t) own[3 * t + mine] += sums[threads - 1 - t];
    }
    for (int t = 0; t < threads; ++t)
      all[t] = (own[3 * t] * 7 + own[3 * t + 1]) * 7 + own[3 * t + 2] + sums[threads + t];
    return all;
  });

  constexpr int some = 60;
  turns<<<blocks, threads>>>(how, out, some);
  compare("turns", out, [&](int) {
    std::vector<int> value(threads), row(threads);
    for (int t = 0; t < threads; ++t) value[t] = t;
    int kind = 5;
    do {
      if (kind % 2 == 1) {
        for (int t = 0; t < some; ++t) row[t] = value[t];
        for (int t = 0; t < some; ++t) value[t] += row[(t + kind) % some] & 0xff;
      } else {
        for (int t = 0; t < some; ++t) value[t] ^= kind * 2;
      }
      if (kind == 6) break;
      kind = kind * 3 % 7;
    } while (kind != 0);
    for (int t = 0; t < some; ++t) value[t] += 2 * t + 1 - 2 * (2 * t - 1);
    return value;
  }, some);

  votes<<<blocks, threads>>>(out);
  compare("votes", out, [&](int b) {
    std::vector<int> left(threads);
    for (int t = 0; t < threads; ++t) left[t] = (t * 5 + b) % 11;
    int turn = 0, sum = 0;
    for (;; ++turn) {
      bool any = false, even = true;
      for (const int one : left) any = any || one > 0;
      if (!any) break;
      int busy = 0;
      for (int& one : left) one -= one > 0, busy += one > 0, even = even && (one % 2 == 0 || turn < 3);
      sum += busy * (turn + 1) + left[turn] + turn + (even ? 1000 : 0);
    }
    return std::vector<int>(threads, sum + turn);
  });
  cudaFree(in), cudaFree(out), cudaFree(next), cudaFree(how);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
