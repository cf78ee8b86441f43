#include "text_profile.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "../../profile/src/text_log.hpp"
#include "clock.hpp"
#include "device.hpp"
#include "observer.hpp"
#include "occupancy.hpp"
#include "services.hpp"
#include "wire/profile.hpp"

namespace cuemu {

namespace {

using cuda_profile_log::Record;

struct TextLog {
  cuda_profile_log::Settings settings;
  int file = -1;
  std::int64_t began_ns = 0;
};
TextLog* log_file = nullptr;

/// Sends a sentence to the grader that runs the program, or else prints it for the user.
void warn(const std::string& sentence) {
  if (has_channel()) return write_channel(kit_wire::note_line(sentence));
  std::fprintf(stderr, "cuemu: CUDA_PROFILE: %s\n", sentence.c_str());
}

/// Appends whole lines; the system writes each call atomically.
void append_to_log(const std::string& text) {
  if (write(log_file->file, text.data(), text.size()) < 0)
    log_file->file = -1;  // the disk is full, but the run must continue
}

/// @param host_ns duration of the host's call; -1: unknown
Record timed(std::string method, std::int64_t start_ns, std::int64_t end_ns, std::int64_t host_ns = -1) {
  Record record;
  record.method = std::move(method);
  record.start_us = static_cast<double>(start_ns - log_file->began_ns) / 1e3;
  record.gpu_us = static_cast<double>(end_ns - start_ns) / 1e3;
  if (host_ns >= 0) record.cpu_us = static_cast<double>(host_ns) / 1e3;
  return record;
}

void add(const Record& record) {
  append_to_log(cuda_profile_log::line(log_file->settings, record));
}

/// Returns the counter's value in the last launch; negative: no tool counts it.
std::int64_t counted(const std::string& counter) {
  return largest(std::int64_t{-1}, &Observer::counted, counter.c_str());
}

/// Removes the columns of counters that no tool counts.
void drop_uncounted(std::vector<std::string>& counters) {
  std::string dropped;
  for (auto counter = counters.begin(); counter != counters.end();) {
    if (counted(*counter) >= 0) {
      ++counter;
      continue;
    }
    dropped += (dropped.empty() ? "" : ", ") + *counter;
    counter = counters.erase(counter);
  }
  if (!dropped.empty())
    warn("counted only in programs that were built with emucc --counters, so the log omits them: " + dropped);
}

}  // namespace

void begin_text_profile() {
  cuda_profile_log::Settings settings = cuda_profile_log::read_settings();
  if (!settings.on) return;
  for (const std::string& problem : settings.problems) warn(problem);
  const int file = open(settings.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0)
    return warn("the log cannot be written to " + settings.path + ": check the folder and its permissions");
  drop_uncounted(settings.counters);
  log_file = new TextLog{std::move(settings), file, now_ns()};
  append_to_log(cuda_profile_log::head(log_file->settings, current_device(),
                                       std::string(device_profile().name) + " (emulated)"));
}

void text_profile_kernel(const Launch& launch, std::int64_t start_ns, std::int64_t end_ns) {
  if (log_file == nullptr) return;
  Record record = timed(launch.kernel->info.name, start_ns, end_ns, launch.host_ns);
  record.is_kernel = true;
  const dim3 sizes[] = {launch.grid, launch.block};
  std::uint32_t* const values[] = {record.grid, record.block};
  for (int i = 0; i < 2; ++i) {
    values[i][0] = sizes[i].x;
    values[i][1] = sizes[i].y;
    values[i][2] = sizes[i].z;
  }
  record.static_shared = state_of(*launch.kernel).static_shared.load();
  record.dynamic_shared = launch.dynamic_shared;
  record.registers = registers_per_thread;
  record.occupancy =
      occupancy(device_profile(), static_cast<int>(launch.block.x * launch.block.y * launch.block.z),
                record.static_shared + record.dynamic_shared)
          .share;
  for (const std::string& counter : log_file->settings.counters) record.counters[counter] = counted(counter);
  add(record);
}

void text_profile_copy(const char* direction, std::size_t bytes, std::int64_t start_ns, std::int64_t end_ns,
                       std::int64_t host_ns) {
  if (log_file == nullptr) return;
  Record record = timed(cuda_profile_log::copy_method(direction), start_ns, end_ns, host_ns);
  record.bytes = bytes;
  add(record);
}

void text_profile_fill(std::size_t bytes, std::int64_t start_ns, std::int64_t end_ns) {
  if (log_file == nullptr) return;
  Record record = timed("memset", start_ns, end_ns);
  record.bytes = bytes;
  add(record);
}

}  // namespace cuemu
