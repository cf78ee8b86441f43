// Host code can't call device functions.
__device__ int device(int x) { return x + 1; }
__host__ __device__ int both(int x) { return x + 1; }
struct Point {
  int x;
  __device__ int shifted() const { return x + 1; }
  __host__ __device__ int doubled() const { return 2 * x; }
};
__global__ void kernel(int* x) { *x = device(1) + Point{1}.shifted(); }

int main() {
  Point point{1};
  int x = both(1) + point.doubled();
  x += device(1);        // error
  x += point.shifted();  // error
  return x;
}
