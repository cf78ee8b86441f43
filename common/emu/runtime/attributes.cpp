// The device's attributes. Each attribute is a property of the device, identified by a number.
#include "device.hpp"

namespace cuemu {

namespace {

using Value = long long (*)(const cudaDeviceProp&);

struct Attribute {
  cudaDeviceAttr number;
  Value value;
};

#define CUEMU_ATTRIBUTE(name, field)                                                           \
  {                                                                                            \
    cudaDevAttr##name, [](const cudaDeviceProp& p) { return static_cast<long long>(p.field); } \
  }

constexpr Attribute attributes[] = {
    CUEMU_ATTRIBUTE(MaxThreadsPerBlock, maxThreadsPerBlock),
    CUEMU_ATTRIBUTE(MaxBlockDimX, maxThreadsDim[0]),
    CUEMU_ATTRIBUTE(MaxBlockDimY, maxThreadsDim[1]),
    CUEMU_ATTRIBUTE(MaxBlockDimZ, maxThreadsDim[2]),
    CUEMU_ATTRIBUTE(MaxGridDimX, maxGridSize[0]),
    CUEMU_ATTRIBUTE(MaxGridDimY, maxGridSize[1]),
    CUEMU_ATTRIBUTE(MaxGridDimZ, maxGridSize[2]),
    CUEMU_ATTRIBUTE(MaxSharedMemoryPerBlock, sharedMemPerBlock),
    CUEMU_ATTRIBUTE(TotalConstantMemory, totalConstMem),
    CUEMU_ATTRIBUTE(WarpSize, warpSize),
    CUEMU_ATTRIBUTE(MaxPitch, memPitch),
    CUEMU_ATTRIBUTE(MaxRegistersPerBlock, regsPerBlock),
    CUEMU_ATTRIBUTE(ClockRate, clockRate),
    CUEMU_ATTRIBUTE(TextureAlignment, textureAlignment),
    CUEMU_ATTRIBUTE(GpuOverlap, deviceOverlap),
    CUEMU_ATTRIBUTE(MultiProcessorCount, multiProcessorCount),
    CUEMU_ATTRIBUTE(KernelExecTimeout, kernelExecTimeoutEnabled),
    CUEMU_ATTRIBUTE(Integrated, integrated),
    CUEMU_ATTRIBUTE(CanMapHostMemory, canMapHostMemory),
    CUEMU_ATTRIBUTE(ComputeMode, computeMode),
    CUEMU_ATTRIBUTE(MaxTexture1DWidth, maxTexture1D),
    CUEMU_ATTRIBUTE(MaxTexture2DWidth, maxTexture2D[0]),
    CUEMU_ATTRIBUTE(MaxTexture2DHeight, maxTexture2D[1]),
    CUEMU_ATTRIBUTE(MaxTexture3DWidth, maxTexture3D[0]),
    CUEMU_ATTRIBUTE(MaxTexture3DHeight, maxTexture3D[1]),
    CUEMU_ATTRIBUTE(MaxTexture3DDepth, maxTexture3D[2]),
    CUEMU_ATTRIBUTE(MaxTexture2DLayeredWidth, maxTexture2DLayered[0]),
    CUEMU_ATTRIBUTE(MaxTexture2DLayeredHeight, maxTexture2DLayered[1]),
    CUEMU_ATTRIBUTE(MaxTexture2DLayeredLayers, maxTexture2DLayered[2]),
    CUEMU_ATTRIBUTE(SurfaceAlignment, surfaceAlignment),
    CUEMU_ATTRIBUTE(ConcurrentKernels, concurrentKernels),
    CUEMU_ATTRIBUTE(EccEnabled, ECCEnabled),
    CUEMU_ATTRIBUTE(PciBusId, pciBusID),
    CUEMU_ATTRIBUTE(PciDeviceId, pciDeviceID),
    CUEMU_ATTRIBUTE(PciDomainId, pciDomainID),
    CUEMU_ATTRIBUTE(TccDriver, tccDriver),
    CUEMU_ATTRIBUTE(MemoryClockRate, memoryClockRate),
    CUEMU_ATTRIBUTE(GlobalMemoryBusWidth, memoryBusWidth),
    CUEMU_ATTRIBUTE(L2CacheSize, l2CacheSize),
    CUEMU_ATTRIBUTE(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor),
    CUEMU_ATTRIBUTE(AsyncEngineCount, asyncEngineCount),
    CUEMU_ATTRIBUTE(UnifiedAddressing, unifiedAddressing),
    CUEMU_ATTRIBUTE(MaxTexture1DLayeredWidth, maxTexture1DLayered[0]),
    CUEMU_ATTRIBUTE(MaxTexture1DLayeredLayers, maxTexture1DLayered[1]),
    CUEMU_ATTRIBUTE(MaxTexture2DGatherWidth, maxTexture2DGather[0]),
    CUEMU_ATTRIBUTE(MaxTexture2DGatherHeight, maxTexture2DGather[1]),
    CUEMU_ATTRIBUTE(MaxTexture3DWidthAlt, maxTexture3DAlt[0]),
    CUEMU_ATTRIBUTE(MaxTexture3DHeightAlt, maxTexture3DAlt[1]),
    CUEMU_ATTRIBUTE(MaxTexture3DDepthAlt, maxTexture3DAlt[2]),
    CUEMU_ATTRIBUTE(TexturePitchAlignment, texturePitchAlignment),
    CUEMU_ATTRIBUTE(MaxTextureCubemapWidth, maxTextureCubemap),
    CUEMU_ATTRIBUTE(MaxTextureCubemapLayeredWidth, maxTextureCubemapLayered[0]),
    CUEMU_ATTRIBUTE(MaxTextureCubemapLayeredLayers, maxTextureCubemapLayered[1]),
    CUEMU_ATTRIBUTE(MaxSurface1DWidth, maxSurface1D),
    CUEMU_ATTRIBUTE(MaxSurface2DWidth, maxSurface2D[0]),
    CUEMU_ATTRIBUTE(MaxSurface2DHeight, maxSurface2D[1]),
    CUEMU_ATTRIBUTE(MaxSurface3DWidth, maxSurface3D[0]),
    CUEMU_ATTRIBUTE(MaxSurface3DHeight, maxSurface3D[1]),
    CUEMU_ATTRIBUTE(MaxSurface3DDepth, maxSurface3D[2]),
    CUEMU_ATTRIBUTE(MaxSurface1DLayeredWidth, maxSurface1DLayered[0]),
    CUEMU_ATTRIBUTE(MaxSurface1DLayeredLayers, maxSurface1DLayered[1]),
    CUEMU_ATTRIBUTE(MaxSurface2DLayeredWidth, maxSurface2DLayered[0]),
    CUEMU_ATTRIBUTE(MaxSurface2DLayeredHeight, maxSurface2DLayered[1]),
    CUEMU_ATTRIBUTE(MaxSurface2DLayeredLayers, maxSurface2DLayered[2]),
    CUEMU_ATTRIBUTE(MaxSurfaceCubemapWidth, maxSurfaceCubemap),
    CUEMU_ATTRIBUTE(MaxSurfaceCubemapLayeredWidth, maxSurfaceCubemapLayered[0]),
    CUEMU_ATTRIBUTE(MaxSurfaceCubemapLayeredLayers, maxSurfaceCubemapLayered[1]),
    CUEMU_ATTRIBUTE(MaxTexture1DLinearWidth, maxTexture1DLinear),
    CUEMU_ATTRIBUTE(MaxTexture2DLinearWidth, maxTexture2DLinear[0]),
    CUEMU_ATTRIBUTE(MaxTexture2DLinearHeight, maxTexture2DLinear[1]),
    CUEMU_ATTRIBUTE(MaxTexture2DLinearPitch, maxTexture2DLinear[2]),
    CUEMU_ATTRIBUTE(MaxTexture2DMipmappedWidth, maxTexture2DMipmap[0]),
    CUEMU_ATTRIBUTE(MaxTexture2DMipmappedHeight, maxTexture2DMipmap[1]),
    CUEMU_ATTRIBUTE(ComputeCapabilityMajor, major),
    CUEMU_ATTRIBUTE(ComputeCapabilityMinor, minor),
    CUEMU_ATTRIBUTE(MaxTexture1DMipmappedWidth, maxTexture1DMipmap),
    CUEMU_ATTRIBUTE(StreamPrioritiesSupported, streamPrioritiesSupported),
    CUEMU_ATTRIBUTE(GlobalL1CacheSupported, globalL1CacheSupported),
    CUEMU_ATTRIBUTE(LocalL1CacheSupported, localL1CacheSupported),
    CUEMU_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor),
    CUEMU_ATTRIBUTE(MaxRegistersPerMultiprocessor, regsPerMultiprocessor),
    CUEMU_ATTRIBUTE(ManagedMemory, managedMemory),
    CUEMU_ATTRIBUTE(IsMultiGpuBoard, isMultiGpuBoard),
    CUEMU_ATTRIBUTE(MultiGpuBoardGroupID, multiGpuBoardGroupID),
    CUEMU_ATTRIBUTE(HostNativeAtomicSupported, hostNativeAtomicSupported),
    CUEMU_ATTRIBUTE(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio),
    CUEMU_ATTRIBUTE(PageableMemoryAccess, pageableMemoryAccess),
    CUEMU_ATTRIBUTE(ConcurrentManagedAccess, concurrentManagedAccess),
    CUEMU_ATTRIBUTE(ComputePreemptionSupported, computePreemptionSupported),
    CUEMU_ATTRIBUTE(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem),
    CUEMU_ATTRIBUTE(CooperativeLaunch, cooperativeLaunch),
    CUEMU_ATTRIBUTE(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin),
    CUEMU_ATTRIBUTE(HostRegisterSupported, hostRegisterSupported),
    CUEMU_ATTRIBUTE(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables),
    CUEMU_ATTRIBUTE(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost),
    CUEMU_ATTRIBUTE(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor),
    CUEMU_ATTRIBUTE(MaxPersistingL2CacheSize, persistingL2CacheMaxSize),
    CUEMU_ATTRIBUTE(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize),
    CUEMU_ATTRIBUTE(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock),
    CUEMU_ATTRIBUTE(SparseCudaArraySupported, sparseCudaArraySupported),
    CUEMU_ATTRIBUTE(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported),
    CUEMU_ATTRIBUTE(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported),
    CUEMU_ATTRIBUTE(MemoryPoolsSupported, memoryPoolsSupported),
    CUEMU_ATTRIBUTE(HostNumaMemoryPoolsSupported, memoryPoolsSupported),
    CUEMU_ATTRIBUTE(HostMemoryPoolsSupported, memoryPoolsSupported),
    CUEMU_ATTRIBUTE(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes),
    CUEMU_ATTRIBUTE(ClusterLaunch, clusterLaunch),
    CUEMU_ATTRIBUTE(IpcEventSupport, ipcEventSupported),
    CUEMU_ATTRIBUTE(NumaConfig, deviceNumaConfig),
    CUEMU_ATTRIBUTE(NumaId, deviceNumaId),
    CUEMU_ATTRIBUTE(HostNumaId, hostNumaId),
};
#undef CUEMU_ATTRIBUTE

}  // namespace

int device_attribute(const cudaDeviceProp& properties, cudaDeviceAttr attribute) {
  for (const Attribute& one : attributes)
    if (one.number == attribute) return static_cast<int>(one.value(properties));
  return 0;
}

}  // namespace cuemu
