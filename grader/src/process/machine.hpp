/// @file
/// The services that a grading uses, as small interfaces: commands, time, disk, and turns on a GPU. Building, running
/// and grading take a Machine, so that tests can imitate a machine whose compiler hangs, whose disk is full, or whose
/// clock jumps (fake_machine.hpp).
#pragma once
#include <algorithm>

#include "process/devices.hpp"
#include "process/sandbox.hpp"

namespace grader {

/// Runs commands. Several threads may call it at once.
class CommandRunner {
 public:
  virtual ~CommandRunner() = default;
  /// Runs a command as run_process() does.
  virtual ProcessResult run(const ProcessRequest& request) = 0;
  /// Runs a program of the kit's own or of the system, with run_unless_killed(). The command must be safe to
  /// run twice.
  ProcessResult run_own(const ProcessRequest& request) {
    return run_unless_killed([&] { return run(request); });
  }
  /// Runs a program that is not the kit's, in the sandbox if there is one. @throws Error under the same conditions as
  /// sandboxed()
  virtual ProcessResult run_confined(const ProcessRequest& request, const SandboxSpec& spec) = 0;
  /// How run_confined() protects the machine.
  virtual SandboxStatus sandbox() = 0;
  /// True after Ctrl-C; checked between steps.
  virtual bool interrupted() = 0;
};

/// Two clocks. Several threads may call them at once.
class Clocks {
 public:
  virtual ~Clocks() = default;
  /// The seconds since an arbitrary moment, for durations and limits. Changes to the time of day do not affect it.
  virtual double steady() = 0;
  /// The time of day for reports, "2030-01-02T03:04:05Z".
  virtual std::string utc() = 0;
};

/// The disk, for the files that the grader itself writes. Compilers and programs write their files directly.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  /// Writes a file as write_file() does: completely or not at all. @throws Error (environment)
  virtual void write(const fs::path& file, const std::string& bytes) = 0;
  /// Creates a folder, or removes all that is in it. @throws Error (environment)
  virtual void make_empty(const fs::path& folder) = 0;
  /// The bytes that this user can still write below an existing folder. The largest number if this is
  /// unknown.
  virtual std::uintmax_t free_room(const fs::path& folder) = 0;
  /// Whether the folder still has space for the output of any lab's program or compilation. Quotas count.
  virtual bool has_room(const fs::path& folder) = 0;
};

struct Machine {
  CommandRunner& commands;
  Clocks& clocks;
  FileSystem& files;
  Devices& devices;
};

/// The machine that this process runs on.
const Machine& this_machine();

/// The time since construction. It is never negative, even if the clock jumps.
class Stopwatch {
 public:
  explicit Stopwatch(Clocks& clocks) : clocks_(clocks), start_(clocks.steady()) {}
  double seconds() const { return std::max(0.0, clocks_.steady() - start_); }

 private:
  Clocks& clocks_;
  const double start_;
};

/// The error for a full disk, with the consequence ("the inputs could not be written") and the remedy.
/// @param setting the variable that moves the files to another disk
Error disk_is_full(const std::string& consequence, const std::string& setting = "GRADER_HOME");

/// Whether a folder contains more than any lab's program or compilation writes, so that it has filled the
/// disk itself.
bool fills_the_disk(const fs::path& folder);

/// Whether a process failed because the disk is full, and not because of its own output. The message of the
/// process is no proof: any program can print it, and the error for a full disk stops the grading of a whole
/// class.
bool ran_out_of_disk(const Machine& machine, const ProcessResult& result, const fs::path& folder);

/// The error for a program of the kit's own that was killed from outside twice.
/// @param subject of the sentence: "The compiler"
Error killed_twice(const std::string& subject);

/// @throws Error (environment) when so little disk space is left below a folder that its files can't be relied on
void need_room(const Machine& machine, const fs::path& folder);

}  // namespace grader
