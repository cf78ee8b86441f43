// What a tool is told of the program's own code: accesses, atomic operations, fences, calls, and the checks that the compiler
// adds. The compilers' instrumentation calls hooks.cpp and coverage.cpp, which hand on to every tool that listens.
//
// All come from the thread that runs the code: a CUDA thread, or one of the host's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "access_kind.hpp"
#include "source.hpp"
#include "views.hpp"

namespace cuemu {

/// A place in the source as an instrumented check gives it.
struct CheckedPlace {
  const char* file;
  int line;
  int column;
  const void* pc;
  /// The compiler may name the file in two ways: what is told has the debug information's.
  Line as_line() const {
    const Line known = line_of(pc);
    return {known.line == line ? known.file : file, line, column};
  }
};

/// A pointer to a type whose alignment it does not have is about to be used.
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
  /// The code at `pc` is about to access `bytes` bytes; `kind` is of AccessKind.
  virtual void access(std::uintptr_t address, std::size_t bytes, unsigned kind, const void* pc) = 0;
  /// The same of memory that a function copies or sets: how many of the bytes it may.
  virtual std::size_t copied_by_function(std::uintptr_t address, std::size_t bytes, unsigned kind,
                                         const void* pc) = 0;
  /// Is it the calling thread's own, or what the emulation keeps of it? Atomic operations there are told to nobody.
  virtual bool is_private(std::uintptr_t) { return false; }
  /// An atomic operation is done.
  virtual void atomic_done(std::uintptr_t /*address*/, bool /*changed*/) {}
  virtual void fence() {}
  /// From now on the calling thread's atomic operations hold within its block only, or no more; are parts of an
  /// atomic function of CUDA's, or no more.
  virtual void set_block_scope(bool) {}
  virtual void set_updates(bool) {}
  /// A constructor stores into an object where its class's table of virtual functions is.
  virtual void object_made(std::uintptr_t /*table*/) {}
  /// An object with virtual functions is asked for the table of its class.
  virtual void table_asked_for(std::uintptr_t /*object*/, const void* /*pc*/) {}
  /// What a library does on behalf of the calling thread, at the user's call.
  virtual void library_access(std::uintptr_t, std::size_t /*bytes*/, bool /*writes*/, const void* /*pc*/) {}
  /// @}

  /// \name Control
  /// @{
  /// A basic block begins, or a condition is computed. Only where the program is built for counters.
  virtual void control(bool /*is_condition*/, const void* /*pc*/) {}
  /// A vote or a match found these lanes.
  virtual void lanes_found(std::uint32_t) {}
  /// The calling thread takes a value from a lane of its warp that has returned, though the mask names it, or that it does not name.
  virtual void lane_absent(unsigned /*lane*/, std::uint32_t /*mask*/, const char* /*file*/, int /*line*/) {}
  /// Host code reads a clock.
  virtual void clock_read(const void* /*pc*/) {}
  /// @}

  /// \name Checks that the compiler adds
  /// @{
  /// An index that is outside of an array's declared bounds; `type` is the array's, as the compiler writes it.
  virtual void outside_bounds(const CheckedPlace&, const char* /*type*/, long long /*index*/) {}
  virtual void misaligned(const MisalignedPointer&) {}
  /// @}
};

/// What is told most often, without a test on the way: plain accesses of 1, 2, 4, 8 and 16 bytes, calls and returns. While one
/// tool listens they go straight into functions of its own.
struct HotEvents {
  static constexpr unsigned sizes = 5;
  using Access = void (*)(std::uintptr_t address, const void* pc);
  Access read[sizes];
  Access write[sizes];
  void (*enter)(const void* caller);  ///< the calling thread enters a function
  void (*leave)();
};

/// From now on `listener` is told of what the program's code does; of what is most frequent by `hot`. Before main().
void listen(AccessListener& listener, ToolSlot slot, const HotEvents& hot);

/// Those of a tool that has them as static functions: `Tool::plain_access<bytes, writes>(address, pc)`,
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
