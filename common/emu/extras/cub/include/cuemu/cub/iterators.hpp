// CUB's iterators, which compute their values when they are read.
#pragma once

#include "cuemu/cub/common.hpp"

namespace cub {

namespace detail {
/// The common part of all iterators: a position, and a function from a position to a value.
template <typename Self, typename Value>
class ComputedIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = Value;
  using pointer = Value*;
  using reference = Value;

  Value operator*() const { return self().at(position_); }
  template <typename Distance>
  Value operator[](const Distance n) const {
    return self().at(position_ + static_cast<difference_type>(n));
  }
  Self& operator++() {
    ++position_;
    return self();
  }
  Self operator++(int) {
    Self old = self();
    ++position_;
    return old;
  }
  Self& operator--() {
    --position_;
    return self();
  }
  template <typename Distance>
  Self& operator+=(const Distance n) {
    position_ += static_cast<difference_type>(n);
    return self();
  }
  template <typename Distance>
  Self operator+(const Distance n) const {
    Self moved = self();
    moved += n;
    return moved;
  }
  template <typename Distance>
  Self operator-(const Distance n) const {
    Self moved = self();
    moved += -static_cast<difference_type>(n);
    return moved;
  }
  difference_type operator-(const Self& other) const { return position_ - other.position_; }
  bool operator==(const Self& other) const { return position_ == other.position_; }
  bool operator!=(const Self& other) const { return position_ != other.position_; }

 protected:
  difference_type position_ = 0;

 private:
  Self& self() { return static_cast<Self&>(*this); }
  const Self& self() const { return static_cast<const Self&>(*this); }
};
}  // namespace detail

/// The numbers first, first + 1, first + 2 …
template <typename Value, typename Offset = std::ptrdiff_t>
class CountingInputIterator : public detail::ComputedIterator<CountingInputIterator<Value, Offset>, Value> {
 public:
  explicit CountingInputIterator(const Value& first) : first_(first) {}
  Value at(const std::ptrdiff_t i) const { return static_cast<Value>(first_ + static_cast<Value>(i)); }

 private:
  Value first_;
};

/// The same value everywhere.
template <typename Value, typename Offset = std::ptrdiff_t>
class ConstantInputIterator : public detail::ComputedIterator<ConstantInputIterator<Value, Offset>, Value> {
 public:
  explicit ConstantInputIterator(const Value& value, Offset = 0) : value_(value) {}
  Value at(std::ptrdiff_t) const { return value_; }

 private:
  Value value_;
};

/// The values convert(x), for each x of another iterator.
template <typename Value, typename Convert, typename Iterator, typename Offset = std::ptrdiff_t>
class TransformInputIterator
    : public detail::ComputedIterator<TransformInputIterator<Value, Convert, Iterator, Offset>, Value> {
 public:
  TransformInputIterator(Iterator base, Convert convert) : base_(base), convert_(convert) {}
  Value at(const std::ptrdiff_t i) const { return convert_(base_[i]); }

 private:
  Iterator base_;
  Convert convert_;
};

/// Pairs of position and value.
template <typename Iterator, typename Offset = std::ptrdiff_t,
          typename Value = typename std::iterator_traits<Iterator>::value_type>
class ArgIndexInputIterator : public detail::ComputedIterator<ArgIndexInputIterator<Iterator, Offset, Value>,
                                                              KeyValuePair<Offset, Value>> {
 public:
  explicit ArgIndexInputIterator(Iterator base) : base_(base) {}
  KeyValuePair<Offset, Value> at(const std::ptrdiff_t i) const { return {static_cast<Offset>(i), base_[i]}; }

 private:
  Iterator base_;
};

/// Discards all values that are written to it.
class DiscardOutputIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;
  struct Nothing {
    template <typename Value>
    const Nothing& operator=(const Value&) const {
      return *this;
    }
  };
  using value_type = Nothing;
  using pointer = void;
  using reference = Nothing;
  template <typename Distance>
  Nothing operator[](Distance) const {
    return {};
  }
  Nothing operator*() const { return {}; }
};

}  // namespace cub
