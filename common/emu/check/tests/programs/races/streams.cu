// Order between streams: launches that access the same memory in streams that run at the same time.
#include "../pair.cuh"

__global__ void fill(int* data, int value) {
  data[threadIdx.x] = value;
}
__global__ void sum(const int* data, int* out) {
  atomicAdd(out, data[threadIdx.x]);
}

struct Streams {
  explicit Streams(unsigned flags = cudaStreamDefault) {
    cudaStreamCreateWithFlags(&first, flags);
    cudaStreamCreateWithFlags(&second, flags);
    cudaEventCreate(&event);
  }
  ~Streams() {
    cudaDeviceSynchronize();
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaEventDestroy(event);
  }
  cudaStream_t first, second;
  cudaEvent_t event;
};

// One stream writes the memory, and another one reads it.
// pair: two_streams
// exact: race @write,@read data
// contains: kernels produce and consume touch data[0] with no order between them
// contains: kernel produce was launched at
__global__ void produce(int* data) {
  data[threadIdx.x] = 1;  // @write
}
__global__ void consume(const int* data, int* out) {
  out[threadIdx.x] = data[threadIdx.x];  // @read
}
PAIR(two_streams) {
  const Streams streams;
  const Zeros<int> data(32), out(32);
  produce<<<1, 32, 0, streams.first>>>(data);
  consume<<<1, 32, 0, wrong ? streams.second : streams.first>>>(data, out);
}

// An event orders the two streams if the second one waits for the event.
// pair: event_not_waited_for
// exact: race @write,@read data
__global__ void produce2(int* data) {
  data[threadIdx.x] = 1;  // @write
}
__global__ void consume2(const int* data, int* out) {
  out[threadIdx.x] = data[threadIdx.x];  // @read
}
PAIR(event_not_waited_for) {
  const Streams streams;
  const Zeros<int> data(32), out(32);
  produce2<<<1, 32, 0, streams.first>>>(data);
  cudaEventRecord(streams.event, streams.first);
  if (!wrong) cudaStreamWaitEvent(streams.second, streams.event, 0);
  consume2<<<1, 32, 0, streams.second>>>(data, out);
}

// An event that is recorded before the launch does not order the launch.
// pair: event_too_soon
// exact: race @write,@read data
__global__ void produce3(int* data) {
  data[threadIdx.x] = 1;  // @write
}
__global__ void consume3(const int* data, int* out) {
  out[threadIdx.x] = data[threadIdx.x];  // @read
}
PAIR(event_too_soon) {
  const Streams streams;
  const Zeros<int> data(32), out(32);
  if (wrong) cudaEventRecord(streams.event, streams.first);
  produce3<<<1, 32, 0, streams.first>>>(data);
  if (!wrong) cudaEventRecord(streams.event, streams.first);
  cudaStreamWaitEvent(streams.second, streams.event, 0);
  consume3<<<1, 32, 0, streams.second>>>(data, out);
}

// The default stream and blocking streams wait for each other, but not for a non-blocking one.
// pair: non_blocking_stream
// exact: race @write,@read data
// contains: cudaStreamNonBlocking does not wait for the default stream
// hint: a stream made with cudaStreamNonBlocking does not wait for the default stream: use one stream for
__global__ void produce4(int* data) {
  data[threadIdx.x] = 1;  // @write
}
__global__ void consume4(const int* data, int* out) {
  out[threadIdx.x] = data[threadIdx.x];  // @read
}
PAIR(non_blocking_stream) {
  const Streams streams(wrong ? cudaStreamNonBlocking : cudaStreamDefault);
  const Zeros<int> data(32), out(32);
  produce4<<<1, 32>>>(data);
  consume4<<<1, 32, 0, streams.first>>>(data, out);
}

// If host code waits for one stream, this orders nothing in another stream.
// pair: waited_for_the_wrong_stream
// exact: race @write,@read data
__global__ void produce5(int* data) {
  data[threadIdx.x] = 1;  // @write
}
__global__ void consume5(const int* data, int* out) {
  out[threadIdx.x] = data[threadIdx.x];  // @read
}
PAIR(waited_for_the_wrong_stream) {
  const Streams streams;
  const Zeros<int> data(32), out(32);
  produce5<<<1, 32, 0, streams.first>>>(data);
  cudaStreamSynchronize(wrong ? streams.second : streams.first);
  consume5<<<1, 32, 0, streams.second>>>(data, out);
}

// cudaMemset returns before it has ended, and only the default stream waits for it.
// pair: memset_and_stream
// exact: race @memset,@add data
// contains: a memset and kernel count touch data[0]
__global__ void count(int* data) {
  atomicAdd(data, 1);  // @add
}
PAIR(memset_and_stream) {
  const Streams streams(cudaStreamNonBlocking);
  int* data;
  cudaMalloc(&data, sizeof(int));
  cudaMemset(data, 0, sizeof(int));  // @memset
  if (!wrong) cudaDeviceSynchronize();
  count<<<1, 32, 0, streams.first>>>(data);
  cudaDeviceSynchronize();
  cudaFree(data);
}

// Both launches only read, so they need no order. A launch that adds atomically needs none either.
// pair: readers_and_a_writer
// exact: race @again,@write data
__global__ void reader(int* data, int* out) {
  atomicAdd(out, data[threadIdx.x]);  // @again
}
__global__ void writer(int* data, bool wrong) {
  if (wrong) data[threadIdx.x] = 3;  // @write
}
PAIR(readers_and_a_writer) {
  const Streams streams;
  const Zeros<int> data(32), out(1);
  reader<<<1, 32, 0, streams.first>>>(data, out);
  reader<<<1, 32, 0, streams.second>>>(data, out);
  if (!wrong) cudaStreamSynchronize(streams.first);
  writer<<<1, 32, 0, streams.second>>>(data, wrong);
}

// Halves of one array in two streams: the second half begins too early.
// pair: overlapping_halves
// exact: race @half,@half data
// contains: two launches of kernel half touch data[31]
__global__ void half(int* data, int first) {
  data[first + threadIdx.x] = first;  // @half
}
PAIR(overlapping_halves) {
  const Streams streams;
  const Zeros<int> data(64);
  half<<<1, 32, 0, streams.first>>>(data, 0);
  half<<<1, 32, 0, streams.second>>>(data, wrong ? 31 : 32);
}
