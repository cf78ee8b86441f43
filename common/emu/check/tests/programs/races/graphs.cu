// Nodes of graphs that are captured, or made by hand.
#include "../pair.cuh"

// Two branches of a captured graph: without a join the second kernel does not wait for the first.
// pair: captured_branches
// exact: race @write,@read data
// contains: nodes of a graph run at the same time
// hint: nodes of a graph run at the same time unless one depends on the other: add the edge
__global__ void produce(int* data) {
  data[threadIdx.x] = 1;  // @write
}
__global__ void consume(const int* data, int* out) {
  out[threadIdx.x] = data[threadIdx.x];  // @read
}
PAIR(captured_branches) {
  const Zeros<int> data(32), out(32);
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaGraph_t graph;
  cudaGraphExec_t launchable;
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  if (wrong) cudaEventRecord(fork, first);
  produce<<<1, 32, 0, first>>>(data);
  if (!wrong) cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork, 0);
  consume<<<1, 32, 0, second>>>(data, out);
  cudaEventRecord(join, second);
  cudaStreamWaitEvent(first, join, 0);
  cudaStreamEndCapture(first, &graph);
  cudaGraphInstantiate(&launchable, graph, 0);
  cudaGraphLaunch(launchable, first);
  cudaGraphLaunch(launchable, first);
  cudaStreamSynchronize(first);
  cudaGraphExecDestroy(launchable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
}

// A graph, and a stream that runs at the same time.
// pair: graph_and_stream
// exact: race @make,@use data
__global__ void make(int* data) {
  data[threadIdx.x] = 1;  // @make
}
__global__ void use(const int* data, int* out) {
  out[threadIdx.x] = data[threadIdx.x];  // @use
}
PAIR(graph_and_stream) {
  const Zeros<int> data(32), out(32);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaGraph_t graph;
  cudaGraphExec_t launchable;
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  make<<<1, 32, 0, first>>>(data);
  cudaStreamEndCapture(first, &graph);
  cudaGraphInstantiate(&launchable, graph, 0);
  cudaGraphLaunch(launchable, first);
  use<<<1, 32, 0, wrong ? second : first>>>(data, out);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(launchable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
