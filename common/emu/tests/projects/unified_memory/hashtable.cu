// Open addressing hash table in unified memory: kernels insert and count with atomicCAS, the host looks up.
#include <cstdint>
#include <cstdio>
#include <unordered_map>
#include <vector>
#include "managed.h"

struct KeyValue { uint32_t key, value; };
constexpr uint32_t kEmpty = 0xffffffff;

template <uint32_t Capacity>
class HashTable : public Managed {
  static_assert((Capacity & (Capacity - 1)) == 0, "a power of two");
 public:
  HashTable() { cudaMemset(slots, 0xff, sizeof slots); cudaDeviceSynchronize(); used = 0; }
  // 32 bit Murmur3 hash
  __host__ __device__ static uint32_t hash(uint32_t k) {
    k ^= k >> 16;
    k *= 0x85ebca6b;
    k ^= k >> 13;
    k *= 0xc2b2ae35;
    k ^= k >> 16;
    return k & (Capacity - 1);
  }
  __device__ bool increment(uint32_t key, uint32_t by) {
    uint32_t slot = hash(key);
    for (uint32_t tries = 0; tries < Capacity; ++tries) {
      const uint32_t prev = atomicCAS(&slots[slot].key, kEmpty, key);
      if (prev == kEmpty || prev == key) {
        if (prev == kEmpty) {
          atomicAdd(&used, 1u);
          atomicExch(&slots[slot].value, 0u);
          __threadfence();
          atomicExch(&ready[slot], 1u);
        }
        while (atomicAdd(&ready[slot], 0u) == 0u) {
        }
        atomicAdd(&slots[slot].value, by);
        return true;
      }
      slot = (slot + 1) & (Capacity - 1);
    }
    return false;
  }
  __host__ __device__ uint32_t find(uint32_t key) const {
    for (uint32_t slot = hash(key);; slot = (slot + 1) & (Capacity - 1)) {
      if (slots[slot].key == key) return slots[slot].value;
      if (slots[slot].key == kEmpty) return 0;
    }
  }
  KeyValue slots[Capacity];
  uint32_t ready[Capacity] = {};
  uint32_t used;
};
using Table = HashTable<4096>;

__global__ void count(Table *table, const uint32_t *keys, int n, int *failures) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    if (!table->increment(keys[i], 1)) atomicAdd(failures, 1);
}
__global__ void lookup(const Table *table, const uint32_t *keys, uint32_t *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = table->find(keys[i]);
}

int main() {
  const int n = 20000;
  uint32_t *keys, *values;
  int *failures;
  cudaMallocManaged(&keys, n * sizeof(uint32_t));
  cudaMallocManaged(&values, n * sizeof(uint32_t));
  cudaMallocManaged(&failures, sizeof(int));
  *failures = 0;
  std::unordered_map<uint32_t, uint32_t> expected;
  uint64_t s = 99;
  for (int i = 0; i < n; ++i) {
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    keys[i] = static_cast<uint32_t>(s >> 33) % 2500 * 1000003u;
    ++expected[keys[i]];
  }
  Table *table = new Table;
  cudaMemPrefetchAsync(keys, n * sizeof(uint32_t), cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0);
  count<<<8, 128>>>(table, keys, n, failures);
  lookup<<<(n + 127) / 128, 128>>>(table, keys, values, n);
  const cudaError_t e = cudaDeviceSynchronize();
  int wrong = *failures;
  for (int i = 0; i < n; ++i) wrong += values[i] != expected[keys[i]];
  for (auto &[key, times] : expected) wrong += table->find(key) != times;
  printf("%u keys, %zu expected, %d wrong, %s\n", table->used, expected.size(), wrong, cudaGetErrorString(e));
  delete table;
  cudaFree(keys);
  cudaFree(values);
  cudaFree(failures);
  return wrong != 0;
}
