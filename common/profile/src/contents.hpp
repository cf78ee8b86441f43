/// @file
/// Hashes the bytes that copies move (wire/content_hash.hpp), so that a grader can trace a result to its kernel. Lines
/// of kind `content` and `host_visible` are written when calls of the runtime return (LAB_PROFILE_CONTENT=1).
///
/// If a call waits for its copy, the copy is hashed when the call returns. A queued copy to the host is hashed when the
/// program has waited for its stream; without such a wait there is no line. Calls that are not watched leave no line,
/// so the profile's reader sees that bytes are missing.
#pragma once
#include <mutex>
#include <string>
#include <vector>

#include "cupti_library.hpp"

namespace cuda_lab_profile {

class Contents {
 public:
  explicit Contents(const DriverLibrary& driver) : driver_(driver) {}

  /// Returns the runtime calls that after() handles.
  static const std::vector<CUpti_CallbackId>& watched();

  /// Returns the lines for a successful call; usually there are none.
  std::string after(CUpti_CallbackId id, const void* parameters);

 private:
  /// A copy between host and device; the host's side has `height` rows of `width` bytes, `pitch` bytes apart.
  struct Copy {
    bool to_host = false;
    const unsigned char* host = nullptr;
    const void* device = nullptr;  ///< null: a device variable given by name
    std::size_t width = 0, height = 1, pitch = 0;
    bool queued = false;
    CUstream stream = nullptr;
  };

  bool copy_of(CUpti_CallbackId id, const void* parameters, Copy& copy) const;
  bool set_direction(Copy& copy, void* to, const void* from, cudaMemcpyKind kind) const;
  bool is_capturing(CUstream stream) const;
  bool is_pinned(const void* address) const;
  bool is_managed(const void* address) const;
  bool is_on_device(const void* address) const;
  std::string lines_of(const Copy& copy) const;
  std::string settle(bool all, CUstream stream);

  const DriverLibrary& driver_;
  std::mutex mutex_;
  std::vector<Copy> pending_;
  bool reported_host_visible_ = false;
};

}  // namespace cuda_lab_profile
