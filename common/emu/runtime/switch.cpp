// Switching from one fiber's stack to another's:
// a few instructions for x86-64 (in place: fiber.hpp) and aarch64, Boost.Context elsewhere.
#include "fiber.hpp"

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <boost/context/detail/fcontext.hpp>
#endif

namespace cuemu {

#if defined(__x86_64__)

void prepare_stack(Fiber& fiber, void* top, void (*entry)()) {
  void** stack = static_cast<void**>(top);  // a multiple of 64
  *--stack = nullptr;                       // where entry's return address would be
  *--stack = reinterpret_cast<void*>(entry);
  fiber.stack_pointer = stack;
}

#elif defined(__aarch64__)

asm(R"(
.text
.globl cuemu_switch_stacks
.hidden cuemu_switch_stacks
.type cuemu_switch_stacks,%function
cuemu_switch_stacks:
  sub sp, sp, #160
  stp x19, x20, [sp]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x9, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret x9
.size cuemu_switch_stacks,.-cuemu_switch_stacks
)");
extern "C" void cuemu_switch_stacks(void** save, void* load);

void prepare_stack(Fiber& fiber, void* top, void (*entry)()) {
  void** const frame = static_cast<void**>(top) - 20;
  for (int i = 0; i < 20; ++i) frame[i] = nullptr;
  frame[11] = reinterpret_cast<void*>(entry);
  fiber.stack_pointer = frame;
}

void switch_stacks(Fiber& from, Fiber& to) {
  cuemu_switch_stacks(&from.stack_pointer, to.stack_pointer);
}

#else

namespace context = boost::context::detail;

namespace {
thread_local void (*first_entry)() = nullptr;

void begin_fiber(context::transfer_t came) {
  static_cast<Fiber*>(came.data)->stack_pointer = came.fctx;
  first_entry();
}
}  // namespace

void prepare_stack(Fiber& fiber, void* top, void (*entry)()) {
  first_entry = entry;
  const auto bytes = static_cast<unsigned char*>(top) - static_cast<unsigned char*>(fiber.stack_low);
  fiber.stack_pointer = context::make_fcontext(top, static_cast<std::size_t>(bytes), begin_fiber);
}

void switch_stacks(Fiber& from, Fiber& to) {
  const context::transfer_t came = context::jump_fcontext(to.stack_pointer, &from);
  static_cast<Fiber*>(came.data)->stack_pointer = came.fctx;
}

#endif

}  // namespace cuemu
