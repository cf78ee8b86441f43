#include "profile.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "device.hpp"
#include "services.hpp"
#include "text_profile.hpp"

namespace cuemu {

namespace {

int profile_file = -1;
bool profiles = false;  // to the file, or to a grader's channel
bool with_content = false;

/// One line per write(), which the system appends atomically.
void line(const std::string& text) {
  if (has_channel()) return tell_channel(text);
  if (profile_file < 0) return;
  const std::string whole = text + "\n";
  if (write(profile_file, whole.data(), whole.size()) < 0)
    profiles = false, profile_file = -1;  // a full disk: the run matters more
}

std::string quoted(const char* text) {
  std::string result = "\"";
  for (; *text != '\0'; ++text) {
    if (*text == '"' || *text == '\\') result += '\\';
    if (static_cast<unsigned char>(*text) >= 0x20) result += *text;
  }
  return result + "\"";
}

std::string triple_of(const dim3& d) {
  return "[" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + "]";
}

std::string times(std::int64_t start_ns, std::int64_t end_ns) {
  return "\"start_ns\":" + std::to_string(start_ns) + ",\"duration_ns\":" + std::to_string(end_ns - start_ns);
}

const char* name_of(cudaMemcpyKind direction) {
  switch (direction) {
    case cudaMemcpyHostToDevice:
      return "h2d";
    case cudaMemcpyDeviceToHost:
      return "d2h";
    case cudaMemcpyDeviceToDevice:
      return "d2d";
    default:
      return "h2h";
  }
}

}  // namespace

void begin_profile() {
  begin_text_profile();
  const char* const path = std::getenv("LAB_PROFILE");
  if (path == nullptr || *path == '\0') return;
  if (has_channel()) {
    profiles = true;
  } else {
    profile_file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    profiles = profile_file >= 0;
  }
  if (!profiles) {
    std::fprintf(
        stderr,
        "cuemu: the profile cannot be written to %s (LAB_PROFILE): check the folder and its permissions\n",
        path);
    return;
  }
  const char* const content = setting("LAB_PROFILE_CONTENT");
  with_content = content != nullptr && *content != '\0';
  line("{\"kind\":\"header\",\"format\":1,\"source\":\"emulation\",\"device\":" +
       quoted(device_profile().name) + ",\"driver\":\"cuemu\"" + (with_content ? ",\"content\":true}" : "}"));
}

void profile_kernel(const Launch& launch, std::int64_t start_ns, std::int64_t end_ns) {
  text_profile_kernel(launch, start_ns, end_ns);
  if (!profiles) return;
  line("{\"kind\":\"kernel\",\"name\":" + quoted(launch.kernel->info.name) + "," + times(start_ns, end_ns) +
       ",\"grid\":" + triple_of(launch.grid) + ",\"block\":" + triple_of(launch.block) +
       ",\"static_shared\":" + std::to_string(state_of(*launch.kernel).static_shared.load()) +
       ",\"dynamic_shared\":" + std::to_string(launch.dynamic_shared) + ",\"registers\":32}");
}

void profile_copy(cudaMemcpyKind direction, std::size_t bytes, std::int64_t start_ns, std::int64_t end_ns,
                  std::int64_t waits_since_ns) {
  text_profile_copy(name_of(direction), bytes, start_ns, end_ns,
                    waits_since_ns < 0 ? -1 : end_ns - waits_since_ns);
  if (!profiles) return;
  line("{\"kind\":\"memcpy\",\"direction\":\"" + std::string(name_of(direction)) +
       "\",\"bytes\":" + std::to_string(bytes) + "," + times(start_ns, end_ns) + "}");
}

void profile_fill(std::size_t bytes, std::int64_t start_ns, std::int64_t end_ns) {
  text_profile_fill(bytes, start_ns, end_ns);
  if (!profiles) return;
  line("{\"kind\":\"memset\",\"bytes\":" + std::to_string(bytes) + "," + times(start_ns, end_ns) + "}");
}

void profile_allocation(const void* address, std::size_t bytes) {
  if (!profiles) return;
  line("{\"kind\":\"alloc\",\"address\":" + std::to_string(reinterpret_cast<std::uintptr_t>(address)) +
       ",\"bytes\":" + std::to_string(bytes) + "}");
}

void profile_free(const void* address) {
  if (!profiles) return;
  line("{\"kind\":\"free\",\"address\":" + std::to_string(reinterpret_cast<std::uintptr_t>(address)) + "}");
}

bool profiles_content() {
  return profiles && with_content;
}

void profile_content(const ContentLine& content) {
  line("{\"kind\":\"content\",\"direction\":\"" + std::string(name_of(content.direction)) +
       "\",\"bytes\":" + std::to_string(content.bytes) + ",\"hash\":" + std::to_string(content.hash) +
       ",\"head\":" + std::to_string(content.head) + (content.shared ? ",\"shared\":true}" : "}"));
}

void profile_host_visible() {
  if (profiles) line("{\"kind\":\"host_visible\"}");
}

void end_profile() {
  if (profiles) line("{\"kind\":\"end\"}");
}

}  // namespace cuemu
