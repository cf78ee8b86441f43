/// @file
/// Keeps precompiled headers between runs. A header is made for each set of includes (includes.hpp) and
/// compiler flags that is requested often enough.
///
/// Only headers that the file itself includes are precompiled, so a program that lacks an include fails as it
/// would without the cache. A failure here (no cache folder, a full disk, a changed header) costs only time,
/// since the caller then compiles without a precompiled header. A read-only cache is used, too: a user with
/// write permission fills it by `emucc --make-headers`.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace emucc {

/// An entry of the cache. It is locked against removal while this object lives.
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
  /// The number of requests before an entry is made. The time to make an entry is two or three times the time
  /// that it saves in a compilation. So a file that is compiled once compiles faster without an entry.
  int wishes_before = 3;
};

/// Returns $CUEMU_CACHE, or $XDG_CACHE_HOME/emucc, or ~/.cache/emucc, whichever is set first. Empty if
/// caching is off: CUEMU_CACHE is empty, or there is no home.
std::string cache_folder();

/// Returns the precompiled header, and makes it first if there were enough requests. Empty if the caller must
/// compile without one, for example because another process is making it. The number of requests isn't part
/// of an entry's name.
std::optional<PrecompiledHeader> precompile(const PrecompileRequest& request);

}  // namespace emucc
