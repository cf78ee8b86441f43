/// @file
/// Allows one run at a time on each GPU, across the graders of all users, so that runs don't disturb each
/// other's times. A turn, the exclusive use of a GPU, is a lock on a file that all users of the machine
/// share. The lock is released when its process exits.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace grader {

/// A device that only this run may use while this object lives.
class DeviceTurn {
 public:
  /// @param lock the lock; closed if no file could be locked
  explicit DeviceTurn(std::string device, Descriptor lock = Descriptor())
      : device_(std::move(device)), lock_(std::move(lock)) {}
  const std::string& device() const { return device_; }
  /// Keeps the lock across exec(). The lock is released when the new program and its children have exited.
  void outlive_exec() const;

 private:
  std::string device_;
  Descriptor lock_;
};

/// Gives out turns. Several threads may call it at once.
class Devices {
 public:
  virtual ~Devices() = default;
  /// Waits until one of the devices is free. @param devices names that are the same for all graders of this machine;
  /// the list must not be empty
  /// @throws Error (environment) after Ctrl-C
  virtual std::unique_ptr<DeviceTurn> take(const std::vector<std::string>& devices) = 0;
};

/// Turns are locks on files in $GRADER_DEVICE_LOCKS, or else in a folder to which all users may write.
class LockedDevices final : public Devices {
 public:
  using Say = std::function<void(const std::string&)>;
  /// @param say receives one sentence when a turn has to wait, or when no file can be locked
  /// @param patience the shortest wait that is reported. Only the first such wait is reported, since a
  ///   grading takes a turn for each of its runs
  explicit LockedDevices(Say say, std::chrono::milliseconds patience = std::chrono::seconds(2))
      : say_(std::move(say)), patience_(patience) {}
  std::unique_ptr<DeviceTurn> take(const std::vector<std::string>& devices) override;

 private:
  Say say_;
  std::chrono::milliseconds patience_;
  std::atomic<bool> reported_{false};
};

}  // namespace grader
