// cuda::atomic, cuda::atomic_ref and cuda::std::atomic: atomic objects with a scope.
//
// All scopes are the same here. Operations take the memory order of C++; the default is sequentially
// consistent, as in CUDA.
#pragma once

#include "cuemu/atomics.hpp"
#include "cuemu/std_names.hpp"

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

enum memory_order : int {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_consume = __ATOMIC_CONSUME,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};

namespace detail {

/// The unsigned integer type of a size in bytes. Values of any type of this size are exchanged as such integers.
/// The memory order of a failed exchange: `order` without its release part.
template <unsigned long Bytes>
struct WordOf;
template <>
struct WordOf<1> {
  using type = unsigned char;
};
template <>
struct WordOf<2> {
  using type = unsigned short;
};
template <>
struct WordOf<4> {
  using type = unsigned int;
};
template <>
struct WordOf<8> {
  using type = unsigned long;
};

/// Returns the order of a failed exchange, which is `order` without the release part.
constexpr int failure_order(const int order) {
  return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
}

/// The type of the value that fetch_add adds: an integer for pointers, and otherwise the type of the object.
template <typename Value>
struct Difference {
  using type = Value;
};
template <typename Pointee>
struct Difference<Pointee*> {
  using type = long;
};

/// The operations on an object of type Value at an address; all classes below use them.
template <typename Value>
class AtomicAccess {
  using Word = typename WordOf<sizeof(Value)>::type;
  using Step = typename Difference<Value>::type;

 public:
  using value_type = Value;

  bool is_lock_free() const noexcept { return true; }
  Value load(const memory_order order = memory_order_seq_cst) const noexcept {
    cuemu::detail::gave_nothing();  // a load in a waiting loop must let other threads run
    return cuemu::bit_cast<Value>(__atomic_load_n(word(), static_cast<int>(order)));
  }
  void store(const Value value, const memory_order order = memory_order_seq_cst) const noexcept {
    __atomic_store_n(word(), cuemu::bit_cast<Word>(value), static_cast<int>(order));
  }
  Value exchange(const Value value, const memory_order order = memory_order_seq_cst) const noexcept {
    const Word old = __atomic_exchange_n(word(), cuemu::bit_cast<Word>(value), static_cast<int>(order));
    if (old == cuemu::bit_cast<Word>(value)) cuemu::detail::gave_nothing();
    return cuemu::bit_cast<Value>(old);
  }
  bool compare_exchange_strong(Value& expected, const Value desired, const memory_order success,
                               const memory_order failure) const noexcept {
    Word old = cuemu::bit_cast<Word>(expected);
    if (__atomic_compare_exchange_n(word(), &old, cuemu::bit_cast<Word>(desired), false,
                                    static_cast<int>(success), static_cast<int>(failure))) {
      return true;
    }
    cuemu::detail::gave_nothing();
    expected = cuemu::bit_cast<Value>(old);
    return false;
  }
  bool compare_exchange_strong(Value& expected, const Value desired,
                               const memory_order order = memory_order_seq_cst) const noexcept {
    return compare_exchange_strong(expected, desired, order, static_cast<memory_order>(failure_order(order)));
  }
  bool compare_exchange_weak(Value& expected, const Value desired, const memory_order success,
                             const memory_order failure) const noexcept {
    return compare_exchange_strong(expected, desired, success, failure);
  }
  bool compare_exchange_weak(Value& expected, const Value desired,
                             const memory_order order = memory_order_seq_cst) const noexcept {
    return compare_exchange_strong(expected, desired, order);
  }

  Value fetch_add(const Step step, const memory_order order = memory_order_seq_cst) const noexcept {
    return update([step](const Value old) { return static_cast<Value>(old + step); }, order);
  }
  Value fetch_sub(const Step step, const memory_order order = memory_order_seq_cst) const noexcept {
    return update([step](const Value old) { return static_cast<Value>(old - step); }, order);
  }
  Value fetch_and(const Value bits, const memory_order order = memory_order_seq_cst) const noexcept {
    return update([bits](const Value old) { return static_cast<Value>(old & bits); }, order);
  }
  Value fetch_or(const Value bits, const memory_order order = memory_order_seq_cst) const noexcept {
    return update([bits](const Value old) { return static_cast<Value>(old | bits); }, order);
  }
  Value fetch_xor(const Value bits, const memory_order order = memory_order_seq_cst) const noexcept {
    return update([bits](const Value old) { return static_cast<Value>(old ^ bits); }, order);
  }
  Value fetch_min(const Value value, const memory_order order = memory_order_seq_cst) const noexcept {
    return update([value](const Value old) { return value < old ? value : old; }, order);
  }
  Value fetch_max(const Value value, const memory_order order = memory_order_seq_cst) const noexcept {
    return update([value](const Value old) { return old < value ? value : old; }, order);
  }

  /// Waits until the value differs from `old`. Other threads run meanwhile.
  void wait(const Value old, const memory_order order = memory_order_seq_cst) const noexcept {
    while (__atomic_load_n(word(), static_cast<int>(order)) == cuemu::bit_cast<Word>(old)) cuemu::yield();
  }
  void notify_one() const noexcept {}  // no thread sleeps in wait()
  void notify_all() const noexcept {}

  operator Value() const noexcept { return load(); }
  Value operator++(int) const noexcept { return fetch_add(1); }
  Value operator--(int) const noexcept { return fetch_sub(1); }
  Value operator++() const noexcept { return static_cast<Value>(fetch_add(1) + 1); }
  Value operator--() const noexcept { return static_cast<Value>(fetch_sub(1) - 1); }
  Value operator+=(const Step step) const noexcept { return static_cast<Value>(fetch_add(step) + step); }
  Value operator-=(const Step step) const noexcept { return static_cast<Value>(fetch_sub(step) - step); }
  Value operator&=(const Value bits) const noexcept { return static_cast<Value>(fetch_and(bits) & bits); }
  Value operator|=(const Value bits) const noexcept { return static_cast<Value>(fetch_or(bits) | bits); }
  Value operator^=(const Value bits) const noexcept { return static_cast<Value>(fetch_xor(bits) ^ bits); }

 protected:
  explicit AtomicAccess(Value* const at) noexcept : at_(at) {}

 private:
  template <typename Change>
  Value update(const Change change, const memory_order order) const noexcept {
    Word expected = __atomic_load_n(word(), __ATOMIC_RELAXED);
    for (;;) {
      const Word desired = cuemu::bit_cast<Word>(change(cuemu::bit_cast<Value>(expected)));
      if (__atomic_compare_exchange_n(word(), &expected, desired, true, static_cast<int>(order),
                                      failure_order(static_cast<int>(order)))) {
        return cuemu::bit_cast<Value>(expected);
      }
    }
  }
  Word* word() const noexcept { return reinterpret_cast<Word*>(at_); }

  Value* at_;
};

}  // namespace detail

/// Accesses an object that is stored elsewhere atomically.
template <typename Value, thread_scope Scope = thread_scope_system>
class atomic_ref : public detail::AtomicAccess<Value> {
 public:
  static constexpr unsigned long required_alignment = sizeof(Value);
  static constexpr bool is_always_lock_free = true;

  explicit atomic_ref(Value& object) noexcept : detail::AtomicAccess<Value>(&object) {}
  atomic_ref(const atomic_ref&) noexcept = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  Value operator=(const Value value) const noexcept {
    this->store(value);
    return value;
  }
};

/// An object that is accessed only atomically.
template <typename Value, thread_scope Scope = thread_scope_system>
class atomic {
  using Ref = atomic_ref<Value, Scope>;

 public:
  using value_type = Value;
  static constexpr bool is_always_lock_free = true;

  atomic() noexcept = default;
  constexpr atomic(const Value value) noexcept : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  Value operator=(const Value value) noexcept { return ref() = value; }
  operator Value() const noexcept { return load(); }
  bool is_lock_free() const noexcept { return true; }
  Value load(const memory_order order = memory_order_seq_cst) const noexcept { return ref().load(order); }
  void store(const Value value, const memory_order order = memory_order_seq_cst) noexcept {
    ref().store(value, order);
  }
  Value exchange(const Value value, const memory_order order = memory_order_seq_cst) noexcept {
    return ref().exchange(value, order);
  }
  template <typename... Orders>
  bool compare_exchange_strong(Value& expected, const Value desired, const Orders... orders) noexcept {
    return ref().compare_exchange_strong(expected, desired, orders...);
  }
  template <typename... Orders>
  bool compare_exchange_weak(Value& expected, const Value desired, const Orders... orders) noexcept {
    return ref().compare_exchange_strong(expected, desired, orders...);
  }
  void wait(const Value old, const memory_order order = memory_order_seq_cst) const noexcept {
    ref().wait(old, order);
  }
  void notify_one() noexcept {}
  void notify_all() noexcept {}

  // Arithmetic operations are templates, so that an object may have a type without these operations.
  template <typename Operand, typename... Order>
  Value fetch_add(const Operand operand, const Order... order) noexcept {
    return ref().fetch_add(operand, order...);
  }
  template <typename Operand, typename... Order>
  Value fetch_sub(const Operand operand, const Order... order) noexcept {
    return ref().fetch_sub(operand, order...);
  }
  template <typename Operand, typename... Order>
  Value fetch_and(const Operand operand, const Order... order) noexcept {
    return ref().fetch_and(static_cast<Value>(operand), order...);
  }
  template <typename Operand, typename... Order>
  Value fetch_or(const Operand operand, const Order... order) noexcept {
    return ref().fetch_or(static_cast<Value>(operand), order...);
  }
  template <typename Operand, typename... Order>
  Value fetch_xor(const Operand operand, const Order... order) noexcept {
    return ref().fetch_xor(static_cast<Value>(operand), order...);
  }
  template <typename Operand, typename... Order>
  Value fetch_min(const Operand operand, const Order... order) noexcept {
    return ref().fetch_min(static_cast<Value>(operand), order...);
  }
  template <typename Operand, typename... Order>
  Value fetch_max(const Operand operand, const Order... order) noexcept {
    return ref().fetch_max(static_cast<Value>(operand), order...);
  }
  Value operator++(int) noexcept { return fetch_add(1); }
  Value operator--(int) noexcept { return fetch_sub(1); }
  Value operator++() noexcept { return ++ref(); }
  Value operator--() noexcept { return --ref(); }
  template <typename Operand>
  Value operator+=(const Operand operand) noexcept {
    return ref() += operand;
  }
  template <typename Operand>
  Value operator-=(const Operand operand) noexcept {
    return ref() -= operand;
  }
  template <typename Operand>
  Value operator&=(const Operand operand) noexcept {
    return ref() &= operand;
  }
  template <typename Operand>
  Value operator|=(const Operand operand) noexcept {
    return ref() |= operand;
  }
  template <typename Operand>
  Value operator^=(const Operand operand) noexcept {
    return ref() ^= operand;
  }

 private:
  Ref ref() const noexcept { return Ref(const_cast<Value&>(value_)); }

  alignas(sizeof(Value)) Value value_;
};

/// A flag for spin locks.
template <thread_scope Scope = thread_scope_system>
class scoped_flag {
 public:
  constexpr scoped_flag() noexcept : set_(0) {}
  bool test_and_set(const memory_order order = memory_order_seq_cst) noexcept {
    return set_.exchange(1, order) != 0;
  }
  bool test(const memory_order order = memory_order_seq_cst) const noexcept { return set_.load(order) != 0; }
  void clear(const memory_order order = memory_order_seq_cst) noexcept { set_.store(0, order); }

 private:
  atomic<int, Scope> set_;
};
using atomic_flag = scoped_flag<>;

inline void atomic_thread_fence(const memory_order order, thread_scope = thread_scope_system) noexcept {
  __atomic_thread_fence(static_cast<int>(order));
}
inline void atomic_signal_fence(const memory_order order) noexcept {
  __atomic_signal_fence(static_cast<int>(order));
}

namespace std {
template <typename Value>
using atomic = ::cuda::atomic<Value, thread_scope_system>;
template <typename Value>
using atomic_ref = ::cuda::atomic_ref<Value, thread_scope_system>;
using atomic_flag = ::cuda::atomic_flag;
using ::cuda::atomic_signal_fence;
using ::cuda::atomic_thread_fence;
using ::cuda::memory_order;
using ::cuda::memory_order_acq_rel;
using ::cuda::memory_order_acquire;
using ::cuda::memory_order_consume;
using ::cuda::memory_order_relaxed;
using ::cuda::memory_order_release;
using ::cuda::memory_order_seq_cst;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned int>;
using atomic_bool = atomic<bool>;
}  // namespace std

}  // namespace cuda
