#include "copy.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "capture.hpp"
#include "clock.hpp"
#include "contents.hpp"
#include "device_launch.hpp"
#include "errors.hpp"
#include "heap.hpp"
#include "memory.hpp"
#include "object_tables.hpp"
#include "observer.hpp"
#include "plan.hpp"
#include "print.hpp"
#include "profile.hpp"
#include "runtime.hpp"
#include "stream.hpp"
#include "symbols.hpp"
#include "worker.hpp"

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

/// Returns the number of bytes from a box's first byte to its last byte, inclusive.
std::size_t extent(const Place& place, const Box& box) {
  return (box.depth - 1) * place.slice + (box.height - 1) * place.row + box.width;
}

/// Returns whether a side is valid: the side that the direction assigns to the device must lie entirely in device
/// memory.
bool valid_side(const Place& place, const Box& box, bool device) {
  if (place.at == nullptr) return false;
  if (!device) return !in_device_space(reinterpret_cast<std::uintptr_t>(place.at));
  if (in_heap(place.at) && !in_kernel())
    return false;  // host calls can't access memory that kernels allocated with malloc()
  return is_device_range(place.at, extent(place, box)) || is_symbol_memory(place.at) || is_pinned(place.at);
}

/// Copies rows up to the end of the host's memory block if a tool knows where that block ends.
void copy_rows(const Place& to, const Place& from, const Box& box) {
  const DeviceAccess access;
  const std::uintptr_t to_end = largest(std::uintptr_t{0}, &Observer::host_block_end, to.at);
  const std::uintptr_t from_end = largest(std::uintptr_t{0}, &Observer::host_block_end, from.at);
  const auto copy = [&](unsigned char* row_to, const unsigned char* row_from, std::size_t bytes) {
    std::memmove(row_to, row_from,
                 std::min(bytes_before(to_end, row_to, bytes), bytes_before(from_end, row_from, bytes)));
  };
  if (to.row == box.width && from.row == box.width && box.depth == 1)
    return copy(to.at, from.at, box.width * box.height);
  for (std::size_t z = 0; z < box.depth; ++z)
    for (std::size_t y = 0; y < box.height; ++y)
      copy(to.at + z * to.slice + y * to.row, from.at + z * from.slice + y * from.row, box.width);
}

/// A queued copy. The call has already read the pageable source into `bytes`.
struct StagedCopy {
  CopyPlan plan;
  std::shared_ptr<std::vector<unsigned char>> bytes;
  void operator()() const { plan.run(0); }
};

/// Queues work for the device: in a stream, in a graph that is being captured, or after a kernel's launches.
cudaError_t queue(Stream* stream, cudaStream_t handle, const NodePlan& plan) {
  if (stream != nullptr) return remember(submit(*stream, plan));
  const RuntimeSection section;  // the host runs and frees the queued work: it must not use the device's heap
  return remember(queue_from_kernel([plan](int device) { run_plan(plan, device); }, handle));
}

/// Makes the checks that copies and fills share. In a kernel, `stream` becomes null.
cudaError_t begin(cudaStream_t handle, Pace pace, Stream*& stream) {
  start_runtime();
  if (const cudaError_t error = context_error(); error != cudaSuccess) return remember(error);
  stream = nullptr;
  if (in_kernel()) return pace == Pace::queue ? cudaSuccess : remember(cudaErrorNotSupported);
  stream = stream_of(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  return pace == Pace::wait ? remember(check_wait(*stream)) : cudaSuccess;
}

}  // namespace

void CopyPlan::run(int) const {
  const std::int64_t begin = now_ns();
  notify(&Observer::copied, *this);
  copy_rows(to, from, box);
  turn_object_tables(*this);
  profile_copy(direction, box.bytes(), begin, now_ns(), waits_since_ns);
  profile_contents(*this);
}

void FillPlan::run(int) const {
  const std::int64_t begin = now_ns();
  notify(&Observer::filled, *this);
  {
    const DeviceAccess access;
    for (std::size_t z = 0; z < box.depth; ++z)
      for (std::size_t y = 0; y < box.height; ++y) {
        unsigned char* const row = to.at + z * to.slice + y * to.row;
        if (element == 1)
          std::memset(row, static_cast<int>(value), box.width);
        else
          for (std::size_t x = 0; x < box.width; x += element) std::memcpy(row + x, &value, element);
      }
  }
  profile_fill(box.bytes(), begin, now_ns());
}

void HostPlan::run(int) const {
  notify(&Observer::host_function_begins);
  const HostOnly host;
  function(data);
}

cudaError_t plan_copy(const Place& to, const Place& from, const Box& box, cudaMemcpyKind kind,
                      CopyPlan& plan) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  const bool to_device = kind == cudaMemcpyDefault
                             ? is_device(to.at) || in_device_space(reinterpret_cast<std::uintptr_t>(to.at))
                             : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device =
      kind == cudaMemcpyDefault
          ? is_device(from.at) || in_device_space(reinterpret_cast<std::uintptr_t>(from.at))
          : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (box.bytes() != 0) {
    if (box.width > to.row || box.width > from.row) return cudaErrorInvalidPitchValue;
    if (!valid_side(to, box, to_device) || !valid_side(from, box, from_device)) return cudaErrorInvalidValue;
  }
  plan.to = to;
  plan.from = from;
  plan.box = box;
  plan.direction = to_device ? (from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                             : (from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
  notify(&Observer::call_numbered, plan.asked_at);
  notify(&Observer::copy_planned, plan);
  return cudaSuccess;
}

cudaError_t plan_fill(const Place& to, unsigned value, unsigned element, const Box& box, FillPlan& plan) {
  if (element != 1 && element != 2 && element != 4) return cudaErrorInvalidValue;
  if (box.bytes() != 0 && !valid_side(to, box, true)) return cudaErrorInvalidValue;
  plan.to = to;
  plan.value = value;
  plan.element = element;
  plan.box = box;
  notify(&Observer::call_numbered, plan.asked_at);
  return cudaSuccess;
}

cudaError_t copy_box(const Place& to, const Place& from, const Box& box, cudaMemcpyKind kind,
                     cudaStream_t handle, Pace pace) {
  const std::int64_t called_ns = now_ns();
  Stream* stream = nullptr;
  if (const cudaError_t error = begin(handle, pace, stream); error != cudaSuccess) return error;
  CopyPlan plan;
  if (const cudaError_t error = plan_copy(to, from, box, kind, plan); error != cudaSuccess) {
    notify(&Observer::copy_refused, CopyView{to, from, box, kind}, error);
    return remember(error);
  }
  if (box.bytes() == 0) return cudaSuccess;
  if (stream == nullptr || is_capturing(*stream)) return queue(stream, handle, plan);
  // As in CUDA, a copy between pageable memory and the device returns only when the program may use the host's side
  // again.
  const cudaMemcpyKind direction = plan.direction;
  const bool host_waits = pace == Pace::wait
                              ? direction != cudaMemcpyDeviceToDevice
                              : direction == cudaMemcpyHostToHost ||
                                    (direction == cudaMemcpyDeviceToHost && !is_pinned(to.at)) ||
                                    (direction != cudaMemcpyHostToDevice && pace == Pace::read);
  if (host_waits) {
    if (const cudaError_t error = check_legacy(*stream); error != cudaSuccess) return remember(error);
    plan.waits_since_ns = called_ns;
    run_now(*stream, [plan] { plan.run(0); });
    if (pace == Pace::wait) flush_device_output();
    return remember(observe_context());
  }
  if (direction != cudaMemcpyHostToDevice || (is_pinned(from.at) && pace != Pace::read))
    return queue(stream, handle, plan);
  if (const cudaError_t error = check_legacy(*stream); error != cudaSuccess) return remember(error);
  auto bytes = std::make_shared<std::vector<unsigned char>>(box.bytes());
  const Place staged{bytes->data(), box.width, box.width * box.height};
  copy_rows(staged, from, box);
  plan.from = staged;
  enqueue(*stream, StagedCopy{plan, std::move(bytes)});
  return cudaSuccess;
}

cudaError_t fill_box(const Place& to, int value, const Box& box, cudaStream_t handle, Pace pace) {
  Stream* stream = nullptr;
  if (const cudaError_t error = begin(handle, pace, stream); error != cudaSuccess) return error;
  if (box.bytes() == 0) return cudaSuccess;
  FillPlan plan;
  const unsigned byte = static_cast<unsigned char>(value);
  notify(&Observer::fill_asked, FillView{to, byte, 1, box}, value);
  const cudaError_t error = plan_fill(to, byte, 1, box, plan);
  if (error == cudaErrorInvalidValue) notify(&Observer::fill_refused, FillView{to, byte, 1, box}, error);
  if (error != cudaSuccess) return remember(error);
  // The host waits only for fills of memory that it can access.
  if (pace == Pace::queue || stream == nullptr || !is_pinned(to.at)) return queue(stream, handle, plan);
  run_now(*stream, [plan] { plan.run(0); });
  return cudaSuccess;
}

}  // namespace cuemu
