// The runtime API's functions for managed memory: advice, prefetches, and their attributes.
#include <vector>

#include "device.hpp"
#include "errors.hpp"
#include "memory.hpp"
#include "memory_advice.hpp"
#include "stream.hpp"
#include "symbols.hpp"

using namespace cuemu;

namespace {

/// Returns whether the whole range is managed memory: an allocation, or a variable.
bool is_managed(const void* begin, std::size_t bytes) {
  if (bytes == 0) return false;
  Allocation found;
  if (find_allocation(begin, found))
    return found.kind == MemoryKind::managed &&
           reinterpret_cast<std::uintptr_t>(begin) - found.begin + bytes <= found.bytes;
  const auto* const last = static_cast<const unsigned char*>(begin) + bytes - 1;
  return symbol_kind(begin) == SymbolKind::managed && symbol_kind(last) == SymbolKind::managed;
}

bool is_place(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice ? location.id >= 0 && location.id < device_count()
                                                    : location.type >= cudaMemLocationTypeHost &&
                                                          location.type <= cudaMemLocationTypeHostNumaCurrent;
}

/// Converts a location to the single number by which the attributes of CUDA 8 describe it.
int number_of(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) return location.id;
  return location.type == cudaMemLocationTypeInvalid ? cudaInvalidDeviceId : cudaCpuDeviceId;
}

cudaError_t get_attribute(void* data, std::size_t bytes, cudaMemRangeAttribute attribute,
                          const MemoryAdvice& known) {
  auto* const numbers = static_cast<int*>(data);
  if (data == nullptr || bytes < sizeof(int) || bytes % sizeof(int) != 0) return cudaErrorInvalidValue;
  if (attribute == cudaMemRangeAttributeAccessedBy) {
    std::vector<int> devices;
    if (known.accessed_by_host) devices.push_back(cudaCpuDeviceId);
    for (int device = 0; device < device_count(); ++device)
      if ((known.accessed_by >> device & 1u) != 0) devices.push_back(device);
    devices.resize(bytes / sizeof(int), cudaInvalidDeviceId);
    std::copy(devices.begin(), devices.end(), numbers);
    return cudaSuccess;
  }
  if (bytes != sizeof(int)) return cudaErrorInvalidValue;
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *numbers = known.read_mostly ? 1 : 0;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
      *numbers = number_of(known.preferred);
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
      *numbers = number_of(known.prefetched);
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationType:
      *numbers = known.preferred.type;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationId:
      *numbers = known.preferred.id;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      *numbers = known.prefetched.type;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      *numbers = known.prefetched.id;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

extern "C" {

cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, struct cudaMemLocation location,
                                 unsigned int, cudaStream_t stream) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (!is_managed(devPtr, count)) return remember(cudaErrorInvalidValue);
  if (!is_place(location)) return remember(cudaErrorInvalidDevice);
  if (stream_of(stream) == nullptr) return remember(cudaErrorInvalidResourceHandle);
  note_prefetch(reinterpret_cast<std::uintptr_t>(devPtr), count, location);
  return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void* devPtr, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (!is_managed(devPtr, count)) return remember(cudaErrorInvalidValue);
  const bool names_place =
      advice == cudaMemAdviseSetPreferredLocation || advice >= cudaMemAdviseSetAccessedBy;
  if (names_place && !is_place(location)) return remember(cudaErrorInvalidDevice);
  return remember(advise(reinterpret_cast<std::uintptr_t>(devPtr), count, advice, location));
}

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* dataSizes, enum cudaMemRangeAttribute* attributes,
                                      size_t numAttributes, const void* devPtr, size_t count) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (data == nullptr || dataSizes == nullptr || attributes == nullptr || numAttributes == 0 ||
      !is_managed(devPtr, count))
    return remember(cudaErrorInvalidValue);
  const MemoryAdvice known = advice_on(reinterpret_cast<std::uintptr_t>(devPtr), count);
  for (size_t i = 0; i < numAttributes; ++i)
    if (const cudaError_t error = get_attribute(data[i], dataSizes[i], attributes[i], known);
        error != cudaSuccess)
      return remember(error);
  return cudaSuccess;
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t dataSize, enum cudaMemRangeAttribute attribute,
                                     const void* devPtr, size_t count) {
  return cudaMemRangeGetAttributes(&data, &dataSize, &attribute, 1, devPtr, count);
}
}
