// A kernel can't be inlined.
__global__ void right() {}
inline __global__ void inlined() {}  // warning
int main() {
  right<<<1, 1>>>();
}
