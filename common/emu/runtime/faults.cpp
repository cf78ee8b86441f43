#include "faults.hpp"

#include <execinfo.h>
#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "code_lines.hpp"
#include "deaths.hpp"
#include "host_pointers.hpp"
#include "memory.hpp"
#include "object_tables.hpp"
#include "observer.hpp"
#include "preempt.hpp"
#include "processor.hpp"
#include "protection.hpp"
#include "report.hpp"
#include "services.hpp"
#include "skip_access.hpp"
#include "thread_pool.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

constexpr int handled[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr std::size_t signal_stack_bytes = 256 * 1024;
struct sigaction previous[64];

/// Makes the interrupted thread continue in `function` on `stack` when the handler returns. Returns false on
/// an unsupported processor.
bool continue_in(ucontext_t& context, void (*function)(), void* stack) {
#if defined(__x86_64__)
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
  context.uc_mcontext.gregs[REG_RSP] =
      static_cast<greg_t>(reinterpret_cast<std::uintptr_t>(stack) / 16 * 16 - 8);
  return true;
#elif defined(__aarch64__)
  context.uc_mcontext.pc = reinterpret_cast<std::uintptr_t>(function);
  context.uc_mcontext.sp = reinterpret_cast<std::uintptr_t>(stack) / 16 * 16;
  return true;
#else
  (void)context, (void)function, (void)stack;
  return false;
#endif
}

std::string hexadecimal(std::uintptr_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(value));
  return text;
}

/// Describes an address in the guard after the block's shared memory, before which the dynamic part lies; empty for
/// others.
std::string describe_shared(const Block& block, std::uintptr_t address) {
  if (address - reinterpret_cast<std::uintptr_t>(block.shared) - arena_bytes() >= shared_guard_bytes)
    return "";
  const std::size_t given = block.launch->dynamic_shared;
  if (given == 0)  // the kernel's arrays may all be static
    return "past the end of the block's shared memory, to which the launch adds nothing (the third value of "
           "<<<…>>>)";
  return std::to_string(address - reinterpret_cast<std::uintptr_t>(block.dynamic_shared) - given) +
         " bytes past the end of the block's dynamic shared memory; the launch gives it " +
         std::to_string(given) + " bytes (the third value of <<<…>>>)";
}

std::string describe_place(const Block& block, const Unreachable& place) {
  switch (place.kind) {
    case Unreachable::Kind::host_memory:
      if (in_turned_table(place.address))
        return "the host's table of virtual functions, to which an object that the host made points: a "
               "kernel must "
               "construct the object, by placement new";
      return "memory of the host, which no kernel reaches";
    case Unreachable::Kind::parents_memory:
      return "local or shared memory of the kernel that launched this one, which no other kernel reaches";
    default:
      const std::string shared = describe_shared(block, place.address);
      return shared.empty() ? describe_address(place.address) : shared;
  }
}

constexpr const char impossible_address[] =
    "an address that no memory can have: a pointer was never set, or was overwritten";

/// Returns whether the fault is a misaligned vector access. The processor raises the same fault for non-canonical
/// addresses.
bool is_misaligned(const Fault& fault) {
  return fault.signal == SIGSEGV && fault.code == SI_KERNEL && fault.address_known &&
         is_mapped(fault.address);
}

/// Describes the fault in a sentence, and sets CUDA's error for it.
std::string explain(const Fault& fault, const Unreachable& place, int& error) {
  error = cudaErrorLaunchFailure;
  if (fault.signal == SIGFPE) return "integer division by zero";
  if (fault.signal == SIGILL)
    return "a trap that the compiler put there: a division by a constant zero, or a function that ends "
           "without return";
  if (fault.overflowed != nullptr)
    return "its stack is full (" + std::to_string(stack_bytes() / 1024) +
           " KiB): runaway recursion, or large local arrays; CUEMU_STACK_KB=1024 gives more";
  if (fault.instruction < 4096) return "a call of a null function pointer";
  if (place.kind == Unreachable::Kind::hosts_function && fault.instruction == fault.address) {
    error = cudaErrorInvalidPc;
    return "a call of a __device__ function at the address that host code took, where a GPU has no code: "
           "take it in "
           "device code, as the value of a __device__ variable, and read that with cudaMemcpyFromSymbol";
  }
  if (is_misaligned(fault)) {
    error = cudaErrorMisalignedAddress;
    return "an access at address " + hexadecimal(fault.address) + ", which is not a multiple of its size";
  }
  error = cudaErrorIllegalAddress;
  if (place.kind == Unreachable::Kind::parents_memory) error = cudaErrorInvalidAddressSpace;
  std::string text = "illegal memory access";
  if (!fault.address_known) return text + " at " + impossible_address;
  if (fault.write_known) text = fault.write ? "illegal write" : "illegal read";
  return explained_elsewhere() ? text : text + " at address " + hexadecimal(place.address);
}

/// Records the place of the interrupted thread. Must be called only in a signal handler of a thread that runs
/// kernel code.
void note_place(Fault& fault, const ucontext_t& context) {
  fault.instruction = instruction_of(context);
  if (fault.instruction ==
      fault.address) {  // the thread called an address without code, which backtrace() would read
    fault.frames[0] = caller_of(context);
    fault.frame_count = 1;
    return;
  }
  fault.frame_count = backtrace(fault.frames, static_cast<int>(std::size(fault.frames)));
}

/// Returns the address of the interrupted instruction, then the return addresses.
std::vector<std::uintptr_t> places_of(const Fault& fault) {
  std::vector<std::uintptr_t> places{fault.instruction};
  for (int i = 0; i < fault.frame_count; ++i)
    places.push_back(reinterpret_cast<std::uintptr_t>(fault.frames[i]) - 1);
  return places;
}

/// Returns the innermost line of the user's code among the interrupted instruction and its callers.
std::string users_line(const Fault& fault) {
  for (const std::string& line : code_lines(places_of(fault)))
    if (!line.empty()) return line;
  return "";
}

}  // namespace

void report_fault(const Block& block, const Fault& fault, const Fiber& thread) {
  Launch& launch = *block.launch;
  int error = 0;
  const Unreachable place = turned_back(fault.address);
  const std::string why = explain(fault, place, error);
  if (is_observed())
    notify(&Observer::kernel_faulted,
           KernelFault{why.c_str(), fault.address, error == cudaErrorIllegalAddress,
                       fault.address != 0 || fault.write_known, places_of(fault)});
  if (!launch.stop(error) || launch.reported.exchange(true)) return;
  const std::string line = users_line(fault);
  const std::string at = line.empty() ? "" : " at " + line;
  kit_wire::Stop stop;
  stop.reason = kit_wire::Reason::fault;
  stop.why = why + at;
  stop.place = place_of_line(line);
  std::string hints;
  if (error == cudaErrorIllegalAddress || error == cudaErrorInvalidAddressSpace) {
    stop.reason = kit_wire::Reason::access;
    stop.why = !fault.write_known ? "an access" : fault.write ? "a write" : "a read";
    const std::string where = describe_place(block, place);
    if (!fault.address_known) {
      stop.why += at + " at " + impossible_address;
    } else if (fault.address < 4096) {
      hints = "  that is a null pointer, or near one: was cudaMalloc checked, and the pointer passed?\n";
      stop.why += at + " through a null pointer: was cudaMalloc checked, and the pointer passed?";
    } else {
      if (!where.empty() && !explained_elsewhere()) hints = "  that is " + where + "\n";
      if (!hints.empty() && place.kind == Unreachable::Kind::host_memory && !in_turned_table(place.address))
        hints += "  was the host's pointer passed instead of the device's?\n";
      stop.why += at + ", " + (where.empty() ? "outside every allocation of the device" : where);
    }
  }
  report_stop(launch, std::move(stop), {&block, &thread}, why, hints);
}

namespace {

/// A CUDA thread continues here after a signal, on its worker's landing stack and outside the signal handler.
void land() {
  open_access_in_handler();  // strings or maps of the report may be on the device's heap
  Worker& worker = *Worker::current();
  Fiber& me = *current_fiber;
  {
    const RuntimeSection section;  // the report's strings must be on the C library's heap
    report_fault(*me.block, worker.fault, me);
    stop_others(*me.block->launch);
  }
  leave_thread();
}

/// A CUDA thread continues here after another thread or the time limit has stopped its launch.
void land_stopped() {
  open_access_in_handler();  // as in land()
  Fiber& me = *current_fiber;
  Launch& launch = *me.block->launch;
  if (launch.error.load() == cudaErrorLaunchTimeout && !launch.reported.exchange(true)) {
    const RuntimeSection section;  // as in land()
    kit_wire::Stop stop = time_limit_stop();
    if (is_observed())
      notify(&Observer::kernel_faulted,
             KernelFault{stop.why.c_str(), 0, false, false, places_of(Worker::current()->fault), true});
    stop.was_running = true;
    stop.place = place_of_line(users_line(Worker::current()->fault));
    stop.blocks.push_back(waiting_in(*me.block));
    Worker::current()->add_parked(stop, me.block);
    report_stop(launch, std::move(stop), {me.block, &me});
  }
  leave_thread();
}

bool on_own_stack(const Fiber& fiber, std::uintptr_t stack_pointer) {
  return stack_pointer >= reinterpret_cast<std::uintptr_t>(fiber.stack_low) &&
         stack_pointer <= reinterpret_cast<std::uintptr_t>(&fiber);
}

bool is_near_end(const Fiber& fiber, std::uintptr_t stack_pointer) {
  constexpr std::size_t signal_frame = 16 * 1024;
  return on_own_stack(fiber, stack_pointer) &&
         stack_pointer < reinterpret_cast<std::uintptr_t>(fiber.stack_low) + signal_frame;
}

/// Prints a text by a system call, and calls no other function.
void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void say_where_to_look() {
  if (!is_observed())
    say("  to see the line: build the program by emucc --check and run it, or use grader check\n");
}

void explain_host_access(std::uintptr_t address) {
  char text[256];
  if (!in_device_space(address)) {
    if (explained_elsewhere()) return;
    std::snprintf(text, sizeof text, "cuemu: host code used address 0x%zx, ",
                  static_cast<std::size_t>(address));
    say(text);
    std::string where = describe_address(address);
    if (in_turned_table(address ^ host_bit))
      where =
          "where the device has its table of virtual functions: a kernel made the object that was copied "
          "here";
    if (where.empty()) where = address < 4096 ? "a null pointer, or near one" : "where it has no such memory";
    say((where + "\n").c_str());
    return say_where_to_look();
  }
  if (explained_elsewhere()) return say("cuemu: host code used a device pointer\n");
  std::snprintf(text, sizeof text, "cuemu: host code used a device pointer, address 0x%zx\n  ",
                static_cast<std::size_t>(address));
  say(text);
  const std::string where = describe_address(address);
  if (!where.empty()) say((where + "\n  ").c_str());
  say("device memory cannot be read or written on the host: copy it with\n"
      "  cudaMemcpy(…, cudaMemcpyDeviceToHost), or allocate it with cudaMallocManaged\n");
}

/// Explains a fault of host code. A signal that a process sent needs no explanation.
void explain_host_fault(int signal, int code, std::uintptr_t address) {
  const bool of_access = signal == SIGSEGV && code > 0;
  const bool given = code != SI_KERNEL;
  if (of_access && (given || (address != 0 && !is_mapped(address)))) return explain_host_access(address);
  if (explained_elsewhere() || !(of_access || (signal == SIGFPE && code > 0))) return;
  say("cuemu: host code ");
  if (signal == SIGFPE) {
    say("divided an integer by zero, or the smallest integer by -1");
  } else if (address != 0) {
    say("used a vector at an address that is not a multiple of its size");
  } else {  // no string is created, since the heap may be corrupted
    say("used ");
    say(impossible_address);
  }
  say("\n");
  say_where_to_look();
}

void on_fault(int signal, siginfo_t* info, void* raw) {
  auto& context = *static_cast<ucontext_t*>(raw);
  // The system reports no address for an access to a non-canonical address.
  const bool address_given = signal != SIGSEGV || info->si_code != SI_KERNEL;
  const std::uintptr_t address =
      address_given ? reinterpret_cast<std::uintptr_t>(info->si_addr) : accessed_address(context);
  if ((signal == SIGSEGV || signal == SIGBUS) && is_observed() && skip_faulting_access(context, address))
    return;
  Worker* const worker = Worker::current();
  if (worker != nullptr && in_kernel() && signal != SIGABRT) {
    Fault& fault = worker->fault;
    fault = {};
    fault.signal = signal;
    fault.code = info->si_code;
    fault.address = address;
    fault.address_known = address_given || address != 0;
    note_place(fault, context);
    fault.overflowed = worker->fibers().overflowed(address);
    if (fault.overflowed == nullptr && signal == SIGSEGV && info->si_code == SI_KERNEL &&
        is_near_end(*current_fiber, stack_pointer_of(context)))
      fault.overflowed = current_fiber;  // the stack had no space left for another signal's frame
#if defined(__x86_64__)
    // Bit 1 of the error code is set for writes.
    fault.write_known = signal == SIGSEGV && address_given;
    fault.write = (context.uc_mcontext.gregs[REG_ERR] & 2) != 0;
#endif
    if (continue_in(context, land, worker->landing_stack())) return;
  }
  explain_host_fault(signal, info->si_code, address);
  if (is_observed()) {
    if (signal == SIGSEGV || signal == SIGBUS)
      notify(&Observer::host_touched_device, address, reinterpret_cast<const void*>(instruction_of(context)));
    run_death_reports(signal);
  }
  // Not a fault of CUDA code: restore the previous handler; the default handler ends the program.
  sigaction(signal, &previous[signal], nullptr);
  if (info->si_code <= 0) raise(signal);  // executing the instruction again would not raise it again
}

void on_step(int signal, siginfo_t*, void* raw) {
  if (step_to_access(*static_cast<ucontext_t*>(raw))) return;
  sigaction(signal, &previous[signal], nullptr);
  raise(signal);
}

constexpr unsigned most_stops_put_off = 500;  ///< one second of ticks

void on_stop(int, siginfo_t*, void* raw) {
  auto& context = *static_cast<ucontext_t*>(raw);
  Worker* const worker = Worker::current();
  if (worker == nullptr || !in_kernel()) return;
  const Launch& launch = *current_fiber->block->launch;
  if (!launch.stopped()) return;
  // A thread that is interrupted in code of the emulation or the checker might hold a lock. So the handler
  // does nothing, and the monitor sends the signal again. A library's kernel stays in such code forever only
  // if a function passed to the library does not return.
  if (worker->in_runtime != 0) return;
  if (!in_kernels_code() && ++worker->stops_put_off < most_stops_put_off) return;
  if (!on_own_stack(*current_fiber, stack_pointer_of(context))) return;
  note_place(worker->fault, context);
  continue_in(context, land_stopped, worker->landing_stack());
}

}  // namespace

void expect_crash() {
  install_fault_handlers();
}

void install_fault_handlers() {
  static const bool once = [] {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const int signal : handled) sigaction(signal, &action, &previous[signal]);
    if (is_observed()) {
      watch_for_death();
      prepare_thread_for_faults();  // so that a stack overflow of the program's first thread is reported, too
      sigaction(SIGABRT, &action, &previous[SIGABRT]);
      action.sa_sigaction = on_step;
      sigaction(SIGTRAP, &action, &previous[SIGTRAP]);
    }
    action.sa_sigaction = on_stop;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(stop_signal(), &action, nullptr);
    void* frame = nullptr;
    backtrace(&frame, 1);  // the first call loads a library, which a handler must not do
    install_preemption();
    return true;
  }();
  (void)once;
}

namespace {
struct SignalStack {
  void* memory = nullptr;
  ~SignalStack() {
    if (memory == nullptr) return;
    stack_t off{};
    off.ss_flags = SS_DISABLE;
    sigaltstack(&off, nullptr);
    munmap(memory, signal_stack_bytes);
  }
};
thread_local SignalStack signal_stack;
}  // namespace

void prepare_thread_for_faults() {
  if (signal_stack.memory != nullptr) return;
  void* const memory = mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  signal_stack.memory = memory;
  stack_t own{};
  own.ss_sp = memory;
  own.ss_size = signal_stack_bytes;
  sigaltstack(&own, nullptr);
}

}  // namespace cuemu
