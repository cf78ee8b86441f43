/// @file
/// Implements memory.hpp.
#pragma once
#include "../memory.hpp"

namespace lab {

LAB_INLINE double host_memory() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
}

LAB_INLINE void make_pages(void* begin, std::size_t bytes) {
#ifdef __linux__
  constexpr int huge_page = 14,
                populate_write = 23;  // MADV_HUGEPAGE, MADV_POPULATE_WRITE, which older headers lack
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGE_SIZE));
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (at + page - 1) / page * page, last = (at + bytes) / page * page;
  if (first >= last) return;
  ::madvise(reinterpret_cast<void*>(first), last - first, huge_page);  // advice: a failure changes nothing
  ::madvise(reinterpret_cast<void*>(first), last - first, populate_write);
#else
  (void)begin, (void)bytes;
#endif
}

LAB_INLINE std::string bytes_text(double bytes) {
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

LAB_INLINE void require_host_memory(double bytes, const std::string& what) {
  if (bytes > host_memory()) {
    usage_error(what + " needs " + bytes_text(bytes) + " of memory, and this machine has " +
                bytes_text(host_memory()) + ". Choose a smaller size.");
  }
}

LAB_INLINE void detail::no_room(double bytes, const std::string& name) {
  usage_error("There is no room for " + name + ": " + bytes_text(bytes) + ". Choose a smaller size.");
}

}  // namespace lab
