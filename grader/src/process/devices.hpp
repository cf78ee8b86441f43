/// @file
/// GPUs by turns: one run at a time on each, whichever user's grader asks, so that nobody's times are another's. A turn is a lock
/// on a file that all users of the machine share; it goes with the process that took it.
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

/// A device that this run alone may use, as long as it lives.
class DeviceTurn {
 public:
  /// @param lock closed: nothing could be locked
  explicit DeviceTurn(std::string device, Descriptor lock = Descriptor())
      : device_(std::move(device)), lock_(std::move(lock)) {}
  const std::string& device() const { return device_; }
  /// Hands the turn on to the program that this process becomes by exec: it ends with that one and all that it started.
  void outlive_exec() const;

 private:
  std::string device_;
  Descriptor lock_;
};

/// Gives turns. May be called from several threads at once.
class Devices {
 public:
  virtual ~Devices() = default;
  /// Waits until one of the devices is free. @param devices names that are the same for every grader of this machine; not none
  /// @throws Error (environment) after Ctrl-C
  virtual std::unique_ptr<DeviceTurn> take(const std::vector<std::string>& devices) = 0;
};

/// Where its locks are: $GRADER_DEVICE_LOCKS, else a folder that everybody may write in.
class LockedDevices final : public Devices {
 public:
  using Say = std::function<void(const std::string&)>;
  /// @param say gets one sentence when a turn has to wait, or when nothing can be locked
  /// @param patience a wait is worth a word when it takes that long; the first one is told, and no other: a grading takes a
  ///        turn for each of its runs
  explicit LockedDevices(Say say, std::chrono::milliseconds patience = std::chrono::seconds(2))
      : say_(std::move(say)), patience_(patience) {}
  std::unique_ptr<DeviceTurn> take(const std::vector<std::string>& devices) override;

 private:
  Say say_;
  std::chrono::milliseconds patience_;
  std::atomic<bool> told_{false};
};

}  // namespace grader
