// thrust::device_vector and host_vector.
#pragma once

#include <initializer_list>

#include "cuemu/thrust/algorithms.hpp"

namespace thrust {

template <class T>
class device_allocator {};
template <class T, class Allocator = device_allocator<T>>
class device_vector;

template <class T, class Allocator = std::allocator<T>>
class host_vector : public std::vector<T, Allocator> {
  using Base = std::vector<T, Allocator>;

 public:
  using Base::Base;
  host_vector() = default;
  host_vector(const Base& other) : Base(other) {}
  template <class A>
  host_vector(const device_vector<T, A>& other) : Base(other.size()) {
    thrust::copy(other.begin(), other.end(), this->begin());
  }
  template <class A>
  host_vector& operator=(const device_vector<T, A>& other) {
    this->resize(other.size());
    thrust::copy(other.begin(), other.end(), this->begin());
    return *this;
  }
};

/// A vector of elements in device memory. When host code reads or writes an element, it is copied.
template <class T, class Allocator>
class device_vector {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<const T>;
  using reference = device_reference<T>;
  using const_reference = device_reference<const T>;
  using iterator = device_ptr<T>;
  using const_iterator = device_ptr<const T>;

  device_vector() = default;
  explicit device_vector(const size_type n) { resize(n); }
  device_vector(const size_type n, const T& value) { resize(n, value); }
  template <class I, class = typename std::iterator_traits<I>::reference>
  device_vector(const I first, const I last) {
    assign(first, last);
  }
  device_vector(const std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  device_vector(const device_vector& other) { assign(other.begin(), other.end()); }
  device_vector(device_vector&& other) noexcept { swap(other); }
  template <class A>
  device_vector(const std::vector<T, A>& other) {
    assign(other.begin(), other.end());
  }
  ~device_vector() {
    if (data_ != nullptr) cudaFree(data_);
  }
  device_vector& operator=(const device_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class A>
  device_vector& operator=(const std::vector<T, A>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  device_vector& operator=(const std::initializer_list<T> values) {
    assign(values.begin(), values.end());
    return *this;
  }

  iterator begin() { return iterator(data_); }
  iterator end() { return iterator(data_ + size_); }
  const_iterator begin() const { return const_iterator(data_); }
  const_iterator end() const { return const_iterator(data_ + size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  auto rbegin() { return std::make_reverse_iterator(end()); }
  auto rend() { return std::make_reverse_iterator(begin()); }
  pointer data() { return begin(); }
  const_pointer data() const { return begin(); }
  reference operator[](const size_type i) { return reference(data_ + i); }
  const_reference operator[](const size_type i) const { return const_reference(data_ + i); }
  reference front() { return (*this)[0]; }
  const_reference front() const { return (*this)[0]; }
  reference back() { return (*this)[size_ - 1]; }
  const_reference back() const { return (*this)[size_ - 1]; }

  size_type size() const { return size_; }
  size_type capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  void reserve(const size_type n) {
    if (n <= capacity_) return;
    T* memory = device_malloc<T>(n).get();
    if (size_ > 0) cudaMemcpy(static_cast<void*>(memory), data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
    if (data_ != nullptr) cudaFree(data_);
    data_ = memory;
    capacity_ = n;
  }
  void resize(const size_type n, const T& value = T()) {
    reserve(n);
    if (n > size_) thrust::fill(iterator(data_ + size_), iterator(data_ + n), value);
    size_ = n;
  }
  void shrink_to_fit() {
    device_vector fitting(*this);
    swap(fitting);
  }
  void clear() { size_ = 0; }
  void push_back(const T& value) {
    if (size_ == capacity_) reserve(capacity_ == 0 ? 8 : 2 * capacity_);
    ++size_;
    back() = value;
  }
  void pop_back() { --size_; }
  void assign(const size_type n, const T& value) {
    clear();
    resize(n, value);
  }
  template <class I, class = typename std::iterator_traits<I>::reference>
  void assign(const I first, const I last) {
    const auto n = static_cast<size_type>(std::distance(first, last));
    size_ = 0;
    reserve(n);
    size_ = n;
    thrust::copy(first, last, begin());
  }
  iterator erase(const iterator at) { return erase(at, at + 1); }
  iterator erase(const iterator first, const iterator last) {
    device_vector rest(last, end());
    thrust::copy(rest.begin(), rest.end(), first);
    size_ -= static_cast<size_type>(last - first);
    return first;
  }
  iterator insert(const iterator at, const T& value) {
    const std::ptrdiff_t place = at - begin();
    device_vector rest(at, end());
    resize(size_ + 1);
    (*this)[static_cast<size_type>(place)] = value;
    thrust::copy(rest.begin(), rest.end(), begin() + place + 1);
    return begin() + place;
  }
  void swap(device_vector& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  friend bool operator==(const device_vector& a, const device_vector& b) {
    return host_vector<T>(a) == host_vector<T>(b);
  }
  friend bool operator!=(const device_vector& a, const device_vector& b) { return !(a == b); }

 private:
  T* data_ = nullptr;
  size_type size_ = 0, capacity_ = 0;
};

}  // namespace thrust
