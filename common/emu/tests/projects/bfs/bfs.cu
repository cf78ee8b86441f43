// Breadth-first search, level by level: first over all vertices, then with queues of the frontier.
#include "graph.h"
#include <cstdlib>
#include <iostream>
#include <numeric>

#define CUDA_TRY(...)                                                                                      \
  do {                                                                                                     \
    if (const cudaError_t status = (__VA_ARGS__); status != cudaSuccess) {                                 \
      std::cerr << __FILE__ << ':' << __LINE__ << ": " << cudaGetErrorString(status) << " in " #__VA_ARGS__ "\n"; \
      std::exit(1);                                                                                        \
    }                                                                                                      \
  } while (false)

template <class T>
class device_vector {
 public:
  explicit device_vector(size_t n) : n_(n) { CUDA_TRY(cudaMalloc(&p_, n * sizeof(T))); }
  explicit device_vector(const std::vector<T>& v) : device_vector(v.size()) {
    CUDA_TRY(cudaMemcpy(p_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  device_vector(const device_vector&) = delete;
  device_vector& operator=(const device_vector&) = delete;
  device_vector(device_vector&& o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(o.n_) {}
  ~device_vector() { cudaFree(p_); }
  T* get() { return p_; }
  std::vector<T> host() const {
    std::vector<T> v(n_);
    CUDA_TRY(cudaMemcpy(v.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }

 private:
  T* p_ = nullptr;
  size_t n_;
};

__global__ void level_kernel(const int* offsets, const int* targets, int* distance, int n, int level, bool* changed) {
  const int u = blockIdx.x * blockDim.x + threadIdx.x;
  if (u >= n || distance[u] != level) return;
  for (int e = offsets[u]; e < offsets[u + 1]; ++e) {
    const int v = targets[e];
    if (distance[v] < 0) {
      distance[v] = level + 1;
      *changed = true;
    }
  }
}

struct Frontier {
  int *vertices, *size;
};

__global__ void frontier_kernel(const int* offsets, const int* targets, int* distance, Frontier in, Frontier out, int level) {
  __shared__ int local[256];
  __shared__ int count, base;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const int size = *in.size;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    const int u = in.vertices[i];
    for (int e = offsets[u]; e < offsets[u + 1]; ++e) {
      const int v = targets[e];
      if (atomicCAS(&distance[v], -1, level + 1) == -1) {
        const int slot = atomicAdd(&count, 1);
        if (slot < 256) local[slot] = v;
        else out.vertices[atomicAdd(out.size, 1)] = v;  // the block's buffer is full
      }
    }
  }
  __syncthreads();
  const int kept = min(count, 256);
  if (threadIdx.x == 0) base = atomicAdd(out.size, kept);
  __syncthreads();
  for (int i = threadIdx.x; i < kept; i += blockDim.x) out.vertices[base + i] = local[i];
}

int main(int argc, char** argv) try {
  const Graph g = make_graph({argv + 1, argv + argc});
  const int n = g.vertices(), source = 0;
  device_vector<int> offsets(g.offsets), targets(g.targets);
  const auto expected = bfs_cpu(g, source);

  std::vector<int> start(n, -1);
  start[source] = 0;
  int levels = 0;
  device_vector<int> distance(start);
  {
    bool* changed;
    CUDA_TRY(cudaMallocManaged(&changed, sizeof(bool)));
    do {
      *changed = false;
      level_kernel<<<(n + 127) / 128, 128>>>(offsets.get(), targets.get(), distance.get(), n, levels++, changed);
      CUDA_TRY(cudaGetLastError());
      CUDA_TRY(cudaDeviceSynchronize());
    } while (*changed);
    CUDA_TRY(cudaFree(changed));
  }
  const bool first = distance.host() == expected;

  CUDA_TRY(cudaMemcpy(distance.get(), start.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  device_vector<int> buffers[2] = {device_vector<int>(n), device_vector<int>(n)};
  device_vector<int> sizes(std::vector<int>{1, 0});
  Frontier in{buffers[0].get(), sizes.get()}, out{buffers[1].get(), sizes.get() + 1};
  CUDA_TRY(cudaMemcpy(in.vertices, &source, sizeof(int), cudaMemcpyHostToDevice));
  int size = 1, reached = 0, level = 0;
  while (size > 0) {
    reached += size;
    CUDA_TRY(cudaMemset(out.size, 0, sizeof(int)));
    frontier_kernel<<<4, 128>>>(offsets.get(), targets.get(), distance.get(), in, out, level++);
    CUDA_TRY(cudaMemcpy(&size, out.size, sizeof(int), cudaMemcpyDeviceToHost));
    std::swap(in, out);
  }
  const bool second = distance.host() == expected;
  std::cout << argv[1] << ": " << n << " vertices, " << g.edges() << " edges, " << levels << " levels, " << reached
            << " reached; " << (first ? "correct" : "WRONG") << ", " << (second ? "correct" : "WRONG") << '\n';
  return !(first && second && level == levels);
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 2;
}
