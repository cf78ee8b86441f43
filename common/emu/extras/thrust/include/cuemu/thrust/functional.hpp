// Thrust's function objects, and the placeholders _1 and _2 of short expressions.
#pragma once

#include <functional>
#include <utility>

#include "cuemu/thrust/iterators.hpp"

namespace thrust {

using std::bit_and;
using std::bit_or;
using std::bit_xor;
using std::divides;
using std::equal_to;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::plus;

template <class T, class Less>
constexpr T min(const T& a, const T& b, const Less less) {
  return less(b, a) ? b : a;
}
template <class T>
constexpr T min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T, class Less>
constexpr T max(const T& a, const T& b, const Less less) {
  return less(a, b) ? b : a;
}
template <class T>
constexpr T max(const T& a, const T& b) {
  return a < b ? b : a;
}

template <class T = void>
struct identity {
  constexpr const T& operator()(const T& x) const { return x; }
};
template <>
struct identity<void> {
  template <class T>
  constexpr T&& operator()(T&& x) const {
    return std::forward<T>(x);
  }
};
template <class T = void>
struct square {
  constexpr T operator()(const T& x) const { return x * x; }
};
template <>
struct square<void> {
  template <class T>
  constexpr T operator()(const T& x) const {
    return x * x;
  }
};
template <class T = void>
struct maximum {
  constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
template <class T = void>
struct minimum {
  constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <>
struct minimum<void> {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};
template <class A = void, class B = A>
struct project1st {
  constexpr const A& operator()(const A& a, const B&) const { return a; }
};
template <class A = void, class B = A>
struct project2nd {
  constexpr const B& operator()(const A&, const B& b) const { return b; }
};
template <class Argument, class Result>
struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};
template <class First, class Second, class Result>
struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};
template <class Predicate>
struct unary_negate {
  Predicate predicate;
  template <class T>
  bool operator()(const T& x) const {
    return !predicate(x);
  }
};
template <class Predicate>
inline unary_negate<Predicate> not_fn(const Predicate predicate) {
  return {predicate};
}

namespace detail {

/// An expression of placeholders, which is a function of a tuple of arguments.
template <class Function>
struct Expression {
  Function function;
  template <class... Arguments>
  auto operator()(const Arguments&... arguments) const {
    return function(std::forward_as_tuple(arguments...));
  }
};
template <std::size_t I>
struct Argument {
  template <class Tuple>
  auto operator()(const Tuple& arguments) const {
    return std::get<I>(arguments);
  }
};
template <class T>
struct IsExpression : std::false_type {};
template <class Function>
struct IsExpression<Expression<Function>> : std::true_type {};

template <class T, class Tuple>
inline auto value_in(const T& part, const Tuple& arguments) {
  if constexpr (IsExpression<T>::value)
    return part.function(arguments);
  else
    return part;
}
template <class Operation, class A, class B>
inline auto expression(const Operation operation, const A& a, const B& b) {
  const auto function = [=](const auto& arguments) {
    return operation(value_in(a, arguments), value_in(b, arguments));
  };
  return Expression<decltype(function)>{function};
}
#define CUEMU_THRUST_EXPRESSION(OPERATOR)                                                                 \
  template <class A, class B, class = std::enable_if_t<IsExpression<A>::value || IsExpression<B>::value>> \
  inline auto operator OPERATOR(const A& a, const B& b) {                                                 \
    return expression([](const auto& x, const auto& y) { return x OPERATOR y; }, a, b);                   \
  }
CUEMU_THRUST_EXPRESSION(+)
CUEMU_THRUST_EXPRESSION(-)
CUEMU_THRUST_EXPRESSION(*)
CUEMU_THRUST_EXPRESSION(/)
CUEMU_THRUST_EXPRESSION(%)
CUEMU_THRUST_EXPRESSION(<)
CUEMU_THRUST_EXPRESSION(>)
CUEMU_THRUST_EXPRESSION(<=)
CUEMU_THRUST_EXPRESSION(>=)
CUEMU_THRUST_EXPRESSION(==)
CUEMU_THRUST_EXPRESSION(!=)
CUEMU_THRUST_EXPRESSION(&&)
CUEMU_THRUST_EXPRESSION(||)
CUEMU_THRUST_EXPRESSION(&)
CUEMU_THRUST_EXPRESSION(|)
CUEMU_THRUST_EXPRESSION(^)
#undef CUEMU_THRUST_EXPRESSION

}  // namespace detail

namespace placeholders {
inline constexpr detail::Expression<detail::Argument<0>> _1{};
inline constexpr detail::Expression<detail::Argument<1>> _2{};
inline constexpr detail::Expression<detail::Argument<2>> _3{};
}  // namespace placeholders

}  // namespace thrust
