/// @file
/// The tools of this machine for building and running: compilers, CUDA, GPU and driver. `grader doctor`
/// prints them, and `build` uses them.
#pragma once
#include "catalog/catalog.hpp"
#include "process/process.hpp"

namespace grader {

struct Gpu {
  std::string name;
  std::string driver;
  int compute_major = 0, compute_minor = 0;
  std::string
      uuid;  ///< "GPU-…", the same for every process of this machine; empty if nvidia-smi does not report it
};

struct Toolchain {
  fs::path emucc;  ///< in the folder of the grader's own program or in ../bin, or else in PATH; empty: none
  std::string emucc_version;
  fs::path nvcc;  ///< in PATH, $CUDA_HOME/bin, $CUDA_PATH/bin or /usr/local/cuda/bin; empty: none
  std::string nvcc_version;
  fs::path sanitizer;      ///< compute-sanitizer, in PATH or in nvcc's folder; empty: none
  fs::path host_compiler;  ///< the compiler for oracles: $CXX, c++, g++ or clang++; empty: none
  std::string host_version;
  std::vector<Gpu> gpus;     ///< as nvidia-smi lists them
  std::string gpu_problem;   ///< why `gpus` is empty although parts of a GPU installation exist; else empty
  fs::path profile_library;  ///< libcuda_lab_profile.so in the grader's folder or in ../lib; empty: none
  fs::path include_folder;   ///< the folder that contains lab/*.hpp

  /// Finds all tools. Versions are read once for each compiler file and cached in the state folder, so the call
  /// takes a few milliseconds.
  static Toolchain detect(const Kit& kit);

  /// Chooses the backend to use. @param note receives a sentence with the choice and its reason
  /// @throws Error (environment) when the requested backend can't work here; its message names the missing part
  Backend choose(std::optional<Backend> wanted, std::string& note) const;

  /// The names of the GPUs on which gradings may take turns: all GPUs of the same kind as the first. The list is
  /// never empty.
  std::vector<std::string> devices() const;

  /// Whether a program needs a GPU assigned: there are several GPUs, or not all may be used.
  bool names_device() const;

  /// The device that a grading names: the first GPU's name, or "emulation".
  std::string device(Backend backend) const;
};

/// The GPUs that CUDA_VISIBLE_DEVICES (numbers or UUIDs) leaves visible, in its order. As in CUDA, entries after an
/// invalid one are ignored.
std::vector<Gpu> visible_gpus(const std::vector<Gpu>& gpus, const std::string& words);

/// Parses the output of `nvidia-smi --query-gpu=name,driver_version,compute_cap,uuid --format=csv,noheader`.
/// Malformed lines are ignored.
std::vector<Gpu> parse_gpus(const std::string& csv);

}  // namespace grader
