// Pointers and references by which host code accesses device memory. Each access from the host is a copy.
#pragma once

#include <cstddef>
#include <iterator>
#include <ostream>
#include <vector>

#include "cuemu/thrust/system.hpp"

namespace thrust {

namespace detail {
template <class T>
inline T read_device(const T* const from) {
  if (cuemu::in_kernel()) return *from;
  alignas(T) unsigned char bytes[sizeof(T)];
  const cudaError_t error = cudaMemcpy(bytes, from, sizeof(T), cudaMemcpyDefault);
  if (error != cudaSuccess) throw system_error(error, "a read of device memory");
  return *reinterpret_cast<T*>(bytes);
}
template <class T>
inline void write_device(T* const to, const T& value) {
  if (cuemu::in_kernel()) {
    *to = value;
    return;
  }
  const cudaError_t error = cudaMemcpy(static_cast<void*>(to), &value, sizeof(T), cudaMemcpyDefault);
  if (error != cudaSuccess) throw system_error(error, "a write of device memory");
}
}  // namespace detail

template <class T>
class device_ptr;

/// The reference `*p` of a device_ptr: reads and writes go to the device.
template <class T>
class device_reference {
  using Value = std::remove_cv_t<T>;

 public:
  explicit device_reference(T* const at) : at_(at) {}
  device_reference(const device_reference&) = default;
  operator Value() const { return detail::read_device(at_); }
  const device_reference& operator=(const Value& value) const {
    detail::write_device(at_, value);
    return *this;
  }
  const device_reference& operator=(const device_reference& other) const {
    return *this = static_cast<Value>(other);
  }
  device_ptr<T> operator&() const { return device_ptr<T>(at_); }

#define CUEMU_THRUST_UPDATE(OPERATOR)                                      \
  template <class Other>                                                   \
  const device_reference& operator OPERATOR##=(const Other& other) const { \
    Value value = *this;                                                   \
    value OPERATOR## = other;                                              \
    return *this = value;                                                  \
  }
  CUEMU_THRUST_UPDATE(+)
  CUEMU_THRUST_UPDATE(-)
  CUEMU_THRUST_UPDATE(*)
  CUEMU_THRUST_UPDATE(/)
#undef CUEMU_THRUST_UPDATE
  const device_reference& operator++() const {
    return *this += 1;
  }
  friend void swap(device_reference a, device_reference b) {
    const Value kept = a;
    a = static_cast<Value>(b);
    b = kept;
  }
  friend std::ostream& operator<<(std::ostream& out, const device_reference& reference) {
    return out << static_cast<Value>(reference);
  }

 private:
  T* at_;
};

namespace detail {

/// The common part of pointers whose type determines the kind of memory. `Pointer` is the class, and
/// `Reference` is the type of `*p`.
template <class Pointer, class T, class Reference>
class PointerTo {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = Pointer;
  using reference = Reference;
  using element_type = T;

  PointerTo() = default;
  explicit PointerTo(T* const at) : at_(at) {}

  T* get() const { return at_; }
  explicit operator bool() const { return at_ != nullptr; }
  Pointer& operator++() { return *this += 1; }
  Pointer& operator--() { return *this -= 1; }
  Pointer operator++(int) {
    const Pointer old = self();
    ++*this;
    return old;
  }
  Pointer operator--(int) {
    const Pointer old = self();
    --*this;
    return old;
  }
  Pointer& operator+=(const difference_type n) {
    at_ += n;
    return self();
  }
  Pointer& operator-=(const difference_type n) {
    at_ -= n;
    return self();
  }
  friend Pointer operator+(Pointer p, const difference_type n) { return p += n; }
  friend Pointer operator+(const difference_type n, Pointer p) { return p += n; }
  friend Pointer operator-(Pointer p, const difference_type n) { return p -= n; }
  friend difference_type operator-(const Pointer& a, const Pointer& b) { return a.at_ - b.at_; }
  friend bool operator==(const Pointer& a, const Pointer& b) { return a.at_ == b.at_; }
  friend bool operator!=(const Pointer& a, const Pointer& b) { return a.at_ != b.at_; }
  friend bool operator<(const Pointer& a, const Pointer& b) { return a.at_ < b.at_; }
  friend bool operator>(const Pointer& a, const Pointer& b) { return a.at_ > b.at_; }
  friend bool operator<=(const Pointer& a, const Pointer& b) { return a.at_ <= b.at_; }
  friend bool operator>=(const Pointer& a, const Pointer& b) { return a.at_ >= b.at_; }

 private:
  Pointer& self() { return static_cast<Pointer&>(*this); }
  T* at_ = nullptr;
};

}  // namespace detail

/// A pointer to device memory, and the iterator of device_vector.
template <class T>
class device_ptr : public detail::PointerTo<device_ptr<T>, T, device_reference<T>> {
  using Base = detail::PointerTo<device_ptr<T>, T, device_reference<T>>;

 public:
  device_ptr() = default;
  device_ptr(std::nullptr_t) {}
  explicit device_ptr(T* const at) : Base(at) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U*, T*>>>
  device_ptr(const device_ptr<U>& other) : Base(other.get()) {}

  device_reference<T> operator*() const { return device_reference<T>(this->get()); }
  device_reference<T> operator[](const std::ptrdiff_t i) const {
    return device_reference<T>(this->get() + i);
  }
};

/// A pointer to managed memory, and the iterator of universal_vector. Algorithms run on the device. Host code
/// reads and writes elements in place.
template <class T>
class universal_ptr : public detail::PointerTo<universal_ptr<T>, T, T&> {
  using Base = detail::PointerTo<universal_ptr<T>, T, T&>;

 public:
  universal_ptr() = default;
  universal_ptr(std::nullptr_t) {}
  explicit universal_ptr(T* const at) : Base(at) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U*, T*>>>
  universal_ptr(const universal_ptr<U>& other) : Base(other.get()) {}

  T& operator*() const { return *this->get(); }
  T* operator->() const { return this->get(); }
  T& operator[](const std::ptrdiff_t i) const { return this->get()[i]; }
};

template <class T>
inline device_ptr<T> device_pointer_cast(T* const at) {
  return device_ptr<T>(at);
}
template <class T>
inline device_ptr<T> device_pointer_cast(const device_ptr<T>& at) {
  return at;
}
template <class T>
inline T* raw_pointer_cast(const device_ptr<T>& at) {
  return at.get();
}
template <class T>
inline T* raw_pointer_cast(const universal_ptr<T>& at) {
  return at.get();
}
template <class T>
inline T* raw_pointer_cast(T* const at) {
  return at;
}
template <class T>
inline T& raw_reference_cast(const device_reference<T>& reference) {
  return *(&reference).get();
}
template <class T>
inline device_ptr<T> device_malloc(const std::size_t n) {
  T* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, n == 0 ? 1 : n * sizeof(T));
  if (error != cudaSuccess) {
    cudaGetLastError();  // the exception reports the error
    throw system::detail::bad_alloc(error);
  }
  return device_ptr<T>(memory);
}
template <class T>
inline void device_free(const device_ptr<T> memory) {
  cudaFree(memory.get());
}

namespace detail {
template <class T>
struct SystemOf<device_ptr<T>> {
  static constexpr System value = System::device;
};
template <class T>
struct SystemOf<universal_ptr<T>> {
  static constexpr System value = System::device;
};

/// Returns the iterator for kernels. For device memory this is a plain pointer.
template <class Iterator>
inline Iterator unwrap(const Iterator& iterator) {
  return iterator;
}
template <class T>
inline T* unwrap(const device_ptr<T>& pointer) {
  return pointer.get();
}
template <class T>
inline T* unwrap(const universal_ptr<T>& pointer) {
  return pointer.get();
}
template <class Iterator>
using Unwrapped = decltype(unwrap(std::declval<Iterator>()));
template <class Iterator>
using ValueOf = typename std::iterator_traits<Iterator>::value_type;
/// Whether a copy can process the range's memory as a whole.
template <class Iterator>
inline constexpr bool is_contiguous =
    std::is_pointer_v<Unwrapped<Iterator>> ||
    std::is_same_v<Iterator, typename std::vector<ValueOf<Iterator>>::iterator> ||
    std::is_same_v<Iterator, typename std::vector<ValueOf<Iterator>>::const_iterator>;
}  // namespace detail

}  // namespace thrust
