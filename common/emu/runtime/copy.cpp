#include "copy.hpp"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "clock.hpp"
#include "errors.hpp"
#include "memory.hpp"
#include "print.hpp"
#include "profile.hpp"
#include "runtime.hpp"
#include "stream.hpp"
#include "symbols.hpp"

namespace cuemu {

namespace {

bool is_device(const void* pointer) {
  Allocation found;
  if (find_allocation(pointer, found))
    return found.kind == MemoryKind::device || found.kind == MemoryKind::managed;
  return is_symbol_memory(pointer);
}

bool is_pinned(const void* pointer) {
  Allocation found;
  return find_allocation(pointer, found) && found.kind != MemoryKind::device;
}

/// Bytes from the first to behind the last byte of a box.
std::size_t extent(const Place& place, const Box& box) {
  return (box.depth - 1) * place.slice + (box.height - 1) * place.row + box.width;
}

/// The side that a direction calls the device's must be memory of the device, whole.
bool valid_side(const Place& place, const Box& box, bool device) {
  if (place.at == nullptr) return false;
  if (!device) return !in_device_space(reinterpret_cast<std::uintptr_t>(place.at));
  return is_device_range(place.at, extent(place, box)) || is_symbol_memory(place.at) || is_pinned(place.at);
}

void copy_rows(const Place& to, const Place& from, const Box& box) {
  const DeviceAccess access;
  if (to.row == box.width && from.row == box.width && box.depth == 1) {
    std::memmove(to.at, from.at, box.width * box.height);
    return;
  }
  for (std::size_t z = 0; z < box.depth; ++z)
    for (std::size_t y = 0; y < box.height; ++y)
      std::memmove(to.at + z * to.slice + y * to.row, from.at + z * from.slice + y * from.row, box.width);
}

/// The work of a copy whose pageable source was read at the call.
struct StagedCopy {
  Place to;
  Box box;
  std::shared_ptr<std::vector<unsigned char>> bytes;
  void operator()() const {
    const std::int64_t begin = now_ns();
    copy_rows(to, {bytes->data(), box.width, box.width * box.height}, box);
    profile_copy(cudaMemcpyHostToDevice, box.bytes(), begin, now_ns());
  }
};

}  // namespace

cudaError_t copy_box(const Place& to, const Place& from, const Box& box, cudaMemcpyKind kind,
                     cudaStream_t handle, Pace pace) {
  start_runtime();
  if (const cudaError_t error = context_error(); error != cudaSuccess) return remember(error);
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return remember(cudaErrorInvalidMemcpyDirection);
  Stream* const stream = stream_of(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (box.bytes() == 0) return cudaSuccess;
  const bool to_device = kind == cudaMemcpyDefault
                             ? is_device(to.at) || in_device_space(reinterpret_cast<std::uintptr_t>(to.at))
                             : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device =
      kind == cudaMemcpyDefault
          ? is_device(from.at) || in_device_space(reinterpret_cast<std::uintptr_t>(from.at))
          : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (box.width > to.row || box.width > from.row) return remember(cudaErrorInvalidPitchValue);
  if (!valid_side(to, box, to_device) || !valid_side(from, box, from_device))
    return remember(cudaErrorInvalidValue);

  const cudaMemcpyKind direction = to_device
                                       ? (from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                                       : (from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
  const auto work = [=] {
    const std::int64_t begin = now_ns();
    copy_rows(to, from, box);
    profile_copy(direction, box.bytes(), begin, now_ns());
  };
  // As in CUDA a copy between pageable memory and the device does not return before the host's side is free
  // again.
  const bool host_waits = pace == Pace::wait ? direction != cudaMemcpyDeviceToDevice
                                             : direction == cudaMemcpyHostToHost ||
                                                   (direction == cudaMemcpyDeviceToHost && !is_pinned(to.at));
  if (host_waits) {
    run_now(*stream, work);
    if (pace == Pace::wait) flush_device_output();
    return remember(observe_context());
  }
  if (direction == cudaMemcpyHostToDevice && !is_pinned(from.at)) {
    auto bytes = std::make_shared<std::vector<unsigned char>>(box.bytes());
    copy_rows({bytes->data(), box.width, box.width * box.height}, from, box);
    enqueue(*stream, StagedCopy{to, box, std::move(bytes)});
  } else {
    enqueue(*stream, work);
  }
  return cudaSuccess;
}

cudaError_t fill_box(const Place& to, int value, const Box& box, cudaStream_t handle, Pace pace) {
  start_runtime();
  if (const cudaError_t error = context_error(); error != cudaSuccess) return remember(error);
  Stream* const stream = stream_of(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (box.bytes() == 0) return cudaSuccess;
  if (!valid_side(to, box, true)) return remember(cudaErrorInvalidValue);
  const auto work = [=] {
    const std::int64_t begin = now_ns();
    {
      const DeviceAccess access;
      for (std::size_t z = 0; z < box.depth; ++z)
        for (std::size_t y = 0; y < box.height; ++y)
          std::memset(to.at + z * to.slice + y * to.row, value, box.width);
    }
    profile_fill(box.bytes(), begin, now_ns());
  };
  if (pace == Pace::wait)
    run_now(*stream, work);
  else
    enqueue(*stream, work);
  return cudaSuccess;
}

}  // namespace cuemu
