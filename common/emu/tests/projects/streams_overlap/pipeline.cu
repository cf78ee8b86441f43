// A producer thread feeds batches, and worker threads with their own streams process them. Events order the stages.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <queue>
#include <thread>
#include <vector>
#include "timer.h"

struct Batch {
  int id;
  std::vector<int> data;
};
class Queue {
 public:
  void push(Batch b) {
    std::lock_guard<std::mutex> lock(m_);
    q_.push(std::move(b));
    cv_.notify_one();
  }
  bool pop(Batch& out) {
    std::unique_lock<std::mutex> lock(m_);
    cv_.wait(lock, [&] { return !q_.empty() || closed_; });
    if (q_.empty()) return false;
    out = std::move(q_.front());
    q_.pop();
    return true;
  }
  void close() {
    std::lock_guard<std::mutex> lock(m_);
    closed_ = true;
    cv_.notify_all();
  }
 private:
  std::queue<Batch> q_;
  std::mutex m_;
  std::condition_variable cv_;
  bool closed_ = false;
};

__global__ void stage1(int* p, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = p[i] * 2 + 1;
}
__global__ void stage2(const int* p, int n, long long* sum) {
  long long mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += p[i];
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(mine));
}

int main() {
  constexpr int batches = 12, size = 1000, workers = 3;
  Queue queue;
  std::vector<long long> sums(batches, -1);
  std::atomic<int> callbacks{0};
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w)
    threads.emplace_back([&] {
      cudaStream_t copy, compute;
      cudaEvent_t ready;
      cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking);
      cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
      cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
      int* d;
      long long *sum, *result;
      cudaMalloc(&d, size * sizeof(int));
      cudaMalloc(&sum, sizeof(long long));
      cudaMallocHost(&result, sizeof(long long));
      Batch b;
      while (queue.pop(b)) {
        cudaMemcpyAsync(d, b.data.data(), size * sizeof(int), cudaMemcpyHostToDevice, copy);
        cudaMemsetAsync(sum, 0, sizeof(long long), copy);
        cudaEventRecord(ready, copy);
        cudaStreamWaitEvent(compute, ready, 0);
        stage1<<<1, 128, 0, compute>>>(d, size);
        stage2<<<1, 128, 0, compute>>>(d, size, sum);
        cudaMemcpyAsync(result, sum, sizeof(long long), cudaMemcpyDeviceToHost, compute);
        cudaLaunchHostFunc(compute, [](void* p) { ++*static_cast<std::atomic<int>*>(p); }, &callbacks);
        if (cudaStreamSynchronize(compute) != cudaSuccess) std::printf("failed\n");
        sums[b.id] = *result;
      }
      cudaFreeHost(result);
      cudaFree(sum);
      cudaFree(d);
      cudaEventDestroy(ready);
      cudaStreamDestroy(compute);
      cudaStreamDestroy(copy);
    });
  for (int i = 0; i < batches; ++i) {
    Batch b{i, std::vector<int>(size)};
    std::iota(b.data.begin(), b.data.end(), i);
    queue.push(std::move(b));
  }
  queue.close();
  for (auto& t : threads) t.join();
  int wrong = 0;
  for (int i = 0; i < batches; ++i) {
    long long expected = 0;
    for (int k = 0; k < size; ++k) expected += 2LL * (i + k) + 1;
    wrong += sums[i] != expected;
  }
  std::printf("%d batches, %d callbacks, %d wrong, last sum %lld\n", batches, callbacks.load(), wrong, sums[batches - 1]);
  return wrong;
}
