// Times that are not the kernel's.
#include <chrono>
#include <ctime>

#include "../pair.cuh"

__global__ void work(int* data) {
  data[threadIdx.x] += 1;
}

// The clock is read right behind the launch.
// pair: launch_alone
// exact: timing @begin,@launch,@end -
// contains: the time is that of its launch alone
// hint: a launch returns at once: call cudaDeviceSynchronize() before line
// hint: , or measure with cudaEventRecord and cudaEventElapsedTime
PAIR(launch_alone) {
  const Zeros<int> data(32);
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();  // @begin
  work<<<1, 32>>>(data);            // @launch
  if (!wrong) cudaDeviceSynchronize();
  const auto end = clock::now();  // @end
  std::printf("%d\n", end >= begin);
}

// The same with the C library's clock, and several launches.
// pair: many_launches
// exact: timing @begin,@launch,@end -
PAIR(many_launches) {
  const Zeros<int> data(32);
  timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);             // @begin
  for (int i = 0; i < 3; ++i) work<<<1, 32>>>(data);  // @launch
  if (!wrong) cudaStreamSynchronize(cudaStreamLegacy);
  clock_gettime(CLOCK_MONOTONIC, &end);  // @end
  std::printf("%d\n", end.tv_sec >= begin.tv_sec);
}

// Waiting for another stream is not enough.
// pair: waited_for_another_stream
// exact: timing @begin,@launch,@end -
PAIR(waited_for_another_stream) {
  const Zeros<int> data(32);
  cudaStream_t mine, other;
  cudaStreamCreate(&mine);
  cudaStreamCreate(&other);
  const clock_t begin = clock();   // @begin
  work<<<1, 32, 0, mine>>>(data);  // @launch
  cudaStreamSynchronize(wrong ? other : mine);
  const clock_t end = clock();  // @end
  std::printf("%d\n", end >= begin);
  cudaDeviceSynchronize();
  cudaStreamDestroy(mine);
  cudaStreamDestroy(other);
}

// An event's time, before the event has come.
// pair: event_too_early
// exact: early-event @call -
// contains: cudaEventSynchronize(stop) first
// hint: cudaEventElapsedTime fails with cudaErrorNotReady while the work before an event still runs: call
PAIR(event_too_early) {
  const Zeros<int> data(32);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  work<<<1, 32>>>(data);
  cudaEventRecord(stop);
  if (!wrong) cudaEventSynchronize(stop);
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);  // @call
  cudaDeviceSynchronize();
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}

// The host has waited for the first event only.
// pair: waited_for_the_start
// exact: early-event @call -
PAIR(waited_for_the_start) {
  const Zeros<int> data(32);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  work<<<1, 32>>>(data);
  cudaEventRecord(stop);
  cudaEventSynchronize(wrong ? start : stop);
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);  // @call
  cudaDeviceSynchronize();
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}
