#include "contents.hpp"

#include <algorithm>
#include <cstring>

#include "profile_file.hpp"
#include "wire/content_hash.hpp"

namespace cuda_lab_profile {
namespace {

template <typename Parameters>
const Parameters& as(const void* parameters) {
  return *static_cast<const Parameters*>(parameters);
}

CUstream driver_stream(cudaStream_t stream) {
  return reinterpret_cast<CUstream>(stream);
}

}  // namespace

const std::vector<CUpti_CallbackId>& Contents::watched() {
  static const std::vector<CUpti_CallbackId> calls = {
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_ptds_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_ptsz_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2D_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2D_ptds_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2DAsync_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2DAsync_ptsz_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbol_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbol_ptds_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbolAsync_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbolAsync_ptsz_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyFromSymbol_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyFromSymbol_ptds_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyFromSymbolAsync_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyFromSymbolAsync_ptsz_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_ptsz_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_ptsz_v7000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMallocManaged_v6000,
      CUPTI_RUNTIME_TRACE_CBID_cudaMallocHost_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaHostAlloc_v3020,
      CUPTI_RUNTIME_TRACE_CBID_cudaHostRegister_v4000,
  };
  return calls;
}

bool Contents::is_managed(const void* address) const {
  unsigned managed = 0;
  return driver_.pointer_get_attribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                       reinterpret_cast<CUdeviceptr>(address)) == CUDA_SUCCESS &&
         managed != 0;
}

/// Returns whether host memory is pinned. The driver reports no memory type for memory that CUDA did not allocate.
bool Contents::is_pinned(const void* address) const {
  CUmemorytype type = CU_MEMORYTYPE_DEVICE;
  return !is_managed(address) &&
         driver_.pointer_get_attribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                       reinterpret_cast<CUdeviceptr>(address)) == CUDA_SUCCESS &&
         type == CU_MEMORYTYPE_HOST;
}

bool Contents::is_on_device(const void* address) const {
  CUmemorytype type = CU_MEMORYTYPE_HOST;
  return is_managed(address) ||
         (driver_.pointer_get_attribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                        reinterpret_cast<CUdeviceptr>(address)) == CUDA_SUCCESS &&
          type == CU_MEMORYTYPE_DEVICE);
}

/// Sets the copy's direction and sides. False for copies within the device and for copies within the host.
bool Contents::set_direction(Copy& copy, void* to, const void* from, cudaMemcpyKind kind) const {
  const bool to_device = kind == cudaMemcpyDefault
                             ? is_on_device(to)
                             : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDefault
                               ? is_on_device(from)
                               : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  copy.to_host = from_device;
  copy.host = static_cast<const unsigned char*>(from_device ? to : from);
  copy.device = from_device ? from : to;
  return to_device != from_device;
}

/// Returns whether the stream is being captured. Its copies then run later, or never.
bool Contents::is_capturing(CUstream stream) const {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return driver_.stream_is_capturing(stream, &status) != CUDA_SUCCESS ||
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

/// @return whether the call is a copy between host and device
bool Contents::copy_of(CUpti_CallbackId id, const void* parameters, Copy& copy) const {
  const auto linear = [&](const auto& call) {
    copy.width = copy.pitch = call.count;
    return set_direction(copy, call.dst, call.src, call.kind);
  };
  const auto box = [&](const auto& call) {
    copy.width = call.width;
    copy.height = call.height;
    if (!set_direction(copy, call.dst, call.src, call.kind)) return false;
    copy.pitch = copy.to_host ? call.dpitch : call.spitch;
    return true;
  };
  // In a copy to or from a named variable, the other side is host or device memory.
  const auto to_symbol = [&](const auto& call) {
    copy.width = copy.pitch = call.count;
    copy.host = static_cast<const unsigned char*>(call.src);
    return call.kind == cudaMemcpyHostToDevice || (call.kind == cudaMemcpyDefault && !is_on_device(call.src));
  };
  const auto from_symbol = [&](const auto& call) {
    copy.to_host = true;
    copy.width = copy.pitch = call.count;
    copy.host = static_cast<const unsigned char*>(call.dst);
    return call.kind == cudaMemcpyDeviceToHost || (call.kind == cudaMemcpyDefault && !is_on_device(call.dst));
  };
  const auto queued = [&](const auto& call, const auto& read) {
    copy.queued = true;
    copy.stream = driver_stream(call.stream);
    return read(call) && !is_capturing(copy.stream);
  };
  switch (id) {
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_ptds_v7000:
      return linear(as<cudaMemcpy_v3020_params>(parameters));
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_ptsz_v7000:
      return queued(as<cudaMemcpyAsync_v3020_params>(parameters), linear);
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2D_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2D_ptds_v7000:
      return box(as<cudaMemcpy2D_v3020_params>(parameters));
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2DAsync_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy2DAsync_ptsz_v7000:
      return queued(as<cudaMemcpy2DAsync_v3020_params>(parameters), box);
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbol_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbol_ptds_v7000:
      return to_symbol(as<cudaMemcpyToSymbol_v3020_params>(parameters));
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbolAsync_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbolAsync_ptsz_v7000:
      return queued(as<cudaMemcpyToSymbolAsync_v3020_params>(parameters), to_symbol);
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyFromSymbol_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyFromSymbol_ptds_v7000:
      return from_symbol(as<cudaMemcpyFromSymbol_v3020_params>(parameters));
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyFromSymbolAsync_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyFromSymbolAsync_ptsz_v7000:
      return queued(as<cudaMemcpyFromSymbolAsync_v3020_params>(parameters), from_symbol);
    default:
      return false;
  }
}

std::string Contents::lines_of(const Copy& copy) const {
  const bool shared =
      copy.to_host && copy.device != nullptr && (is_managed(copy.device) || is_pinned(copy.device));
  const bool whole = copy.height == 1 || copy.pitch == copy.width;
  const std::size_t bytes = whole ? copy.width * copy.height : copy.width;
  std::string lines;
  for (std::size_t row = 0; row < (whole ? 1 : copy.height) && bytes > 0; ++row) {
    const unsigned char* const at = copy.host + row * copy.pitch;
    std::uint64_t head = 0;
    std::memcpy(&head, at, std::min(bytes, sizeof head));
    lines +=
        content_line({copy.to_host ? "d2h" : "h2d", bytes, kit_wire::content_hash(at, bytes), head, shared});
  }
  return lines;
}

/// Returns the lines of queued copies that are now done: of all streams, or of one stream.
std::string Contents::settle(bool all, CUstream stream) {
  const auto done = std::stable_partition(pending_.begin(), pending_.end(),
                                          [&](const Copy& copy) { return !all && copy.stream != stream; });
  std::string lines;
  for (auto copy = done; copy != pending_.end(); ++copy) lines += lines_of(*copy);
  pending_.erase(done, pending_.end());
  return lines;
}

std::string Contents::after(CUpti_CallbackId id, const void* parameters) {
  const std::lock_guard<std::mutex> lock(mutex_);
  switch (id) {
    case CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020:
      return settle(true, nullptr);
    case CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_ptsz_v7000:
      return settle(false, driver_stream(as<cudaStreamSynchronize_v3020_params>(parameters).stream));
    case CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_ptsz_v7000:
      return settle(false, driver_stream(as<cudaStreamQuery_v3020_params>(parameters).stream));
    case CUPTI_RUNTIME_TRACE_CBID_cudaMallocManaged_v6000:
    case CUPTI_RUNTIME_TRACE_CBID_cudaMallocHost_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaHostAlloc_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaHostRegister_v4000: {
      const bool first = !reported_host_visible_;
      reported_host_visible_ = true;
      return first ? host_visible_line() : "";
    }
    default:
      break;
  }
  Copy copy;
  if (!copy_of(id, parameters, copy)) return "";
  if (copy.to_host && copy.queued && (is_pinned(copy.host) || is_managed(copy.host))) {
    pending_.push_back(copy);
    return "";
  }
  return lines_of(copy);
}

}  // namespace cuda_lab_profile
