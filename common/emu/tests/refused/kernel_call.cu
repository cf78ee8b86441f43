// A kernel must be launched; any other function must be called.
__global__ void kernel(int* x) { *x = 1; }
void host(int* x) { *x = 1; }

int main() {
  int* x = nullptr;
  kernel<<<1, 1>>>(x);
  host(x);
  kernel(x);           // error
  host<<<1, 1>>>(x);   // error
}
