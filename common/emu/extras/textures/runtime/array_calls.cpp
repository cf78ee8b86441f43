// Arrays and copies to and from them.
#include "array_formats.hpp"
#include "arrays.hpp"
#include "cuemu/texture_api.hpp"
#include "errors.hpp"

#include <memory>

namespace cuemu {

std::size_t element_bytes(const cudaChannelFormatDesc& desc) {
  const int bits[] = {desc.x, desc.y, desc.z, desc.w};
  int channels = 0;
  while (channels < 4 && bits[channels] != 0) ++channels;
  for (int i = 0; i < 4; ++i)
    if (bits[i] != (i < channels ? desc.x : 0)) return 0;  // channels have equal sizes, without gaps
  const bool whole = desc.x == 8 || desc.x == 16 || desc.x == 32;
  if (!whole || channels == 0 || channels == 3 || desc.f == cudaChannelFormatKindNone) return 0;
  if (desc.f == cudaChannelFormatKindFloat && desc.x == 8) return 0;
  return static_cast<std::size_t>(channels) * static_cast<std::size_t>(desc.x) / 8;
}

namespace {

cudaError_t copy_to(cudaArray_t array, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                    std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                    Pace pace) {
  const Box box{width, height, 1};
  if (array == nullptr || from == nullptr || !fits(*array, x, y, 0, box))
    return remember(cudaErrorInvalidValue);
  if (pitch < width) return remember(cudaErrorInvalidPitchValue);
  const Place source{static_cast<unsigned char*>(const_cast<void*>(from)), pitch, pitch * height};
  return copy_box(place_in(*array, x, y, 0), source, box, kind, stream, pace);
}
cudaError_t copy_from(void* to, std::size_t pitch, cudaArray_const_t array, std::size_t x, std::size_t y,
                      std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                      Pace pace) {
  const Box box{width, height, 1};
  if (array == nullptr || to == nullptr || !fits(*array, x, y, 0, box))
    return remember(cudaErrorInvalidValue);
  if (pitch < width) return remember(cudaErrorInvalidPitchValue);
  return copy_box({static_cast<unsigned char*>(to), pitch, pitch * height}, place_in(*array, x, y, 0), box,
                  kind, stream, pace);
}

/// Whether `count` bytes from byte x of row y on are inside a two-dimensional array.
bool has_room(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t count) {
  return array != nullptr && y * array->pitch() + x + count <= array->bytes();
}

}  // namespace
}  // namespace cuemu

using namespace cuemu;

extern "C" {

cudaError_t cudaMalloc3DArray(cudaArray_t* result, const cudaChannelFormatDesc* desc, cudaExtent extent,
                              unsigned int flags) {
  if (result == nullptr || desc == nullptr || extent.width == 0) return remember(cudaErrorInvalidValue);
  if ((flags & cudaArrayLayered) == 0 && extent.depth != 0 && extent.height == 0)
    return remember(cudaErrorInvalidValue);
  // A cube has six square faces, and so has each layer of a layered cube.
  const bool faces =
      (flags & cudaArrayLayered) != 0 ? extent.depth % 6 == 0 && extent.depth != 0 : extent.depth == 6;
  if ((flags & cudaArrayCubemap) != 0 && (!faces || extent.width != extent.height))
    return remember(cudaErrorInvalidValue);
  const std::size_t element = element_bytes(*desc);
  if (element == 0) return remember(cudaErrorInvalidChannelDescriptor);
  auto array = std::make_unique<cudaArray>(cudaArray{*desc, extent, flags, nullptr, element});
  void* memory = nullptr;
  if (const cudaError_t error = cudaMalloc(&memory, array->bytes()); error != cudaSuccess) return error;
  array->data = static_cast<unsigned char*>(memory);
  *result = array.release();
  add_array(*result);
  return cudaSuccess;
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned int flags) {
  return cudaMalloc3DArray(array, desc, {width, height, 0}, flags);
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array == nullptr) return cudaSuccess;
  const cudaError_t error = cudaFree(array->data);
  if (error != cudaSuccess) return error;
  remove_array(array);
  delete array;
  return cudaSuccess;
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  if (array == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (desc != nullptr) *desc = array->desc;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  if (array == nullptr || desc == nullptr) return remember(cudaErrorInvalidValue);
  *desc = array->desc;
  return cudaSuccess;
}
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t spitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_to(dst, x, y, src, spitch, width, height, kind, nullptr, Pace::wait);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t spitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to(dst, x, y, src, spitch, width, height, kind, stream, Pace::queue);
}
cudaError_t cudaMemcpy2DFromArray(void* dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_from(dst, dpitch, src, x, y, width, height, kind, nullptr, Pace::wait);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return copy_from(dst, dpitch, src, x, y, width, height, kind, stream, Pace::queue);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t to_x, size_t to_y, cudaArray_const_t src,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
  const Box box{width, height, 1};
  if (src == nullptr || !fits(*src, from_x, from_y, 0, box)) return remember(cudaErrorInvalidValue);
  const Place from = place_in(*src, from_x, from_y, 0);
  return copy_to(dst, to_x, to_y, from.at, from.row, width, height, kind, nullptr, Pace::wait);
}
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t count,
                              cudaMemcpyKind kind) {
  if (!has_room(dst, x, y, count)) return remember(cudaErrorInvalidValue);
  return cudaMemcpy(place_in(*dst, x, y, 0).at, src, count, kind);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t count,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  if (!has_room(dst, x, y, count)) return remember(cudaErrorInvalidValue);
  return cudaMemcpyAsync(place_in(*dst, x, y, 0).at, src, count, kind, stream);
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t to_x, size_t to_y, cudaArray_const_t src,
                                   size_t from_x, size_t from_y, size_t count, cudaMemcpyKind kind) {
  if (!has_room(src, from_x, from_y, count)) return remember(cudaErrorInvalidValue);
  return cudaMemcpyToArray(dst, to_x, to_y, place_in(*src, from_x, from_y, 0).at, count, kind);
}
cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                cudaMemcpyKind kind) {
  if (!has_room(src, x, y, count)) return remember(cudaErrorInvalidValue);
  return cudaMemcpy(dst, place_in(*src, x, y, 0).at, count, kind);
}
cudaError_t cudaMemcpyFromArrayAsync(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  if (!has_room(src, x, y, count)) return remember(cudaErrorInvalidValue);
  return cudaMemcpyAsync(dst, place_in(*src, x, y, 0).at, count, kind, stream);
}
}
