// The interface between the checker's core and its rules:
// the core turns what the runtime and the instrumented code tell into events, and hands each to every rule;
// a rule is a RuleObserver in a file of its own.
//
//   AccessListener (../watch): accesses          ─┐                            ┌─> rule_bounds.cpp
//   Observer (../watch): the runtime's events    ─┴─> Checker ─> RuleObserver ─┼─> rule_races.cpp
//                                                                             └─> rule_barriers.cpp …
//
// A rule sees all that the runtime tells an observer, and the events below. The core's own state (memory map,
// clocks of blocks) is up to date when a rule is told of a beginning, and still whole when it is told of an
// end or of a barrier. Rules are asked in the order of make_rules().
//
// Events of kernels come from one OS thread at a time, in an order that follows from the program alone;
// those of the host may come from any thread, so what a rule keeps of them needs a lock.
// Findings go to Findings::get().add().
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "access_kind.hpp"
#include "access_listener.hpp"
#include "observer.hpp"
#include "shadow.hpp"
#include "sites.hpp"
#include "source.hpp"

namespace cuemu {
struct ArrayZone;
}

namespace cuemu::check {

struct BlockState;
class MemoryMap;

/// An access by a thread of a kernel to memory that threads share, inside of its bounds.
struct Access {
  BlockState& block;
  BlockState& home;  ///< the block whose shared memory it is; otherwise the same
  Region& region;
  std::uintptr_t address;
  std::size_t size;
  unsigned kind;    ///< of AccessKind
  Site site;        ///< never 0
  unsigned thread;  ///< linear index in its block
  Cell* cells;      ///< the shadow of what is accessed, as it was before
  std::size_t cell_count;
  bool in_shared;
  bool handed_on;  ///< plain, to a counter or flag through which fences handed something on
  std::uintptr_t address_of_cell(std::size_t i) const { return address + i * (size / cell_count); }
};

/// An access by a thread of a kernel to what is no memory of the device, or not wholly.
struct Stray {
  enum class Where {
    device,    ///< outside of every allocation, or freed, or null
    heap,      ///< in the device's heap, outside of every piece that a kernel has
    shared,    ///< in a block's shared memory, outside of every array or over its end
    ended,     ///< in the shared memory of a block of the cluster that has ended
    host,      ///< memory of the host that is not known to the runtime
    constant,  ///< constant data of the program whose address the host gave to the kernel
    nowhere    ///< no memory at all
  };
  BlockState& block;
  std::uintptr_t address;
  std::size_t size;
  unsigned kind;
  Site site;       ///< may be 0
  const void* pc;  ///< where the access itself stands
  Where where;
  /// `shared` and `ended`: whose memory it is, and how many bytes it lies behind that memory's beginning.
  std::uint32_t home;
  std::ptrdiff_t offset;
  /// `host` and `constant`: the device's memory in which the pointer stands that led there; null: it is not known, or an argument.
  const Region* holder;
};

/// An access to the shared memory of another block of the cluster that nothing orders behind the beginning of that block, or
/// before its end. By chance it came in time.
struct Unawaited {
  BlockState& home;  ///< that block
  bool end;          ///< it ends now, or it is not known to have begun
  Stamp stamp;       ///< of the access
  std::uintptr_t address;
  std::size_t size;
  unsigned kind;  ///< of AccessKind
};

/// An access by host code, or by a host function in a stream,
/// to memory that it shares with kernels, inside of its bounds.
struct HostAccess {
  Region& region;
  std::uintptr_t address;
  std::size_t size;
  unsigned kind;  ///< of AccessKind
  Site site;      ///< never 0
  Cell* cells;
  std::size_t cell_count;
  std::uintptr_t address_of_cell(std::size_t i) const { return address + i * (size / cell_count); }
};

/// An asynchronous copy that a thread of a kernel has begun.
struct AsyncCopy {
  BlockState& block;
  std::uintptr_t address;  ///< of its destination
  std::size_t size;
  Site site;
  unsigned thread;
};

/// A write of whole words by a thread of a kernel to memory that threads share.
struct Written {
  BlockState* block = nullptr;
  Region* region = nullptr;
  std::uintptr_t address = 0;
  std::size_t size = 0;
  Mark by;  ///< whose thread and place in the code count
};

/// An index that is outside of an array's declared bounds.
struct OutsideBounds {
  BlockState& block;
  CheckedPlace place;
  const char* type;  ///< of the array, as the compiler writes it
  long long index;
};

/// An access by a pointer, before or behind a local array.
struct OutsideLocal {
  BlockState& block;
  const ArrayZone& zone;
  std::uintptr_t address;
  std::size_t size;
  unsigned kind;  ///< of AccessKind
  Site site;
};

/// A thread of a kernel calls a virtual function of an object whose table of virtual functions is the host's.
struct HostObject {
  BlockState& block;
  const Region* region;  ///< that the object lies in; null: it is an argument of the kernel
  Site site;
};

class RuleObserver : public Observer {
 public:
  /// Asked once: is `accessed` to be called?
  virtual bool wants_accesses() const { return false; }
  /// Asked when a block begins: is `accessed` to be called of those on the fast path, too?
  virtual bool wants_every_access(BlockView) const { return false; }
  /// Not called of plain accesses within one array's bounds to words that have been written, ordered by
  /// launches and barriers, unless a rule wants every access: the core notes them by itself (fast_path.hpp).
  virtual void accessed(const Access&) {}
  /// Of an access: its address is no multiple of its size, and the compiler counted on that.
  virtual void misaligned(const Access&) {}
  virtual void misaligned(BlockState&, Region&, const MisalignedPointer&) {}
  /// What was written is the content of a local variable that was never set.
  virtual void wrote_unset(const Written&) {}
  /// A vote or a match found these lanes.
  virtual void lanes_found(std::uint32_t) {}
  /// The calling thread takes a value from a lane of its warp that has returned, though the mask names it.
  virtual void lane_absent(BlockState&, unsigned /*lane*/, std::uint32_t /*mask*/, const Line& /*where*/) {}
  virtual void copied_asynchronously(const AsyncCopy&) {}
  virtual void strayed(const Stray&) {}
  virtual void unawaited(const Unawaited&) {}
  /// A block of a kernel that was stopped did not end, and is no more.
  virtual void block_abandoned(BlockView) {}
  virtual void host_accessed(const HostAccess&) {}
  /// Host code reads a clock.
  virtual void clock_read(Site) {}
  virtual void outside_bounds(const OutsideBounds&) {}
  virtual void outside_local(const OutsideLocal&) {}
  virtual void used_object_of_host(const HostObject&) {}
  /// The program ends: what only the end shows is added to the findings now.
  virtual void program_ends() {}
};
using RulePtr = std::unique_ptr<RuleObserver>;

RulePtr make_bounds_rule(MemoryMap& map);
RulePtr make_heap_rule(MemoryMap& map);
RulePtr make_uninitialised_rule(MemoryMap& map);
RulePtr make_pointer_rule(MemoryMap& map);
RulePtr make_race_rule();
RulePtr make_async_rule();
RulePtr make_transfer_rule(MemoryMap& map);
RulePtr make_barrier_rule();
RulePtr make_stop_rule();
RulePtr make_copy_rule(MemoryMap& map);
RulePtr make_set_bytes_rule();
RulePtr make_api_rule();
RulePtr make_output_rule();
RulePtr make_timing_rule();
RulePtr make_leak_rule(MemoryMap& map);
/// No rule: records how an element came by its value, where CUEMU_CHECK asks for that.
RulePtr make_recorder(MemoryMap& map);
/// No rule: records what the first blocks of each launch do, where CUEMU_CHECK asks for that.
RulePtr make_tracer(MemoryMap& map);

/// All of them, in the order in which they are told.
/// Those of memory look at cells before `races` changes them.
inline std::vector<RulePtr> make_rules(MemoryMap& map) {
  std::vector<RulePtr> rules;
  rules.push_back(make_bounds_rule(map));
  rules.push_back(make_heap_rule(map));
  rules.push_back(make_uninitialised_rule(map));
  rules.push_back(make_pointer_rule(map));
  rules.push_back(make_async_rule());
  rules.push_back(make_race_rule());
  rules.push_back(make_transfer_rule(map));
  rules.push_back(make_barrier_rule());
  rules.push_back(make_stop_rule());
  rules.push_back(make_copy_rule(map));
  rules.push_back(make_set_bytes_rule());
  rules.push_back(make_api_rule());
  rules.push_back(make_output_rule());
  rules.push_back(make_timing_rule());
  rules.push_back(make_leak_rule(map));
  return rules;
}

}  // namespace cuemu::check
