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
double host_memory();

/// Gives pages to memory that nobody has written yet, all at once, and large ones where the system has them: one by one,
/// each at the first store into it, takes ten times as long. Only whole pages inside of it; where the system can't (Linux
/// before 5.14), they come one by one.
void make_pages(void* begin, std::size_t bytes);

/// "1.5 GiB", "64.0 MiB", "256 bytes".
LAB_COLD std::string bytes_text(double bytes);

/// Ends the program (exit code 2) when it is about to need more memory than the machine has.
/// Call it once for all arrays together, before the first is allocated.
/// @param what what needs it, for the message
LAB_COLD void require_host_memory(double bytes, const std::string& what);

namespace detail {
/// Ends the program: there is no room for an array of so many bytes.
[[noreturn, gnu::cold]] void no_room(double bytes, const std::string& name);
}  // namespace detail

/// An array of `count` elements on the host. @param name for the message when there is no room (exit code 2)
template <typename T>
std::vector<T> host_array(std::size_t count, const std::string& name, T value = T()) {
  try {
    if (static_cast<double>(count) * sizeof(T) <= host_memory()) return std::vector<T>(count, value);
  } catch (const std::bad_alloc&) {
    // fall through: a limit that is lower than the machine's memory
  }
  detail::no_room(static_cast<double>(count) * sizeof(T), name);
}

}  // namespace lab

#ifndef LAB_LIBRARY
#include "impl/memory.hpp"
#endif
