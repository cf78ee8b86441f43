// The interface between the checker's core and its rules. The core receives events of the runtime and of
// instrumented code, and passes them to the rules. Each rule is a RuleObserver in a separate file.
//
//   AccessListener (../watch): accesses          ─┐                            ┌─> rule_bounds.cpp
//   Observer (../watch): the runtime's events    ─┴─> Checker ─> RuleObserver ─┼─> rule_races.cpp
//                                                                             └─> rule_barriers.cpp …
//
// A rule receives all events of an observer, and the events below. The core updates its state (memory map,
// blocks' clocks) before rules receive a begin event, and after they receive an end event or a barrier. Rules
// are called in the order of make_rules().
//
// Events of kernels come from one OS thread at a time, in an order that depends only on the program. Events
// of the host may come from any thread, so a rule must lock the data that it uses for them. Findings are
// added by Findings::get().add().
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

/// An access by a kernel's thread to memory that threads share, inside its bounds.
struct Access {
  BlockState& block;
  BlockState& home;  ///< the block that owns the shared memory; for other memory, the same block
  Region& region;
  std::uintptr_t address;
  std::size_t size;
  unsigned kind;    ///< bits of AccessKind
  Site site;        ///< never 0
  unsigned thread;  ///< the linear index in its block
  Cell* cells;      ///< the shadow of the accessed memory, before the access
  std::size_t cell_count;
  bool in_shared;
  bool handed_on;  ///< a plain access to a counter or flag through which fences have released knowledge
  std::uintptr_t address_of_cell(std::size_t i) const { return address + i * (size / cell_count); }
};

/// An access by a kernel's thread to memory that is not device memory, at least in part.
struct Stray {
  enum class Where {
    device,    ///< outside every allocation, or freed, or null
    heap,      ///< in the device's heap, outside every piece given to a kernel
    shared,    ///< in a block's shared memory, outside every array or beyond its end
    ended,     ///< in the shared memory of an ended block of the cluster
    host,      ///< host memory unknown to the runtime
    constant,  ///< constant data of the program whose address the host passed to the kernel
    nowhere    ///< unmapped
  };
  BlockState& block;
  std::uintptr_t address;
  std::size_t size;
  unsigned kind;
  Site site;       ///< may be 0
  const void* pc;  ///< the place of the access itself
  Where where;
  /// For `shared` and `ended`: the block that owns the memory, and the offset from the memory's beginning.
  std::uint32_t home;
  std::ptrdiff_t offset;
  /// For `host` and `constant`: the device memory in which the pointer to the address is stored. Null if it
  /// is unknown, or if the pointer was an argument.
  const Region* holder;
};

/// An access to the shared memory of another block of the cluster, if no barrier orders it after that block's
/// beginning, or before its end. In this run the access was correct only by chance.
struct Unawaited {
  BlockState& home;  ///< the block that owns the memory
  bool end;          ///< true: `home` ends now; false: `home` is not known to have begun
  Stamp stamp;       ///< the stamp of the access
  std::uintptr_t address;
  std::size_t size;
  unsigned kind;  ///< bits of AccessKind
};

/// An access by host code, or by a host function in a stream, to memory shared with kernels, inside its bounds.
struct HostAccess {
  Region& region;
  std::uintptr_t address;
  std::size_t size;
  unsigned kind;  ///< bits of AccessKind
  Site site;      ///< never 0
  Cell* cells;
  std::size_t cell_count;
  std::uintptr_t address_of_cell(std::size_t i) const { return address + i * (size / cell_count); }
};

/// An asynchronous copy that a kernel's thread has begun.
struct AsyncCopy {
  BlockState& block;
  std::uintptr_t address;  ///< the address of its destination
  std::size_t size;
  Site site;
  unsigned thread;
};

/// A write of whole words by a kernel's thread to memory that threads share.
struct Written {
  BlockState* block = nullptr;
  Region* region = nullptr;
  std::uintptr_t address = 0;
  std::size_t size = 0;
  Mark by;  ///< only its thread and site are valid
};

/// An index outside an array's declared bounds.
struct OutsideBounds {
  const BlockState* block;  ///< null: the host's code
  CheckedPlace place;
  const char* type;  ///< the array's type, as the compiler writes it
  long long index;
};

/// An access through a pointer to memory before or after a local array.
struct OutsideLocal {
  BlockState& block;
  const ArrayZone& zone;
  std::uintptr_t address;
  std::size_t size;
  unsigned kind;  ///< bits of AccessKind
  Site site;
};

/// A virtual call by a kernel's thread on an object whose table of virtual functions is the host's.
struct HostObject {
  BlockState& block;
  const Region* region;  ///< the region that holds the object; null: another place
  bool is_argument;      ///< the object is an argument of the kernel
  Site site;
};

class RuleObserver : public Observer {
 public:
  /// Called once. Returns whether the rule needs `accessed`.
  virtual bool wants_accesses() const { return false; }
  /// Called when a block begins. Returns whether `accessed` must be called for accesses on the fast path,
  /// too.
  virtual bool wants_every_access(BlockView) const { return false; }
  /// Called for an access inside the bounds of its memory. Not called for a plain access on the fast path,
  /// unless a rule wants every access: such an access is inside one array, to written words, and ordered by
  /// launches and barriers. The core itself records it (fast_path.hpp).
  virtual void accessed(const Access&) {}
  /// Called if the compiler relies on an address that is a multiple of the access size, but the address is
  /// not.
  virtual void misaligned(const Access&) {}
  virtual void misaligned(BlockState&, Region&, const MisalignedPointer&) {}
  /// Called if the written value is the content of an uninitialised local variable.
  virtual void wrote_unset(const Written&) {}
  /// Called when a vote or a match shows these lanes to the calling thread.
  virtual void lanes_found(std::uint32_t) {}
  /// Called if the calling thread reads a value from a lane of its warp that has returned, although the mask
  /// includes the lane.
  virtual void lane_absent(BlockState&, unsigned /*lane*/, std::uint32_t /*mask*/, const Line& /*where*/) {}
  virtual void copied_asynchronously(const AsyncCopy&) {}
  virtual void strayed(const Stray&) {}
  virtual void unawaited(const Unawaited&) {}
  /// Called when a block of a stopped kernel is dropped before its end.
  virtual void block_abandoned(BlockView) {}
  virtual void host_accessed(const HostAccess&) {}
  /// Called when host code reads or writes its copy of a device variable.
  virtual void host_copy_accessed(const std::string& /*variable*/, unsigned /*kind*/, Site) {}
  /// Called when host code reads a clock.
  virtual void clock_read(Site) {}
  virtual void outside_bounds(const OutsideBounds&) {}
  virtual void outside_local(const OutsideLocal&) {}
  virtual void used_object_of_host(const HostObject&) {}
  /// Called when host code calls a virtual function of an object that a kernel constructed in memory of both
  /// sides.
  virtual void used_object_of_kernel(const Region&, Site) {}
  /// Called when the program ends. A rule then adds the findings that only the end can show.
  virtual void program_ends() {}
};
using RulePtr = std::unique_ptr<RuleObserver>;

RulePtr make_bounds_rule(MemoryMap& map);
RulePtr make_heap_rule(MemoryMap& map);
RulePtr make_one_memory_rule();
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
/// Creates the recorder. It is not a rule: it records the writes of an element if CUEMU_CHECK requires that.
RulePtr make_recorder(MemoryMap& map);
/// Creates the tracer. It is not a rule: it records the work of the first blocks of each launch if
/// CUEMU_CHECK requires that.
RulePtr make_tracer(MemoryMap& map);

/// Creates all rules, in the order in which they are called. Rules about memory read cells before the rule
/// `races` changes them.
inline std::vector<RulePtr> make_rules(MemoryMap& map) {
  std::vector<RulePtr> rules;
  rules.push_back(make_bounds_rule(map));
  rules.push_back(make_heap_rule(map));
  rules.push_back(make_one_memory_rule());
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
