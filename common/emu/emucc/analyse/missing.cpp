#include "analyse/missing.hpp"

#include <dlfcn.h>

#include <cctype>

namespace emucc {
namespace {

struct Part {
  std::string_view stem;  ///< of its headers and libraries
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

/// The libraries that do a library's computations here: loaded at its first use (../libraries).
struct Computed {
  std::string_view name;
  std::string_view title;
  const char* file;
  std::string_view package;
};
constexpr Computed computed[] = {
    {"cublas", "cuBLAS", "libopenblas.so.0", "libopenblas0"},
    {"cublasLt", "cuBLASLt", "libopenblas.so.0", "libopenblas0"},
    {"cufft", "cuFFT", "libfftw3f.so.3", "libfftw3-single3"},
    {"cufft", "cuFFT", "libfftw3.so.3", "libfftw3-double3"},
};

}  // namespace

bool can_be_loaded(const char* file) {
  void* const found = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (found != nullptr) dlclose(found);
  return found != nullptr;
}

std::string missing_package(std::string_view name, bool (*is_there)(const char*)) {
  for (const Computed& one : computed)
    if (one.name == name && !is_there(one.file))
      return std::string(one.title) +
             " is computed by a library that is not installed here: sudo apt-get install " +
             std::string(one.package);
  return {};
}

std::string missing_library(std::string_view name) {
  for (const Part& part : parts)
    if (name.rfind(part.stem, 0) == 0) return sentence(part.title);
  return {};
}

std::string missing_header(std::string_view header) {
  if (header.rfind("helper_", 0) == 0 || header == "exception.h")
    return "NVIDIA's samples: name the folder that holds it, Common of the samples, with -I";
  return missing_library(header);
}

std::string missing_name(std::string_view name) {
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
