// Registers that signal handlers read from the interrupted thread, for each processor.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace cuemu {

/// Returns the instruction at which the thread was interrupted; 0 on an unsupported processor.
inline std::uintptr_t instruction_of(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return context.uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

/// Returns the interrupted thread's stack pointer; 0 on an unsupported processor.
inline std::uintptr_t stack_pointer_of(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return context.uc_mcontext.sp;
#else
  (void)context;
  return 0;
#endif
}

/// Return address of a function that has just been called; null on an unsupported processor.
inline void* caller_of(const ucontext_t& context) {
#if defined(__x86_64__)
  return *reinterpret_cast<void* const*>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return reinterpret_cast<void*>(context.uc_mcontext.regs[30]);
#else
  (void)context;
  return nullptr;
#endif
}

}  // namespace cuemu
