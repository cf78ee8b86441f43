/// @file
/// The services that a grading uses, as small interfaces: commands, time, disk, and turns on a GPU. Building, running
/// and grading take a Machine, so that tests can play one whose compiler hangs, whose disk is full, or whose clock
/// jumps (fake_machine.hpp).
#pragma once
#include <algorithm>

#include "process/devices.hpp"
#include "process/sandbox.hpp"

namespace grader {

/// Runs commands. May be called from several threads at once.
class CommandRunner {
 public:
  virtual ~CommandRunner() = default;
  /// As run_process().
  virtual ProcessResult run(const ProcessRequest& request) = 0;
  /// Runs a program that is not the kit's, in the sandbox if there is one. @throws Error as sandboxed()
  virtual ProcessResult run_confined(const ProcessRequest& request, const SandboxSpec& spec) = 0;
  /// The protection that run_confined() gives.
  virtual SandboxStatus sandbox() = 0;
  /// True after Ctrl-C; checked between steps.
  virtual bool interrupted() = 0;
};

/// Two clocks. May be called from several threads at once.
class Clocks {
 public:
  virtual ~Clocks() = default;
  /// Seconds since an arbitrary moment, for durations and limits; unaffected by changes of the time of day.
  virtual double steady() = 0;
  /// The time of day for reports, "2030-01-02T03:04:05Z".
  virtual std::string utc() = 0;
};

/// The disk, for the files that the grader itself writes; compilers and programs write theirs directly.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  /// As write_file(): whole, or not at all. @throws Error (environment)
  virtual void write(const fs::path& file, const std::string& bytes) = 0;
  /// Makes a folder, or makes it empty. @throws Error (environment)
  virtual void make_empty(const fs::path& folder) = 0;
  /// Bytes that this user can still write below an existing folder; the maximum where that is unknown.
  virtual std::uintmax_t free_room(const fs::path& folder) = 0;
  /// Whether the folder still has room for the output of any lab's program or compilation, quotas included.
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

/// The time since construction. Never negative, whatever a clock does.
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

/// Whether a folder holds more than any lab's program or compilation writes, and so has filled the disk itself.
bool fills_the_disk(const fs::path& folder);

/// Whether a process failed because the disk is full, and not because of its own output. Its message is no proof,
/// since any program can print it, and a full disk stops a whole class.
bool ran_out_of_disk(const Machine& machine, const ProcessResult& result, const fs::path& folder);

/// @throws Error (environment) when so little room is left below a folder that the files there can't be relied on
void need_room(const Machine& machine, const fs::path& folder);

}  // namespace grader
