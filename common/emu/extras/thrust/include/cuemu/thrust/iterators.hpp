// Thrust's iterators that compute their values: counting, constant, transformed, permuted, zipped and
// discarding iterators.
#pragma once

#include <iterator>
#include <tuple>
#include <utility>

#include "cuemu/thrust/pointer.hpp"

namespace thrust {

using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::tie;
using std::tuple;
template <class Iterator>
constexpr auto distance(Iterator first, Iterator last) {
  return std::distance(first, last);
}
template <class Iterator, class Distance>
constexpr void advance(Iterator& iterator, Distance n) {
  std::advance(iterator, n);
}
template <class Iterator>
constexpr Iterator next(Iterator iterator, typename std::iterator_traits<Iterator>::difference_type n = 1) {
  return std::next(iterator, n);
}
template <class Iterator>
constexpr Iterator prev(Iterator iterator, typename std::iterator_traits<Iterator>::difference_type n = 1) {
  return std::prev(iterator, n);
}
template <std::size_t I, class T>
using tuple_element = std::tuple_element<I, T>;
template <class T>
using tuple_size = std::tuple_size<T>;

namespace detail {

/// Implements a random access iterator from `advance(n)`, `distance(other)` and `dereference()`.
template <class Self, class Value, class Reference>
class Facade : public ComputedIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using reference = Reference;
  using pointer = void;
  using difference_type = std::ptrdiff_t;

  Reference operator*() const { return self().dereference(); }
  Reference operator[](const difference_type n) const { return *(self() + n); }
  Self& operator++() { return self().advance(1), self(); }
  Self& operator--() { return self().advance(-1), self(); }
  Self operator++(int) {
    Self old = self();
    self().advance(1);
    return old;
  }
  Self operator--(int) {
    Self old = self();
    self().advance(-1);
    return old;
  }
  Self& operator+=(const difference_type n) { return self().advance(n), self(); }
  Self& operator-=(const difference_type n) { return self().advance(-n), self(); }
  friend Self operator+(Self a, const difference_type n) { return a += n; }
  friend Self operator+(const difference_type n, Self a) { return a += n; }
  friend Self operator-(Self a, const difference_type n) { return a -= n; }
  friend difference_type operator-(const Self& a, const Self& b) { return b.distance(a); }
  friend bool operator==(const Self& a, const Self& b) { return b.distance(a) == 0; }
  friend bool operator!=(const Self& a, const Self& b) { return b.distance(a) != 0; }
  friend bool operator<(const Self& a, const Self& b) { return a.distance(b) > 0; }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  const Self& self() const { return static_cast<const Self&>(*this); }
};

template <class Reference>
using Plain = std::remove_cv_t<std::remove_reference_t<Reference>>;

}  // namespace detail

/// The numbers first, first + 1, first + 2 …
template <class Value>
class counting_iterator : public detail::Facade<counting_iterator<Value>, Value, Value> {
 public:
  counting_iterator() = default;
  explicit counting_iterator(const Value first) : value_(first) {}
  Value dereference() const { return value_; }
  void advance(const std::ptrdiff_t n) { value_ = static_cast<Value>(value_ + static_cast<Value>(n)); }
  std::ptrdiff_t distance(const counting_iterator& other) const {
    return static_cast<std::ptrdiff_t>(other.value_) - static_cast<std::ptrdiff_t>(value_);
  }

 private:
  Value value_{};
};
template <class Value>
inline counting_iterator<Value> make_counting_iterator(const Value first) {
  return counting_iterator<Value>(first);
}

/// The same value everywhere.
template <class Value>
class constant_iterator : public detail::Facade<constant_iterator<Value>, Value, Value> {
 public:
  constant_iterator() = default;
  explicit constant_iterator(const Value& value, const std::ptrdiff_t position = 0)
      : value_(value), position_(position) {}
  Value dereference() const { return value_; }
  void advance(const std::ptrdiff_t n) { position_ += n; }
  std::ptrdiff_t distance(const constant_iterator& other) const { return other.position_ - position_; }

 private:
  Value value_{};
  std::ptrdiff_t position_ = 0;
};
template <class Value>
inline constant_iterator<Value> make_constant_iterator(const Value& value) {
  return constant_iterator<Value>(value);
}

/// The values function(x), for each x of another iterator.
template <class Function, class Iterator>
class transform_iterator
    : public detail::Facade<
          transform_iterator<Function, Iterator>,
          detail::Plain<std::invoke_result_t<Function, typename std::iterator_traits<Iterator>::reference>>,
          detail::Plain<std::invoke_result_t<Function, typename std::iterator_traits<Iterator>::reference>>> {
 public:
  transform_iterator(const Iterator base, const Function function) : base_(base), function_(function) {}
  auto dereference() const -> typename transform_iterator::value_type { return function_(*base_); }
  void advance(const std::ptrdiff_t n) { base_ += n; }
  std::ptrdiff_t distance(const transform_iterator& other) const { return other.base_ - base_; }
  const Iterator& base() const { return base_; }
  const Function& functor() const { return function_; }
  // A closure can't be assigned, but an iterator that contains one must be assignable.
  transform_iterator(const transform_iterator&) = default;
  transform_iterator& operator=(const transform_iterator& other) {
    base_ = other.base_;
    return *this;
  }

 private:
  Iterator base_;
  Function function_;
};
template <class Function, class Iterator>
inline transform_iterator<Function, Iterator> make_transform_iterator(const Iterator base,
                                                                      const Function function) {
  return {base, function};
}

/// The values elements[map[0]], elements[map[1]] …
template <class Elements, class Map>
class permutation_iterator : public detail::Facade<permutation_iterator<Elements, Map>,
                                                   typename std::iterator_traits<Elements>::value_type,
                                                   typename std::iterator_traits<Elements>::reference> {
 public:
  permutation_iterator(const Elements elements, const Map map) : elements_(elements), map_(map) {}
  auto dereference() const -> typename permutation_iterator::reference {
    return elements_[static_cast<std::ptrdiff_t>(*map_)];
  }
  void advance(const std::ptrdiff_t n) { map_ += n; }
  std::ptrdiff_t distance(const permutation_iterator& other) const { return other.map_ - map_; }
  const Elements& elements() const { return elements_; }
  const Map& map() const { return map_; }

 private:
  Elements elements_;
  Map map_;
};
template <class Elements, class Map>
inline permutation_iterator<Elements, Map> make_permutation_iterator(const Elements elements, const Map map) {
  return {elements, map};
}

/// Tuples of several iterators' values.
template <class Iterators>
class zip_iterator;
template <class... Iterators>
class zip_iterator<std::tuple<Iterators...>>
    : public detail::Facade<zip_iterator<std::tuple<Iterators...>>,
                            std::tuple<typename std::iterator_traits<Iterators>::value_type...>,
                            std::tuple<typename std::iterator_traits<Iterators>::reference...>> {
 public:
  zip_iterator() = default;
  explicit zip_iterator(const std::tuple<Iterators...>& iterators) : iterators_(iterators) {}
  auto dereference() const -> typename zip_iterator::reference {
    return std::apply([](const auto&... i) { return typename zip_iterator::reference(*i...); }, iterators_);
  }
  void advance(const std::ptrdiff_t n) {
    std::apply([n](auto&... i) { ((i += n), ...); }, iterators_);
  }
  std::ptrdiff_t distance(const zip_iterator& other) const {
    return std::get<0>(other.iterators_) - std::get<0>(iterators_);
  }
  const std::tuple<Iterators...>& get_iterator_tuple() const { return iterators_; }

 private:
  std::tuple<Iterators...> iterators_;
};
template <class... Iterators>
inline zip_iterator<std::tuple<Iterators...>> make_zip_iterator(const std::tuple<Iterators...>& iterators) {
  return zip_iterator<std::tuple<Iterators...>>(iterators);
}
template <class First, class... Iterators, class = typename std::iterator_traits<First>::reference>
inline zip_iterator<std::tuple<First, Iterators...>> make_zip_iterator(const First first,
                                                                       const Iterators... rest) {
  return make_zip_iterator(std::make_tuple(first, rest...));
}

/// f(x, y, …) of a tuple.
template <class Function>
class zip_function {
 public:
  explicit zip_function(Function function) : function_(function) {}
  template <class Tuple>
  decltype(auto) operator()(Tuple&& arguments) const {
    return std::apply(function_, std::forward<Tuple>(arguments));
  }

 private:
  Function function_;
};
template <class Function>
inline zip_function<Function> make_zip_function(Function function) {
  return zip_function<Function>(function);
}

template <class Iterator>
using reverse_iterator = std::reverse_iterator<Iterator>;
template <class Iterator>
inline std::reverse_iterator<Iterator> make_reverse_iterator(const Iterator iterator) {
  return std::reverse_iterator<Iterator>(iterator);
}

namespace detail {
struct Nothing {
  template <class Value>
  const Nothing& operator=(const Value&) const {
    return *this;
  }
};
}  // namespace detail
/// Discards all values that are written to it.
class discard_iterator : public detail::Facade<discard_iterator, detail::Nothing, detail::Nothing> {
 public:
  discard_iterator() = default;
  detail::Nothing dereference() const { return {}; }
  void advance(const std::ptrdiff_t n) { position_ += n; }
  std::ptrdiff_t distance(const discard_iterator& other) const { return other.position_ - position_; }

 private:
  std::ptrdiff_t position_ = 0;
};
inline discard_iterator make_discard_iterator() {
  return {};
}

namespace detail {

// The memory of a computed iterator is the memory of its parts.
template <class T>
struct SystemOf<T, std::enable_if_t<std::is_same_v<T, typename std::vector<ValueOf<T>>::iterator> ||
                                    std::is_same_v<T, typename std::vector<ValueOf<T>>::const_iterator>>> {
  static constexpr System value = System::host;
};
template <class Function, class Iterator>
struct SystemOf<transform_iterator<Function, Iterator>> {
  static constexpr System value = SystemOf<Iterator>::value;
};
template <class Iterator>
struct SystemOf<std::reverse_iterator<Iterator>> {
  static constexpr System value = SystemOf<Iterator>::value;
};
template <class Elements, class Map>
struct SystemOf<permutation_iterator<Elements, Map>> {
  static constexpr System value = both(SystemOf<Elements>::value, SystemOf<Map>::value);
};
template <class... Iterators>
struct SystemOf<zip_iterator<std::tuple<Iterators...>>> {
  static constexpr System value = [] {
    System where = System::any;
    ((where = both(where, SystemOf<Iterators>::value)), ...);
    return where;
  }();
};

template <class Function, class Iterator>
inline auto unwrap(const transform_iterator<Function, Iterator>& i);
template <class Iterator>
inline auto unwrap(const std::reverse_iterator<Iterator>& i);
template <class Elements, class Map>
inline auto unwrap(const permutation_iterator<Elements, Map>& i);
template <class... Iterators>
inline auto unwrap(const zip_iterator<std::tuple<Iterators...>>& i);

template <class Function, class Iterator>
inline auto unwrap(const transform_iterator<Function, Iterator>& i) {
  return make_transform_iterator(unwrap(i.base()), i.functor());
}
template <class Iterator>
inline auto unwrap(const std::reverse_iterator<Iterator>& i) {
  return std::make_reverse_iterator(unwrap(i.base()));
}
template <class Elements, class Map>
inline auto unwrap(const permutation_iterator<Elements, Map>& i) {
  return make_permutation_iterator(unwrap(i.elements()), unwrap(i.map()));
}
template <class... Iterators>
inline auto unwrap(const zip_iterator<std::tuple<Iterators...>>& i) {
  return make_zip_iterator(std::apply([](const auto&... each) { return std::make_tuple(unwrap(each)...); },
                                      i.get_iterator_tuple()));
}

}  // namespace detail
}  // namespace thrust
