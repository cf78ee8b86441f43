// Device code can't use thread_local variables.
thread_local int of_host;
__global__ void kernel(int* x) {
  int right = 1;
  *x = right;
  *x += of_host;                 // error
  thread_local int own = 1;      // error
}
