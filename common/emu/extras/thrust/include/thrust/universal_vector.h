// A part of Thrust: vectors in managed memory.
#pragma once

#include "cuemu/push_macros.hpp"

#include "cuemu/thrust/vector.hpp"

namespace thrust {

namespace detail {
template <class T>
struct ManagedAllocator {
  using value_type = T;
  ManagedAllocator() = default;
  template <class U>
  ManagedAllocator(const ManagedAllocator<U>&) {}
  T* allocate(const std::size_t n) {
    void* memory = nullptr;
    if (cudaMallocManaged(&memory, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* const memory, std::size_t) { cudaFree(memory); }
  friend bool operator==(const ManagedAllocator&, const ManagedAllocator&) { return true; }
  friend bool operator!=(const ManagedAllocator&, const ManagedAllocator&) { return false; }
};
}  // namespace detail

/// A vector of elements in managed memory. Algorithms run on the device. Host code accesses elements in
/// place.
template <class T>
class universal_vector {
  using Elements = std::vector<T, detail::ManagedAllocator<T>>;

 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using pointer = universal_ptr<T>;
  using const_pointer = universal_ptr<const T>;
  using iterator = universal_ptr<T>;
  using const_iterator = universal_ptr<const T>;

  universal_vector() = default;
  explicit universal_vector(const size_type n, const T& value = T()) : elements_(n, value) {}
  universal_vector(const std::initializer_list<T> values) : elements_(values) {}
  template <class I, class = typename std::iterator_traits<I>::reference>
  universal_vector(const I first, const I last)
      : elements_(static_cast<size_type>(std::distance(first, last))) {
    thrust::copy(first, last, begin());
  }
  template <class A>
  universal_vector(const std::vector<T, A>& other) : elements_(other.begin(), other.end()) {}
  template <class A>
  universal_vector(const device_vector<T, A>& other) : universal_vector(other.begin(), other.end()) {}
  operator host_vector<T>() const { return host_vector<T>(elements_.begin(), elements_.end()); }

  iterator begin() { return iterator(elements_.data()); }
  iterator end() { return begin() + static_cast<std::ptrdiff_t>(size()); }
  const_iterator begin() const { return const_iterator(elements_.data()); }
  const_iterator end() const { return begin() + static_cast<std::ptrdiff_t>(size()); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  pointer data() { return begin(); }
  const_pointer data() const { return begin(); }
  T& operator[](const size_type i) { return elements_[i]; }
  const T& operator[](const size_type i) const { return elements_[i]; }
  T& front() { return elements_.front(); }
  const T& front() const { return elements_.front(); }
  T& back() { return elements_.back(); }
  const T& back() const { return elements_.back(); }

  size_type size() const { return elements_.size(); }
  size_type capacity() const { return elements_.capacity(); }
  bool empty() const { return elements_.empty(); }
  void reserve(const size_type n) { elements_.reserve(n); }
  void resize(const size_type n, const T& value = T()) { elements_.resize(n, value); }
  void clear() { elements_.clear(); }
  void push_back(const T& value) { elements_.push_back(value); }
  void pop_back() { elements_.pop_back(); }
  void assign(const size_type n, const T& value) { elements_.assign(n, value); }
  iterator erase(const iterator first, const iterator last) {
    const auto from = elements_.begin() + (first - begin());
    elements_.erase(from, from + (last - first));
    return first;
  }
  void swap(universal_vector& other) noexcept { elements_.swap(other.elements_); }
  friend bool operator==(const universal_vector& a, const universal_vector& b) {
    return a.elements_ == b.elements_;
  }
  friend bool operator!=(const universal_vector& a, const universal_vector& b) { return !(a == b); }

 private:
  Elements elements_;
};

}  // namespace thrust

#include "cuemu/pop_macros.hpp"
