/// @file
/// A control group for one run, where this user may make one: the kernel itself then refuses more processes
/// or memory. Without one the limits still hold, since run_process() watches them too; it only sees a fork
/// bomb a little later.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>

namespace grader {

/// Bytes of memory that this machine has, or that the control groups around the grader leave it of them.
std::uint64_t memory_here();

class ControlGroup {
 public:
  /// @param tasks  processes and threads that may be at once
  /// @param memory bytes; 0: no limit
  /// @return nullptr where no group can be made that limits the number of tasks
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
