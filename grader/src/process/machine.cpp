#include "process/machine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <limits>

#include "base/descriptor.hpp"
#include "base/files.hpp"
#include "base/removal.hpp"
#include "base/utc.hpp"
#include "process/process_tree.hpp"

namespace grader {
namespace {

/// The free bytes of disk that a program needs to write its profile. If there are fewer, its failure proves
/// nothing about it.
constexpr std::uintmax_t least_room = 1 << 20;

/// Far more bytes than any lab's program or its compilation writes.
constexpr off_t ample_room = 256 << 20;

class RealCommands final : public CommandRunner {
 public:
  ProcessResult run(const ProcessRequest& request) override { return run_process(request); }
  ProcessResult run_confined(const ProcessRequest& request, const SandboxSpec& spec) override {
    return run_sandboxed(request, spec);
  }
  SandboxStatus sandbox() override { return sandbox_status(); }
  bool interrupted() override { return grader::interrupted(); }
};

class RealClocks final : public Clocks {
 public:
  double steady() override {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  std::string utc() override { return utc_now(); }
};

class RealFileSystem final : public FileSystem {
 public:
  void write(const fs::path& file, const std::string& bytes) override { write_file(file, bytes); }

  void make_empty(const fs::path& folder) override {
    std::error_code failed = remove_tree(folder);
    if (!failed) fs::create_directories(folder, failed);
    if (failed)
      throw Error(ErrorKind::environment,
                  fmt::format("The folder {} can't be written: {}.", folder.string(), failed.message()),
                  "free some disk space, or point GRADER_HOME to a folder that you may write");
  }

  std::uintmax_t free_room(const fs::path& folder) override {
    std::error_code unknown;
    const fs::space_info room = fs::space(folder, unknown);
    return unknown ? std::numeric_limits<std::uintmax_t>::max() : room.available;
  }

  bool has_room(const fs::path& folder) override {
    // The probe is an unnamed file, which no longer exists once its descriptor is closed.
    const Descriptor probe(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (probe.open() && fallocate(probe.get(), 0, 0, ample_room) == 0) return true;
    const bool full = probe.open() && (errno == ENOSPC || errno == EDQUOT);
    return !full && free_room(folder) >= static_cast<std::uintmax_t>(ample_room);
  }
};

}  // namespace

const Machine& this_machine() {
  static RealCommands commands;
  static RealClocks clocks;
  static RealFileSystem files;
  static LockedDevices devices([](const std::string& sentence) {
    // Clears a progress line on the terminal first.
    std::fprintf(stderr, "%s%s\n", isatty(STDERR_FILENO) ? "\r\x1b[K" : "", sentence.c_str());
  });
  static const Machine machine{commands, clocks, files, devices};
  return machine;
}

Error disk_is_full(const std::string& consequence, const std::string& setting) {
  return {
      ErrorKind::environment, fmt::format("The disk is full: {}.", consequence),
      fmt::format("free some disk space, or point {} to another disk; then run the command again", setting)};
}

Error killed_twice(const std::string& subject) {
  return {
      ErrorKind::environment,
      subject +
          " was run twice, and killed from outside both times: by a person, or by a system that ran out of "
          "memory.",
      "run the command again; dmesg says whether memory ran out"};
}

bool fills_the_disk(const fs::path& folder) {
  return folder_size(folder, ample_room) > static_cast<std::uint64_t>(ample_room);
}

bool ran_out_of_disk(const Machine& machine, const ProcessResult& result, const fs::path& folder) {
  return !result.ok() && says_disk_is_full(result) && !machine.files.has_room(folder) &&
         !fills_the_disk(folder);
}

void need_room(const Machine& machine, const fs::path& folder) {
  if (machine.files.free_room(folder) >= least_room) return;
  throw disk_is_full(fmt::format("there is no room in {} for what a run writes", folder.string()));
}

}  // namespace grader
