/// @file
/// Precompiled headers, made once for each set of headers (includes.hpp) and compiler flags when it is asked
/// for often enough, and kept between runs.
///
/// Only what the file itself includes is precompiled, so a program that forgets a header fails as it would
/// without. Whatever goes wrong here (no cache folder, a full disk, a header that changed) costs time only:
/// the caller then compiles without. A cache that may only be read is: `emucc --make-headers`, run by whoever may write it,
/// makes what others use.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace emucc {

/// An entry of the cache, locked against removal while it lives.
class PrecompiledHeader {
 public:
  PrecompiledHeader(std::string header, int lock) : header_(std::move(header)), lock_(lock) {}
  PrecompiledHeader(PrecompiledHeader&& other) noexcept;
  PrecompiledHeader& operator=(PrecompiledHeader&&) = delete;
  ~PrecompiledHeader();
  const std::string& header() const { return header_; }  ///< to be given with -include, before all others
  bool has_all = true;  ///< that a source is sure to include, not only what all CUDA sources do

 private:
  std::string header_;
  int lock_ = -1;
};

struct PrecompileRequest {
  std::string compiler;               ///< full path of g++
  std::vector<std::string> flags;     ///< all that may change what the headers mean
  std::vector<std::string> includes;  ///< in order, without brackets
  /// How often the same must have been asked for before it is made. Making one takes two or three times what
  /// it saves a compilation: whoever compiles a file once does better without.
  int wishes_before = 3;
};

/// $CUEMU_CACHE, else $XDG_CACHE_HOME/emucc, else ~/.cache/emucc; empty when caching is off (CUEMU_CACHE is
/// empty or there is no home).
std::string cache_folder();

/// Finds the precompiled header, or makes it where it was asked for before, and nobody else is at it. Nothing: do without.
/// The number of wishes is no part of an entry's name.
std::optional<PrecompiledHeader> precompile(const PrecompileRequest& request);

}  // namespace emucc
