// The C++ form of NVTX: ranges that end with their scope.
#pragma once

#include <cstdint>
#include <string>

#include "nvtx3/nvToolsExt.h"

namespace nvtx3 {

struct rgb {
  constexpr rgb(std::uint8_t r, std::uint8_t g, std::uint8_t b) : red(r), green(g), blue(b) {}
  std::uint8_t red, green, blue;
};
struct color {
  constexpr explicit color(std::uint32_t argb) : value(argb) {}
  constexpr color(rgb c)
      : value(0xff000000u | static_cast<std::uint32_t>(c.red << 16 | c.green << 8 | c.blue)) {}
  std::uint32_t value;
};
struct category {
  constexpr explicit category(std::uint32_t number) : id(number) {}
  std::uint32_t id;
};
template <class Number>
struct payload {
  constexpr explicit payload(Number number) : value(number) {}
  Number value;
};

/// The appearance of a range, which the emulation ignores.
class event_attributes {
 public:
  template <class... Attributes>
  constexpr explicit event_attributes(const Attributes&...) noexcept {}
};

template <class Domain>
class scoped_range_in {
 public:
  template <class... Attributes>
  explicit scoped_range_in(const Attributes&...) noexcept {
    nvtxRangePushA("");
  }
  ~scoped_range_in() { nvtxRangePop(); }
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
};
struct domain {
  struct global {};
};
using scoped_range = scoped_range_in<domain::global>;
using thread_range = scoped_range;

template <class Domain = domain::global, class... Attributes>
inline void mark_in(const Attributes&...) noexcept {}
template <class... Attributes>
inline void mark(const Attributes&...) noexcept {}

}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() const ::nvtx3::scoped_range nvtx3_function_range(__func__)
#define NVTX3_FUNC_RANGE_IN(DOMAIN) const ::nvtx3::scoped_range_in<DOMAIN> nvtx3_function_range(__func__)
