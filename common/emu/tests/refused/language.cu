// Keywords and forms of the language that device code can't use.
#include <cstdlib>
#include <vector>

int host(int x);
extern const char* const title;

__device__ int elsewhere;

template <auto N> __global__ void of_number(int* x) { *x = N; }

__global__ void kernel(int* x, std::vector<int> numbers) {
  int (*function)(int) = host;                         // error
  *x = title[0];                                       // error
  *x = __ballot(1);                                    // error anywhere
  *x = __shfl_down(*x, 1);                             // error anywhere
  if (*x) abort();                                     // error
  int x = 2;                                           // error
  extern __device__ int elsewhere;
  *x += elsewhere;
  *x += numbers[0];                                    // error
}

__host__ __device__ void both() {
  std::vector<int> numbers(3);                         // warning
}
int main() {
  of_number<3><<<1, 1>>>(nullptr);
  both();
}
