// Memory pools and allocation in the order of a stream.
#include <cstdint>
#include <cstdio>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

__global__ void iota(int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = i;
}
__global__ void add_up(const int* in, int n, int* out) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *out = sum;
}

uint64_t attribute(cudaMemPool_t pool, cudaMemPoolAttr attr) {
  uint64_t value = 0;
  CHECK(cudaMemPoolGetAttribute(pool, attr, &value));
  return value;
}

int main() {
  constexpr int n = 1 << 20;
  cudaStream_t stream;
  int* result;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocManaged(&result, sizeof(int)));

  for (int round = 0; round < 3; ++round) {
    int* data = nullptr;
    CHECK(cudaMallocAsync(&data, n * sizeof(int), stream));
    iota<<<1, 256, 0, stream>>>(data, n);
    add_up<<<1, 1, 0, stream>>>(data, 1000, result);
    CHECK(cudaFreeAsync(data, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("round %d: %d\n", round, *result);
  }

  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 0;
  cudaMemPool_t pool, standard, current;
  CHECK(cudaMemPoolCreate(&pool, &props));
  CHECK(cudaDeviceGetDefaultMemPool(&standard, 0));
  CHECK(cudaDeviceGetMemPool(&current, 0));
  printf("the device uses its own pool: %d\n", current == standard);
  uint64_t threshold = UINT64_MAX;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  printf("threshold kept: %d\n", attribute(pool, cudaMemPoolAttrReleaseThreshold) == UINT64_MAX);
  int *a, *b;
  CHECK(cudaMallocFromPoolAsync(&a, 4 << 20, pool, stream));
  CHECK(cudaMallocFromPoolAsync(&b, 2 << 20, pool, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("used: %llu MiB\n", (unsigned long long)(attribute(pool, cudaMemPoolAttrUsedMemCurrent) >> 20));
  CHECK(cudaFreeAsync(b, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("used after a free: %llu MiB, at most %llu MiB\n",
         (unsigned long long)(attribute(pool, cudaMemPoolAttrUsedMemCurrent) >> 20),
         (unsigned long long)(attribute(pool, cudaMemPoolAttrUsedMemHigh) >> 20));
  printf("reserved is at least used: %d\n", attribute(pool, cudaMemPoolAttrReservedMemCurrent) >=
                                                attribute(pool, cudaMemPoolAttrUsedMemCurrent));
  CHECK(cudaFreeAsync(a, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemPoolTrimTo(pool, 0));
  printf("reserved after trimming: %llu\n",
         (unsigned long long)attribute(pool, cudaMemPoolAttrReservedMemCurrent));
  CHECK(cudaDeviceSetMemPool(0, pool));
  CHECK(cudaMallocAsync(&a, 1 << 20, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("now the device's: %llu MiB\n",
         (unsigned long long)(attribute(pool, cudaMemPoolAttrUsedMemCurrent) >> 20));
  CHECK(cudaFree(a));
  CHECK(cudaDeviceSetMemPool(0, standard));
  CHECK(cudaMemPoolDestroy(pool));
  int second = 0;
  for (int round = 0; round < 100; ++round) {
    CHECK(cudaMallocAsync(&a, 1 << 10, stream));
    CHECK(cudaFreeAsync(a, stream));
    second += cudaFreeAsync(a, stream) == cudaErrorInvalidValue;  // also if the stream has not reached the free
    CHECK(cudaStreamSynchronize(stream));
  }
  printf("freed a second time: refused %d times of 100\n", second);
  printf("%s\n", cudaGetErrorName(cudaFreeAsync(nullptr, stream)));
  cudaGetLastError();
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
