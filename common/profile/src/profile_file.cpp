#include "profile_file.hpp"

#include <cxxabi.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace cuda_lab_profile {
namespace {

constexpr std::size_t flushed_at = 32 << 10;  // bytes

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

std::string times(std::uint64_t start_ns, std::uint64_t end_ns) {
  return "\"start_ns\":" + number(start_ns) +
         ",\"duration_ns\":" + number(end_ns > start_ns ? end_ns - start_ns : 0);
}

std::string triple(const std::int32_t (&values)[3]) {
  return std::string("[") + std::to_string(values[0]) + "," + std::to_string(values[1]) + "," +
         std::to_string(values[2]) + "]";
}

/// Beginning of the parameter list at the end of the text, or npos.
std::size_t parameters_begin(const std::string& text) {
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return end;
  int depth = 0;
  for (std::size_t at = end + 1; at-- > 0;) {
    if (text[at] == ')') ++depth;
    if (text[at] == '(' && --depth == 0) return at;
  }
  return std::string::npos;
}

/// Beginning of the name after a return type: after the last blank outside all brackets.
std::size_t name_begin(const std::string& text) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '<' || text[at] == '(') ++depth;
    if (text[at] == '>' || text[at] == ')') --depth;
    if (text[at] == ' ' && depth == 0) begin = at + 1;
  }
  return begin;
}

}  // namespace

std::string kernel_name(const char* mangled) {
  if (!mangled) return "unknown";
  int status = 0;
  char* const demangled = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string text = demangled ? demangled : mangled;
  std::free(demangled);
  const std::size_t parameters = parameters_begin(text);
  if (parameters != std::string::npos && parameters > 0) text.erase(parameters);
  return text.substr(name_begin(text));
}

std::string kernel_line(const Kernel& kernel) {
  return "{\"kind\":\"kernel\",\"name\":" + json_string(kernel_name(kernel.mangled_name)) + "," +
         times(kernel.start_ns, kernel.end_ns) + ",\"grid\":" + triple(kernel.grid) +
         ",\"block\":" + triple(kernel.block) + ",\"static_shared\":" + std::to_string(kernel.static_shared) +
         ",\"dynamic_shared\":" + std::to_string(kernel.dynamic_shared) +
         ",\"registers\":" + std::to_string(kernel.registers) + "}\n";
}

std::string memcpy_line(const char* direction, std::uint64_t bytes, std::uint64_t start_ns,
                        std::uint64_t end_ns) {
  return "{\"kind\":\"memcpy\",\"direction\":" + json_string(direction) + ",\"bytes\":" + number(bytes) +
         "," + times(start_ns, end_ns) + "}\n";
}

std::string memset_line(std::uint64_t bytes, std::uint64_t start_ns, std::uint64_t end_ns) {
  return "{\"kind\":\"memset\",\"bytes\":" + number(bytes) + "," + times(start_ns, end_ns) + "}\n";
}

std::string alloc_line(std::uint64_t address, std::uint64_t bytes, std::uint64_t at_ns) {
  return "{\"kind\":\"alloc\",\"address\":" + number(address) + ",\"bytes\":" + number(bytes) +
         ",\"start_ns\":" + number(at_ns) + "}\n";
}

std::string free_line(std::uint64_t address, std::uint64_t at_ns) {
  return "{\"kind\":\"free\",\"address\":" + number(address) + ",\"start_ns\":" + number(at_ns) + "}\n";
}

std::string content_line(const MovedContent& content) {
  return "{\"kind\":\"content\",\"direction\":" + json_string(content.direction) +
         ",\"bytes\":" + number(content.bytes) + ",\"hash\":" + number(content.hash) +
         ",\"head\":" + number(content.head) + (content.shared ? ",\"shared\":true}\n" : "}\n");
}

std::string host_visible_line() {
  return "{\"kind\":\"host_visible\"}\n";
}

std::string header_line(const std::string& device, const std::string& driver, bool content) {
  return "{\"kind\":\"header\",\"format\":1,\"source\":\"cupti\",\"device\":" + json_string(device) +
         ",\"driver\":" + json_string(driver) + (content ? ",\"content\":true}\n" : "}\n");
}

std::string note_line(const std::string& text) {
  return "{\"kind\":\"note\",\"text\":" + json_string(text) + "}\n";
}

std::string end_line() {
  return "{\"kind\":\"end\"}\n";
}

namespace {

/// "fd:N" is an inherited descriptor.
int opened(const char* path) {
  int given = -1;
  if (std::sscanf(path, "fd:%d", &given) == 1) return fcntl(given, F_DUPFD_CLOEXEC, 0);
  return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

}  // namespace

ProfileFile::ProfileFile(const char* path) : descriptor_(opened(path)) {}

void ProfileFile::add(const std::string& line) {
  pending_ += line;
  if (pending_.size() >= flushed_at) flush();
}

void ProfileFile::flush() {
  const char* at = pending_.data();
  std::size_t left = pending_.size();
  while (left > 0 && descriptor_ >= 0) {
    const ssize_t written = write(descriptor_, at, left);
    if (written < 0 && errno != EINTR) break;
    if (written > 0) {
      at += written;
      left -= static_cast<std::size_t>(written);
    }
  }
  pending_.clear();
}

}  // namespace cuda_lab_profile
