/// @file
/// Loads libcupti and libcuda at run time. So this library can be loaded, and the program runs, even if they are
/// missing.
#pragma once
#include <cupti.h>
#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace cuda_lab_profile {

/// The functions in use, with the types that their headers declare.
struct CuptiLibrary {
  decltype(&::cuptiGetVersion) get_version = nullptr;
  decltype(&::cuptiGetResultString) result_string = nullptr;
  decltype(&::cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&::cuptiActivityEnable) enable_activity = nullptr;
  decltype(&::cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&::cuptiActivityGetNumDroppedRecords) dropped_records = nullptr;
  decltype(&::cuptiActivityFlushAll) flush_all = nullptr;
  decltype(&::cuptiSubscribe) subscribe = nullptr;
  decltype(&::cuptiEnableCallback) enable_callback = nullptr;

  /// @return the reason why the library can't be used; empty if it can be used
  std::string load();
};

struct DriverLibrary {
  CUresult (*device_get_name)(char*, int, CUdevice) = nullptr;
  CUresult (*device_get_attribute)(int*, CUdevice_attribute, CUdevice) = nullptr;
  CUresult (*context_get_device)(CUdevice*) = nullptr;
  CUresult (*context_synchronize)() = nullptr;
  CUresult (*memset_words)(CUdeviceptr, unsigned, std::size_t) = nullptr;
  CUresult (*memset_bytes)(CUdeviceptr, unsigned char, std::size_t) = nullptr;
  CUresult (*memset_words_async)(CUdeviceptr, unsigned, std::size_t, CUstream) = nullptr;
  CUresult (*pointer_get_attribute)(void*, CUpointer_attribute, CUdeviceptr) = nullptr;
  CUresult (*stream_is_capturing)(CUstream, CUstreamCaptureStatus*) = nullptr;

  bool load();
};

namespace detail {

template <typename Function>
bool find_symbol(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// Folders where toolkits keep libcupti. The newest version that these headers know comes first, because its records
/// have the layout that the headers declare.
inline std::vector<std::string> cupti_candidates() {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* root = std::getenv(variable))
      for (const char* below : {"/extras/CUPTI/lib64/", "/lib64/"})
        folders.push_back(root + std::string(below));
  for (const char* root : {"/usr/local/cuda", "/opt/cuda"})
    for (const char* below :
         {"/extras/CUPTI/lib64/", "/lib64/", "/targets/x86_64-linux/lib/", "/targets/sbsa-linux/lib/"})
      folders.push_back(root + std::string(below));
  folders.push_back("");  // the loader's own path
  const std::string own_version = "libcupti.so." + std::to_string(CUDA_VERSION / 1000);
  std::vector<std::string> files;
  for (const std::string& name : {own_version, std::string("libcupti.so")})
    for (const std::string& folder : folders) files.push_back(folder + name);
  return files;
}

}  // namespace detail

inline std::string CuptiLibrary::load() {
  void* library = nullptr;
  for (const std::string& file : detail::cupti_candidates())
    if ((library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))) break;
  if (!library) return "libcupti was not found: neither in $CUDA_HOME nor in /usr/local/cuda";
  using detail::find_symbol;
  const bool complete = find_symbol(library, "cuptiGetVersion", get_version) &&
                        find_symbol(library, "cuptiGetResultString", result_string) &&
                        find_symbol(library, "cuptiActivityRegisterCallbacks", register_callbacks) &&
                        find_symbol(library, "cuptiActivityEnable", enable_activity) &&
                        find_symbol(library, "cuptiActivityGetNextRecord", next_record) &&
                        find_symbol(library, "cuptiActivityGetNumDroppedRecords", dropped_records) &&
                        find_symbol(library, "cuptiActivityFlushAll", flush_all) &&
                        find_symbol(library, "cuptiSubscribe", subscribe) &&
                        find_symbol(library, "cuptiEnableCallback", enable_callback);
  return complete ? "" : "libcupti lacks a function that this library needs: is it older than CUDA 11.2?";
}

inline bool DriverLibrary::load() {
  void* library =
      dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);  // it is already loaded, since it loaded this library
  if (!library) return false;
  using detail::find_symbol;
  return find_symbol(library, "cuDeviceGetName", device_get_name) &&
         find_symbol(library, "cuDeviceGetAttribute", device_get_attribute) &&
         find_symbol(library, "cuCtxGetDevice", context_get_device) &&
         find_symbol(library, "cuCtxSynchronize", context_synchronize) &&
         find_symbol(library, "cuMemsetD32_v2", memset_words) &&
         find_symbol(library, "cuMemsetD8_v2", memset_bytes) &&
         find_symbol(library, "cuMemsetD32Async", memset_words_async) &&
         find_symbol(library, "cuPointerGetAttribute", pointer_get_attribute) &&
         find_symbol(library, "cuStreamIsCapturing", stream_is_capturing);
}

}  // namespace cuda_lab_profile
