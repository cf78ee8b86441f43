/// @file
/// Libraries that extras of the emulation register (../extras). For each `-lNAME`, lib/extras.txt lists the
/// library's archive, and the package that must be installed on this machine.
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

/// Reads lines of the form `name|target|title|file|package`. If a library computes with two other libraries,
/// it has a line for each of them.
std::vector<ExtraLibrary> extra_libraries(std::string_view lines);
/// Returns the libraries that this kit lists. @param runtime libcuemu.a, which is in the list's folder
std::vector<ExtraLibrary> extra_libraries_beside(const std::filesystem::path& runtime);

/// True if this machine can load the shared library.
bool can_be_loaded(const char* file);
/// Returns a sentence that names the package to install if the library's file is missing on this machine;
/// otherwise an empty text.
/// @param is_there checks whether a file such as "libopenblas.so.0" can be loaded
std::string missing_package(const ExtraLibrary& library, bool (*is_there)(const char*) = can_be_loaded);

}  // namespace emucc
