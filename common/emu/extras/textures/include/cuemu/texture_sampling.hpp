// Texture reads: addresses beyond the edge, formats, and filters with the hardware's eight-bit weights.
#pragma once

#include <math.h>

#include <type_traits>

#include "cuemu/texture_state.hpp"
#include "cuemu/thread.hpp"
#include "cuemu/tiny_float.hpp"
#include "vector_types.h"

namespace cuemu::texture {

/// The elements of float, int4, ….
template <class T, class = void>
struct Vector {
  using Element = T;
  static constexpr int count = 1;
};
template <class T>
struct Vector<T, std::void_t<decltype(T::x)>> {
  using Element = std::remove_cv_t<decltype(T::x)>;
  static constexpr int count = static_cast<int>(sizeof(T) / sizeof(Element));
};

inline const TextureState& state_of(const unsigned long long object) {
  const auto* const state = reinterpret_cast<const TextureState*>(object);
  if (state == nullptr || state->magic != texture_magic)
    stop_kernel(719, "this is no texture or surface object, or it has been destroyed");
  return *state;
}

/// Returns channel `index` of an element as a number. With `normalized`, integers are mapped to [0, 1] or
/// [−1, 1].
inline float channel(const TextureMemory& memory, const unsigned char* const at, const int index,
                     const bool normalized) {
  const int bytes = memory.desc.x / 8;
  const unsigned char* const from = at + index * bytes;
  uint32_t bits = 0;
  __builtin_memcpy(&bits, from, static_cast<size_t>(bytes));
  if (memory.desc.f == cudaChannelFormatKindFloat)
    return bytes == 4 ? bit_cast<float>(bits) : detail::decode(Binary16(), static_cast<uint16_t>(bits));
  if (memory.desc.f == cudaChannelFormatKindUnsigned) {
    const float value = static_cast<float>(bits);
    return normalized ? value / (bytes == 1 ? 255.0f : 65535.0f) : value;
  }
  const int number = bytes == 1   ? static_cast<signed char>(bits)
                     : bytes == 2 ? static_cast<short>(bits)
                                  : static_cast<int>(bits);
  const float value = static_cast<float>(number);
  return normalized ? fmaxf(value / (bytes == 1 ? 127.0f : 32767.0f), -1.0f) : value;
}

/// Returns an element as a T, or the border's colour if `at` is null.
template <class T>
inline T element(const TextureState& state, const unsigned char* const at) {
  using Element = typename Vector<T>::Element;
  const TextureMemory& memory = state.memory;
  Element values[4] = {};
  for (int i = 0; i < Vector<T>::count && i < 4; ++i) {
    if (at == nullptr) {
      values[i] = static_cast<Element>(state.description.borderColor[i]);
    } else if (i < memory.channels) {
      if constexpr (std::is_same_v<Element, float>)
        values[i] = channel(memory, at, i, state.description.readMode == cudaReadModeNormalizedFloat);
      else
        __builtin_memcpy(&values[i], at + i * (memory.desc.x / 8),
                         sizeof(Element) < memory.element ? sizeof(Element) : memory.element);
    }
  }
  T result;
  __builtin_memcpy(&result, values, sizeof result);
  return result;
}

/// One coordinate, in units of elements, with the rule for indices beyond the edge.
struct Axis {
  float position;
  int size;
  cudaTextureAddressMode mode;
  int next;  ///< the element that contains the coordinate, before mirroring

  Axis(const TextureState& state, const int dimension, const float coordinate, const int elements)
      : Axis(state.description.addressMode[dimension], state.description.normalizedCoords != 0, coordinate,
             elements) {}
  Axis(const cudaTextureAddressMode beyond, const bool normalized, const float coordinate, const int elements)
      : position(coordinate == coordinate ? coordinate : 0), size(elements), mode(beyond) {
    bool mirrored = false;
    if (!normalized) {
      if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror) mode = cudaAddressModeClamp;
    } else {
      const float whole = floorf(position), fraction = position - whole;
      if (mode == cudaAddressModeWrap) position = fraction;
      if (mode == cudaAddressModeMirror) {
        mirrored = true;
        next = static_cast<int>(floorf(fminf(fmaxf(position, -1e6f), 1e6f) * static_cast<float>(size)));
        position = fmodf(whole, 2) != 0 ? 1 - fraction : fraction;
      }
      position *= static_cast<float>(size);
    }
    position = fminf(fmaxf(position, -1e6f), 1e9f);
    if (!mirrored) next = static_cast<int>(floorf(position));
  }
  /// Returns the element that an index selects; −1: the border.
  int resolve(const int index) const {
    if (index >= 0 && index < size) return index;
    switch (mode) {
      case cudaAddressModeWrap: {
        const int rest = index % size;
        return rest < 0 ? rest + size : rest;
      }
      case cudaAddressModeMirror: {
        const int rest = (index % (2 * size) + 2 * size) % (2 * size);
        return rest < size ? rest : 2 * size - 1 - rest;
      }
      case cudaAddressModeBorder:
        return -1;
      default:
        return index < 0 ? 0 : size - 1;
    }
  }
  int nearest() const { return next; }
  /// Returns the lower of the two elements to combine. The weight of the upper element has eight bits of
  /// fraction.
  int lower(float& weight) const {
    const float shifted = position - 0.5f, whole = floorf(shifted);
    weight = floorf((shifted - whole) * 256 + 0.5f) / 256;
    return static_cast<int>(whole);
  }
};

inline const unsigned char* address(const TextureMemory& memory, const int x, const int y, const int z) {
  if (x < 0 || y < 0 || z < 0) return nullptr;
  return memory.data + static_cast<size_t>(z) * memory.slice + static_cast<size_t>(y) * memory.pitch +
         static_cast<size_t>(x) * memory.element;
}

template <class T>
inline void mix_in(T& sum, const T& value, const float weight) {
  using Element = typename Vector<T>::Element;
  Element a[4] = {}, b[4] = {};
  __builtin_memcpy(a, &sum, sizeof sum);
  __builtin_memcpy(b, &value, sizeof value);
  for (int i = 0; i < Vector<T>::count && i < 4; ++i)
    a[i] += static_cast<Element>(static_cast<float>(b[i]) * weight);
  __builtin_memcpy(&sum, a, sizeof sum);
}

/// Reads a texture of `Dimensions` (1 to 3) at these coordinates. `layer` is the layer of a layered texture.
template <class T, int Dimensions>
inline T sample_at(const TextureState& state, const Axis (&axes)[3], const int layer) {
  const TextureMemory& memory = state.memory;
  const int fixed = layer < 0 ? 0 : layer < memory.depth ? layer : memory.depth - 1;
  const auto at = [&](const int i, const int j, const int k) {
    return address(memory, axes[0].resolve(i), Dimensions > 1 ? axes[1].resolve(j) : 0,
                   Dimensions > 2 ? axes[2].resolve(k) : fixed);
  };
  if constexpr (std::is_same_v<typename Vector<T>::Element, float>) {
    if (state.description.filterMode == cudaFilterModeLinear) {
      float weight[3] = {};
      int lower[3] = {};
      for (int d = 0; d < Dimensions; ++d) lower[d] = axes[d].lower(weight[d]);
      T sum{};
      for (int corner = 0; corner < 1 << Dimensions; ++corner) {
        // A 1D texture is sampled like a 2D texture at its upper edge, where half of the value comes from the
        // border.
        float share =
            Dimensions == 1 && state.description.addressMode[1] == cudaAddressModeBorder ? 0.5f : 1.0f;
        for (int d = 0; d < Dimensions; ++d) share *= (corner >> d & 1) != 0 ? weight[d] : 1 - weight[d];
        if (share == 0) continue;
        mix_in(sum,
               element<T>(state, at(lower[0] + (corner & 1), lower[1] + (corner >> 1 & 1),
                                    lower[2] + (corner >> 2))),
               share);
      }
      return sum;
    }
  }
  return element<T>(state, at(axes[0].nearest(), axes[1].nearest(), axes[2].nearest()));
}
template <class T, int Dimensions>
inline T sample(const unsigned long long object, const float x, const float y, const float z,
                const int layer = 0) {
  const TextureState& state = state_of(object);
  const TextureMemory& memory = state.memory;
  const Axis axes[3] = {Axis(state, 0, x, memory.width), Axis(state, 1, y, memory.height),
                        Axis(state, 2, z, memory.depth)};
  return sample_at<T, Dimensions>(state, axes, layer);
}

/// The place where a ray from a cube's centre meets a face: the face, and a position on it in [0, 1] (CUDA's
/// programming guide, "Cubemap Textures"). Faces are +x, -x, +y, -y, +z, -z.
struct CubePlace {
  int face;
  float s, t;

  CubePlace(const float x, const float y, const float z) {
    const float wide = fabsf(x), high = fabsf(y), deep = fabsf(z);
    float along, across, down;
    if (wide >= high && wide >= deep) {
      face = x >= 0 ? 0 : 1;
      along = wide, across = x >= 0 ? -z : z, down = -y;
    } else if (high >= deep) {
      face = y >= 0 ? 2 : 3;
      along = high, across = x, down = y >= 0 ? z : -z;
    } else {
      face = z >= 0 ? 4 : 5;
      along = deep, across = z >= 0 ? x : -x, down = -y;
    }
    s = (across / along + 1) / 2;
    t = (down / along + 1) / 2;
  }
};
/// Reads a cube map in direction (x, y, z). Filtering does not cross the edges of a face.
template <class T>
inline T sample_cube(const unsigned long long object, const float x, const float y, const float z,
                     const int layer = 0) {
  const TextureState& state = state_of(object);
  const TextureMemory& memory = state.memory;
  const CubePlace place(x, y, z);
  const Axis axes[3] = {Axis(cudaAddressModeClamp, true, place.s, memory.width),
                        Axis(cudaAddressModeClamp, true, place.t, memory.height),
                        Axis(cudaAddressModeClamp, false, 0, memory.depth)};
  const int layers = memory.depth / 6;
  const int fixed = layer < 0 ? 0 : layer < layers ? layer : layers - 1;
  return sample_at<T, 2>(state, axes, fixed * 6 + place.face);
}

}  // namespace cuemu::texture
