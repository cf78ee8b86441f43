/// @file
/// Libraries that extras of the emulation register (../extras): lib/extras.txt has for each `-lNAME` its archive and
/// what this machine must have for it.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace emucc {

struct ExtraLibrary {
  std::string name;     ///< "cublas" for -lcublas
  std::string target;   ///< of the build; the archive is lib<target>.a
  std::string title;    ///< "cuBLAS"
  std::string file;     ///< a shared library that computes for it: "libopenblas.so.0"; empty: none
  std::string package;  ///< the Debian package with the file
};

/// The lines `name|target|title|file|package`. A library that computes with two others has a line for each.
std::vector<ExtraLibrary> extra_libraries(std::string_view lines);
/// Those of this kit. @param runtime libcuemu.a, beside which the list is
std::vector<ExtraLibrary> extra_libraries_beside(const std::filesystem::path& runtime);

/// True if the shared library can be loaded on this machine.
bool can_be_loaded(const char* file);
/// A sentence that names the package to install if the library's file is missing on this machine; else empty.
/// @param is_there checks for a file such as "libopenblas.so.0"
std::string missing_package(const ExtraLibrary& library, bool (*is_there)(const char*) = can_be_loaded);

}  // namespace emucc
