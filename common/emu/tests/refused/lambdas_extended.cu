// emucc: --extended-lambda
// Mistakes in lambdas with a specifier.
template <class F> __global__ void apply(F f, int* x) { *x = f(1); }
int twice(int x) { return 2 * x; }

int main() {
  int* x = nullptr;
  int n = 1;
  int list[2] = {1, 2};
  apply<<<1, 1>>>([=] __device__(int y) { return y + n + list[0]; }, x);
  apply<<<1, 1>>>([&] __device__(int y) { return y + n; }, x);        // error
  apply<<<1, 1>>>([=] __device__(int y) { return twice(y); }, x);     // error
  return twice(list[1]);
}
