// The header that a .cu file includes, explicitly or implicitly: CUDA's runtime API with its C++ conveniences, and
// all functions of device code. The translator handles the keywords (__global__, __shared__, <<<…>>> …);
// cuemu/launch.hpp documents its output. Standard C++17.
#pragma once

#include "cuemu/push_macros.hpp"

#if defined(__cplusplus) && defined(CUEMU_WATCHED)
#include "cuemu/watched.hpp"
#endif

#include "cuda_runtime_api.h"
#include "cuemu/header_guards.h"
#include "driver_functions.h"
#include "library_types.h"
#include "math_constants.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include "cuemu/cluster_intrinsics.hpp"
#include "cuemu/device.hpp"
#include "cuemu/failures.hpp"
#include "cuemu/launch.hpp"
#ifdef CUEMU_CHECK
#include "cuemu/local_arrays.hpp"
#endif
#include "device_functions.h"
#include "device_launch_parameters.h"
#if __has_include("cuemu/warp.hpp")
#include "cuemu/lockstep.hpp"
#include "cuemu/warp.hpp"
#endif
#if __has_include("cuemu/whole_block.hpp")
#include "cuemu/whole_block.hpp"
#endif
#include "cuemu/ptx.hpp"
#if __has_include("cuemu/textures.hpp")
#include "cuemu/textures.hpp"
#endif

namespace cuemu {
/// Returns the address of a pointer of any type, including pointers to const, as an output argument of CUDA's C
/// functions.
template <class T>
inline void** any_pointer(T** pointer) {
  return reinterpret_cast<void**>(const_cast<std::remove_cv_t<T>**>(pointer));
}
}  // namespace cuemu

/// \name Defaults and typed forms of runtime calls
/// @{
template <class T>
inline cudaError_t cudaMalloc(T** devPtr, size_t size) {
  return ::cudaMalloc(::cuemu::any_pointer(devPtr), size);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(::cuemu::any_pointer(devPtr), pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocHost(T** ptr, size_t size, unsigned int flags = cudaHostAllocDefault) {
  return ::cudaHostAlloc(::cuemu::any_pointer(ptr), size, flags);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(::cuemu::any_pointer(ptr), size, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** pDevice, void* pHost, unsigned int flags) {
  return ::cudaHostGetDevicePointer(::cuemu::any_pointer(pDevice), pHost, flags);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(::cuemu::any_pointer(devPtr), size, flags);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** devPtr, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync(::cuemu::any_pointer(devPtr), size, stream);
}
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(::cuemu::any_pointer(ptr), size, memPool, stream);
}
/// Allocates from a given pool, which may differ from the device's current pool.
template <class T>
inline cudaError_t cudaMallocAsync(T** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(::cuemu::any_pointer(ptr), size, memPool, stream);
}
inline cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  return ::cudaMemcpyAsync(dst, src, count, kind, nullptr);
}
inline cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                                     size_t height, cudaMemcpyKind kind) {
  return ::cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, nullptr);
}
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p) {
  return ::cudaMemcpy3DAsync(p, nullptr);
}
inline cudaError_t cudaMemsetAsync(void* devPtr, int value, size_t count) {
  return ::cudaMemsetAsync(devPtr, value, count, nullptr);
}
inline cudaError_t cudaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width, size_t height) {
  return ::cudaMemset2DAsync(devPtr, pitch, value, width, height, nullptr);
}
inline cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, cudaMemLocation location,
                                        unsigned int flags) {
  return ::cudaMemPrefetchAsync(devPtr, count, location, flags, nullptr);
}
// These forms exist in CUDA 12 and before; they take a device number instead of a location.
inline cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, int device,
                                        cudaStream_t stream = nullptr) {
  const cudaMemLocation where{device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                              device};
  return ::cudaMemPrefetchAsync(devPtr, count, where, 0, stream);
}
inline cudaError_t cudaMemAdvise(const void* devPtr, size_t count, cudaMemoryAdvise advice, int device) {
  const cudaMemLocation where{device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                              device};
  return ::cudaMemAdvise(devPtr, count, advice, where);
}
inline cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags) {
  return ::cudaGetDriverEntryPoint(symbol, funcPtr, flags, nullptr);
}
inline cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned cudaVersion,
                                                    unsigned long long flags) {
  return ::cudaGetDriverEntryPointByVersion(symbol, funcPtr, cudaVersion, flags, nullptr);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event) {
  return ::cudaEventRecord(event, nullptr);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event) {
  return ::cudaStreamWaitEvent(stream, event, 0);
}
inline cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice,
                                       size_t count) {
  return ::cudaMemcpyPeerAsync(dst, dstDevice, src, srcDevice, count, nullptr);
}
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* devPtr, size_t length = 0) {
  return ::cudaStreamAttachMemAsync(stream, devPtr, length, cudaMemAttachSingle);
}
/// The form of this function in CUDA 11.
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* errorNode,
                                       cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = ::cudaGraphExecUpdate(exec, graph, &info);
  if (errorNode != nullptr) *errorNode = info.errorNode;
  if (result != nullptr) *result = info.result;
  return error;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph) {
  return ::cudaGraphInstantiate(pGraphExec, graph, 0);
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* pGraphExec, cudaGraph_t graph) {
  return ::cudaGraphInstantiateWithFlags(pGraphExec, graph, 0);
}
// These forms exist in CUDA 12 and before.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph, cudaGraphNode_t*,
                                        char*, size_t) {
  return ::cudaGraphInstantiate(pGraphExec, graph, 0);
}
inline cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                                    unsigned int defaultLaunchValue = 0) {
  return ::cudaGraphConditionalHandleCreate(handle, graph, defaultLaunchValue, 0);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, size_t numDependencies) {
  return ::cudaGraphAddDependencies(graph, from, to, nullptr, numDependencies);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                            unsigned long long* id = nullptr, cudaGraph_t* graph = nullptr) {
  return ::cudaStreamGetCaptureInfo(stream, status, id, graph, nullptr, nullptr, nullptr);
}

namespace cuemu {
/// Symbols may be volatile.
inline const void* symbol_address(const volatile void* symbol) {
  return const_cast<const void*>(symbol);
}
}  // namespace cuemu

inline cudaError_t cudaMemcpyBatchAsync(void* const* dsts, const void* const* srcs, const size_t* sizes,
                                        size_t count, cudaMemcpyAttributes attr, cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemcpyBatchAsync(dsts, srcs, sizes, count, &attr, &first, 1, stream);
}

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t count, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(::cuemu::symbol_address(&symbol), src, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, ::cuemu::symbol_address(&symbol), count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = nullptr) {
  return ::cudaMemcpyToSymbolAsync(::cuemu::symbol_address(&symbol), src, count, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = nullptr) {
  return ::cudaMemcpyFromSymbolAsync(dst, ::cuemu::symbol_address(&symbol), count, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* after, size_t numAfter,
                                                  const T& symbol, const void* src, size_t count,
                                                  size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, after, numAfter, ::cuemu::symbol_address(&symbol), src,
                                          count, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* after, size_t numAfter, void* dst,
                                                    const T& symbol, size_t count, size_t offset,
                                                    cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, after, numAfter, dst,
                                            ::cuemu::symbol_address(&symbol), count, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol,
                                                        const void* src, size_t count, size_t offset,
                                                        cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, ::cuemu::symbol_address(&symbol), src, count, offset,
                                                kind);
}
template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* dst, const T& symbol,
                                                          size_t count, size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, ::cuemu::symbol_address(&symbol), count, offset,
                                                  kind);
}
template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                            const T& symbol, const void* src, size_t count,
                                                            size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, ::cuemu::symbol_address(&symbol), src, count,
                                                    offset, kind);
}
template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                              void* dst, const T& symbol, size_t count,
                                                              size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, dst, ::cuemu::symbol_address(&symbol),
                                                      count, offset, kind);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** devPtr, const T& symbol) {
  return ::cudaGetSymbolAddress(devPtr, ::cuemu::symbol_address(&symbol));
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, ::cuemu::symbol_address(&symbol));
}
/// @}

namespace cuemu {
namespace detail {
cudaError_t launch_kernel(const void* function, KernelFunction how, dim3 grid, dim3 block, void** arguments,
                          std::size_t dynamic_shared, cudaStream_t stream, bool cooperative,
                          dim3 cluster = dim3(1, 1, 1));
cudaError_t largest_cluster(int* blocks, Kernel* kernel);
cudaError_t max_active_clusters(int* clusters, Kernel* kernel, const cudaLaunchConfig_t* config);
cudaError_t function_attributes(cudaFuncAttributes* attributes, Kernel* kernel);
cudaError_t set_function_attribute(Kernel* kernel, cudaFuncAttribute attribute, int value);
cudaError_t available_dynamic_shared(std::size_t* bytes, Kernel* kernel, int blocks, int block_size);
cudaError_t max_active_blocks(int* blocks, Kernel* kernel, int block_size, std::size_t dynamic_shared);
/// Returns the kernel whose host function begins at this address, or null.
Kernel* known_kernel(const void* function);
cudaError_t largest_block_for_occupancy(int* grid, int* block, Kernel* kernel,
                                        std::size_t (*shared)(int, void*), void* context, int limit);
cudaError_t launch_kernel(const void* function, KernelFunction how, const cudaLaunchConfig_t& config,
                          void** arguments);
}  // namespace detail
}  // namespace cuemu

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
namespace cuemu {
/// Makes the calling thread's own stream the null stream of the program.
bool use_per_thread_default_streams();
namespace {
[[maybe_unused]] const bool per_thread_default_streams = use_per_thread_default_streams();
}
}  // namespace cuemu
#endif

/// \name Functions that take a kernel with its own type, and work for every kernel, including templates
/// @{
template <class... P>
inline cudaError_t cudaLaunchKernel(void (*func)(P...), dim3 grid, dim3 block, void** args,
                                    size_t sharedMem = 0, cudaStream_t stream = nullptr) {
  return ::cuemu::detail::launch_kernel(reinterpret_cast<const void*>(func),
                                        ::cuemu::detail::how_to_call<P...>(), grid, block, args, sharedMem,
                                        stream, false);
}
inline cudaError_t cudaLaunchKernel(const void* func, dim3 grid, dim3 block, void** args,
                                    size_t sharedMem = 0) {
  return ::cudaLaunchKernel(func, grid, block, args, sharedMem, nullptr);
}
template <class... P>
inline cudaError_t cudaLaunchCooperativeKernel(void (*func)(P...), dim3 grid, dim3 block, void** args,
                                               size_t sharedMem = 0, cudaStream_t stream = nullptr) {
  return ::cuemu::detail::launch_kernel(reinterpret_cast<const void*>(func),
                                        ::cuemu::detail::how_to_call<P...>(), grid, block, args, sharedMem,
                                        stream, true);
}
inline cudaError_t cudaLaunchCooperativeKernel(const void* func, dim3 grid, dim3 block, void** args,
                                               size_t sharedMem = 0) {
  return ::cudaLaunchCooperativeKernel(func, grid, block, args, sharedMem, nullptr);
}
/// Launches a kernel with arguments that convert to the kernel's parameters.
template <class... P, class... A>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(P...), A&&... args) {
  return [&](P... converted) {
    void* pointers[] = {static_cast<void*>(&converted)..., nullptr};
    return ::cuemu::detail::launch_kernel(reinterpret_cast<const void*>(kernel),
                                          ::cuemu::detail::how_to_call<P...>(), *config, pointers);
  }(std::forward<A>(args)...);
}
template <class... P>
inline cudaError_t cudaFuncGetName(const char** name, void (*func)(P...)) {
  return ::cudaFuncGetName(name, ::cuemu::kernel_pointer(func));
}
template <class... P>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, void (*func)(P...)) {
  return ::cuemu::detail::function_attributes(attr, ::cuemu::detail::kernel_of(func));
}
template <class... P>
inline cudaError_t cudaFuncSetAttribute(void (*func)(P...), cudaFuncAttribute attr, int value) {
  return ::cuemu::detail::set_function_attribute(::cuemu::detail::kernel_of(func), attr, value);
}
template <class... P>
inline cudaError_t cudaFuncSetCacheConfig(void (*)(P...), cudaFuncCache) {
  return cudaSuccess;
}
template <class... P>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, void (*func)(P...),
                                                                 int blockSize, size_t dynamicSMemSize) {
  return ::cuemu::detail::max_active_blocks(numBlocks, ::cuemu::detail::kernel_of(func), blockSize,
                                            dynamicSMemSize);
}
template <class... P>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, void (*func)(P...),
                                                                          int blockSize,
                                                                          size_t dynamicSMemSize,
                                                                          unsigned int) {
  return ::cuemu::detail::max_active_blocks(numBlocks, ::cuemu::detail::kernel_of(func), blockSize,
                                            dynamicSMemSize);
}
/// Finds the block size with the highest occupancy, and the grid of such blocks that fills the device.
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, const void* func,
                                                      size_t dynamicSMemSize = 0, int blockSizeLimit = 0) {
  return ::cuemu::detail::largest_block_for_occupancy(
      minGridSize, blockSize, ::cuemu::detail::known_kernel(func),
      [](int, void* bytes) { return *static_cast<size_t*>(bytes); }, &dynamicSMemSize, blockSizeLimit);
}
template <class... P>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, void (*func)(P...),
                                                      size_t dynamicSMemSize = 0, int blockSizeLimit = 0) {
  return ::cuemu::detail::largest_block_for_occupancy(
      minGridSize, blockSize, ::cuemu::detail::kernel_of(func),
      [](int, void* bytes) { return *static_cast<size_t*>(bytes); }, &dynamicSMemSize, blockSizeLimit);
}
template <class F, class... P>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize,
                                                                  void (*func)(P...),
                                                                  F blockSizeToDynamicSMemSize,
                                                                  int blockSizeLimit = 0) {
  return ::cuemu::detail::largest_block_for_occupancy(
      minGridSize, blockSize, ::cuemu::detail::kernel_of(func),
      [](int block, void* f) -> std::size_t { return (*static_cast<F*>(f))(block); },
      &blockSizeToDynamicSMemSize, blockSizeLimit);
}
template <class... P>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize,
                                                               void (*func)(P...), size_t dynamicSMemSize = 0,
                                                               int blockSizeLimit = 0, unsigned int = 0) {
  return ::cudaOccupancyMaxPotentialBlockSize(minGridSize, blockSize, func, dynamicSMemSize, blockSizeLimit);
}
template <class F, class... P>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* minGridSize, int* blockSize,
                                                                           void (*func)(P...),
                                                                           F blockSizeToDynamicSMemSize,
                                                                           int blockSizeLimit = 0,
                                                                           unsigned int = 0) {
  return ::cudaOccupancyMaxPotentialBlockSizeVariableSMem(minGridSize, blockSize, func,
                                                          blockSizeToDynamicSMemSize, blockSizeLimit);
}
template <class... P>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, void (*func)(P...),
                                                             int numBlocks, int blockSize) {
  return ::cuemu::detail::available_dynamic_shared(dynamicSmemSize, ::cuemu::detail::kernel_of(func),
                                                   numBlocks, blockSize);
}
template <class... P>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, void (*func)(P...),
                                                        const cudaLaunchConfig_t* config) {
  (void)config;
  return ::cuemu::detail::largest_cluster(clusterSize, ::cuemu::detail::kernel_of(func));
}
template <class... P>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* numClusters, void (*func)(P...),
                                                  const cudaLaunchConfig_t* config) {
  return ::cuemu::detail::max_active_clusters(numClusters, ::cuemu::detail::kernel_of(func), config);
}
/// @}

#endif  // __cplusplus

#include "cuemu/hidden_macros.h"
#include "cuemu/pop_macros.hpp"
