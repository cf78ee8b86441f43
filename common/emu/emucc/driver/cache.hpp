/// @file
/// Precompiled headers, made once for each set of headers (includes.hpp) and compiler flags that is requested often
/// enough, and kept between runs.
///
/// Only headers that the file itself includes are precompiled, so a program that forgets a header fails as it would
/// without. Any failure here (no cache folder, a full disk, a changed header) costs time only: the caller then
/// compiles without. A read-only cache is used too: `emucc --make-headers`, run by a user with write permission,
/// fills it.
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
  const std::string& header() const { return header_; }  ///< must come first, with -include
  bool has_all = true;  ///< it has all headers that the source certainly includes, not only the shared ones

 private:
  std::string header_;
  int lock_ = -1;
};

struct PrecompileRequest {
  std::string compiler;               ///< full path of g++
  std::vector<std::string> flags;     ///< all that may change the meaning of the headers
  std::vector<std::string> includes;  ///< in order, without brackets
  /// The number of requests before an entry is made. Making an entry takes two or three times what it saves a
  /// compilation: a file that is compiled once is faster without.
  int wishes_before = 3;
};

/// $CUEMU_CACHE, else $XDG_CACHE_HOME/emucc, else ~/.cache/emucc; empty when caching is off (CUEMU_CACHE is
/// empty or there is no home).
std::string cache_folder();

/// Finds the precompiled header, or makes it after enough requests, unless another process is making it. Empty:
/// compile without. The number of requests isn't part of an entry's name.
std::optional<PrecompiledHeader> precompile(const PrecompileRequest& request);

}  // namespace emucc
