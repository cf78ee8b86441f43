/// @file
/// What parts of a kernel do to memory that its threads share,
/// as far as tokens show it: which places they may read and write.
///
/// A place is a `__shared__` variable that is only used by its name, an array that only a `__restrict__`
/// parameter leads to, or else all other memory together.
#pragma once
#include <set>
#include <string_view>
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

  Effects of(const Statement& statement) const;
  /// Of the expression that [begin, end) is.
  Effects of(std::size_t begin, std::size_t end) const;
  /// Of what is read once for all threads of a block. What a parameter `const T* p` leads to is taken for a place that
  /// nobody writes: a thread that does so by another name while others read it would race with them, so that no order of the
  /// two is the right one.
  Effects of_once(const OnceRead& read) const;

 private:
  /// What is done to an expression's object.
  struct Use {
    bool written = false;
    bool address = false;  ///< it is taken
  };

  std::size_t place(std::size_t variable) const {
    return own_place_[variable] ? variable : Effects::elsewhere;
  }
  void visit(const Statement& statement, Effects& effects) const;
  void visit(const Expression& node, const Use& use, Effects& effects) const;
  void access(std::size_t where, const Use& use, Effects& effects) const;
  void name(const Expression& node, bool indexed, const Use& use, Effects& effects) const;
  void element_of(const Expression& operand, const Use& use, Effects& effects) const;
  void index(const Expression& node, const Use& use, Effects& effects) const;
  void call(const Expression& node, Effects& effects) const;
  void method(const Expression& callee, Effects& effects) const;
  void access_by(std::string_view function, const Expression& argument, Effects& effects) const;
  void call_named(std::size_t callee, const Expression& node, Effects& effects) const;
  Effects effects_of_target(const Expression& address) const;
  Effects effects_of_object(const Expression& target) const;
  const Expression* target_of(const Expression& object) const;

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
