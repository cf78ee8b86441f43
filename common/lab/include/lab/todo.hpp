/// @file
/// LAB_TODO(n) marks part n as still to do, in host code and in kernels. lab::finish() is the last call of every
/// program.
///
/// On the host, LAB_TODO ends the program with exit code 4. A thread of a kernel can't end the program: it stores the
/// place in a flag on the device, and continues. lab::finish() waits for the device, reads the flags, prints the same
/// sentence and returns the same code. Each translation unit has its own flag, because without relocatable device code
/// (nvcc -rdc=true) translation units can't share a variable. A static object in each translation unit registers the
/// unit's flag.
///
/// The flags are in managed memory: the host reads them without a copy, so that the profile does not show them. CUDA
/// allocates them within the program's first call, whichever call that is. With LAB_OWN_MEMORY=1 in the environment,
/// lab::finish() prints their addresses, so that they are not mistaken for memory that the program failed to free.
#pragma once
#include <cstdio>
#include <cstdlib>

#include "exit_codes.hpp"

#ifdef __CUDACC__
#include "check.hpp"
#endif
#ifndef __CUEMU__
#include "device_side.hpp"
#endif

/// Marks a blank of part `n`. Remove the mark when you fill in the blank.
#define LAB_TODO(n) ::lab_todo::mark((n), __FILE__, __LINE__)

/// A function of the emulation, which exists only in programs linked with the emulation. @return whether a grader
/// received the report; otherwise the report is printed
extern "C" __attribute__((weak)) bool cuemu_record_todo(int part, const char* file, int line);

namespace lab {

namespace detail {

/// The place where a kernel reached a blank; part 0: no kernel did.
struct TodoFlag {
  int part;
  int line;
  char file[120];
};

/// Reads the flag of one translation unit with kernels. The readers form a list.
struct TodoReader {
  TodoReader(TodoFlag (*read_flag)(), const void* (*find_flag)())
      : read(read_flag), find(find_flag), next(first()) {
    first() = this;
  }
  static TodoReader*& first() {
    static TodoReader* list = nullptr;
    return list;
  }
  TodoFlag (*read)();  ///< called after the device has ended its work without an error
  const void* (*find)();
  TodoReader* next;
};

inline void say_todo(int part, const char* file, int line) {
  std::fflush(stdout);
  if (cuemu_record_todo != nullptr && cuemu_record_todo(part, file, line)) return;
  std::fprintf(stderr, "part %d is still to do (%s:%d)\n", part, file, line);
}

}  // namespace detail

#ifdef __CUDACC__
/// Must be the last call of main: `return lab::finish(passed);`. Waits for the device.
/// @return exit code: 4 if a kernel reached a LAB_TODO, 3 if the device failed, else 0 if `passed`, or 1
inline int finish(bool passed) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) detail::stop_for(error, "waiting for the device at the end", __FILE__, __LINE__);
  bool todo = false;
  const bool tells = std::getenv("LAB_OWN_MEMORY") != nullptr;
  for (const detail::TodoReader* reader = detail::TodoReader::first(); reader != nullptr;
       reader = reader->next) {
    if (tells) std::fprintf(stderr, "own memory of the kit at %p\n", reader->find());
    const detail::TodoFlag flag = reader->read();
    if (flag.part == 0) continue;
    detail::say_todo(flag.part, flag.file, flag.line);
    todo = true;
  }
  if (todo) return exit_todo;
  return passed ? exit_passed : exit_failed;
}
#else
/// Must be the last call of main in a program without CUDA. @return exit code 0 or 1
inline int finish(bool passed) {
  return passed ? exit_passed : exit_failed;
}
#endif

}  // namespace lab

// The namespace is unnamed, although this is a header, because translation units must not share the flag.
namespace {
namespace lab_todo {

#ifdef __CUDACC__
__managed__ lab::detail::TodoFlag flag;

[[maybe_unused]] const lab::detail::TodoReader reader([] { return flag; },
                                                      []() -> const void* { return &flag; });

/// Stores the place of a blank in device memory; only the first thread writes it.
__device__ inline void note(int part, const char* file, int line) {
  if (atomicCAS(&flag.part, 0, part) != 0) return;
  flag.line = line;
  int i = 0;
  for (; file[i] != '\0' && i < static_cast<int>(sizeof flag.file) - 1; ++i) flag.file[i] = file[i];
  flag.file[i] = '\0';
}

/// LAB_TODO calls this function. nvcc compiles it once for each side. The emulation compiles it once for both sides,
/// and its runtime knows which side calls it.
[[maybe_unused]] __host__ __device__ inline void mark(int part, const char* file, int line) {
#if defined(__CUEMU__)
  if (::cuemu::in_kernel()) return note(part, file, line);
#elif defined(LAB_ON_DEVICE)
  return note(part, file, line);
#endif
#ifndef LAB_ON_DEVICE
  lab::detail::say_todo(part, file, line);
  std::exit(lab::exit_todo);
#endif
}
#else
[[maybe_unused, noreturn]] inline void mark(int part, const char* file, int line) {
  lab::detail::say_todo(part, file, line);
  std::exit(lab::exit_todo);
}
#endif

}  // namespace lab_todo
}  // namespace
