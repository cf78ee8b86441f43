// sanitizers: not thread, which knows no order by volatile: a kernel waits for the host by it
// Streams and events: order, independence, the default stream, queries, waits between streams, callbacks.
#include <atomic>
#include <cstdio>
#include <thread>
#define CHECK(call)                                                                 \
  do {                                                                              \
    cudaError_t e_ = (call);                                                        \
    if (e_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(e_)); \
  } while (0)
__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void step(int* value, int factor, int plus) {
  *value = *value * factor + plus;
}
static std::atomic<int> called{0};
static void CUDART_CB note(void* data) {
  *static_cast<int*>(data) = ++called;
}
static void CUDART_CB old_note(cudaStream_t, cudaError_t status, void* data) {
  *static_cast<int*>(data) = status == cudaSuccess ? ++called : -1;
}
int main() {
  cudaStream_t a, b, c;
  CHECK(cudaStreamCreate(&a));
  CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  int least, greatest;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(cudaStreamCreateWithPriority(&c, cudaStreamNonBlocking, greatest));
  int priority = 99;
  unsigned flags = 99;
  CHECK(cudaStreamGetPriority(c, &priority));
  CHECK(cudaStreamGetFlags(c, &flags));
  printf("priority %d flags %u\n", priority == greatest && greatest <= least, flags);

  volatile int* flag;
  int *value, *flag_device, *host;
  CHECK(cudaHostAlloc((void**)&flag, sizeof(int), cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer((void**)&flag_device, (void*)flag, 0));
  CHECK(cudaMalloc(&value, 4 * sizeof(int)));
  CHECK(cudaMemset(value, 0, 4 * sizeof(int)));
  CHECK(cudaMallocHost(&host, 4 * sizeof(int)));

  // A kernel may be loaded at its first launch, which waits for the device. So each is launched once first.
  *flag = 1;
  wait_for<<<1, 1>>>(flag_device);
  step<<<1, 1>>>(value, 0, 0);
  CHECK(cudaDeviceSynchronize());

  // A launch returns at once. Other streams continue while one waits.
  *flag = 0;
  host[0] = 1;
  cudaEvent_t before, after, timing;
  CHECK(cudaEventCreate(&timing));
  CHECK(cudaEventCreateWithFlags(&before, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&after, cudaEventDisableTiming | cudaEventBlockingSync));
  CHECK(cudaMemcpyAsync(value, host, sizeof(int), cudaMemcpyHostToDevice, b));
  CHECK(cudaStreamSynchronize(b));
  wait_for<<<1, 1, 0, a>>>(flag_device);
  step<<<1, 1, 0, a>>>(value, 10, 1);  // second in its stream
  CHECK(cudaEventRecord(after, a));
  printf("query %s, event %s\n", cudaGetErrorName(cudaStreamQuery(a)),
         cudaGetErrorName(cudaEventQuery(after)));
  step<<<1, 1, 0, b>>>(value, 1, 1);  // first of all
  CHECK(cudaStreamSynchronize(b));
  step<<<1, 1, 0, c>>>(value + 1, 0, 7);
  CHECK(cudaStreamWaitEvent(c, after, 0));
  step<<<1, 1, 0, c>>>(value, 3, 0);  // after stream a
  *flag = 1;
  CHECK(cudaStreamSynchronize(c));
  printf("after: %s %s\n", cudaGetErrorName(cudaStreamQuery(a)), cudaGetErrorName(cudaEventQuery(after)));
  CHECK(cudaMemcpy(host, value, 2 * sizeof(int), cudaMemcpyDeviceToHost));
  printf("order %d %d\n", host[0], host[1]);

  // The default stream waits for blocking streams, and they wait for it.
  *flag = 0;
  wait_for<<<1, 1, 0, a>>>(flag_device);
  step<<<1, 1, 0, a>>>(value, 1, 1000);
  step<<<1, 1>>>(value, 2, 0);
  step<<<1, 1, 0, a>>>(value, 1, 5);
  std::thread([&] { *flag = 1; }).join();
  CHECK(cudaStreamSynchronize(a));
  CHECK(cudaMemcpy(host, value, sizeof(int), cudaMemcpyDeviceToHost));
  printf("default stream %d\n", host[0]);

  // Host functions run in the stream's order.
  int seen[3] = {0, 0, 0};
  *flag = 0;
  wait_for<<<1, 1, 0, b>>>(flag_device);
  CHECK(cudaLaunchHostFunc(b, note, &seen[0]));
  CHECK(cudaStreamAddCallback(b, old_note, &seen[1], 0));
  CHECK(cudaLaunchHostFunc(b, note, &seen[2]));
  printf("not called %d\n", called.load());
  *flag = 1;
  CHECK(cudaStreamSynchronize(b));
  printf("called %d %d %d\n", seen[0], seen[1], seen[2]);

  // Events measure times, and return errors.
  float ms = -1;
  CHECK(cudaEventCreate(&before));
  CHECK(cudaEventRecord(before));
  step<<<1, 1>>>(value, 1, 0);
  CHECK(cudaEventRecord(timing));
  CHECK(cudaEventSynchronize(timing));
  CHECK(cudaEventElapsedTime(&ms, before, timing));
  printf("elapsed %d\n", ms >= 0);
  printf("no timing: %s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, before, after)));
  cudaEvent_t never;
  CHECK(cudaEventCreate(&never));
  printf("unrecorded: %s, query %s, synchronize %s\n",
         cudaGetErrorName(cudaEventElapsedTime(&ms, before, never)), cudaGetErrorName(cudaEventQuery(never)),
         cudaGetErrorName(cudaEventSynchronize(never)));
  cudaGetLastError();
  // Copies in several streams, and a stream for each thread.
  for (int i = 0; i < 4; ++i) host[i] = 10 * i;
  CHECK(cudaMemcpyAsync(value, host, 4 * sizeof(int), cudaMemcpyHostToDevice, a));
  step<<<1, 1, 0, a>>>(value + 3, 2, 2);
  CHECK(cudaMemcpyAsync(host, value + 3, sizeof(int), cudaMemcpyDeviceToHost, a));
  CHECK(cudaMemsetAsync(value, 0, sizeof(int), a));
  CHECK(cudaStreamSynchronize(a));
  printf("copies %d\n", host[0]);
  step<<<1, 1, 0, cudaStreamPerThread>>>(value + 1, 1, 1);
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  step<<<1, 1, 0, cudaStreamLegacy>>>(value + 1, 1, 1);
  CHECK(cudaMemcpy(host, value + 1, sizeof(int), cudaMemcpyDeviceToHost));
  printf("named streams %d\n", host[0]);
  for (cudaEvent_t e : {before, after, timing, never}) CHECK(cudaEventDestroy(e));
  for (cudaStream_t s : {a, b, c}) CHECK(cudaStreamDestroy(s));
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
