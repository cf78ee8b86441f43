// The functions of std::array and similar classes are constexpr, but they are host functions.
#include <array>
#include <complex>
#include <cuda/std/array>
#include <optional>
#include <utility>
struct Own { int array[4]; int size() const; };
__global__ void kernel(std::array<int, 4> numbers, std::complex<float> z, std::optional<int> maybe, std::pair<int, int> two, int* out, const Own own) {
  cuda::std::array<int, 4> right{};
  right[1] = two.first + own.array[2] + sizeof(numbers[0]);
  out[0] = right[1];
  std::array<int, 4> local{};
  memcpy(out + 5, &local, sizeof local);
  out[1] = numbers[1];             // error
  out[2] = numbers.size();         // error
  local[1] = 2;                    // error
  out[3] = z.real();               // error
  std::complex<float> other;       // error
  out[4] = maybe.has_value();      // error
}
template <class T>
__global__ void no_instance(std::array<T, 4> numbers, T* out) {
  *out = numbers[1];
}
int main() {}
