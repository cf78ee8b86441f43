/// @file
/// Host arrays whose size comes from the command line. If the size is too large, the program ends with one sentence and
/// exit code 2.
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

/// Returns the size of this machine's memory in bytes.
double host_memory();

/// Maps all pages of memory that has not been written yet, at once, and as large pages if the system has them.
/// Otherwise each page is mapped at its first store, which takes ten times as long. Maps only whole pages inside the
/// memory. Before Linux 5.14 pages are still mapped one by one.
void make_pages(void* begin, std::size_t bytes);

/// Formats a number of bytes: "1.5 GiB", "64.0 MiB", "256 bytes".
LAB_COLD std::string bytes_text(double bytes);

/// Ends the program (exit code 2) if the planned arrays exceed the machine's memory.
/// Call it once for all arrays together, before the first is allocated.
/// @param what needs the memory; the message names it
LAB_COLD void require_host_memory(double bytes, const std::string& what);

namespace detail {
/// Ends the program because an array of `bytes` bytes can't be allocated.
[[noreturn, gnu::cold]] void no_room(double bytes, const std::string& name);
}  // namespace detail

/// Creates an array of `count` elements on the host. @param name for the message if the allocation fails (exit code 2)
template <typename T>
std::vector<T> host_array(std::size_t count, const std::string& name, T value = T()) {
  try {
    if (static_cast<double>(count) * sizeof(T) <= host_memory()) return std::vector<T>(count, value);
  } catch (const std::bad_alloc&) {
    // Continue below: the limit is lower than the machine's memory.
  }
  detail::no_room(static_cast<double>(count) * sizeof(T), name);
}

}  // namespace lab

#ifndef LAB_LIBRARY
#include "impl/memory.hpp"
#endif
