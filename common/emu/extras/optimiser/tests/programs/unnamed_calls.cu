// Functions that run without a call by name: constructors, conversions, operators, destructors, default
// arguments. They use the thread's index, wait or count. Each thread runs each once; two threads print.
#include <cstdio>

namespace {

__device__ int made, gone;

// ---- constructors

struct Place {
  int thread;
  __device__ Place() : thread(threadIdx.x) {}
};
struct Holder {
  Place place;
};
struct Derived : Place {
  int twice;
  __device__ Derived() : twice(2 * thread) {}
};
using Alias = Place;

__global__ void no_barrier(int* out) {
  Place place;
  out[place.thread] = place.thread + 1;
}

__global__ void behind_barrier(int* out) {
  __shared__ int s[64];
  Place place;
  s[place.thread] = place.thread;
  __syncthreads();
  out[place.thread] = s[63 - place.thread];
}

__global__ void other_names(int* out) {
  Holder holder;
  Derived derived;
  Alias list[2];
  const auto made = Alias();
  out[holder.place.thread] = derived.twice + list[1].thread + made.thread;
}

template <class T>
__global__ void of_a_type(int* out) {
  T place;
  out[place.thread] = 3 * place.thread;
}

struct Numbers {
  unsigned state;
  __device__ explicit Numbers(unsigned seed) : state(seed + threadIdx.x) {}
  __device__ unsigned next() { return state += 7; }
};

__global__ void numbers(int* out, unsigned seed) {
  __shared__ unsigned s[64];
  Numbers mine(seed);
  const int t = threadIdx.x;
  s[t] = mine.next();
  __syncthreads();
  mine.state += s[63 - t];
  __syncthreads();
  out[t] = static_cast<int>(mine.next());
}

struct Waits {
  int neighbour;
  __device__ explicit Waits(int* s) {
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    neighbour = s[(threadIdx.x + 1) % 64];
  }
};

__global__ void waits(int* out) {
  __shared__ int s[64];
  Waits waits(s);
  out[threadIdx.x] = waits.neighbour;
}

// ---- conversions, operators, default arguments

struct Thread {
  __device__ operator int() const { return threadIdx.x; }
};

__global__ void converts(int* out) {
  Thread t;
  out[t] = t + 1;
}

struct View {
  int* data;
  __device__ int& operator[](int k) const { return data[k * 32 + threadIdx.x]; }
};

__global__ void viewed(View v) {
  v[0] = 3;
  v[1] = 4;
}

struct Lane {
  int value;
};
__device__ Lane operator<<(const Lane& lane, int by) {
  return {__shfl_down_sync(~0u, lane.value, by)};
}

__global__ void shifts(int* out) {
  Lane lane = {static_cast<int>(threadIdx.x)};
  lane = lane << 1;
  __syncthreads();
  out[threadIdx.x] = lane.value;
}

__device__ int at(int k, int t = threadIdx.x) {
  return k * 64 + t;
}

__global__ void by_default(int* out) {
  out[at(0)] = 5;
}

// ---- destructors

struct Counted {
  int mine = 0;
  __device__ Counted() { atomicAdd(&made, 1); }
  __device__ ~Counted() { atomicAdd(&gone, 1); }
};

__global__ void counts(int* out) {
  for (int i = 0; i < 3; ++i) {
    Counted one;
    __syncthreads();
    one.mine += i;
    __syncthreads();
    out[threadIdx.x] = one.mine;
  }
}

struct Restores {
  int* place;
  int before;
  __device__ Restores(int* place, int now) : place(place), before(*place) { *place = now; }
  __device__ ~Restores() { *place = before; }
};

__global__ void restores(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  {
    Restores restored(&s[t], 9);
    __syncthreads();
    restored.before += s[63 - t];
    __syncthreads();
  }
  __syncthreads();
  out[t] = s[63 - t];
}

void show(const char* what, int* out, int last = 63) {
  int h[64];
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%s: %d %d\n", what, h[0], h[last]);
  cudaMemset(out, 0, sizeof h);
}

}  // namespace

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof *out);
  cudaMemset(out, 0, 64 * sizeof *out);
  no_barrier<<<1, 64>>>(out);
  show("constructor", out);
  behind_barrier<<<1, 64>>>(out);
  show("constructor, behind a barrier", out);
  other_names<<<1, 64>>>(out);
  show("member, base, alias, array", out);
  of_a_type<Place><<<1, 64>>>(out);
  show("template", out);
  numbers<<<1, 64>>>(out, 5);
  show("numbers", out);
  waits<<<1, 64>>>(out);
  show("a constructor that waits", out);
  converts<<<1, 64>>>(out);
  show("conversion", out);
  viewed<<<1, 32>>>(View{out});
  show("index", out);
  shifts<<<1, 32>>>(out);
  show("operator that shuffles", out, 30);
  by_default<<<1, 64>>>(out);
  show("default argument", out);
  counts<<<1, 64>>>(out);
  int counted[2];
  cudaMemcpyFromSymbol(&counted[0], made, sizeof(int));
  cudaMemcpyFromSymbol(&counted[1], gone, sizeof(int));
  std::printf("made %d, gone %d\n", counted[0], counted[1]);
  restores<<<1, 64>>>(out);
  show("restored", out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(out);
}
