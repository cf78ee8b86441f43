/// @file
/// What a grading asks of the machine that it runs on, as small interfaces: running commands, the time, the disk,
/// and turns on a GPU. Whoever builds, runs or grades is handed a Machine, so that tests can play one whose compiler hangs, whose disk
/// is full, or whose clock jumps (fake_machine.hpp).
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
  /// Runs what is not the kit's own, in the sandbox where there is one. @throws Error as sandboxed()
  virtual ProcessResult run_confined(const ProcessRequest& request, const SandboxSpec& spec) = 0;
  /// What run_confined() protects from.
  virtual SandboxStatus sandbox() = 0;
  /// True once Ctrl-C came; asked between steps.
  virtual bool interrupted() = 0;
};

/// Tells the time in two ways. May be called from several threads at once.
class Clocks {
 public:
  virtual ~Clocks() = default;
  /// Seconds since some moment, for durations and limits: setting the time of day does not change them.
  virtual double steady() = 0;
  /// The time of day, "2030-01-02T03:04:05Z", for people to read.
  virtual std::string utc() = 0;
};

/// The disk, as far as a grading writes to it by itself: what compilers and programs write is theirs.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  /// As write_file(): whole, or not at all. @throws Error (environment)
  virtual void write(const fs::path& file, const std::string& bytes) = 0;
  /// Makes a folder, or makes it empty. @throws Error (environment)
  virtual void make_empty(const fs::path& folder) = 0;
  /// Bytes that this user can still write below a folder that is there; as many as can be where that is unknown.
  virtual std::uintmax_t free_room(const fs::path& folder) = 0;
  /// Whether as much as any lab's program or compilation writes still goes into a folder, quotas included.
  virtual bool has_room(const fs::path& folder) = 0;
};

/// One machine.
struct Machine {
  CommandRunner& commands;
  Clocks& clocks;
  FileSystem& files;
  Devices& devices;
};

/// The one that this program runs on.
const Machine& this_machine();

/// The time since it was made. Never negative, whatever a clock does.
class Stopwatch {
 public:
  explicit Stopwatch(Clocks& clocks) : clocks_(clocks), start_(clocks.steady()) {}
  double seconds() const { return std::max(0.0, clocks_.steady() - start_); }

 private:
  Clocks& clocks_;
  const double start_;
};

/// That the disk is full, with what follows from it ("the inputs could not be written") and what to do.
/// @param setting the variable that moves what is written to another disk
Error disk_is_full(const std::string& consequence, const std::string& setting = "GRADER_HOME");

/// Whether what lies in a folder is more than any lab's program or compilation writes: then that filled the disk.
bool fills_the_disk(const fs::path& folder);

/// Whether a process failed since the disk is full, and not by what it wrote itself. What it says is not enough: anybody can print
/// those words, and the disk being full stops a whole class.
bool ran_out_of_disk(const Machine& machine, const ProcessResult& result, const fs::path& folder);

/// @throws Error (environment) when so little room is left below a folder that what was written there, or should have been,
///         can't be relied on
void need_room(const Machine& machine, const fs::path& folder);

}  // namespace grader
