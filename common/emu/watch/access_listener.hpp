// Events of the program's own code for a tool: accesses, atomic operations, fences, calls, and checks that the compiler
// adds. The compilers' instrumentation calls hooks.cpp and coverage.cpp, which notify every listening tool.
//
// The thread that runs the code calls these functions. It is a CUDA thread or a host thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "access_kind.hpp"
#include "source.hpp"
#include "views.hpp"

namespace cuemu {

/// A source location from an instrumented check.
struct CheckedPlace {
  const char* file;
  int line;
  int column;
  const void* pc;
  /// Returns the location with the file name of the debug information, because the compiler may write a file's name in
  /// two ways.
  Line as_line() const {
    const Line known = line_of(pc);
    return {known.line == line ? known.file : file, line, column};
  }
};

/// Describes a pointer that lacks its type's alignment and is about to be used.
struct MisalignedPointer {
  CheckedPlace place;
  bool write;
  std::size_t alignment;
  std::uintptr_t address;
};

class AccessListener {
 public:
  AccessListener() = default;
  AccessListener(const AccessListener&) = delete;
  AccessListener& operator=(const AccessListener&) = delete;
  virtual ~AccessListener() = default;

  /// \name Accesses
  /// @{
  /// The code at `pc` is about to access `bytes` bytes; `kind` combines AccessKind flags.
  virtual void access(std::uintptr_t address, std::size_t bytes, unsigned kind, const void* pc) = 0;
  /// A function is about to copy or set these bytes. Returns the number of bytes that the function may access.
  virtual std::size_t copied_by_function(std::uintptr_t address, std::size_t bytes, unsigned kind,
                                         const void* pc) = 0;
  /// Returns whether the address lies in the calling thread's private memory or in the emulation's state of that
  /// thread. Atomic operations on such addresses are not reported.
  virtual bool is_private(std::uintptr_t) { return false; }
  /// An atomic operation is done.
  virtual void atomic_done(std::uintptr_t /*address*/, bool /*changed*/) {}
  virtual void fence() {}
  /// Two switches for the calling thread: its atomic operations now have block scope; its atomic operations are now
  /// parts of one atomic function of CUDA.
  virtual void set_block_scope(bool) {}
  virtual void set_updates(bool) {}
  /// A constructor stores the address of its class's table of virtual functions into an object.
  virtual void object_made(std::uintptr_t /*table*/) {}
  /// The program reads the table of virtual functions of an object.
  virtual void table_asked_for(std::uintptr_t /*object*/, const void* /*pc*/) {}
  /// A library accesses memory on behalf of the calling thread, at the user's call.
  virtual void library_access(std::uintptr_t, std::size_t /*bytes*/, bool /*writes*/, const void* /*pc*/) {}
  /// @}

  /// \name Control
  /// @{
  /// A basic block begins, or a condition is evaluated. Only programs built for counters report this event.
  virtual void control(bool /*is_condition*/, const void* /*pc*/) {}
  /// A vote or a match found these lanes.
  virtual void lanes_found(std::uint32_t) {}
  /// The calling thread reads a value from an absent lane of its warp: the mask names the lane but it has returned, or
  /// the mask does not name it.
  virtual void lane_absent(unsigned /*lane*/, std::uint32_t /*mask*/, const char* /*file*/, int /*line*/) {}
  /// Returns whether each lane of a warp must run on its own for this tool. The lanes then don't continue together
  /// after an assignment through a pointer to volatile memory.
  virtual bool keeps_lanes_apart() { return false; }
  /// Host code reads a clock.
  virtual void clock_read(const void* /*pc*/) {}
  /// @}

  /// \name Checks that the compiler adds
  /// @{
  /// An index is outside an array's declared bounds; `type` is the array's type as the compiler writes it.
  virtual void outside_bounds(const CheckedPlace&, const char* /*type*/, long long /*index*/) {}
  virtual void misaligned(const MisalignedPointer&) {}
  /// @}
};

/// The most frequent events: plain accesses of 1, 2, 4, 8 and 16 bytes, calls and returns. If only one tool listens,
/// these events call the tool's static functions directly, without a test.
struct HotEvents {
  static constexpr unsigned sizes = 5;
  using Access = void (*)(std::uintptr_t address, const void* pc);
  Access read[sizes];
  Access write[sizes];
  void (*enter)(const void* caller);  ///< the calling thread enters a function
  void (*leave)();
};

/// Makes `listener` receive the events of the program's code, and `hot` the most frequent ones. Must be called before
/// main().
void listen(AccessListener& listener, ToolSlot slot, const HotEvents& hot);

/// Returns the table of a tool with the static functions `Tool::plain_access<bytes, writes>(address, pc)`,
/// `Tool::enter(caller)`, `Tool::leave()`.
template <class Tool>
constexpr HotEvents hot_events() {
  return {{Tool::template plain_access<1, false>, Tool::template plain_access<2, false>,
           Tool::template plain_access<4, false>, Tool::template plain_access<8, false>,
           Tool::template plain_access<16, false>},
          {Tool::template plain_access<1, true>, Tool::template plain_access<2, true>,
           Tool::template plain_access<4, true>, Tool::template plain_access<8, true>,
           Tool::template plain_access<16, true>},
          Tool::enter,
          Tool::leave};
}

}  // namespace cuemu
