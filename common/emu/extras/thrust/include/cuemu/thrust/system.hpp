// Determines where an algorithm of Thrust runs: on the host, or as kernels in a stream. A policy decides this
// if there is one, otherwise the iterators do.
#pragma once

#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "cuemu/parallel.hpp"

namespace thrust {

/// A CUDA error during an algorithm.
class system_error : public std::runtime_error {
 public:
  system_error(const cudaError_t error, const std::string& what)
      : std::runtime_error(what + ": " + cudaGetErrorString(error)), error_(error) {}
  cudaError_t code() const { return error_; }

 private:
  cudaError_t error_;
};
namespace system {
using thrust::system_error;
namespace detail {
class bad_alloc : public std::bad_alloc {
 public:
  explicit bad_alloc(const cudaError_t error)
      : what_(std::string("std::bad_alloc: ") + cudaGetErrorName(error) + ": " + cudaGetErrorString(error)) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};
}  // namespace detail
}  // namespace system

namespace detail {

enum class System { any, host, device };
constexpr System both(const System a, const System b) {
  return static_cast<int>(a) > static_cast<int>(b) ? a : b;
}

/// The kind of memory of an iterator; `any` for other types.
template <class T, class = void>
struct SystemOf {
  static constexpr System value = System::any;
};
template <class T>
struct SystemOf<T*> {
  static constexpr System value = System::host;
};

/// The base of iterators that compute their values. They can be used on both sides.
struct ComputedIterator {};

/// An iterator that Thrust does not know, such as that of std::list. Its elements are in the host's memory.
template <class T, class = void>
inline constexpr bool is_foreign = false;
template <class T>
inline constexpr bool is_foreign<T, std::void_t<typename std::iterator_traits<T>::iterator_category>> =
    SystemOf<T>::value == System::any && !std::is_base_of_v<ComputedIterator, T>;

/// Where an algorithm runs: the side and the stream.
struct Context {
  bool on_device;
  cudaStream_t stream = nullptr;
  bool wait = true;
};

struct Policy {};
struct HostPolicy : Policy {
  Context context() const { return {false}; }
};
struct DevicePolicy : Policy {
  cudaStream_t stream = nullptr;
  bool wait = true;

  DevicePolicy() = default;
  explicit DevicePolicy(const cudaStream_t s, const bool waits = true) : stream(s), wait(waits) {}
  DevicePolicy on(const cudaStream_t s) const { return DevicePolicy(s, wait); }
  template <class Allocator>
  const DevicePolicy& operator()(Allocator&&) const {
    return *this;
  }
  Context context() const { return {true, stream, wait}; }
};
template <class T>
inline constexpr bool is_policy = std::is_base_of_v<Policy, std::decay_t<T>>;

/// If no argument determines the side, for example with only counting iterators, it is the device.
template <class... Arguments>
inline Context context_of() {
  System where = System::any;
  ((where = both(where, is_foreign<std::decay_t<Arguments>> ? System::host
                                                            : SystemOf<std::decay_t<Arguments>>::value)),
   ...);
  return {where != System::host};
}

inline void finish(const Context& context, const cudaError_t launched, const char* const name) {
  if (cuemu::in_kernel()) return;
  const cudaError_t error =
      launched == cudaSuccess && context.wait ? cudaStreamSynchronize(context.stream) : launched;
  if (error != cudaSuccess) throw system_error(error, name);
}
/// Runs `body()` on the context's side. The work is complete when the call returns, unless the context does
/// not wait.
template <class Body>
inline void run(const Context& context, const char* const name, Body body) {
  if (context.on_device)
    finish(context, cuemu::run_as_thread(name, context.stream, body), name);
  else
    cuemu::run_here(body);
}
/// Runs `body(i)` for i below n.
template <class Body>
inline void run_over(const Context& context, const char* const name, const std::ptrdiff_t n, Body body) {
  if (n <= 0) return;
  if (context.on_device) {
    finish(context,
           cuemu::run_over(name, context.stream, static_cast<std::size_t>(n),
                           [=](const std::size_t i) mutable { body(static_cast<std::ptrdiff_t>(i)); }),
           name);
  } else {
    for (std::ptrdiff_t i = 0; i < n; ++i) body(i);
  }
}
/// Like run(), for algorithms with a result, which must wait.
template <class Result, class Body>
inline Result result_of(Context context, const char* const name, Body body) {
  Result result{};
  Result* const at = &result;
  context.wait = true;
  run(context, name, [=]() mutable { *at = body(); });
  return result;
}

}  // namespace detail

inline const detail::HostPolicy host{};
inline const detail::HostPolicy seq{};
inline const detail::DevicePolicy device{};
namespace cuda {
inline const detail::DevicePolicy par{};
inline const detail::DevicePolicy par_nosync{nullptr, false};
}  // namespace cuda
namespace cuda_cub {
using thrust::cuda::par;
using thrust::cuda::par_nosync;
}  // namespace cuda_cub
namespace omp {
inline const detail::HostPolicy par{};
}

}  // namespace thrust
