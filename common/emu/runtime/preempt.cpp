#include "preempt.hpp"

#include <link.h>
#include <ucontext.h>

#include <cerrno>
#include <csignal>

#include "observer.hpp"
#include "processor.hpp"
#include "protection.hpp"
#include "tools.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

constexpr std::size_t least_stack = 1024;  ///< a thread with less free stack is not preempted

struct Search {
  std::uintptr_t address;
  CodeRange range;
  bool is_static;
};

int look_at_object(dl_phdr_info* info, std::size_t, void* raw) {
  Search& search = *static_cast<Search*>(raw);
  bool has_interpreter = false;
  CodeRange range;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type == PT_INTERP) has_interpreter = true;
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (search.address >= begin && search.address - begin < header.p_memsz)
      range = {begin, begin + header.p_memsz};
  }
  if (range.end == 0) return 0;
  search.range = range;
  // The first object is the program. If it has no interpreter, it is linked statically, including the C library.
  search.is_static = !has_interpreter && (info->dlpi_name == nullptr || info->dlpi_name[0] == '\0');
  return 1;
}

void on_tick(int, siginfo_t*, void* raw) {
  Worker* const worker = Worker::current();
  if (worker == nullptr) return;
  worker->tick_sent.store(false, std::memory_order_relaxed);
  if (!in_kernel() || worker->in_runtime != 0) return;
  Fiber& me = *current_fiber;
  if (me.block->launch->stopped()) return;  // its stop signal is pending, so it need not yield
  Worker::Turn& last = worker->last_tick;
  const Worker::Turn now{&me, me.block->block_index, me.linear};
  if (!(last == now)) {  // the thread has not run for a whole tick yet
    last = now;
    return;
  }
  if (!me.preemptible) return;
  const auto& context = *static_cast<const ucontext_t*>(raw);
  const std::uintptr_t stack = stack_pointer_of(context);
  const auto low = reinterpret_cast<std::uintptr_t>(me.stack_low);
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (stack < low || stack >= reinterpret_cast<std::uintptr_t>(&me) || here < low + least_stack ||
      here > stack)
    return;
  if (!state_of(*me.block->launch->kernel).code.contains(instruction_of(context))) return;
  me.block->launch->spins.store(true, std::memory_order_relaxed);
  const int error = errno;
  me.preemptible = false;
  me.instruction = instruction_of(context);
  open_access_in_handler();  // a handler begins without access to device memory, which the next thread needs
  preempt();
  me.preemptible = true;
  errno = error;
}

}  // namespace

CodeRange interruptible_code(std::uintptr_t function) {
  Search search{function, {}, false};
  dl_iterate_phdr(look_at_object, &search);
  if (search.is_static || search.range.contains(sanitizer_code())) return {};
  return search.range;
}

int preempt_signal() {
  static const int signal = thread_sanitizer() || is_observed() ? 0 : SIGRTMIN + 6;
  return signal;
}

void install_preemption() {
  if (preempt_signal() == 0) return;
  struct sigaction action {};
  action.sa_sigaction = on_tick;
  // The handler runs on the interrupted thread's stack, and does not block the signal for the next fibers.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(preempt_signal(), &action, nullptr);
}

}  // namespace cuemu
