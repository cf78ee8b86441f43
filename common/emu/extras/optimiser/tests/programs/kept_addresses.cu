// Addresses of a thread's own variables that outlive the reference parameter by which they were taken.
#include <cstdio>

__device__ float* address(float& a) {
  return &a;
}
__device__ const float* constant_address(const float& a) {
  return &a;
}

struct Sum {
  float& total;
  __device__ Sum(float& x) : total(x) {}
  __device__ void add(float x) { total += x; }
};

struct Plain {
  float& total;
  __device__ void add(float x) { total += x; }
};

struct Two {
  Plain first, second;
};

struct Scaled {
  float scale;
  float& total;
  __device__ Scaled(float s, float& x) : scale(s), total(x) {}
  __device__ void add(float x) { total += scale * x; }
};

struct Pointed {
  float* total;
  __device__ void add(float x) { *total += x; }
};
__device__ Pointed make(float& x) {
  return {&x};
}

struct Holder {
  float* held = nullptr;
  __device__ void hold(float& x) { held = &x; }
};
__device__ void keep(float*& p, float& x) {
  p = &x;
}

struct Stack {
  int* top;
  int values[4];
  __device__ void begin() { top = values; }
  __device__ void push(int x) { *top++ = x; }
};

__global__ void by_address(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float a = 0;
  float* p = address(a);
  s[t] = t;
  __syncthreads();
  *p += s[(t + 1) % 64];
  __syncthreads();
  out[t] = a * 100;
}

__global__ void by_constant_address(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float a = 0;
  const float* p = constant_address(a);
  s[t] = t;
  __syncthreads();
  a += s[(t + 1) % 64];
  __syncthreads();
  out[t] = *p;
}

__global__ void by_name(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float a = 0;
  float& name = a;
  float* p = &name;
  s[t] = t;
  __syncthreads();
  *p += s[(t + 2) % 64];
  __syncthreads();
  out[t] = a;
}

template <int Form>
__global__ void by_object(float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float sum = 0, other = 0;
  Sum direct(sum);
  Sum braced{sum};
  Sum listed = {sum};
  Sum named = Sum(sum);
  Plain plain{sum};
  Plain assigned = {sum};
  Plain made = Plain{sum};
  Scaled scaled(2, sum);
  Scaled second{2, other};
  for (int k = 1; k <= n; ++k) {
    s[t] = t;
    __syncthreads();
    const float x = s[(t + k) % 64];
    if (Form == 0) direct.add(x);
    if (Form == 1) braced.add(x);
    if (Form == 2) listed.add(x);
    if (Form == 3) named.add(x);
    if (Form == 4) plain.add(x);
    if (Form == 5) assigned.add(x);
    if (Form == 6) made.add(x);
    if (Form == 7) scaled.add(x);
    second.add(x);
    __syncthreads();
  }
  out[t] = sum + other / 1024;
}

__global__ void braced(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float sum = 0;
  Plain total{sum};
  for (int k = 1; k <= 3; ++k) {
    s[t] = t;
    __syncthreads();
    total.add(s[(t + k) % 64]);
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void nested(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float x = 0, y = 0, values[3] = {0, 0, 0};
  Plain two[2] = {{x}, {y}};
  Two both{{x}, {values[1]}};
  s[t] = t;
  __syncthreads();
  two[0].add(s[(t + 1) % 64]);
  two[1].add(s[(t + 2) % 64]);
  __syncthreads();
  both.first.add(1);
  both.second.add(s[63 - t]);
  __syncthreads();
  out[t] = x * 10000 + y * 100 + values[1];
}

__global__ void direct(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float sum = 0;
  Scaled total(2, sum);
  for (int k = 1; k <= 3; ++k) {
    s[t] = t;
    __syncthreads();
    total.add(s[(t + k) % 64]);
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void by_result(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float sum = 0;
  Pointed total = make(sum);
  s[t] = t;
  __syncthreads();
  total.add(s[(t + 1) % 64]);
  __syncthreads();
  out[t] = sum;
}

__global__ void by_holder(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float sum = 0;
  Holder h;
  h.hold(sum);
  s[t] = t;
  __syncthreads();
  *h.held += s[(t + 1) % 64];
  __syncthreads();
  out[t] = sum;
}

__global__ void by_argument(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float sum = 0;
  float* p;
  keep(p, sum);
  s[t] = t;
  __syncthreads();
  *p += s[(t + 1) % 64];
  __syncthreads();
  out[t] = sum;
}

__global__ void by_itself(float* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  Stack stack;
  stack.begin();
  s[t] = t;
  __syncthreads();
  stack.push(s[(t + 1) % 64]);
  __syncthreads();
  stack.push(s[(t + 2) % 64]);
  __syncthreads();
  out[t] = stack.values[0] * 100 + stack.values[1];
}

int main() {
  float* out;
  cudaMallocManaged(&out, 64 * sizeof(float));
  const auto print = [&](const char* what) {
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s:", what);
    for (int i = 0; i < 64; i += 9) printf(" %g", out[i]);
    printf(error == cudaSuccess ? "\n" : " %s\n", cudaGetErrorString(error));
  };
  by_address<<<1, 64>>>(out);
  print("by_address");
  by_constant_address<<<1, 64>>>(out);
  print("by_constant_address");
  by_name<<<1, 64>>>(out);
  print("by_name");
  by_object<0><<<1, 64>>>(out, 3);
  print("direct");
  by_object<1><<<1, 64>>>(out, 3);
  print("braced");
  by_object<2><<<1, 64>>>(out, 3);
  print("listed");
  by_object<3><<<1, 64>>>(out, 3);
  print("named");
  by_object<4><<<1, 64>>>(out, 3);
  print("plain");
  by_object<5><<<1, 64>>>(out, 3);
  print("assigned");
  by_object<6><<<1, 64>>>(out, 3);
  print("made");
  by_object<7><<<1, 64>>>(out, 3);
  print("scaled");
  braced<<<1, 64>>>(out);
  print("braced alone");
  nested<<<1, 64>>>(out);
  print("nested");
  direct<<<1, 64>>>(out);
  print("direct alone");
  by_result<<<1, 64>>>(out);
  print("by_result");
  by_holder<<<1, 64>>>(out);
  print("by_holder");
  by_argument<<<1, 64>>>(out);
  print("by_argument");
  by_itself<<<1, 64>>>(out);
  print("by_itself");
}
