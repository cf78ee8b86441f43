// Kernels can call lambdas of device code. A lambda of host code needs a specifier and --extended-lambda.
template <class F> __global__ void apply(F f, int* x) { *x = f(1); }
struct Add { __device__ int operator()(int x) const { return x + 1; } };

__global__ void kernel(int* x) {
  auto right = [=](int y) { return y + *x; };
  *x = right(1);
}
int main() {
  int* x = nullptr;
  apply<<<1, 1>>>(Add(), x);
  [[maybe_unused]] auto host = [](int y) { return y + 1; };
  apply<<<1, 1>>>(host, x);                             // error
  apply<<<1, 1>>>([] __device__(int y) { return y; }, x);  // error
}
