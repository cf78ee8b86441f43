/// @file
/// A machine that a test controls. The test's function answers commands, the clock changes only when the test
/// sets it, and the disk can be full. Files are real, and are in the test's folder.
#pragma once
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <limits>
#include <mutex>

#include "process/machine.hpp"

namespace grader {

/// A command runner that never starts a command.
class FakeCommands final : public CommandRunner {
 public:
  /// Imitates a command, and may write the files that the command would write. Calls never overlap.
  std::function<ProcessResult(const ProcessRequest&)> play;
  std::vector<ProcessRequest> asked;  ///< requests in the order of the calls
  std::atomic<bool> ctrl_c{false};

  ProcessResult run(const ProcessRequest& request) override {
    const std::lock_guard<std::mutex> one_at_a_time(mutex_);
    asked.push_back(request);
    if (!ctrl_c) return play(request);
    ProcessResult stopped;
    stopped.end = ProcessResult::End::interrupted;
    return stopped;
  }
  ProcessResult run_confined(const ProcessRequest& request, const SandboxSpec& spec) override {
    ProcessRequest inside = request;
    inside.cwd = spec.work_folder;
    return run(inside);
  }
  SandboxStatus sandbox() override {
    SandboxStatus status;
    status.works = true;
    return status;
  }
  bool interrupted() override { return ctrl_c; }

 private:
  std::mutex mutex_;
};

class FakeClocks final : public Clocks {
 public:
  std::atomic<double> seconds{1000};
  std::string time_of_day = "2030-01-02T03:04:05Z";

  double steady() override { return seconds; }
  std::string utc() override { return time_of_day; }
};

class FakeFileSystem final : public FileSystem {
 public:
  std::atomic<bool> full{false};
  std::atomic<bool> almost_full{false};  ///< the grader's own small files still fit on the disk

  void write(const fs::path& file, const std::string& bytes) override {
    refuse_if_full(file);
    this_machine().files.write(file, bytes);
  }
  void make_empty(const fs::path& folder) override {
    refuse_if_full(folder);
    this_machine().files.make_empty(folder);
  }
  std::uintmax_t free_room(const fs::path&) override {
    return full ? 0 : std::numeric_limits<std::uintmax_t>::max();
  }
  bool has_room(const fs::path&) override { return !full && !almost_full; }

 private:
  void refuse_if_full(const fs::path& file) const {
    if (full) throw disk_is_full(file.string() + " could not be written");
  }
};

class FakeDevices final : public Devices {
 public:
  std::vector<std::vector<std::string>> asked;

  std::unique_ptr<DeviceTurn> take(const std::vector<std::string>& devices) override {
    asked.push_back(devices);
    return std::make_unique<DeviceTurn>(devices.back());
  }
};

struct FakeMachine {
  FakeCommands commands;
  FakeClocks clocks;
  FakeFileSystem files;
  FakeDevices devices;
  Machine machine{commands, clocks, files, devices};
};

inline ProcessResult exits(int code, std::string out = "", std::string err = "") {
  ProcessResult result;
  result.end = ProcessResult::End::exited;
  result.code = code;
  result.out = std::move(out);
  result.err = std::move(err);
  return result;
}

/// @param wall_s the seconds after which the command was stopped
inline ProcessResult hangs(double wall_s) {
  ProcessResult result;
  result.end = ProcessResult::End::time_out;
  result.wall_s = wall_s;
  return result;
}

inline ProcessResult is_missing(const std::string& why) {
  ProcessResult result;
  result.end = ProcessResult::End::not_started;
  result.error = why;
  return result;
}

}  // namespace grader
