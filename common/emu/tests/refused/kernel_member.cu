// A kernel can't be a member of a class.
struct Simulation {
  __device__ int step() const { return 1; }
  static int launches() { return 1; }
  __global__ void member(int* x) { *x = 1; }                // error
  static __global__ void static_member(int* x) { *x = 1; }  // error
  friend __global__ void friend_kernel(int* x) { *x = 1; }  // error
};

__global__ void right(Simulation simulation, int* x) { *x = simulation.step(); }
