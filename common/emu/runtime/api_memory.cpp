// The runtime API's functions for memory.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>

#include "arrays.hpp"
#include "capture.hpp"
#include "copy.hpp"
#include "cuda_runtime_api.h"
#include "device.hpp"
#include "errors.hpp"
#include "graph_memory.hpp"
#include "heap.hpp"
#include "memory.hpp"
#include "observer.hpp"
#include "pool.hpp"
#include "print.hpp"
#include "runtime.hpp"
#include "services.hpp"
#include "stream.hpp"
#include "symbols.hpp"

using namespace cuemu;

namespace {

constexpr std::size_t pitch_alignment = 512;

std::atomic<std::size_t> refused_bytes{0};

cudaError_t give(MemoryKind kind, void** result, std::size_t bytes, unsigned flags) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (result == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = check_unsafe_call(); error != cudaSuccess) return remember(error);
  *result = nullptr;
  if (bytes == 0) return cudaSuccess;
  const cudaError_t error = allocate(kind, bytes, flags, result);
  if (error == cudaErrorMemoryAllocation) refused_bytes.store(bytes);
  return remember(error);
}

Place linear(const void* memory, std::size_t bytes) {
  return {static_cast<unsigned char*>(const_cast<void*>(memory)), bytes, bytes};
}
Place rows(const void* memory, std::size_t pitch) {
  return {static_cast<unsigned char*>(const_cast<void*>(memory)), pitch, 0};
}
cudaError_t copy_3d(const cudaMemcpy3DParms* p, cudaStream_t stream, Pace pace) {
  if (p == nullptr) return remember(cudaErrorInvalidValue);
  Place to, from;
  Box box;
  if (const cudaError_t error = boxes_of(*p, to, from, box); error != cudaSuccess) return remember(error);
  return copy_box(to, from, box, p->kind, stream, pace);
}

}  // namespace

std::size_t cuemu::refused_allocation() {
  return refused_bytes.load();
}

extern "C" {

cudaError_t cudaMalloc(void** devPtr, size_t size) {
  if (in_kernel()) {
    if (devPtr == nullptr) return remember(cudaErrorInvalidValue);
    *devPtr = device_malloc(size);
    return remember(*devPtr != nullptr || size == 0 ? cudaSuccess : cudaErrorMemoryAllocation);
  }
  return give(MemoryKind::device, devPtr, size, 0);
}

cudaError_t cudaFree(void* devPtr) {
  if (in_kernel()) {
    if (devPtr != nullptr && !in_heap(devPtr)) return remember(cudaErrorInvalidValue);
    device_free(devPtr);
    return cudaSuccess;
  }
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (devPtr == nullptr) return cudaSuccess;
  if (const cudaError_t error = check_unsafe_call(); error != cudaSuccess) return remember(error);
  wait_for_all_devices();  // queued kernels may still use the memory
  flush_device_output();
  if (const cudaError_t error = observe_context(); error != cudaSuccess) return remember(error);
  if (free_graph_memory(devPtr) != nullptr) return cudaSuccess;
  if (in_heap(devPtr)) {
    notify(&Observer::free_refused, devPtr);
    return remember(cudaErrorInvalidValue);
  }
  Allocation found;
  const bool pooled = is_from_pool(devPtr) && find_allocation(devPtr, found);
  returned_to_pool(devPtr);
  return remember(release(pooled ? found.kind : MemoryKind::device, devPtr));
}

cudaError_t cudaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height) {
  if (pitch == nullptr) return remember(cudaErrorInvalidValue);
  *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
  if (height != 0 && *pitch > SIZE_MAX / height) return remember(cudaErrorMemoryAllocation);
  const cudaError_t error = give(MemoryKind::device, devPtr, *pitch * height, 0);
  if (error == cudaSuccess) notify(&Observer::pitched, *devPtr, width, *pitch);
  return error;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr* result, struct cudaExtent extent) {
  if (result == nullptr) return remember(cudaErrorInvalidValue);
  void* memory = nullptr;
  std::size_t pitch = 0;
  const cudaError_t error = cudaMallocPitch(&memory, &pitch, extent.width, extent.height * extent.depth);
  if (error == cudaSuccess) *result = {memory, pitch, extent.width, extent.height};
  return error;
}

cudaError_t cudaMallocHost(void** ptr, size_t size) {
  return give(MemoryKind::pinned, ptr, size, 0);
}
cudaError_t cudaHostAlloc(void** pHost, size_t size, unsigned int flags) {
  if (flags > 7) return remember(cudaErrorInvalidValue);
  return give(MemoryKind::pinned, pHost, size, flags);
}

cudaError_t cudaFreeHost(void* ptr) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (ptr == nullptr) return cudaSuccess;
  if (const cudaError_t error = check_unsafe_call(); error != cudaSuccess) return remember(error);
  wait_for_all_devices();
  flush_device_output();
  return remember(release(MemoryKind::pinned, ptr));
}

cudaError_t cudaHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags) {
  if (pDevice == nullptr || flags != 0) return remember(cudaErrorInvalidValue);
  Allocation found;
  if (!find_allocation(pHost, found) ||
      (found.kind != MemoryKind::pinned && found.kind != MemoryKind::registered))
    return remember(cudaErrorInvalidValue);
  *pDevice = pHost;
  return enter();
}

cudaError_t cudaHostGetFlags(unsigned int* pFlags, void* pHost) {
  Allocation found;
  if (pFlags == nullptr || !find_allocation(pHost, found) || found.kind != MemoryKind::pinned)
    return remember(cudaErrorInvalidValue);
  *pFlags = found.flags | cudaHostAllocMapped;
  return enter();
}

cudaError_t cudaHostRegister(void* ptr, size_t size, unsigned int flags) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (ptr == nullptr || size == 0 || flags > 15) return remember(cudaErrorInvalidValue);
  return remember(register_host(ptr, size, flags));
}
cudaError_t cudaHostUnregister(void* ptr) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (ptr == nullptr) return remember(cudaErrorInvalidValue);
  return remember(unregister_host(ptr));
}

cudaError_t cudaMallocManaged(void** devPtr, size_t size, unsigned int flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return remember(cudaErrorInvalidValue);
  return give(MemoryKind::managed, devPtr, size, flags);
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  if (free == nullptr || total == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  *free = free_memory();
  *total = total_memory();
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* ptr) {
  if (attributes == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  *attributes = {};
  attributes->device = cudaInvalidDeviceId;
  Allocation found;
  const SymbolKind symbol = symbol_kind(ptr);
  if (symbol != SymbolKind::none)
    found.kind = symbol == SymbolKind::managed ? MemoryKind::managed : MemoryKind::device;
  else if (!find_allocation(ptr, found))
    return cudaSuccess;
  void* const same = const_cast<void*>(ptr);
  attributes->device = found.device;
  attributes->devicePointer = same;
  switch (found.kind) {
    case MemoryKind::device:
      attributes->type = cudaMemoryTypeDevice;
      break;
    case MemoryKind::managed:
      attributes->type = cudaMemoryTypeManaged;
      break;
    default:
      attributes->type = cudaMemoryTypeHost;
      break;
  }
  if (found.kind != MemoryKind::device) attributes->hostPointer = same;
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  return copy_box(linear(dst, count), linear(src, count), {count, 1, 1}, kind, nullptr, Pace::wait);
}
cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_box(linear(dst, count), linear(src, count), {count, 1, 1}, kind, stream, Pace::queue);
}
namespace {
bool is_access_order(cudaMemcpySrcAccessOrder order) {
  return order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny;
}
Pace pace_of(cudaMemcpySrcAccessOrder order) {
  return order == cudaMemcpySrcAccessOrderDuringApiCall ? Pace::read : Pace::queue;
}
}  // namespace
cudaError_t cudaMemcpyBatchAsync(void* const* dsts, const void* const* srcs, const size_t* sizes,
                                 size_t count, struct cudaMemcpyAttributes* attrs, size_t* attrsIdxs,
                                 size_t numAttrs, cudaStream_t handle) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const Stream* const stream = stream_of(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (dsts == nullptr || srcs == nullptr || sizes == nullptr || attrs == nullptr || attrsIdxs == nullptr ||
      numAttrs == 0 || numAttrs > count || attrsIdxs[0] != 0 || is_legacy(*stream))
    return remember(cudaErrorInvalidValue);
  for (size_t i = 0; i < numAttrs; ++i) {
    const bool ascends = i == 0 || attrsIdxs[i] > attrsIdxs[i - 1];
    if (!ascends || attrsIdxs[i] >= count || !is_access_order(attrs[i].srcAccessOrder))
      return remember(cudaErrorInvalidValue);
  }
  size_t attribute = 0;
  for (size_t i = 0; i < count; ++i) {
    if (attribute + 1 < numAttrs && i == attrsIdxs[attribute + 1]) ++attribute;
    const cudaError_t error = copy_box(linear(dsts[i], sizes[i]), linear(srcs[i], sizes[i]), {sizes[i], 1, 1},
                                       cudaMemcpyDefault, handle, pace_of(attrs[attribute].srcAccessOrder));
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
namespace {
/// Converts to cudaMemcpy3D's parameters. A pointer's row length is in elements; if the other end is an array, these
/// are elements of the array.
cudaMemcpy3DParms parameters_of(const cudaMemcpy3DBatchOp& op) {
  cudaMemcpy3DParms params{};
  params.extent = op.extent;
  params.kind = cudaMemcpyDefault;
  const auto array_of = [](const cudaMemcpy3DOperand& one) {
    return one.type == cudaMemcpyOperandTypeArray ? one.op.array.array : nullptr;
  };
  params.srcArray = array_of(op.src);
  params.dstArray = array_of(op.dst);
  const cudaArray* const array = params.srcArray != nullptr ? params.srcArray : params.dstArray;
  const std::size_t element = array != nullptr ? array->element : 1;
  const auto place = [&](const cudaMemcpy3DOperand& one, cudaPitchedPtr& memory, cudaPos& at) {
    if (one.type == cudaMemcpyOperandTypeArray) {
      at = {one.op.array.offset.x, one.op.array.offset.y, one.op.array.offset.z};
      return;
    }
    const auto& pointer = one.op.ptr;
    memory.ptr = pointer.ptr;
    memory.pitch = (pointer.rowLength != 0 ? pointer.rowLength : op.extent.width) * element;
    memory.ysize = pointer.layerHeight != 0 ? pointer.layerHeight : op.extent.height;
  };
  place(op.src, params.srcPtr, params.srcPos);
  place(op.dst, params.dstPtr, params.dstPos);
  return params;
}

bool is_end(const cudaMemcpy3DOperand& one, const cudaExtent& extent) {
  if (one.type == cudaMemcpyOperandTypeArray) return one.op.array.array != nullptr;
  const auto& pointer = one.op.ptr;
  return one.type == cudaMemcpyOperandTypePointer && pointer.ptr != nullptr &&
         (pointer.rowLength == 0 || pointer.rowLength >= extent.width) &&
         (pointer.layerHeight == 0 || pointer.layerHeight >= extent.height);
}
bool is_valid(const cudaMemcpy3DBatchOp& op) {
  const cudaExtent& extent = op.extent;
  return extent.width != 0 && extent.height != 0 && extent.depth != 0 && is_access_order(op.srcAccessOrder) &&
         is_end(op.src, extent) && is_end(op.dst, extent);
}
}  // namespace
cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct cudaMemcpy3DBatchOp* ops, unsigned long long flags,
                                   cudaStream_t handle) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  const Stream* const stream = stream_of(handle);
  if (stream == nullptr) return remember(cudaErrorInvalidResourceHandle);
  if (count == 0 || ops == nullptr || flags != 0 || is_legacy(*stream))
    return remember(cudaErrorInvalidValue);
  if (!std::all_of(ops, ops + count, [](const cudaMemcpy3DBatchOp& op) { return is_valid(op); }))
    return remember(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    Place to, from;
    Box box;
    if (const cudaError_t error = boxes_of(parameters_of(ops[i]), to, from, box); error != cudaSuccess)
      return remember(error);
    const cudaError_t error =
        copy_box(to, from, box, cudaMemcpyDefault, handle, pace_of(ops[i].srcAccessOrder));
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
namespace {
cudaError_t copy_between(void* dst, int to, const void* src, int from, size_t count, cudaStream_t stream,
                         Pace pace) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (to < 0 || to >= device_count() || from < 0 || from >= device_count())
    return remember(cudaErrorInvalidDevice);
  return copy_box(linear(dst, count), linear(src, count), {count, 1, 1}, cudaMemcpyDeviceToDevice, stream,
                  pace);
}
}  // namespace
cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count) {
  return copy_between(dst, dstDevice, src, srcDevice, count, nullptr, Pace::wait);
}
cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice, size_t count,
                                cudaStream_t stream) {
  return copy_between(dst, dstDevice, src, srcDevice, count, stream, Pace::queue);
}
cudaError_t cudaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copy_box(rows(dst, dpitch), rows(src, spitch), {width, height, 1}, kind, nullptr, Pace::wait);
}
cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_box(rows(dst, dpitch), rows(src, spitch), {width, height, 1}, kind, stream, Pace::queue);
}
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* p) {
  return copy_3d(p, nullptr, Pace::wait);
}
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* p, cudaStream_t stream) {
  return copy_3d(p, stream, Pace::queue);
}

namespace {
cudaError_t copy_3d_between(const cudaMemcpy3DPeerParms* p, cudaStream_t stream, Pace pace) {
  if (p == nullptr) return remember(cudaErrorInvalidValue);
  for (const int device : {p->srcDevice, p->dstDevice})
    if (device < 0 || device >= device_count()) return remember(cudaErrorInvalidDevice);
  const cudaMemcpy3DParms within{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                 p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  return copy_3d(&within, stream, pace);
}
}  // namespace
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms* p) {
  return copy_3d_between(p, nullptr, Pace::wait);
}
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  return copy_3d_between(p, stream, Pace::queue);
}

cudaError_t cudaMemset(void* devPtr, int value, size_t count) {
  return fill_box(linear(devPtr, count), value, {count, 1, 1}, nullptr, Pace::wait);
}
cudaError_t cudaMemsetAsync(void* devPtr, int value, size_t count, cudaStream_t stream) {
  return fill_box(linear(devPtr, count), value, {count, 1, 1}, stream, Pace::queue);
}
cudaError_t cudaMemset2D(void* devPtr, size_t pitch, int value, size_t width, size_t height) {
  return fill_box(rows(devPtr, pitch), value, {width, height, 1}, nullptr, Pace::wait);
}
cudaError_t cudaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return fill_box(rows(devPtr, pitch), value, {width, height, 1}, stream, Pace::queue);
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr memory, int value, struct cudaExtent extent) {
  return fill_box(place_in(memory, {0, 0, 0}), value, {extent.width, extent.height, extent.depth}, nullptr,
                  Pace::wait);
}
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr memory, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  return fill_box(place_in(memory, {0, 0, 0}), value, {extent.width, extent.height, extent.depth}, stream,
                  Pace::queue);
}
}
