/// @file
/// Host arrays whose size comes from the command line: too large is a sentence and exit code 2, not a crash.
///
/// Host code only.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "exit.hpp"

namespace lab {

/// Memory of this machine in bytes.
inline double host_memory() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
}

/// Gives pages to memory that nobody has written yet, all at once, and large ones where the system has them: one by one,
/// each at the first store into it, takes ten times as long. Only whole pages inside of it; where the system can't (Linux
/// before 5.14), they come one by one.
inline void make_pages(void* begin, std::size_t bytes) {
#ifdef __linux__
  constexpr int huge_page = 14,
                populate_write = 23;  // MADV_HUGEPAGE, MADV_POPULATE_WRITE, which older headers lack
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGE_SIZE));
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (at + page - 1) / page * page, last = (at + bytes) / page * page;
  if (first >= last) return;
  ::madvise(reinterpret_cast<void*>(first), last - first, huge_page);  // a wish: a failure changes nothing
  ::madvise(reinterpret_cast<void*>(first), last - first, populate_write);
#else
  (void)begin, (void)bytes;
#endif
}

/// "1.5 GiB", "64.0 MiB", "256 bytes".
LAB_COLD inline std::string bytes_text(double bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  while (bytes >= 1024 && unit < 6) {
    bytes /= 1024;
    ++unit;
  }
  char text[64];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  return text;
}

/// Ends the program (exit code 2) when it is about to need more memory than the machine has.
/// Call it once for all arrays together, before the first is allocated.
/// @param what what needs it, for the message
LAB_COLD inline void require_host_memory(double bytes, const std::string& what) {
  if (bytes > host_memory()) {
    usage_error(what + " needs " + bytes_text(bytes) + " of memory, and this machine has " +
                bytes_text(host_memory()) + ". Choose a smaller size.");
  }
}

/// An array of `count` elements on the host. @param name for the message when there is no room (exit code 2)
template <typename T>
std::vector<T> host_array(std::size_t count, const std::string& name, T value = T()) {
  try {
    if (static_cast<double>(count) * sizeof(T) <= host_memory()) return std::vector<T>(count, value);
  } catch (const std::bad_alloc&) {
    // fall through: a limit that is lower than the machine's memory
  }
  usage_error("There is no room for " + name + ": " + bytes_text(static_cast<double>(count) * sizeof(T)) +
              ". Choose a smaller size.");
}

}  // namespace lab
