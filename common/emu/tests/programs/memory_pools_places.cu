// Memory pools of host and managed memory: locations, allocations, and calls that CUDA refuses.
#include <cstdio>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = (call);                                                       \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

__global__ void add_index(int* data, int by) { data[threadIdx.x] += by * static_cast<int>(threadIdx.x); }

cudaMemPoolProps properties(cudaMemAllocationType type, cudaMemLocationType where, int id) {
  cudaMemPoolProps props = {};
  props.allocType = type;
  props.location.type = where;
  props.location.id = id;
  return props;
}

const char* kind_of(const void* memory) {
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, memory));
  return attributes.type == cudaMemoryTypeHost      ? "host"
         : attributes.type == cudaMemoryTypeManaged ? "managed"
         : attributes.type == cudaMemoryTypeDevice  ? "device"
                                                    : "unregistered";
}

unsigned long long used(cudaMemPool_t pool) {
  unsigned long long bytes = 0;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
  return bytes;
}

/// Memory that the host fills, a kernel changes, and the host reads without a copy.
void use(const char* name, const cudaMemPoolProps& props, cudaStream_t stream) {
  cudaMemPool_t pool;
  CHECK(cudaMemPoolCreate(&pool, &props));
  cudaMemAccessDesc access = {};
  access.location.type = cudaMemLocationTypeDevice;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  cudaMemAccessFlags before, flags;
  CHECK(cudaMemPoolGetAccess(&before, pool, &access.location));
  CHECK(cudaMemPoolSetAccess(pool, &access, 1));
  CHECK(cudaMemPoolGetAccess(&flags, pool, &access.location));
  int* data = nullptr;
  CHECK(cudaMallocFromPoolAsync(&data, 64 * sizeof(int), pool, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 64; ++i) data[i] = 1000 + i;
  add_index<<<1, 64, 0, stream>>>(data, 2);
  CHECK(cudaStreamSynchronize(stream));
  printf("%s: %s memory, %d and %d, access of the device: %d, then %d, used: %d\n", name, kind_of(data), data[1],
         data[63], before, flags, used(pool) >= 64 * sizeof(int));
  CHECK(cudaFreeAsync(data, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("  used after the free: %llu\n", used(pool));
  CHECK(cudaMallocFromPoolAsync(&data, 64 * sizeof(int), pool, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(data));
  CHECK(cudaMemPoolDestroy(pool));
}

void refuse(const char* what, cudaMemPoolProps props) {
  cudaMemPool_t pool = nullptr;
  printf("%s: %s\n", what, cudaGetErrorName(cudaMemPoolCreate(&pool, &props)));
  cudaGetLastError();
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int host_pools = 0;
  CHECK(cudaDeviceGetAttribute(&host_pools, cudaDevAttrHostMemoryPoolsSupported, 0));
  printf("host pools: %d\n", host_pools);
  use("host", properties(cudaMemAllocationTypePinned, cudaMemLocationTypeHost, 0), stream);
  use("node of the host", properties(cudaMemAllocationTypePinned, cudaMemLocationTypeHostNuma, 0), stream);
  use("managed, at no place", properties(cudaMemAllocationTypeManaged, cudaMemLocationTypeNone, 0), stream);
  use("managed, at a device", properties(cudaMemAllocationTypeManaged, cudaMemLocationTypeDevice, 0), stream);

  cudaMemLocation host = {};
  host.type = cudaMemLocationTypeHost;
  cudaMemPool_t standard, now, mine;
  CHECK(cudaMemGetDefaultMemPool(&standard, &host, cudaMemAllocationTypePinned));
  const cudaMemPoolProps props = properties(cudaMemAllocationTypePinned, cudaMemLocationTypeHost, 0);
  CHECK(cudaMemPoolCreate(&mine, &props));
  CHECK(cudaMemSetMemPool(&host, cudaMemAllocationTypePinned, mine));
  CHECK(cudaMemGetMemPool(&now, &host, cudaMemAllocationTypePinned));
  printf("the host's: %d, not %d\n", now == mine, now == standard);
  printf("as a device's: %s\n", cudaGetErrorName(cudaDeviceSetMemPool(0, mine)));
  cudaGetLastError();
  CHECK(cudaMemPoolDestroy(mine));
  CHECK(cudaMemGetMemPool(&now, &host, cudaMemAllocationTypePinned));
  printf("again the first: %d\n", now == standard);

  refuse("the present node", properties(cudaMemAllocationTypePinned, cudaMemLocationTypeHostNumaCurrent, 0));
  refuse("no place", properties(cudaMemAllocationTypePinned, cudaMemLocationTypeNone, 0));
  refuse("no type", properties(cudaMemAllocationTypeInvalid, cudaMemLocationTypeHost, 0));
  cudaMemPoolProps shared = props;
  shared.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  refuse("a host's for other processes", shared);
  cudaMemPoolProps limited = properties(cudaMemAllocationTypeManaged, cudaMemLocationTypeDevice, 0);
  limited.maxSize = 1 << 20;
  refuse("a managed one with a limit", limited);
  CHECK(cudaStreamDestroy(stream));
}
