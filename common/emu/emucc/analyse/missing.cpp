#include "analyse/missing.hpp"

#include <cctype>

namespace emucc {
namespace {

struct Part {
  std::string_view stem;  ///< the beginning of the names of its headers and libraries
  std::string_view title;
};
constexpr Part parts[] = {
    {"cublasXt", "cuBLASXt"},
    {"cufftw", "cuFFT's form of FFTW's interface"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cudnn", "cuDNN"},
    {"nccl", "NCCL"},
    {"nvrtc", "NVRTC"},
    {"nvml", "NVML"},
    {"nvidia-ml", "NVML"},
    {"cupti", "CUPTI"},
    {"npp", "NPP"},
    {"nvjpeg", "nvJPEG"},
    {"nvJitLink", "nvJitLink"},
    {"nvblas", "NVBLAS"},
    {"cudla", "cuDLA"},
    {"cufile", "cuFile"},
    {"cuda_gl_interop", "CUDA's interface to OpenGL"},
    {"cudaGL", "CUDA's interface to OpenGL"},
    {"cuda_egl_interop", "CUDA's interface to EGL"},
    {"optix", "OptiX"},
};

std::string sentence(std::string_view title) {
  return std::string(title) +
         ", which the emulation does not have: of CUDA's libraries it has the runtime, cuBLAS, cuFFT, "
         "cuRAND, "
         "CUB and Thrust";
}

/// Extras of the emulation (../extras). They are missing if the kit was built without them.
constexpr Part extras[] = {
    {"cublas", "cuBLAS"},
    {"cufft", "cuFFT"},
    {"curand", "cuRAND"},
    {"thrust/", "Thrust"},
    {"cub/", "CUB"},
    {"cuda/std/mdspan", "mdspan"},
    {"cuda/ptx", "cuda::ptx"},
    {"cuda_fp8.h", "8-bit floating-point numbers"},
    {"texture_", "textures and arrays"},
    {"surface_", "textures and arrays"},
    {"cuda_texture_types", "textures and arrays"},
    {"cuda_surface_types", "textures and arrays"},
    {"mma.h", "wmma"},
    {"crt/mma.h", "wmma"},
};

/// Names of the extra `textures` that programs use without an include, namely those that occur first in a
/// program's messages.
constexpr std::string_view names_of_textures[] = {"cudaTextureObject_t",
                                                  "cudaSurfaceObject_t",
                                                  "cudaTextureDesc",
                                                  "cudaResourceDesc",
                                                  "cudaCreateChannelDesc",
                                                  "cudaMallocArray",
                                                  "cudaMalloc3DArray",
                                                  "cudaFreeArray",
                                                  "tex1D",
                                                  "tex1Dfetch",
                                                  "tex2D",
                                                  "tex3D"};

std::string sentence_of_extra(std::string_view title) {
  return std::string(title) +
         ", an extra of the emulation that this kit was built without: build it with -DKIT_EMU_EXTRAS=ON";
}

}  // namespace

std::string missing_library(std::string_view name) {
  for (const Part& part : parts)
    if (name.rfind(part.stem, 0) == 0) return sentence(part.title);
  for (const Part& extra : extras)
    if (name.rfind(extra.stem, 0) == 0) return sentence_of_extra(extra.title);
  return {};
}

std::string missing_header(std::string_view header) {
  if (header.rfind("helper_", 0) == 0 || header == "exception.h")
    return "NVIDIA's samples: name the folder that holds it, Common of the samples, with -I";
  return missing_library(header);
}

std::string missing_name(std::string_view name) {
  for (const std::string_view one : names_of_textures)
    if (name == one) return sentence_of_extra("textures and arrays");
  static constexpr std::string_view texture_references[] = {"texture", "cudaBindTexture", "cudaUnbindTexture",
                                                            "textureReference", "cudaGetTextureReference"};
  for (const auto stem : texture_references)
    if (name == stem || (stem.rfind("cuda", 0) == 0 && name.rfind(stem, 0) == 0))
      return "texture references, which CUDA 12 removed: texture objects (cudaCreateTextureObject) took "
             "their place";
  static constexpr std::string_view runtime[] = {"cudaIpc",
                                                 "cudaGraphics",
                                                 "cudaImportExternal",
                                                 "cudaExternal",
                                                 "cudaGL",
                                                 "cudaMallocMipmapped",
                                                 "cudaGetMipmapped",
                                                 "cudaFreeMipmapped",
                                                 "cudaLibrary",
                                                 "cudaLogs",
                                                 "cudaGetDriverEntry",
                                                 "cudaDriverEntry",
                                                 "cudaMemcpyBatch"};
  for (const auto stem : runtime)
    if (name.rfind(stem, 0) == 0) return "a part of the runtime API that the emulation does not have";
  const bool function = name.size() > 2 && name.rfind("cu", 0) == 0 && std::isupper(name[2]) != 0;
  if (!function && name.rfind("CU_", 0) != 0) return {};
  return "the driver API, which the emulation does not have: it has the runtime API (cudaMalloc, "
         "kernel<<<…>>>), where kernels are compiled with the program";
}

}  // namespace emucc
