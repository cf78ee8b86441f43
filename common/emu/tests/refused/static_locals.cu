// A static variable of a device function has a value that is known when it is compiled.
__device__ int count() {
  static int calls = 0;
  return ++calls;
}
__device__ int begin(int x) {
  static int first = x;  // error
  return x;
}
