// Decisions of a block as a whole: barriers that count, and flags, counts and stacks in shared memory that
// all threads read after a barrier. Each result is compared with the host's result.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int threads = 64;

// Repeats rounds until no thread has work.
__global__ void halve(int* values, int* rounds) {
  int mine = values[threadIdx.x], turns = 0;
  while (__syncthreads_or(mine > 1)) {
    if (mine > 1) mine = mine % 2 == 0 ? mine / 2 : 3 * mine + 1;
    ++turns;
  }
  values[threadIdx.x] = mine;
  if (threadIdx.x == 0) *rounds = turns;
}

// Finds the k-th smallest value of the block: counts how many values are smaller.
__global__ void select(const int* values, int k, int* found) {
  const int mine = values[threadIdx.x];
  int low = 0, high = 1 << 20;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (__syncthreads_count(mine <= middle) > k)
      high = middle;
    else
      low = middle + 1;
  }
  if (threadIdx.x == 0) *found = low;
}

// Exchanges neighbours until all pairs are in order. Does nothing if the caller knows that they are.
__global__ void sort(int* values, bool sorted, int* passes) {
  __shared__ int s[threads];
  const int i = threadIdx.x;
  s[i] = values[i];
  __syncthreads();
  int pass = 0;
  if (!sorted) {
    do {
      for (int odd = 0; odd < 2; ++odd) {
        const int at = 2 * i + odd;
        if (at + 1 < threads && s[at] > s[at + 1]) {
          const int t = s[at];
          s[at] = s[at + 1];
          s[at + 1] = t;
        }
        __syncthreads();
      }
      ++pass;
    } while (!__syncthreads_and(i == 0 || s[i - 1] <= s[i]));
  }
  values[i] = s[i];
  if (i == 0) *passes = pass;
}

// Repeats until one thread, which examines all elements, finds no change.
__global__ void relax(float* values, int* steps) {
  __shared__ float now[threads];
  __shared__ bool done;
  __shared__ int count;
  const int i = threadIdx.x;
  float& mine = now[i];
  mine = values[i];
  if (i == 0) {
    done = false;
    count = 0;
  }
  __syncthreads();
  while (!done) {
    const float left = now[i > 0 ? i - 1 : 0], right = now[i + 1 < threads ? i + 1 : i];
    __syncthreads();
    mine = (left + right) / 2;
    __syncthreads();
    if (i == 0) {
      ++count;
      float lowest = now[0], highest = now[0];
      for (int k = 1; k < threads; ++k) {
        lowest = fminf(lowest, now[k]);
        highest = fmaxf(highest, now[k]);
      }
      done = highest - lowest < 0.5f || count == 5000;
    }
    __syncthreads();
  }
  values[i] = mine;
  const int all = count;
  if (i == 0) *steps = all;
}

// Walks through a tree with a stack in shared memory. Node n has the children 2n + 1 and 2n + 2.
__global__ void walk(const int* weights, int nodes, int* visited, int* sum) {
  __shared__ int stack[32], size, total;
  if (threadIdx.x == 0) {
    stack[0] = 0;
    size = 1;
    total = 0;
  }
  __syncthreads();
  int order = 0;
  while (size > 0) {
    const int node = stack[size - 1];
    atomicAdd(&total, weights[node * threads + threadIdx.x]);
    visited[node] = order++;
    __syncthreads();
    if (threadIdx.x == 0) {
      --size;
      if (2 * node + 2 < nodes) stack[size++] = 2 * node + 2;
      if (2 * node + 1 < nodes) stack[size++] = 2 * node + 1;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *sum = total;
}

// A block without an element below the limit returns as a whole. The list of elements is in shared memory.
__global__ void compact(const int* values, int limit, int* out, int* counts) {
  __shared__ int list[threads], length;
  const int& value = values[blockIdx.x * threads + threadIdx.x];
  if (threadIdx.x == 0) length = 0;
  __syncthreads();
  if (value < limit) list[atomicAdd(&length, 1)] = value;
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = length;
  if (length == 0) return;
  int sum = 0;
  for (int i = 0; i < length; ++i) sum += list[i] * (static_cast<int>(threadIdx.x) % 3);
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = sum + value;
}

// Threads leave the loop one by one. The loop ends with the last thread.
__global__ void leave(int* values) {
  __shared__ int s[threads];
  int turn = 0;
  while (true) {
    s[threadIdx.x] = turn;
    __syncthreads();
    values[threadIdx.x] += s[threadIdx.x] + 1;
    if (turn == static_cast<int>(threadIdx.x) % 7) return;
    ++turn;
    __syncthreads();
  }
}

// All threads of the last block return at once. No thread reads an element that was not written.
__global__ void nobody(int* values, int n) {
  __shared__ int list[4], length;
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  if (threadIdx.x == 0) {
    for (int k = 0; k < 4; ++k) list[k] = k;
    length = 3;
  }
  __syncthreads();
  const int last = list[length - 1];
  for (int k = 0; k != length; ++k) {
    values[i] += last;
    __syncthreads();
  }
}

struct World {
  int points;
  float scale[2];
};
struct Problem {
  World world;
  const float* in;
};

// References to a part of a parameter, to an element and to a row.
__global__ void references(Problem problem, float* out) {
  __shared__ float tile[4][16];
  const World& world = problem.world;
  auto& row = tile[threadIdx.x / 16];
  float& mine = out[threadIdx.x];
  row[threadIdx.x % 16] = problem.in[threadIdx.x];
  mine = 0;
  __syncthreads();
  for (int k = 0; k < world.points; ++k) {
    mine += row[(threadIdx.x + k) % 16] * world.scale[k % 2];
    __syncthreads();
    row[threadIdx.x % 16] += 1;
    __syncthreads();
  }
}

static bool ok(const char* what, bool good) {
  printf("%s: %s\n", what, good ? "ok" : "wrong");
  return good;
}

int main() {
  int *a, *b, *c;
  cudaMallocManaged(&a, 4096 * sizeof(int));
  cudaMallocManaged(&b, 4096 * sizeof(int));
  cudaMallocManaged(&c, 64 * sizeof(int));
  const auto value = [](int i) { return i * 7919 % 1000 + 1; };
  bool good = true;

  int most = 0;
  for (int i = 0; i < threads; ++i) {
    a[i] = value(i);
    int turns = 0;
    for (int v = a[i]; v > 1; ++turns) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    most = std::max(most, turns);
  }
  halve<<<1, threads>>>(a, c);
  cudaDeviceSynchronize();
  good &= ok("__syncthreads_or", c[0] == most && std::count(a, a + threads, 1) == threads);

  std::vector<int> sorted(threads);
  for (int i = 0; i < threads; ++i) a[i] = sorted[i] = value(i);
  std::sort(sorted.begin(), sorted.end());
  for (int k : {0, 31, 63}) {
    select<<<1, threads>>>(a, k, c);
    cudaDeviceSynchronize();
    good &= ok("__syncthreads_count", c[0] == sorted[k]);
  }
  sort<<<1, threads>>>(a, false, c);
  cudaDeviceSynchronize();
  good &= ok("__syncthreads_and", std::equal(sorted.begin(), sorted.end(), a) && c[0] > 1);
  sort<<<1, threads>>>(a, true, c);
  cudaDeviceSynchronize();
  good &= ok("left out", c[0] == 0);

  float* const f = reinterpret_cast<float*>(b);
  std::vector<float> now(threads), next(threads);
  for (int i = 0; i < threads; ++i) f[i] = now[i] = static_cast<float>(i % 9);
  int steps = 0;
  for (bool done = false; !done; ++steps) {
    for (int i = 0; i < threads; ++i)
      next[i] = (now[std::max(i - 1, 0)] + now[std::min(i + 1, threads - 1)]) / 2;
    now = next;
    done = *std::max_element(now.begin(), now.end()) - *std::min_element(now.begin(), now.end()) < 0.5f ||
           steps == 4999;
  }
  relax<<<1, threads>>>(f, c);
  cudaDeviceSynchronize();
  good &= ok("a flag", c[0] == steps && std::equal(now.begin(), now.end(), f));

  constexpr int nodes = 13;
  int sum = 0;
  for (int i = 0; i < nodes * threads; ++i) sum += a[i] = value(i);
  walk<<<1, threads>>>(a, nodes, b, c);
  cudaDeviceSynchronize();
  const int order[nodes] = {0, 1, 8, 2, 5, 9, 12, 3, 4, 6, 7, 10, 11};
  good &= ok("a stack", c[0] == sum && std::equal(order, order + nodes, b));

  for (int i = 0; i < 4 * threads; ++i) a[i] = value(i) + (i / threads == 2 ? 1000 : 0), b[i] = -1;
  compact<<<4, threads>>>(a, 500, b, c);
  cudaDeviceSynchronize();
  bool all = true;
  for (int block = 0; block < 4; ++block) {
    int length = 0, below = 0;
    for (int i = 0; i < threads; ++i)
      if (a[block * threads + i] < 500) ++length, below += a[block * threads + i];
    all = all && c[block] == length;
    for (int i = 0; i < threads; ++i)
      all = all && b[block * threads + i] == (length == 0 ? -1 : below * (i % 3) + a[block * threads + i]);
  }
  good &= ok("a list", all && c[2] == 0);

  for (int i = 0; i < threads; ++i) a[i] = 0;
  leave<<<1, threads>>>(a);
  cudaDeviceSynchronize();
  all = true;
  for (int i = 0; i < threads; ++i) all = all && a[i] == (i % 7 + 1) * (i % 7 + 2) / 2;
  good &= ok("one by one", all);

  for (int i = 0; i < 4 * threads; ++i) a[i] = 0;
  nobody<<<4, threads>>>(a, 2 * threads);
  cudaDeviceSynchronize();
  good &= ok("nobody left", std::count(a, a + 2 * threads, 6) == 2 * threads && a[2 * threads] == 0);

  float* const in = reinterpret_cast<float*>(a);
  for (int i = 0; i < threads; ++i) in[i] = static_cast<float>(i);
  references<<<1, threads>>>({{3, {1, 2}}, in}, f);
  cudaDeviceSynchronize();
  all = true;
  for (int i = 0; i < threads; ++i) {
    float expected = 0;
    for (int k = 0; k < 3; ++k) expected += static_cast<float>(i / 16 * 16 + (i + k) % 16 + k) * (k % 2 == 0 ? 1 : 2);
    all = all && f[i] == expected;
  }
  good &= ok("references", all);
  for (void* memory : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(c)}) cudaFree(memory);
  return good ? 0 : 1;
}
