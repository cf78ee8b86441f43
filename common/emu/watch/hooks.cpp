// The entry points that code compiled with -fsanitize=thread,bounds,alignment calls. They replace the
// compilers' runtime libraries; g++ and clang++ use the same entry points. Each event goes to every listening
// tool.
//
// If the kit and the user's code both instantiate a template, such as std::map<std::string, std::string>, the linked
// program contains only one of the two instances, perhaps the user's, which calls these hooks. So the hooks do nothing
// until a tool listens. Otherwise the constructor of a tool, which reads the tool's settings, would call itself.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "listeners.hpp"
#include "services.hpp"

namespace {

using namespace cuemu;

__attribute__((always_inline)) inline void note(const volatile void* address, std::size_t size, unsigned kind,
                                                const void* pc) {
  hand_on(&AccessListener::access, reinterpret_cast<std::uintptr_t>(address), size, kind, pc);
}

__attribute__((always_inline)) inline void note_plain(HotEvents::Access report, const void* address,
                                                      const void* pc) {
  report(reinterpret_cast<std::uintptr_t>(address), pc);
}

/// Reports that a function copies or sets this memory; returns the number of bytes that the tools allow.
__attribute__((always_inline)) inline std::size_t note_copy(const void* at, std::size_t size, unsigned kind,
                                                            const void* pc) {
  if (size == 0 || Busy::now()) return size;
  for (AccessListener* const* each = listeners; *each != nullptr; ++each)
    size = (*each)->copied_by_function(reinterpret_cast<std::uintptr_t>(at), size, kind, pc);
  return size;
}

/// Returns whether the address lies in the thread's private memory, or in the emulation's state of the thread and its
/// block.
__attribute__((always_inline)) inline bool is_private(const volatile void* address) {
  for (AccessListener* const* each = listeners; *each != nullptr; ++each)
    if ((*each)->is_private(reinterpret_cast<std::uintptr_t>(address))) return true;
  return false;
}

/// Reports that an atomic operation is done, and whether it changed the memory.
__attribute__((always_inline)) inline void done(const volatile void* address, bool changed) {
  hand_on(&AccessListener::atomic_done, reinterpret_cast<std::uintptr_t>(address), changed);
}

unsigned kind_of(int order, unsigned kind) {
  // Stores and exchanges of cuda::atomic with release, acq_rel and seq_cst order publish, too.
  const bool release = order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
  if (release && (kind & writes) != 0) kind |= publishes;
  return kind | is_atomic;
}

}  // namespace

#define CALLER __builtin_return_address(0)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void* caller) {
  hot.enter(caller);
}
void __tsan_func_exit() {
  hot.leave();
}

#define ACCESSES(LOG, BYTES)                                  \
  void __tsan_read##BYTES(void* p) {                          \
    note_plain(hot.read[LOG], p, CALLER);                     \
  }                                                           \
  void __tsan_write##BYTES(void* p) {                         \
    note_plain(hot.write[LOG], p, CALLER);                    \
  }                                                           \
  void __tsan_unaligned_read##BYTES(void* p) {                \
    note(p, BYTES, reads | unaligned, CALLER);                \
  }                                                           \
  void __tsan_unaligned_write##BYTES(void* p) {               \
    note(p, BYTES, writes | unaligned, CALLER);               \
  }                                                           \
  void __tsan_volatile_read##BYTES(void* p) {                 \
    note(p, BYTES, reads | is_volatile, CALLER);              \
  }                                                           \
  void __tsan_volatile_write##BYTES(void* p) {                \
    note(p, BYTES, writes | is_volatile, CALLER);             \
  }                                                           \
  void __tsan_unaligned_volatile_read##BYTES(void* p) {       \
    note(p, BYTES, reads | is_volatile | unaligned, CALLER);  \
  }                                                           \
  void __tsan_unaligned_volatile_write##BYTES(void* p) {      \
    note(p, BYTES, writes | is_volatile | unaligned, CALLER); \
  }                                                           \
  void __tsan_read_write##BYTES(void* p) {                    \
    note_plain(hot.read[LOG], p, CALLER);                     \
    note_plain(hot.write[LOG], p, CALLER);                    \
  }                                                           \
  void __tsan_unaligned_read_write##BYTES(void* p) {          \
    note(p, BYTES, reads | unaligned, CALLER);                \
    note(p, BYTES, writes | unaligned, CALLER);               \
  }
ACCESSES(0, 1)
ACCESSES(1, 2)
ACCESSES(2, 4)
ACCESSES(3, 8)
ACCESSES(4, 16)
#undef ACCESSES

void __tsan_read_range(void* p, std::size_t bytes) {
  note(p, bytes, reads | unaligned, CALLER);
}
void __tsan_write_range(void* p, std::size_t bytes) {
  note(p, bytes, writes | unaligned, CALLER);
}
void __tsan_vptr_update(void** p, void* table) {
  note(p, sizeof(void*), writes, CALLER);
  hand_on(&AccessListener::object_made, reinterpret_cast<std::uintptr_t>(table));
}
/// Called by code of clang++ when an object's table of virtual functions is read; g++ reports two reads, of the object
/// and of its table.
void __tsan_vptr_read(void** p) {
  note(p, sizeof(void*), reads, CALLER);
  hand_on(&AccessListener::table_asked_for, reinterpret_cast<std::uintptr_t>(p), CALLER);
}

// g++ leaves memcpy to the C library. CUDA sources call memcpy by another name (cuemu/watched.hpp); calls in C++
// sources are redirected here by the linker (--wrap). A program linked without emucc, for example by CMake, has no
// __real_ functions, since the C library's functions keep their names in it.
#define REAL(NAME, PARAMETERS, ARGUMENTS)                                        \
  __attribute__((weak)) void* __real_##NAME PARAMETERS;                          \
  static void* real_##NAME PARAMETERS {                                          \
    return &__real_##NAME != nullptr ? __real_##NAME ARGUMENTS : NAME ARGUMENTS; \
  }
REAL(memcpy, (void* to, const void* from, std::size_t bytes), (to, from, bytes))
REAL(memmove, (void* to, const void* from, std::size_t bytes), (to, from, bytes))
REAL(memset, (void* to, int value, std::size_t bytes), (to, value, bytes))
#undef REAL

/// Copies the bytes that may be written. Bytes that may not be read become 0.
static void* copy_good(void* to, std::size_t writable, const void* from, std::size_t readable) {
  const std::size_t both = writable < readable ? writable : readable;
  if (both != 0) real_memmove(to, from, both);
  if (writable > both) real_memset(static_cast<char*>(to) + both, 0, writable - both);
  return to;
}

// Copies by a tool or by the runtime are not reported: the user did not write them, or they access memory that kernels
// do not share.
#define COPIES(PREFIX)                                                                        \
  void* PREFIX##memcpy(void* to, const void* from, std::size_t bytes) {                       \
    const std::size_t readable = note_copy(from, bytes, reads | unaligned, CALLER);           \
    const std::size_t writable = note_copy(to, bytes, writes | unaligned, CALLER);            \
    if (readable < bytes || writable < bytes) return copy_good(to, writable, from, readable); \
    return real_memcpy(to, from, bytes);                                                      \
  }                                                                                           \
  void* PREFIX##memmove(void* to, const void* from, std::size_t bytes) {                      \
    const std::size_t readable = note_copy(from, bytes, reads | unaligned, CALLER);           \
    const std::size_t writable = note_copy(to, bytes, writes | unaligned, CALLER);            \
    if (readable < bytes || writable < bytes) return copy_good(to, writable, from, readable); \
    return real_memmove(to, from, bytes);                                                     \
  }                                                                                           \
  void* PREFIX##memset(void* to, int value, std::size_t bytes) {                              \
    return real_memset(to, value, note_copy(to, bytes, writes | unaligned, CALLER));          \
  }
COPIES(__tsan_)
COPIES(__wrap_)
#undef COPIES

// Operations on private memory are not reported, since the emulation's headers perform many of them.
#define MODIFY(BITS, TYPE, NAME, BUILTIN)                                      \
  TYPE __tsan_atomic##BITS##_##NAME(volatile TYPE* p, TYPE value, int order) { \
    if (is_private(p)) return BUILTIN(p, value, __ATOMIC_SEQ_CST);             \
    note(p, sizeof(TYPE), kind_of(order, writes | keeps_old), CALLER);         \
    const TYPE before = BUILTIN(p, value, __ATOMIC_SEQ_CST);                   \
    done(p, before != __atomic_load_n(p, __ATOMIC_RELAXED));                   \
    return before;                                                             \
  }
#define ATOMICS(BITS, TYPE)                                                                                  \
  TYPE __tsan_atomic##BITS##_load(const volatile TYPE* p, int order) {                                       \
    const bool watched = !is_private(p);                                                                     \
    if (watched) note(p, sizeof(TYPE), kind_of(order, reads), CALLER);                                       \
    if (watched) done(p, false);                                                                             \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                             \
  }                                                                                                          \
  void __tsan_atomic##BITS##_store(volatile TYPE* p, TYPE value, int order) {                                \
    const bool watched = !is_private(p);                                                                     \
    if (watched) note(p, sizeof(TYPE), kind_of(order, writes), CALLER);                                      \
    if (watched) done(p, true);                                                                              \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                            \
  }                                                                                                          \
  MODIFY(BITS, TYPE, exchange, __atomic_exchange_n)                                                          \
  MODIFY(BITS, TYPE, fetch_add, __atomic_fetch_add)                                                          \
  MODIFY(BITS, TYPE, fetch_sub, __atomic_fetch_sub)                                                          \
  MODIFY(BITS, TYPE, fetch_and, __atomic_fetch_and)                                                          \
  MODIFY(BITS, TYPE, fetch_or, __atomic_fetch_or)                                                            \
  MODIFY(BITS, TYPE, fetch_xor, __atomic_fetch_xor)                                                          \
  MODIFY(BITS, TYPE, fetch_nand, __atomic_fetch_nand)                                                        \
  int __tsan_atomic##BITS##_compare_exchange_strong(volatile TYPE* p, TYPE* expected, TYPE value, int order, \
                                                    int) {                                                   \
    note(p, sizeof(TYPE), kind_of(order, writes | keeps_old | compares), CALLER);                            \
    const bool changed =                                                                                     \
        __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
    done(p, changed);                                                                                        \
    return changed ? 1 : 0;                                                                                  \
  }                                                                                                          \
  int __tsan_atomic##BITS##_compare_exchange_weak(volatile TYPE* p, TYPE* expected, TYPE value, int order,   \
                                                  int) {                                                     \
    note(p, sizeof(TYPE), kind_of(order, writes | keeps_old | compares), CALLER);                            \
    const bool changed =                                                                                     \
        __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
    done(p, changed);                                                                                        \
    return changed ? 1 : 0;                                                                                  \
  }                                                                                                          \
  TYPE __tsan_atomic##BITS##_compare_exchange_val(volatile TYPE* p, TYPE expected, TYPE value, int order,    \
                                                  int) {                                                     \
    note(p, sizeof(TYPE), kind_of(order, writes | keeps_old | compares), CALLER);                            \
    done(p, __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));    \
    return expected;                                                                                         \
  }
ATOMICS(8, std::uint8_t)
ATOMICS(16, std::uint16_t)
ATOMICS(32, std::uint32_t)
ATOMICS(64, std::uint64_t)
#undef ATOMICS
#undef MODIFY

void __tsan_atomic_thread_fence(int order) {
  if (order != __ATOMIC_RELAXED) hand_on(&AccessListener::fence);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}

void cuemu_check_block_scope(bool on) {
  hand_on(&AccessListener::set_block_scope, on);
}

void cuemu_check_update(bool on) {
  hand_on(&AccessListener::set_updates, on);
}

void cuemu_check_lanes(std::uint32_t lanes) {
  hand_on(&AccessListener::lanes_found, lanes);
}

/// Reports an access that a library makes for the calling thread (../libraries/operation.cpp), at the user's call.
void cuemu_check_library(const void* at, std::size_t bytes, bool stores, const void* pc) {
  hand_on(&AccessListener::library_access, reinterpret_cast<std::uintptr_t>(at), bytes, stores, pc);
}

/// Watchable objects refer to this symbol (cuemu/watched.hpp).
extern const char cuemu_hooks_are_linked;
const char cuemu_hooks_are_linked = 1;

bool cuemu_check_keeps_lanes_apart() {
  for (AccessListener* const* each = listeners; *each != nullptr; ++each)
    if ((*each)->keeps_lanes_apart()) return true;
  return false;
}

void cuemu_check_absent_lane(unsigned source, std::uint32_t mask, const char* file, int line) {
  hand_on(&AccessListener::lane_absent, source, mask, file, line);
}

// ---- -fsanitize=bounds,alignment

struct UbsanType {
  std::uint16_t kind;
  std::uint16_t info;
  char name[1];
};
struct UbsanBounds {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
  const UbsanType* array;
  const UbsanType* index;
};
/// Returns whether the compiler's record is valid. It lies among the program's variables, so an overrun by the host may
/// have destroyed it.
static bool is_intact(const UbsanBounds& where) {
  const auto leads_to_memory = [](const void* pointer) {
    return is_mapped(reinterpret_cast<std::uintptr_t>(pointer));
  };
  return leads_to_memory(where.file) && leads_to_memory(where.array) && leads_to_memory(where.index);
}
void __ubsan_handle_out_of_bounds(UbsanBounds* where, std::uintptr_t index) {
  if (!is_intact(*where)) return;
  // Type info: the lowest bit means signed, the rest is the logarithm of the width in bits.
  const unsigned bits = 1u << (where->index->info >> 1);
  long long value = static_cast<long long>(index);
  if (bits < 64 && (where->index->info & 1u) != 0)
    value = static_cast<long long>(static_cast<std::uint64_t>(index) << (64 - bits)) >> (64 - bits);
  const CheckedPlace place{where->file, static_cast<int>(where->line), static_cast<int>(where->column),
                           CALLER};
  hand_on(&AccessListener::outside_bounds, place, where->array->name, value);
}
void __ubsan_handle_out_of_bounds_abort(UbsanBounds* where, std::uintptr_t index) {
  __ubsan_handle_out_of_bounds(where, index);
}

struct UbsanPointer {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
  const UbsanType* type;
  std::uint8_t log_alignment;
  std::uint8_t use;  ///< 0: a load, 1: a store, …
};
void __ubsan_handle_type_mismatch_v1(UbsanPointer* where, std::uintptr_t address) {
  constexpr std::uint8_t store = 1;
  const MisalignedPointer pointer{
      {where->file, static_cast<int>(where->line), static_cast<int>(where->column), CALLER},
      where->use == store,
      std::size_t{1} << where->log_alignment,
      address};
  hand_on(&AccessListener::misaligned, pointer);
}
void __ubsan_handle_type_mismatch_v1_abort(UbsanPointer* where, std::uintptr_t address) {
  __ubsan_handle_type_mismatch_v1(where, address);
}
}
