/// @file
/// A control group for one run, if this user may create one. The operating system then refuses more processes
/// or memory. Without a group, run_process() still enforces the limits, but detects a fork bomb a little
/// later.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>

namespace grader {

/// The bytes of memory of this machine, or the lowest limit of the control groups that contain the grader, if
/// that is lower.
std::uint64_t memory_here();

class ControlGroup {
 public:
  /// @param tasks  processes and threads that may exist at the same time
  /// @param memory bytes; 0: no limit
  /// @return nullptr if no group that limits the number of tasks can be created
  static std::unique_ptr<ControlGroup> make(std::uint64_t tasks, std::uint64_t memory);
  ~ControlGroup();
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;

  /// The file that admits members: a process that writes "0" to it becomes a member, with all its descendants.
  const std::filesystem::path& members() const { return members_; }
  /// Whether the operating system killed a member because of its memory.
  bool was_out_of_memory() const;

 private:
  explicit ControlGroup(std::filesystem::path folder);
  std::filesystem::path folder_, members_;
};

}  // namespace grader
