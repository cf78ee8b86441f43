// Measured times that are not the kernel's time.
#include <chrono>
#include <ctime>

#include "../pair.cuh"

__global__ void work(int* data) {
  data[threadIdx.x] += 1;
}

// The clock is read right after the launch.
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

// The same mistake with the C library's clock and several launches.
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

// A wait for another stream is not enough.
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

// The program reads an event's time before the event has been reached.
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

// The host has waited only for the first event.
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

/// Both events of a pair, and the time between them.
struct Events {
  cudaEvent_t start, stop;
  Events() {
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
  }
  ~Events() {
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
  }
  float time() const {
    cudaDeviceSynchronize();
    float ms = 0;
    cudaEventElapsedTime(&ms, start, stop);
    return ms;
  }
};

// Both events come before the launch.
// pair: events_before_the_launch
// exact: timing @start,@stop,@late -
// contains: there is nothing between the two events: kernel work is launched after both, and is not in
// hint: record the second event after the launch at line
PAIR(events_before_the_launch) {
  const Zeros<int> data(32);
  const Events events;
  cudaEventRecord(events.start);             // @start
  if (!wrong) work<<<1, 32>>>(data);
  cudaEventRecord(events.stop);              // @stop
  if (wrong) work<<<1, 32>>>(data);          // @late
  std::printf("%d\n", events.time() >= 0);
}

// The program measures an empty interval on purpose, to know the cost of events, and the gap between two timed kernels.
// pair: gap_between_kernels
// exact: timing @start,@stop,@late -
PAIR(gap_between_kernels) {
  const Zeros<int> data(32);
  const Events cost, before, after, events;
  work<<<1, 32>>>(data);
  cudaEventRecord(cost.start);
  cudaEventRecord(cost.stop);
  std::printf("%d\n", cost.time() >= 0);
  cudaEventRecord(before.start);
  work<<<1, 32>>>(data);
  cudaEventRecord(before.stop);
  cudaEventRecord(after.start);
  work<<<1, 32>>>(data);
  cudaEventRecord(after.stop);
  cudaDeviceSynchronize();
  float gap = 0;
  cudaEventElapsedTime(&gap, before.stop, after.start);
  std::printf("%d %d %d\n", gap >= 0, before.time() >= 0, after.time() >= 0);
  cudaEventRecord(events.start);             // @start
  cudaMemsetAsync(data, 0, wrong ? 0 : 128);
  cudaEventRecord(events.stop);              // @stop
  work<<<1, 32>>>(data);                     // @late
  std::printf("%d\n", events.time() >= 0);
}

// The kernel and the events are in different streams, and the events' stream does not wait for the kernel.
// pair: events_in_another_stream
// exact: timing @start,@launch,@stop -
// contains: the second event does not wait for kernel work, which runs in another
// hint: record both events in the stream of the launch at line
PAIR(events_in_another_stream) {
  const Zeros<int> data(32);
  cudaStream_t mine, other;
  cudaStreamCreate(&mine);
  cudaStreamCreate(&other);
  {
    const Events events;
    cudaEventRecord(events.start, wrong ? other : mine);  // @start
    work<<<1, 32, 0, mine>>>(data);                       // @launch
    cudaEventRecord(events.stop, wrong ? other : mine);   // @stop
    std::printf("%d\n", events.time() >= 0);
    const Events joined;  // the other stream waits for the kernel before its event
    cudaEventRecord(joined.start, other);
    work<<<1, 32, 0, mine>>>(data);
    cudaEventRecord(events.stop, mine);
    cudaStreamWaitEvent(other, events.stop, 0);
    cudaEventRecord(joined.stop, other);
    std::printf("%d\n", joined.time() >= 0);
    const Events around;  // the default stream waits for both
    cudaEventRecord(around.start);
    work<<<1, 32, 0, mine>>>(data);
    cudaEventRecord(around.stop);
    std::printf("%d\n", around.time() >= 0);
  }
  cudaStreamDestroy(mine);
  cudaStreamDestroy(other);
}

// The two events are exchanged.
// pair: events_exchanged
// exact: timing @first,@second,@call -
// hint: record the second event after the timed work, and the first one before it; or exchange the two in the call of cudaEventElapsedTime
PAIR(events_exchanged) {
  const Zeros<int> data(32);
  const Events events;
  cudaEventRecord(events.start);  // @second
  work<<<1, 32>>>(data);
  cudaEventRecord(events.stop);   // @first
  cudaDeviceSynchronize();
  float ms = 0;
  cudaEventElapsedTime(&ms, wrong ? events.stop : events.start, wrong ? events.start : events.stop);  // @call
  std::printf("%d\n", ms != 0);
}
