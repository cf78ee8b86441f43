// emucc: --extended-lambda
// A lambda of device code can't use host functions or host variables.
#include <vector>
#include <string>
template <class F> __global__ void apply(F f, int* x) { *x = f(1); }
template <class F> void host_apply(F f, int* x) { apply<<<1, 1>>>(f, x); }
int limit = 3;
const int fixed = 4;
const int table[2] = {1, 2};
int sum() { return table[0] + limit; }
int twice(int x) { return 2 * x; }
struct Counted {
  int value = 0;
  Counted() {}
  Counted(const Counted& other) : value(other.value) {}
  int get() const { return value; }
};
struct Both {
  int value = 0;
  __host__ __device__ int get() const { return value; }
};
struct Object {
  int n = 1;
  int host_member() { return n; }
  __host__ __device__ int both_member() { return n; }
  void run(int* x) {
    apply<<<1, 1>>>([=] __device__(int y) { return y + n; }, x);
    apply<<<1, 1>>>([*this] __device__(int y) mutable { return y + both_member(); }, x);
    apply<<<1, 1>>>([=] __device__(int y) { return y + host_member(); }, x);  // error
  }
};
int main() {
  int* x = nullptr;
  std::vector<int> v(3);
  std::string s;
  Counted counted;
  Both both;
  int n = 1;
  static int counter = 0;
  apply<<<1, 1>>>([=] __device__(int y) { return y + both.get() + n + fixed; }, x);
  apply<<<1, 1>>>([=] __device__(int y) { return y + limit; }, x);  // error
  apply<<<1, 1>>>([=] __device__(int y) { return y + table[y]; }, x);  // error
  apply<<<1, 1>>>([=] __device__(int y) { return y + (int)v.size(); }, x);  // error
  apply<<<1, 1>>>([=] __device__(int y) { return y + v[0]; }, x);  // error
  apply<<<1, 1>>>([=] __device__(int y) { return y + counted.get(); }, x);  // error
  apply<<<1, 1>>>([=] __device__(int y) { return y + counted.value; }, x);
  apply<<<1, 1>>>([=] __device__(int y) { return y + counter; }, x);  // error
  apply<<<1, 1>>>([x] __device__(int y) { return twice(y); }, x);  // error
  apply<<<1, 1>>>([n = twice(n)] __device__(int y) { return y + n; }, x);
  { auto f = [=] __device__(int y) { return y + limit; }; host_apply(f, x); }  // error
  auto g = [=](int y) { return y + n; };
  *x = g(1);
  { auto h = [=] __device__(int y) { return g(y); }; host_apply(h, x); }  // error
  *x = counter;
}
