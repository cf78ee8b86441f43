// printf's arguments must fit its format.
#include <cstdio>
__global__ void kernel(int n, float f, double d, size_t s, const char* text, int* p) {
  printf("%d %f %f %lu %s %p\n", n, f, d, s, text, p);
  printf("%d\n", f);       // warning
  printf("%f\n", n);       // warning
  printf("%d %d\n", n);    // warning
  printf("%d\n", n, n);    // warning
  printf("%s\n", n);       // warning
  printf("%d\n", s);       // warning
}
