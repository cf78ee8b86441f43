/// @file
/// Formats CUPTI's values as lines of a GPU's profile (common/wire). Each line ends with its line break. This header
/// does not depend on CUDA.
#pragma once
#include <cstdint>
#include <string>

#include "wire/profile.hpp"

namespace cuda_lab_profile {

/// Returns a kernel's name as in its source: demangled, without return type and parameters, but with template
/// arguments. "_Z9matrixMulPfS_S_i" → "matrixMul"; "void scan<256>(float*)" → "scan<256>"
std::string kernel_name(const char* mangled);

struct Kernel {
  const char* mangled_name;
  std::uint64_t start_ns, end_ns;
  std::int32_t grid[3], block[3];
  std::int32_t static_shared, dynamic_shared, registers;
};
std::string kernel_line(const Kernel& kernel);

/// @param direction "h2d", "d2h", "d2d" or "h2h"
std::string memcpy_line(const char* direction, std::uint64_t bytes, std::uint64_t start_ns,
                        std::uint64_t end_ns);
std::string memset_line(std::uint64_t bytes, std::uint64_t start_ns, std::uint64_t end_ns);
std::string alloc_line(std::uint64_t address, std::uint64_t bytes, std::uint64_t at_ns);
std::string free_line(std::uint64_t address, std::uint64_t at_ns);
std::string content_line(const kit_wire::MovedContent& content);
std::string host_visible_line();
/// @param content whether the profile has `content` lines
std::string header_line(const std::string& device, const std::string& driver, bool content = false);
std::string note_line(const std::string& text);
std::string end_line();

/// Appends whole lines to a file; the lab's timers append to the same file. Errors are ignored, because a profile that
/// can't be written must not change the program's behaviour.
class ProfileFile {
 public:
  explicit ProfileFile(const char* path);
  void add(const std::string& line);
  void flush();
  /// Returns whether a grader reads the lines: the path is "fd:N".
  bool is_channel() const { return is_channel_; }

 private:
  bool is_channel_;
  int descriptor_;
  std::string pending_;
};

}  // namespace cuda_lab_profile
