// The emulated functions of the driver API: tensor maps, error names, and entry points that programs get from the
// runtime.
#include "cuda.h"

#include <cstdio>
#include <cstring>
#include <string_view>

#include "cuda_runtime_api.h"
#include "cuemu/tensor_map.hpp"
#include "errors.hpp"

namespace cuemu {
namespace {

/// The common parameters of both encoders.
struct MapArguments {
  CUtensorMap* map;
  CUtensorMapDataType type;
  cuuint32_t rank;
  void* address;
  const cuuint64_t *sizes, *strides;
  const cuuint32_t* steps;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion promotion;
  CUtensorMapFloatOOBfill fill;
};
/// Sets the map's common members, calls `describe`, which sets the copy's shape, and writes the map.
template <typename Describe>
CUresult encode(const char* const function, const MapArguments& all, const Describe describe) {
  const auto not_emulated = [function](const char* const what) {
    std::fprintf(stderr, "cuemu: %s: %s not emulated\n", function, what);
    return CUDA_ERROR_NOT_SUPPORTED;
  };
  if (all.map == nullptr || all.sizes == nullptr || all.steps == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (all.rank < 1 || all.rank > most_tensor_dimensions || (all.rank > 1 && all.strides == nullptr) ||
      reinterpret_cast<std::uintptr_t>(all.map) % alignof(CUtensorMap) != 0 ||
      static_cast<unsigned>(all.promotion) > CU_TENSOR_MAP_L2_PROMOTION_L2_256B ||
      static_cast<unsigned>(all.interleave) > CU_TENSOR_MAP_INTERLEAVE_32B)
    return CUDA_ERROR_INVALID_VALUE;
  if (all.swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
    return not_emulated("swizzles of atoms of 32 and 64 bytes are");
  if (all.type > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)
    return not_emulated("tensors of 4- and 6-bit numbers are");

  TensorMap map{};
  map.type = static_cast<TensorType>(all.type);
  map.swizzle = static_cast<Swizzle>(all.swizzle);
  map.interleave = static_cast<Interleave>(all.interleave);
  map.address = reinterpret_cast<std::uintptr_t>(all.address);
  map.dimensions = static_cast<std::uint8_t>(all.rank);
  map.fills_nan = all.fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  map.magic = TensorMap::kMagic;
  for (unsigned d = 0; d < all.rank; ++d) {
    map.size[d] = all.sizes[d];
    map.step[d] = narrowed<std::uint8_t>(all.steps[d]);
    if (d > 0) map.stride[d - 1] = all.strides[d - 1];
  }
  describe(map);
  // Copies ignore a plain tensor's first element stride, and the byte length of an interleaved tensor's box row.
  if (map.step[0] == 0 || map.step[0] > 8 || map.box[0] * bytes_of(map.type) % 16 != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (tensor_map_mistake(map) != nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::memset(all.map, 0, sizeof *all.map);
  std::memcpy(all.map, &map, sizeof map);
  return CUDA_SUCCESS;
}

struct EntryPoint {
  std::string_view name;
  void* function;
};
const EntryPoint entry_points[] = {
    {"cuTensorMapEncodeTiled", reinterpret_cast<void*>(&cuTensorMapEncodeTiled)},
    {"cuTensorMapEncodeIm2col", reinterpret_cast<void*>(&cuTensorMapEncodeIm2col)},
    {"cuTensorMapReplaceAddress", reinterpret_cast<void*>(&cuTensorMapReplaceAddress)},
    {"cuGetErrorName", reinterpret_cast<void*>(&cuGetErrorName)},
    {"cuGetErrorString", reinterpret_cast<void*>(&cuGetErrorString)},
};

// clang-format off
#define CUEMU_RESULTS(NAME) \
  NAME(CUDA_SUCCESS) NAME(CUDA_ERROR_INVALID_VALUE) NAME(CUDA_ERROR_OUT_OF_MEMORY) \
  NAME(CUDA_ERROR_NOT_INITIALIZED) NAME(CUDA_ERROR_DEINITIALIZED) NAME(CUDA_ERROR_PROFILER_DISABLED) \
  NAME(CUDA_ERROR_PROFILER_NOT_INITIALIZED) NAME(CUDA_ERROR_PROFILER_ALREADY_STARTED) \
  NAME(CUDA_ERROR_PROFILER_ALREADY_STOPPED) NAME(CUDA_ERROR_STUB_LIBRARY) \
  NAME(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER) NAME(CUDA_ERROR_DEVICE_UNAVAILABLE) \
  NAME(CUDA_ERROR_NO_DEVICE) NAME(CUDA_ERROR_INVALID_DEVICE) NAME(CUDA_ERROR_DEVICE_NOT_LICENSED) \
  NAME(CUDA_ERROR_INVALID_IMAGE) NAME(CUDA_ERROR_INVALID_CONTEXT) NAME(CUDA_ERROR_CONTEXT_ALREADY_CURRENT) \
  NAME(CUDA_ERROR_MAP_FAILED) NAME(CUDA_ERROR_UNMAP_FAILED) NAME(CUDA_ERROR_ARRAY_IS_MAPPED) \
  NAME(CUDA_ERROR_ALREADY_MAPPED) NAME(CUDA_ERROR_NO_BINARY_FOR_GPU) NAME(CUDA_ERROR_ALREADY_ACQUIRED) \
  NAME(CUDA_ERROR_NOT_MAPPED) NAME(CUDA_ERROR_NOT_MAPPED_AS_ARRAY) NAME(CUDA_ERROR_NOT_MAPPED_AS_POINTER) \
  NAME(CUDA_ERROR_ECC_UNCORRECTABLE) NAME(CUDA_ERROR_UNSUPPORTED_LIMIT) \
  NAME(CUDA_ERROR_CONTEXT_ALREADY_IN_USE) NAME(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED) \
  NAME(CUDA_ERROR_INVALID_PTX) NAME(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT) \
  NAME(CUDA_ERROR_NVLINK_UNCORRECTABLE) NAME(CUDA_ERROR_JIT_COMPILER_NOT_FOUND) \
  NAME(CUDA_ERROR_UNSUPPORTED_PTX_VERSION) NAME(CUDA_ERROR_JIT_COMPILATION_DISABLED) \
  NAME(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY) NAME(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC) \
  NAME(CUDA_ERROR_CONTAINED) NAME(CUDA_ERROR_INVALID_SOURCE) NAME(CUDA_ERROR_FILE_NOT_FOUND) \
  NAME(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND) NAME(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED) \
  NAME(CUDA_ERROR_OPERATING_SYSTEM) NAME(CUDA_ERROR_INVALID_HANDLE) NAME(CUDA_ERROR_ILLEGAL_STATE) \
  NAME(CUDA_ERROR_LOSSY_QUERY) NAME(CUDA_ERROR_NOT_FOUND) NAME(CUDA_ERROR_NOT_READY) \
  NAME(CUDA_ERROR_ILLEGAL_ADDRESS) NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) NAME(CUDA_ERROR_LAUNCH_TIMEOUT) \
  NAME(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING) NAME(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) \
  NAME(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED) NAME(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE) \
  NAME(CUDA_ERROR_CONTEXT_IS_DESTROYED) NAME(CUDA_ERROR_ASSERT) NAME(CUDA_ERROR_TOO_MANY_PEERS) \
  NAME(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED) NAME(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED) \
  NAME(CUDA_ERROR_HARDWARE_STACK_ERROR) NAME(CUDA_ERROR_ILLEGAL_INSTRUCTION) \
  NAME(CUDA_ERROR_MISALIGNED_ADDRESS) NAME(CUDA_ERROR_INVALID_ADDRESS_SPACE) NAME(CUDA_ERROR_INVALID_PC) \
  NAME(CUDA_ERROR_LAUNCH_FAILED) NAME(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) \
  NAME(CUDA_ERROR_TENSOR_MEMORY_LEAK) NAME(CUDA_ERROR_NOT_PERMITTED) NAME(CUDA_ERROR_NOT_SUPPORTED) \
  NAME(CUDA_ERROR_SYSTEM_NOT_READY) NAME(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH) \
  NAME(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE) NAME(CUDA_ERROR_MPS_CONNECTION_FAILED) \
  NAME(CUDA_ERROR_MPS_RPC_FAILURE) NAME(CUDA_ERROR_MPS_SERVER_NOT_READY) \
  NAME(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED) NAME(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED) \
  NAME(CUDA_ERROR_MPS_CLIENT_TERMINATED) NAME(CUDA_ERROR_CDP_NOT_SUPPORTED) \
  NAME(CUDA_ERROR_CDP_VERSION_MISMATCH) NAME(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) \
  NAME(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) NAME(CUDA_ERROR_STREAM_CAPTURE_MERGE) \
  NAME(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED) NAME(CUDA_ERROR_STREAM_CAPTURE_UNJOINED) \
  NAME(CUDA_ERROR_STREAM_CAPTURE_ISOLATION) NAME(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) \
  NAME(CUDA_ERROR_CAPTURED_EVENT) NAME(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD) NAME(CUDA_ERROR_TIMEOUT) \
  NAME(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE) NAME(CUDA_ERROR_EXTERNAL_DEVICE) \
  NAME(CUDA_ERROR_INVALID_CLUSTER_SIZE) NAME(CUDA_ERROR_FUNCTION_NOT_LOADED) \
  NAME(CUDA_ERROR_INVALID_RESOURCE_TYPE) NAME(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION) \
  NAME(CUDA_ERROR_KEY_ROTATION) NAME(CUDA_ERROR_UNKNOWN)
// clang-format on

/// Returns the error's name; null if the driver has no error with this number.
const char* name_of(CUresult error) {
  switch (error) {
#define CUEMU_RESULT_NAME(name) \
  case name:                    \
    return #name;
    CUEMU_RESULTS(CUEMU_RESULT_NAME)
#undef CUEMU_RESULT_NAME
  }
  return nullptr;
}

}  // namespace
}  // namespace cuemu

using namespace cuemu;

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType,
                                cuuint32_t tensorRank, void* globalAddress, const cuuint64_t* globalDim,
                                const cuuint64_t* globalStrides, const cuuint32_t* boxDim,
                                const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
                                CUtensorMapFloatOOBfill oobFill) {
  if (boxDim == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return encode("cuTensorMapEncodeTiled",
                {tensorMap, tensorDataType, tensorRank, globalAddress, globalDim, globalStrides,
                 elementStrides, interleave, swizzle, l2Promotion, oobFill},
                [boxDim](TensorMap& map) {
                  for (unsigned d = 0; d < map.dimensions; ++d)
                    map.box[d] = narrowed<std::uint16_t>(boxDim[d]);
                });
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType,
                                 cuuint32_t tensorRank, void* globalAddress, const cuuint64_t* globalDim,
                                 const cuuint64_t* globalStrides, const int* pixelBoxLowerCorner,
                                 const int* pixelBoxUpperCorner, cuuint32_t channelsPerPixel,
                                 cuuint32_t pixelsPerColumn, const cuuint32_t* elementStrides,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill) {
  if (pixelBoxLowerCorner == nullptr || pixelBoxUpperCorner == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return encode("cuTensorMapEncodeIm2col",
                {tensorMap, tensorDataType, tensorRank, globalAddress, globalDim, globalStrides,
                 elementStrides, interleave, swizzle, l2Promotion, oobFill},
                [=](TensorMap& map) {
                  map.is_im2col = true;
                  map.box[0] = narrowed<std::uint16_t>(channelsPerPixel);
                  map.box[1] = narrowed<std::uint16_t>(pixelsPerColumn);
                  for (unsigned d = 0; d + 2 < map.dimensions; ++d) {
                    map.lower[d] = pixelBoxLowerCorner[d];
                    map.upper[d] = pixelBoxUpperCorner[d];
                  }
                });
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* tensorMap, void* globalAddress) {
  if (tensorMap == nullptr || reinterpret_cast<std::uintptr_t>(globalAddress) % 16 != 0)
    return CUDA_ERROR_INVALID_VALUE;
  TensorMap map;
  std::memcpy(&map, tensorMap, sizeof map);
  if (map.magic != TensorMap::kMagic) return CUDA_ERROR_INVALID_VALUE;
  map.address = reinterpret_cast<std::uintptr_t>(globalAddress);
  if (map.address % slice_bytes(map.interleave) != 0) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(tensorMap, &map, sizeof map);
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char** pStr) {
  if (pStr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pStr = name_of(error);
  return *pStr != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult error, const char** pStr) {
  if (pStr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pStr = name_of(error) != nullptr ? cudaGetErrorString(static_cast<cudaError_t>(error)) : nullptr;
  return *pStr != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult* driverStatus) {
  return cudaGetDriverEntryPointByVersion(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned int,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult* driverStatus) {
  if (const cudaError_t error = enter(); error != cudaSuccess) return error;
  if (symbol == nullptr || *symbol == '\0' || funcPtr == nullptr || flags > cudaEnablePerThreadDefaultStream)
    return remember(cudaErrorInvalidValue);
  *funcPtr = nullptr;
  for (const EntryPoint& point : entry_points)
    if (point.name == symbol) *funcPtr = point.function;
  if (driverStatus != nullptr)
    *driverStatus = *funcPtr != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
}
