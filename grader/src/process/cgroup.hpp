/// @file
/// A control group for one run, where this user may make one: the kernel then refuses more processes or memory.
/// Without a group run_process() still enforces the limits; it only detects a fork bomb a little later.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>

namespace grader {

/// Bytes of memory of this machine, or the limit of the control groups around the grader where that is lower.
std::uint64_t memory_here();

class ControlGroup {
 public:
  /// @param tasks  processes and threads that may exist at the same time
  /// @param memory bytes; 0: no limit
  /// @return nullptr where no group that limits the number of tasks can be made
  static std::unique_ptr<ControlGroup> make(std::uint64_t tasks, std::uint64_t memory);
  ~ControlGroup();
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;

  /// A process that writes "0" to it becomes a member, with all its descendants.
  const std::filesystem::path& members() const { return members_; }
  /// Whether the kernel killed a member for its memory.
  bool was_out_of_memory() const;

 private:
  explicit ControlGroup(std::filesystem::path folder);
  std::filesystem::path folder_, members_;
};

}  // namespace grader
