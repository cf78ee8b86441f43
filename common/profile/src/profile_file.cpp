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

std::string whole(const std::string& line) {
  return line + "\n";
}

kit_wire::Span span(std::uint64_t start_ns, std::uint64_t end_ns) {
  return {static_cast<std::int64_t>(start_ns), static_cast<std::int64_t>(end_ns)};
}

void set_sizes(std::uint32_t (&to)[3], const std::int32_t (&from)[3]) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<std::uint32_t>(from[i]);
}

/// Returns the beginning of the parameter list at the text's end; npos if there is none.
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

/// Returns the beginning of the name that follows the return type: the position after the last blank outside all
/// brackets.
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
  kit_wire::KernelRun run;
  run.name = kernel_name(kernel.mangled_name);
  run.time = span(kernel.start_ns, kernel.end_ns);
  set_sizes(run.grid, kernel.grid);
  set_sizes(run.block, kernel.block);
  run.static_shared = static_cast<std::uint64_t>(kernel.static_shared);
  run.dynamic_shared = static_cast<std::uint64_t>(kernel.dynamic_shared);
  run.registers = static_cast<std::uint64_t>(kernel.registers);
  return whole(kit_wire::kernel_line(run));
}

std::string memcpy_line(const char* direction, std::uint64_t bytes, std::uint64_t start_ns,
                        std::uint64_t end_ns) {
  return whole(kit_wire::copy_line(direction, bytes, span(start_ns, end_ns)));
}

std::string memset_line(std::uint64_t bytes, std::uint64_t start_ns, std::uint64_t end_ns) {
  return whole(kit_wire::fill_line(bytes, span(start_ns, end_ns)));
}

std::string alloc_line(std::uint64_t address, std::uint64_t bytes, std::uint64_t at_ns) {
  return whole(kit_wire::allocation_line(address, bytes, static_cast<std::int64_t>(at_ns)));
}

std::string free_line(std::uint64_t address, std::uint64_t at_ns) {
  return whole(kit_wire::release_line(address, static_cast<std::int64_t>(at_ns)));
}

std::string content_line(const kit_wire::MovedContent& content) {
  return whole(kit_wire::content_line(content));
}

std::string host_visible_line() {
  return whole(kit_wire::event_line("host_visible"));
}

std::string header_line(const std::string& device, const std::string& driver, bool content) {
  return whole(kit_wire::header_line({"cupti", device, driver, content}));
}

std::string note_line(const std::string& text) {
  return whole(kit_wire::note_line(text));
}

std::string end_line() {
  return whole(kit_wire::event_line("end"));
}

namespace {

/// Returns the N of "fd:N", an inherited descriptor; -1 if the path is a file's name.
int inherited(const char* path) {
  int given = -1;
  return std::sscanf(path, "fd:%d", &given) == 1 ? given : -1;
}

}  // namespace

ProfileFile::ProfileFile(const char* path)
    : is_channel_(inherited(path) >= 0),
      descriptor_(is_channel_ ? fcntl(inherited(path), F_DUPFD_CLOEXEC, 0)
                              : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {}

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
