// Device code can't convert an object by a host function.
struct Flag {
  bool value;
  operator bool() const { return value; }
};
struct Number {
  int value;
  operator int() const { return value; }
};
struct Ratio {
  int value;
  __host__ __device__ operator int() const { return value; }
};
__device__ int twice(int x) { return 2 * x; }
int on_host(Number n) { int x = n; return x + n; }

__global__ void kernel(int* x, Number n, Ratio r, Flag f) {
  int y = r;
  *x = y + r + twice(r) + n.value + f.value;
  if (r) ++*x;
  int z = n;            // error
  *x = n;               // error
  *x += n + 1;          // error
  *x += twice(n);       // error
  *x += static_cast<int>(n);  // error
  if (f) ++*x;          // error
  while (f) ++*x;       // error
  *x = f ? 1 : 2;       // error
  if (!f) ++*x;         // error
}
