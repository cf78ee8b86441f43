// Texture and surface objects, which are views of memory that belongs to an array or to the program.
#include <algorithm>
#include <memory>

#include "array_formats.hpp"
#include "arrays.hpp"
#include "cuemu/texture_state.hpp"
#include "errors.hpp"
#include "stream.hpp"

namespace cuemu {
namespace {

int channels_of(const cudaChannelFormatDesc& desc) {
  return (desc.x != 0) + (desc.y != 0) + (desc.z != 0) + (desc.w != 0);
}

/// Describes the memory of a texture or surface. Linear and pitched memory can only be used for textures.
cudaError_t describe(const cudaResourceDesc& resource, bool surface, TextureMemory& memory) {
  const auto fill = [&](void* data, const cudaChannelFormatDesc& desc, std::size_t pitch, std::size_t width,
                        std::size_t height, std::size_t depth) {
    const std::size_t element = element_bytes(desc);
    if (data == nullptr) return cudaErrorInvalidValue;
    if (element == 0) return cudaErrorInvalidChannelDescriptor;
    memory = {static_cast<unsigned char*>(data),
              desc,
              channels_of(desc),
              element,
              pitch,
              pitch * height,
              static_cast<int>(width),
              static_cast<int>(height),
              static_cast<int>(depth)};
    return cudaSuccess;
  };
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const cudaArray* const array = resource.res.array.array;
      if (array == nullptr) return cudaErrorInvalidValue;
      return fill(array->data, array->desc, array->pitch(), array->width(), array->height(), array->depth());
    }
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      const std::size_t element = element_bytes(linear.desc);
      if (surface) return cudaErrorInvalidValue;
      const std::size_t width = element == 0 ? 0 : linear.sizeInBytes / element;
      return fill(linear.devPtr, linear.desc, linear.sizeInBytes, width, 1, 1);
    }
    case cudaResourceTypePitch2D: {
      const auto& pitched = resource.res.pitch2D;
      if (surface) return cudaErrorInvalidValue;
      return fill(pitched.devPtr, pitched.desc, pitched.pitchInBytes, pitched.width, pitched.height, 1);
    }
    default:
      return cudaErrorNotSupported;  // mipmapped arrays
  }
}

/// Returns the element format of a view. It has no channels if the format is compressed, or if there is none.
cudaChannelFormatDesc format_of(cudaResourceViewFormat format) {
  if (format <= cudaResViewFormatNone || format > cudaResViewFormatFloat4) return {};
  const int place = format - cudaResViewFormatUnsignedChar1;
  struct Kind {
    int bits;
    cudaChannelFormatKind kind;
  };
  static constexpr Kind kinds[] = {{8, cudaChannelFormatKindUnsigned},  {8, cudaChannelFormatKindSigned},
                                   {16, cudaChannelFormatKindUnsigned}, {16, cudaChannelFormatKindSigned},
                                   {32, cudaChannelFormatKindUnsigned}, {32, cudaChannelFormatKindSigned},
                                   {16, cudaChannelFormatKindFloat},    {32, cudaChannelFormatKindFloat}};
  const Kind& of_each = kinds[place / 3];
  const int channels = 1 << place % 3;
  const auto bits_of = [&](int channel) { return channel < channels ? of_each.bits : 0; };
  return {bits_of(0), bits_of(1), bits_of(2), bits_of(3), of_each.kind};
}

/// Applies a view to an array's memory: its element format and its range of layers.
cudaError_t look_through(const cudaResourceViewDesc& view, const cudaResourceDesc& resource,
                         TextureMemory& memory) {
  if (resource.resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  const cudaArray& array = *resource.res.array.array;
  const bool layered = (array.flags & cudaArrayLayered) != 0;
  if (view.format > cudaResViewFormatFloat4) return cudaErrorNotSupported;
  if (view.width != array.extent.width || view.height != array.extent.height ||
      view.depth != array.extent.depth || view.firstMipmapLevel != 0 || view.lastMipmapLevel != 0)
    return cudaErrorInvalidValue;
  const cudaChannelFormatDesc format = format_of(view.format);
  if (element_bytes(format) != array.element) return cudaErrorInvalidValue;
  memory.desc = format;
  memory.channels = channels_of(format);
  if (!layered) return view.firstLayer == 0 && view.lastLayer == 0 ? cudaSuccess : cudaErrorInvalidValue;
  if (view.firstLayer > view.lastLayer || view.firstLayer >= array.depth()) return cudaErrorInvalidValue;
  // A GPU also accepts layers beyond the array.
  const std::size_t end = std::min<std::size_t>(view.lastLayer + std::size_t{1}, array.depth());
  memory.data += view.firstLayer * memory.slice;
  memory.depth = static_cast<int>(end - view.firstLayer);
  return cudaSuccess;
}

TextureState* state_of(unsigned long long object, bool surface) {
  auto* const state = reinterpret_cast<TextureState*>(object);
  const bool lives = state != nullptr && state->magic == texture_magic && !state->destroyed;
  return lives && state->is_surface == surface ? state : nullptr;
}

cudaError_t destroy_object(unsigned long long object, bool surface) {
  if (object == 0) return cudaSuccess;
  TextureState* const state = state_of(object, surface);
  if (state == nullptr) return remember(cudaErrorInvalidValue);
  state->destroyed = true;
  // Queued kernels may still use the object.
  after_queued_work([state] {
    state->magic = 0;
    delete state;
  });
  return cudaSuccess;
}

}  // namespace
}  // namespace cuemu

using namespace cuemu;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  if (texture == nullptr || resource == nullptr || description == nullptr)
    return remember(cudaErrorInvalidValue);
  if (description->sRGB != 0) return remember(cudaErrorNotSupported);
  auto state =
      std::make_unique<TextureState>(TextureState{texture_magic, false, {}, *description, *resource});
  if (const cudaError_t error = describe(*resource, false, state->memory); error != cudaSuccess)
    return remember(error);
  if (view != nullptr) {
    if (const cudaError_t error = look_through(*view, *resource, state->memory); error != cudaSuccess)
      return remember(error);
    state->view = *view;
  }
  const auto& format = state->memory.desc;
  const bool is_float = format.f == cudaChannelFormatKindFloat;
  const bool normalized = description->readMode == cudaReadModeNormalizedFloat;
  if (normalized && !is_float && format.x == 32) return remember(cudaErrorInvalidNormSetting);
  if (description->filterMode == cudaFilterModeLinear && !is_float && !normalized)
    return remember(cudaErrorInvalidFilterSetting);
  *texture = reinterpret_cast<cudaTextureObject_t>(state.release());
  return cudaSuccess;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return destroy_object(texture, false);
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture) {
  const TextureState* const state = state_of(texture, false);
  if (state == nullptr || resource == nullptr) return remember(cudaErrorInvalidValue);
  *resource = state->resource;
  return cudaSuccess;
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t texture) {
  const TextureState* const state = state_of(texture, false);
  if (state == nullptr || description == nullptr) return remember(cudaErrorInvalidValue);
  *description = state->description;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t texture) {
  const TextureState* const state = state_of(texture, false);
  if (state == nullptr || view == nullptr) return remember(cudaErrorInvalidValue);
  *view = state->view;
  return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
  if (surface == nullptr || resource == nullptr) return remember(cudaErrorInvalidValue);
  auto state = std::make_unique<TextureState>(TextureState{texture_magic, true, {}, {}, *resource});
  if (const cudaError_t error = describe(*resource, true, state->memory); error != cudaSuccess)
    return remember(error);
  *surface = reinterpret_cast<cudaSurfaceObject_t>(state.release());
  return cudaSuccess;
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return destroy_object(surface, true);
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface) {
  const TextureState* const state = state_of(surface, true);
  if (state == nullptr || resource == nullptr) return remember(cudaErrorInvalidValue);
  *resource = state->resource;
  return cudaSuccess;
}
}
