/// @file
/// What this machine can build and run: compilers, CUDA, GPU, driver. `grader doctor` prints it; `build` uses it.
#pragma once
#include "catalog/catalog.hpp"
#include "process/process.hpp"

namespace grader {

struct Gpu {
  std::string name;
  std::string driver;
  int compute_major = 0, compute_minor = 0;
  std::string
      uuid;  ///< "GPU-…", the same for every process of this machine; empty where nvidia-smi does not say it
};

struct Toolchain {
  fs::path emucc;  ///< beside the grader's own binary (or in ../bin), else in PATH; empty: none
  std::string emucc_version;
  fs::path nvcc;  ///< PATH, $CUDA_HOME/bin, $CUDA_PATH/bin, /usr/local/cuda/bin; empty: none
  std::string nvcc_version;
  fs::path sanitizer;      ///< compute-sanitizer, in PATH or beside nvcc; empty: none
  fs::path host_compiler;  ///< for oracles: $CXX, c++, g++, clang++; empty: none
  std::string host_version;
  std::vector<Gpu> gpus;     ///< through nvidia-smi
  std::string gpu_problem;   ///< why gpus is empty although something of a GPU is there; else empty
  fs::path profile_library;  ///< libcuda_lab_profile.so beside the grader or in ../lib; empty: none
  fs::path include_folder;   ///< holds lab/*.hpp

  /// Looks for everything. Versions are asked once for each compiler file, and kept in the state folder, so
  /// that this takes a few milliseconds.
  static Toolchain detect(const Kit& kit);

  /// The backend to use, and one sentence saying which and why.
  /// @throws Error (environment) when the wanted one can't work here, saying what is missing
  Backend choose(std::optional<Backend> wanted, std::string& note) const;

  /// What tells the GPUs apart that gradings may take turns on: all that are like the first one. Not none.
  std::vector<std::string> devices() const;

  /// Whether a program has to be told which of them is its own: there are several, or not all may be used.
  bool names_device() const;

  /// What a grading's device is called: the first GPU's name, or "emulation".
  std::string device(Backend backend) const;
};

/// Those of the machine's GPUs that CUDA_VISIBLE_DEVICES, numbers or UUIDs, leaves visible, in its order. As CUDA does it, what
/// stands behind a word that names none is passed over.
std::vector<Gpu> visible_gpus(const std::vector<Gpu>& gpus, const std::string& words);

/// The GPUs in what `nvidia-smi --query-gpu=name,driver_version,compute_cap,uuid --format=csv,noheader` prints.
/// Lines that don't fit are left out.
std::vector<Gpu> parse_gpus(const std::string& csv);

}  // namespace grader
