// The layout of arrays and of pitched memory, and boxes in both. The calls that create arrays belong to an extra
// (../extras/textures).
#include "arrays.hpp"

#include <iterator>
#include <mutex>
#include <set>

#include "services.hpp"

namespace cuemu {

Place place_in(const cudaArray& array, std::size_t x, std::size_t y, std::size_t z) {
  const std::size_t slice = array.pitch() * array.height();
  return {array.data + z * slice + y * array.pitch() + x, array.pitch(), slice};
}

Place place_in(const cudaPitchedPtr& memory, const cudaPos& at) {
  const std::size_t slice = memory.pitch * memory.ysize;
  return {static_cast<unsigned char*>(memory.ptr) + at.z * slice + at.y * memory.pitch + at.x, memory.pitch,
          slice};
}

bool fits(const cudaArray& array, std::size_t x, std::size_t y, std::size_t z, const Box& box) {
  return x + box.width <= array.pitch() && y + box.height <= array.height() && z + box.depth <= array.depth();
}

namespace {

/// The handles that have not been freed.
struct Handles {
  std::mutex mutex;
  std::set<std::uintptr_t> begins;
};
Handles& handles() {
  static auto* const all = new Handles;
  return *all;
}

}  // namespace

void add_array(const cudaArray* array) {
  const std::lock_guard<std::mutex> lock(handles().mutex);
  handles().begins.insert(reinterpret_cast<std::uintptr_t>(array));
}
void remove_array(const cudaArray* array) {
  const std::lock_guard<std::mutex> lock(handles().mutex);
  handles().begins.erase(reinterpret_cast<std::uintptr_t>(array));
}
bool is_array(std::uintptr_t address) {
  const std::lock_guard<std::mutex> lock(handles().mutex);
  const auto after = handles().begins.upper_bound(address);
  return after != handles().begins.begin() && address - *std::prev(after) < sizeof(cudaArray);
}

cudaError_t boxes_of(const cudaMemcpy3DParms& p, Place& to, Place& from, Box& box) {
  const bool to_array = p.dstArray != nullptr, from_array = p.srcArray != nullptr;
  if ((!to_array && p.dstPtr.ptr == nullptr) || (!from_array && p.srcPtr.ptr == nullptr))
    return cudaErrorInvalidValue;
  const std::size_t element = to_array ? p.dstArray->element : from_array ? p.srcArray->element : 1;
  if (to_array && from_array && p.srcArray->element != element) return cudaErrorInvalidValue;
  box = {p.extent.width * element, p.extent.height, p.extent.depth};
  if (to_array && !fits(*p.dstArray, p.dstPos.x * element, p.dstPos.y, p.dstPos.z, box))
    return cudaErrorInvalidValue;
  if (from_array && !fits(*p.srcArray, p.srcPos.x * element, p.srcPos.y, p.srcPos.z, box))
    return cudaErrorInvalidValue;
  to = to_array ? place_in(*p.dstArray, p.dstPos.x * element, p.dstPos.y, p.dstPos.z)
                : place_in(p.dstPtr, p.dstPos);
  from = from_array ? place_in(*p.srcArray, p.srcPos.x * element, p.srcPos.y, p.srcPos.z)
                    : place_in(p.srcPtr, p.srcPos);
  return cudaSuccess;
}

}  // namespace cuemu
