// emucc: -rdc=true
// Kernels launched from kernels: what the parent does after the launch is not ordered with its child.
#include "../pair.cuh"

__global__ void child(int* values) {
  values[threadIdx.x] += 5;  // child
}

// pair: child_is_not_waited_for
// contains: race: kernels parent and child touch values[1] with no order between
// hint: a grid that a kernel launches runs beside that kernel, up to the kernel's end: use what it makes in a
__global__ void use_child(int* values, int* out) {
  out[0] = values[1];
}
__global__ void parent(int* values, int* out, bool wrong) {
  values[0] = 3;
  child<<<1, 32>>>(values);
  if (wrong)
    out[0] = values[1];  // @use
  else
    use_child<<<1, 1, 0, cudaStreamTailLaunch>>>(values, out);
}
PAIR(child_is_not_waited_for) {
  const Zeros<int> values(32), out(1);
  parent<<<1, 1>>>(values, out, wrong);
}

// The launching thread's own writes are visible when the child begins. Those of other threads need a barrier.
// pair: others_have_not_written
// contains: race: kernels fill_and_launch and child touch values[
__global__ void fill_and_launch(int* values, bool wrong) {
  values[threadIdx.x] = threadIdx.x;  // @fill
  if (!wrong) __syncthreads();
  if (threadIdx.x == 0) child<<<1, 32>>>(values);
}
PAIR(others_have_not_written) {
  const Zeros<int> values(32);
  fill_and_launch<<<1, 32>>>(values, wrong);
}

// Grids of two blocks.
// pair: children_of_two_blocks
// contains: race: two launches of kernel child touch values[
// hint: grids that kernels launch run at the same time, unless one block launches them into one stream
__global__ void each_block(int* values, bool wrong) {
  if (threadIdx.x == 0) child<<<1, 32>>>(values + (wrong ? 0 : 32 * blockIdx.x));
}
PAIR(children_of_two_blocks) {
  const Zeros<int> values(64);
  each_block<<<2, 32>>>(values, wrong);
}

// One block launches two grids into one stream: the second one waits for the first, and a later kernel for both.
// pair: order_of_children
// contains: race: two launches of kernel child touch values[
__global__ void two_children(int* values, bool wrong) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  child<<<1, 32, 0, stream>>>(values);
  if (wrong)
    child<<<1, 32, 0, cudaStreamFireAndForget>>>(values);
  else
    child<<<1, 32, 0, stream>>>(values);
  cudaStreamDestroy(stream);
}
PAIR(order_of_children) {
  const Zeros<int> values(32);
  two_children<<<1, 1>>>(values, wrong);
  child<<<1, 32>>>(values);
}

// A child can't access its parent's local variables, nor its shared memory.
// pair: local_variable_for_a_child
// exact: wild-pointer @local -
// contains: kernel set_five gets a pointer to a local variable of the thread that launches it
// hint: a grid that a kernel launches can't reach local and shared memory of others: give it memory from cudaMalloc or a
__global__ void set_five(int* value) {
  *value = 5;
}
__global__ void with_local(int* out, bool wrong) {
  int local = 1;
  set_five<<<1, 1>>>(wrong ? &local : out);  // @local
  if (wrong) *out = local;
}
PAIR(local_variable_for_a_child) {
  const Zeros<int> out(1);
  with_local<<<1, 1>>>(out, wrong);
}

// pair: shared_memory_for_a_child
// contains: kernel set_five gets a pointer to shared memory of the block that launches it
__global__ void with_shared(int* out, bool wrong) {
  __shared__ int shared;
  set_five<<<1, 1>>>(wrong ? &shared : out);  // @shared
}
PAIR(shared_memory_for_a_child) {
  const Zeros<int> out(1);
  with_shared<<<1, 1>>>(out, wrong);
}
