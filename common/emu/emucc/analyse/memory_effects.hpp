/// @file
/// What parts of a kernel do to memory that its threads share,
/// as far as tokens show it: which places they may read and write.
///
/// A place is a `__shared__` variable that is only used by its name, an array that only a `__restrict__`
/// parameter leads to, or else all other memory together.
#pragma once
#include <set>
#include <vector>

#include "analyse/uniformity.hpp"

namespace emucc {

struct Effects {
  bool anything = false;                ///< it may read or write any memory, or print
  std::set<std::size_t> reads, writes;  ///< places: indices of variables, or `elsewhere`
  static constexpr std::size_t elsewhere = ~std::size_t{0};

  bool nothing() const { return !anything && reads.empty() && writes.empty(); }
  void add(const Effects& other);
  bool operator==(const Effects& other) const {
    return anything == other.anything && reads == other.reads && writes == other.writes;
  }
};

/// May the result change when something of one is done before rather than after something of the other?
bool conflict(const Effects& one, const Effects& other);

class MemoryEffects {
 public:
  /// @param begin, end the kernel's body
  MemoryEffects(const Syntax& syntax, const Uniformity& facts, const KnownNames& names, std::size_t begin,
                std::size_t end);

  /// Of the tokens [begin, end), which are one expression or statement or several.
  Effects of(std::size_t begin, std::size_t end) const;

 private:
  std::size_t place(std::size_t variable) const {
    return own_place_[variable] ? variable : Effects::elsewhere;
  }
  std::size_t behind(std::size_t name) const;
  bool is_written(std::size_t name, std::size_t end) const;
  bool is_address(std::size_t name) const;
  bool escapes(std::size_t name) const;
  bool call(std::size_t name, std::size_t end, Effects& effects) const;
  void method(std::size_t name, Effects& effects) const;
  void access(std::size_t name, std::size_t where, std::size_t end, Effects& effects) const;
  void variable(std::size_t at, std::size_t end, Effects& effects) const;
  bool is_odd(std::size_t at, std::size_t begin) const;

  const Syntax& syntax_;
  const Uniformity& facts_;
  const KnownNames& names_;
  std::vector<bool> own_place_;  // by variable: nothing else leads to what it stands for
};

/// Does a device function whose body is [begin, end) touch nothing but its own variables and what its arguments
/// refer to?
/// @param parameters the `(` of its parameters
bool is_silent_function(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                        const KnownNames& names);

}  // namespace emucc
