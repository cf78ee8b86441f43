// The places where a device variable may be declared.
struct Holder {
  int value;
  __device__ int member;           // warning
  __shared__ int shared_member;    // warning
};
__device__ int right;
__constant__ int constant;
__global__ void kernel(int* x) {
  *x = right + constant;
  __constant__ int local_constant;  // error
  __device__ int local_device;      // error
}
void host() {
  __shared__ int shared_of_host;    // error
}
