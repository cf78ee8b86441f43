// Texture and surface functions for device code. Textures have a single level of detail. So functions with a
// level or with gradients read the same values as functions without.
#pragma once

#include "cuemu/texture_api.hpp"
#include "cuemu/texture_sampling.hpp"
#include "cuemu/thread.hpp"
#include "vector_functions.h"

/// The format of T, for cudaMallocArray and for textures of linear memory.
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Vector = cuemu::texture::Vector<T>;
  using Element = typename Vector::Element;
  const int bits = 8 * static_cast<int>(sizeof(Element));
  const cudaChannelFormatKind kind =
      std::is_integral_v<Element>
          ? (std::is_signed_v<Element> ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned)
          : cudaChannelFormatKindFloat;
  return {bits, Vector::count > 1 ? bits : 0, Vector::count > 2 ? bits : 0, Vector::count > 3 ? bits : 0,
          kind};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                                   size_t height = 0) {
  return ::cudaMallocArray(array, desc, width, height, 0);
}
inline cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                                     cudaExtent extent) {
  return ::cudaMalloc3DArray(array, desc, extent, 0);
}
inline cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                            cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                            size_t width, size_t height) {
  return ::cudaMemcpy2DArrayToArray(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height,
                                    cudaMemcpyDeviceToDevice);
}
inline cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                          size_t count, cudaMemcpyKind kind) {
  return ::cudaMemcpyToArrayAsync(dst, wOffset, hOffset, src, count, kind, nullptr);
}
inline cudaError_t cudaMemcpyFromArrayAsync(void* dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                            size_t count, cudaMemcpyKind kind) {
  return ::cudaMemcpyFromArrayAsync(dst, src, wOffset, hOffset, count, kind, nullptr);
}
inline cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                          cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                          size_t count) {
  return ::cudaMemcpyArrayToArray(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, count,
                                  cudaMemcpyDeviceToDevice);
}

/// \name Textures
/// @{
/// Returns element `x` of linear memory without filtering; zero beyond the memory's end.
template <class T>
inline T tex1Dfetch(const cudaTextureObject_t texture, const int x) {
  const cuemu::TextureState& state = cuemu::texture::state_of(texture);
  if (x < 0 || x >= state.memory.width) return T{};
  return cuemu::texture::element<T>(state, cuemu::texture::address(state.memory, x, 0, 0));
}
template <class T>
inline T tex1D(const cudaTextureObject_t texture, const float x) {
  return cuemu::texture::sample<T, 1>(texture, x, 0, 0);
}
template <class T>
inline T tex2D(const cudaTextureObject_t texture, const float x, const float y) {
  return cuemu::texture::sample<T, 2>(texture, x, y, 0);
}
template <class T>
inline T tex3D(const cudaTextureObject_t texture, const float x, const float y, const float z) {
  return cuemu::texture::sample<T, 3>(texture, x, y, z);
}
template <class T>
inline T tex1DLayered(const cudaTextureObject_t texture, const float x, const int layer) {
  return cuemu::texture::sample<T, 1>(texture, x, 0, 0, layer);
}
template <class T>
inline T tex2DLayered(const cudaTextureObject_t texture, const float x, const float y, const int layer) {
  return cuemu::texture::sample<T, 2>(texture, x, y, 0, layer);
}
/// Returns component `component` of the four elements that a filter would combine, anticlockwise from the
/// lower left.
template <class T>
inline T tex2Dgather(const cudaTextureObject_t texture, const float x, const float y,
                     const int component = 0) {
  using namespace cuemu::texture;
  using Element = typename Vector<T>::Element;
  struct Four {
    Element x, y, z, w;
  };
  const cuemu::TextureState& state = state_of(texture);
  const Axis across(state, 0, x, state.memory.width), down(state, 1, y, state.memory.height);
  float weight;
  const int i = across.lower(weight), j = down.lower(weight);
  const auto at = [&](const int right, const int below) {
    const Four four =
        element<Four>(state, address(state.memory, across.resolve(i + right), down.resolve(j + below), 0));
    return component == 0 ? four.x : component == 1 ? four.y : component == 2 ? four.z : four.w;
  };
  return T{at(0, 1), at(1, 1), at(1, 0), at(0, 0)};
}
template <class T>
inline T texCubemap(const cudaTextureObject_t texture, const float x, const float y, const float z) {
  return cuemu::texture::sample_cube<T>(texture, x, y, z);
}
template <class T>
inline T texCubemapLayered(const cudaTextureObject_t texture, const float x, const float y, const float z,
                           const int layer) {
  return cuemu::texture::sample_cube<T>(texture, x, y, z, layer);
}
template <class T>
inline T tex1DLayeredLod(const cudaTextureObject_t texture, const float x, const int layer, float) {
  return tex1DLayered<T>(texture, x, layer);
}
template <class T>
inline T tex2DLayeredLod(const cudaTextureObject_t texture, const float x, const float y, const int layer,
                         float) {
  return tex2DLayered<T>(texture, x, y, layer);
}
template <class T>
inline T texCubemapLod(const cudaTextureObject_t texture, const float x, const float y, const float z,
                       float) {
  return texCubemap<T>(texture, x, y, z);
}
template <class T>
inline T texCubemapLayeredLod(const cudaTextureObject_t texture, const float x, const float y, const float z,
                              const int layer, float) {
  return texCubemapLayered<T>(texture, x, y, z, layer);
}
template <class T>
inline T tex1DLayeredGrad(const cudaTextureObject_t texture, const float x, const int layer, float, float) {
  return tex1DLayered<T>(texture, x, layer);
}
template <class T>
inline T tex2DLayeredGrad(const cudaTextureObject_t texture, const float x, const float y, const int layer,
                          float2, float2) {
  return tex2DLayered<T>(texture, x, y, layer);
}
template <class T>
inline T texCubemapGrad(const cudaTextureObject_t texture, const float x, const float y, const float z,
                        float4, float4) {
  return texCubemap<T>(texture, x, y, z);
}
template <class T>
inline T texCubemapLayeredGrad(const cudaTextureObject_t texture, const float x, const float y, const float z,
                               const int layer, float4, float4) {
  return texCubemapLayered<T>(texture, x, y, z, layer);
}
template <class T>
inline T tex1DLod(const cudaTextureObject_t texture, const float x, float) {
  return tex1D<T>(texture, x);
}
template <class T>
inline T tex2DLod(const cudaTextureObject_t texture, const float x, const float y, float) {
  return tex2D<T>(texture, x, y);
}
template <class T>
inline T tex3DLod(const cudaTextureObject_t texture, const float x, const float y, const float z, float) {
  return tex3D<T>(texture, x, y, z);
}
template <class T>
inline T tex1DGrad(const cudaTextureObject_t texture, const float x, float, float) {
  return tex1D<T>(texture, x);
}
template <class T>
inline T tex2DGrad(const cudaTextureObject_t texture, const float x, const float y, float2, float2) {
  return tex2D<T>(texture, x, y);
}
template <class T>
inline T tex3DGrad(const cudaTextureObject_t texture, const float x, const float y, const float z, float4,
                   float4) {
  return tex3D<T>(texture, x, y, z);
}
// The forms with a pointer to the result.
template <class T>
inline void tex1Dfetch(T* const result, const cudaTextureObject_t texture, const int x) {
  *result = tex1Dfetch<T>(texture, x);
}
template <class T>
inline void tex1D(T* const result, const cudaTextureObject_t texture, const float x) {
  *result = tex1D<T>(texture, x);
}
template <class T>
inline void tex2D(T* const result, const cudaTextureObject_t texture, const float x, const float y) {
  *result = tex2D<T>(texture, x, y);
}
template <class T>
inline void tex3D(T* const result, const cudaTextureObject_t texture, const float x, const float y,
                  const float z) {
  *result = tex3D<T>(texture, x, y, z);
}
template <class T>
inline void tex1DLayered(T* const result, const cudaTextureObject_t texture, const float x, const int layer) {
  *result = tex1DLayered<T>(texture, x, layer);
}
template <class T>
inline void tex2DLayered(T* const result, const cudaTextureObject_t texture, const float x, const float y,
                         const int layer) {
  *result = tex2DLayered<T>(texture, x, y, layer);
}
template <class T>
inline void texCubemap(T* const result, const cudaTextureObject_t texture, const float x, const float y,
                       const float z) {
  *result = texCubemap<T>(texture, x, y, z);
}
template <class T>
inline void texCubemapLayered(T* const result, const cudaTextureObject_t texture, const float x,
                              const float y, const float z, const int layer) {
  *result = texCubemapLayered<T>(texture, x, y, z, layer);
}
/// @}

namespace cuemu::texture {

/// Returns the address of an element of a surface; x is in bytes. Null if the element does not exist: then a
/// read returns zero, and a write has no effect.
inline unsigned char* surface_address(const unsigned long long object, int x, int y, int z,
                                      const size_t bytes, const cudaSurfaceBoundaryMode mode) {
  const TextureState& state = state_of(object);
  const TextureMemory& memory = state.memory;
  if (!state.is_surface) stop_kernel(719, "a surface function was called with a texture object");
  const int width = static_cast<int>(memory.pitch), size = static_cast<int>(bytes);
  const bool inside =
      x >= 0 && x + size <= width && y >= 0 && y < memory.height && z >= 0 && z < memory.depth;
  if (!inside) {
    if (mode == cudaBoundaryModeZero) return nullptr;
    if (mode == cudaBoundaryModeTrap) stop_kernel(719, "a surface was read or written beyond its edge");
    x = x < 0 ? 0 : x + size > width ? width - size : x;
    y = y < 0 ? 0 : y < memory.height ? y : memory.height - 1;
    z = z < 0 ? 0 : z < memory.depth ? z : memory.depth - 1;
  }
  return memory.data + static_cast<size_t>(z) * memory.slice + static_cast<size_t>(y) * memory.pitch +
         static_cast<size_t>(x);
}
template <class T>
inline T surface_read(const unsigned long long surface, const int x, const int y, const int z,
                      const cudaSurfaceBoundaryMode mode) {
  T value{};
  const unsigned char* const at = surface_address(surface, x, y, z, sizeof(T), mode);
  if (at != nullptr) __builtin_memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
inline void surface_write(const T& value, const unsigned long long surface, const int x, const int y,
                          const int z, const cudaSurfaceBoundaryMode mode) {
  unsigned char* const at = surface_address(surface, x, y, z, sizeof(T), mode);
  if (at != nullptr) __builtin_memcpy(at, &value, sizeof value);
}

}  // namespace cuemu::texture

/// \name Surfaces: x counts bytes
/// @{
#define CUEMU_SURFACE(NAME, PARAMETERS, X, Y, Z)                                         \
  template <class T>                                                                     \
  inline T NAME##read(const cudaSurfaceObject_t surface, PARAMETERS,                     \
                      const cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {       \
    return cuemu::texture::surface_read<T>(surface, X, Y, Z, mode);                      \
  }                                                                                      \
  template <class T>                                                                     \
  inline void NAME##read(T* const result, const cudaSurfaceObject_t surface, PARAMETERS, \
                         const cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {    \
    *result = cuemu::texture::surface_read<T>(surface, X, Y, Z, mode);                   \
  }                                                                                      \
  template <class T>                                                                     \
  inline void NAME##write(const T value, const cudaSurfaceObject_t surface, PARAMETERS,  \
                          const cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {   \
    cuemu::texture::surface_write(value, surface, X, Y, Z, mode);                        \
  }
#define CUEMU_COMMA ,
CUEMU_SURFACE(surf1D, const int x, x, 0, 0)
CUEMU_SURFACE(surf2D, const int x CUEMU_COMMA const int y, x, y, 0)
CUEMU_SURFACE(surf3D, const int x CUEMU_COMMA const int y CUEMU_COMMA const int z, x, y, z)
CUEMU_SURFACE(surf1DLayered, const int x CUEMU_COMMA const int layer, x, 0, layer)
CUEMU_SURFACE(surf2DLayered, const int x CUEMU_COMMA const int y CUEMU_COMMA const int layer, x, y, layer)
CUEMU_SURFACE(surfCubemap, const int x CUEMU_COMMA const int y CUEMU_COMMA const int face, x, y, face)
// The index of a face: six for each layer.
CUEMU_SURFACE(surfCubemapLayered, const int x CUEMU_COMMA const int y CUEMU_COMMA const int layerface, x, y,
              layerface)
#undef CUEMU_SURFACE
#undef CUEMU_COMMA
/// @}
