// The driver API's part of the emulation: tensor maps, the names of errors, and who asks the runtime for them.
#include "cuda.h"

#include <cstdio>
#include <cstring>
#include <string_view>

#include "cuda_runtime_api.h"
#include "cuemu/tensor_map.hpp"
#include "errors.hpp"

namespace cuemu {
namespace {

constexpr std::uint64_t most_elements = std::uint64_t{1} << 32, most_stride = std::uint64_t{1} << 40;

CUresult not_emulated(const char* what) {
  std::fprintf(stderr, "cuemu: cuTensorMapEncodeTiled: %s not emulated\n", what);
  return CUDA_ERROR_NOT_SUPPORTED;
}

struct EntryPoint {
  std::string_view name;
  void* function;
};
const EntryPoint entry_points[] = {
    {"cuTensorMapEncodeTiled", reinterpret_cast<void*>(&cuTensorMapEncodeTiled)},
    {"cuTensorMapReplaceAddress", reinterpret_cast<void*>(&cuTensorMapReplaceAddress)},
    {"cuGetErrorName", reinterpret_cast<void*>(&cuGetErrorName)},
    {"cuGetErrorString", reinterpret_cast<void*>(&cuGetErrorString)},
};

bool is_known(CUresult error) {
  return cudaGetErrorName(static_cast<cudaError_t>(error)) != std::string_view("unrecognized error code");
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
  if (tensorMap == nullptr || globalDim == nullptr || boxDim == nullptr || elementStrides == nullptr)
    return CUDA_ERROR_INVALID_VALUE;
  if (tensorRank < 1 || tensorRank > most_tensor_dimensions ||
      (tensorRank > 1 && globalStrides == nullptr) ||
      reinterpret_cast<std::uintptr_t>(tensorMap) % alignof(CUtensorMap) != 0 ||
      reinterpret_cast<std::uintptr_t>(globalAddress) % 16 != 0 ||
      static_cast<unsigned>(l2Promotion) > CU_TENSOR_MAP_L2_PROMOTION_L2_256B)
    return CUDA_ERROR_INVALID_VALUE;
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return not_emulated("interleaved layouts are");
  if (swizzle > CU_TENSOR_MAP_SWIZZLE_128B) return not_emulated("swizzles of atoms of 32 and 64 bytes are");
  if (tensorDataType > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ)
    return not_emulated("tensors of 4- and 6-bit numbers are");

  TensorMap map{};
  map.type = static_cast<TensorType>(tensorDataType);
  map.swizzle = static_cast<Swizzle>(swizzle);
  map.address = reinterpret_cast<std::uintptr_t>(globalAddress);
  map.dimensions = static_cast<std::uint8_t>(tensorRank);
  map.fills_nan = oobFill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  map.magic = TensorMap::kMagic;
  if (map.fills_nan && tensorDataType < CU_TENSOR_MAP_DATA_TYPE_FLOAT16) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned d = 0; d < tensorRank; ++d) {
    if (globalDim[d] == 0 || globalDim[d] > most_elements || boxDim[d] == 0 || boxDim[d] > 256 ||
        elementStrides[d] == 0 || elementStrides[d] > 8)
      return CUDA_ERROR_INVALID_VALUE;
    map.size[d] = globalDim[d];
    map.box[d] = static_cast<std::uint16_t>(boxDim[d]);
    map.step[d] = static_cast<std::uint8_t>(elementStrides[d]);
    if (d == 0) continue;
    const std::uint64_t stride = globalStrides[d - 1];
    if (stride % 16 != 0 || stride >= most_stride) return CUDA_ERROR_INVALID_VALUE;
    map.stride[d - 1] = stride;
  }
  const std::uint64_t row = std::uint64_t{map.box[0]} * bytes_of(map.type);
  if (row % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
  if (map.swizzle != Swizzle::none && row > swizzle_span(map.swizzle)) return CUDA_ERROR_INVALID_VALUE;
  std::memset(tensorMap, 0, sizeof *tensorMap);
  std::memcpy(tensorMap, &map, sizeof map);
  return CUDA_SUCCESS;
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* tensorMap, void* globalAddress) {
  if (tensorMap == nullptr || reinterpret_cast<std::uintptr_t>(globalAddress) % 16 != 0)
    return CUDA_ERROR_INVALID_VALUE;
  TensorMap map;
  std::memcpy(&map, tensorMap, sizeof map);
  if (map.magic != TensorMap::kMagic) return CUDA_ERROR_INVALID_VALUE;
  map.address = reinterpret_cast<std::uintptr_t>(globalAddress);
  std::memcpy(tensorMap, &map, sizeof map);
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char** pStr) {
  if (pStr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pStr = nullptr;
  if (!is_known(error)) return CUDA_ERROR_INVALID_VALUE;
  *pStr = cudaGetErrorName(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char** pStr) {
  if (pStr == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pStr = nullptr;
  if (!is_known(error)) return CUDA_ERROR_INVALID_VALUE;
  *pStr = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
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
    *driverStatus =
        *funcPtr != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
}
