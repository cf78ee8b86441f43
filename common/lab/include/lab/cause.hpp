/// @file
/// Explains in one sentence why a CUDA call failed. The sentence contains the call's own values: the sizes of a launch
/// next to the device's limits; the direction and the size of a copy, and the side (host or device) of each pointer.
///
/// The sentence contains only known facts. The emulation knows the refused launch and the array that a kernel overran.
/// On a GPU, the profile's library reports a refused launch (it stores the sizes in LAB_REFUSED_LAUNCH); without this
/// library, the sentence gives the limits for comparison.
///
/// Programs include check.hpp instead. All these functions run at most once, at a program's end.
#pragma once
#include <cuda_runtime.h>

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "exit_codes.hpp"
#include "inline.hpp"

namespace lab {

/// The arguments of a call. They are noted after the call has failed.
struct FailedCall {
  enum Call { other, copy, fill, allocation, release };
  Call call = other;
  const void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
  int direction = -1;  ///< cudaMemcpyKind of a copy
};

/// Returns the arguments of the call that failed last.
inline FailedCall& last_failed_call() {
  static FailedCall call;
  return call;
}

/// Objects with the names of CUDA's functions, which only record their arguments. CUDA_CHECK uses them after a
/// call has failed. They are objects, not functions, so that name lookup finds no overloads.
namespace noting {

template <class Pointer>
const void* address(const Pointer& pointer) {
  if constexpr (std::is_convertible_v<Pointer, const volatile void*>)
    return const_cast<const void*>(static_cast<const volatile void*>(pointer));
  return nullptr;
}
template <class Number>
std::size_t number(const Number& value) {
  if constexpr (std::is_convertible_v<Number, std::size_t>) return static_cast<std::size_t>(value);
  return 0;
}

struct Copy {
  template <class To, class From, class Bytes, class Kind>
  void operator()(const To& to, const From& from, const Bytes& bytes, const Kind& kind) const {
    last_failed_call() = {FailedCall::copy, address(to), address(from), number(bytes),
                          static_cast<int>(number(kind))};
  }
};

struct Fill {
  template <class To, class Value, class Bytes>
  void operator()(const To& to, const Value&, const Bytes& bytes) const {
    last_failed_call() = {FailedCall::fill, address(to), nullptr, number(bytes)};
  }
};

struct Allocation {
  template <class To, class Bytes>
  void operator()(const To& to, const Bytes& bytes) const {
    last_failed_call() = {FailedCall::allocation, address(to), nullptr, number(bytes)};
  }
};

struct Release {
  template <class Pointer>
  void operator()(const Pointer& pointer) const {
    last_failed_call() = {FailedCall::release, address(pointer)};
  }
};

[[maybe_unused]] inline constexpr Copy cudaMemcpy{};
[[maybe_unused]] inline constexpr Fill cudaMemset{};
[[maybe_unused]] inline constexpr Allocation cudaMalloc{};
[[maybe_unused]] inline constexpr Release cudaFree{};

/// Returns whether a call's text begins with the name of one of these objects.
LAB_COLD bool is_one_of_these(const char* call);

}  // namespace noting

/// A sentence to which text is added. Text that does not fit is cut.
class Sentence {
 public:
  LAB_COLD void add(const char* format, ...) __attribute__((format(printf, 2, 3)));
  bool empty() const { return used_ == 0; }
  const char* text() const { return text_; }
  /// Returns the final full stop; empty after a question mark.
  const char* stop() const { return used_ != 0 && text_[used_ - 1] == '?' ? "" : "."; }

 private:
  char text_[1200] = "";
  std::size_t used_ = 0;
};

/// Adds the probable cause of an error: a sentence with the values of the call. Adds nothing if no cause is known.
/// @param call the call's text, as in CUDA_CHECK, or "kernel launch"
LAB_COLD void explain_cuda_error(Sentence& text, cudaError_t error, const char* call);

}  // namespace lab

#ifndef LAB_LIBRARY
#include "impl/cause.hpp"
#endif
