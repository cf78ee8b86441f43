// The initial value of a static variable in a device function must be known at compile time.
__device__ int count() {
  static int calls = 0;
  return ++calls;
}
__device__ int begin(int x) {
  static int first = x;  // error
  return x;
}
