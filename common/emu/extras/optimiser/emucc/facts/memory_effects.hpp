/// @file
/// Finds the places in memory shared by the threads that parts of a kernel may read and write, as far as
/// tokens show.
/// A place is a `__shared__` variable that is accessed only by its name, an array reached only through a
/// `__restrict__` parameter, or all remaining memory taken together.
#pragma once
#include <set>
#include <string_view>
#include <vector>

#include "facts/uniformity.hpp"

namespace emucc {

struct Effects {
  bool anything = false;                ///< the code may read or write any memory, or print
  std::set<std::size_t> reads, writes;  ///< places: indices of variables, or `elsewhere`
  static constexpr std::size_t elsewhere = ~std::size_t{0};

  bool nothing() const { return !anything && reads.empty() && writes.empty(); }
  void add(const Effects& other);
  bool operator==(const Effects& other) const {
    return anything == other.anything && reads == other.reads && writes == other.writes;
  }
};

/// Returns true if the result may depend on the order in which the accesses of `one` and `other` occur.
bool conflict(const Effects& one, const Effects& other);

class MemoryEffects {
 public:
  /// @param begin, end the kernel's body
  MemoryEffects(const Syntax& syntax, const Uniformity& facts, const KnownNames& names, std::size_t begin,
                std::size_t end);

  Effects of(const Statement& statement) const;
  /// Returns the effects of the expression [begin, end).
  Effects of(std::size_t begin, std::size_t end) const;
  /// Returns the effects of a read that is made once for all threads of a block. The object of a parameter
  /// `const T* p` is assumed to be a place that is never written. If a thread wrote the object through
  /// another name while others read it, that would be a data race, and neither order would be right.
  Effects of_once(const OnceRead& read) const;

 private:
  /// How an expression's object is used.
  struct Use {
    bool written = false;
    bool address = false;  ///< the object's address is taken
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
  std::vector<bool> own_place_;  // by variable: no other variable refers to its object
};

/// Returns true if a device function with the body [begin, end) accesses only its own variables and the
/// objects of its arguments.
/// @param parameters the `(` of its parameters
bool is_confined_function(const Syntax& syntax, std::size_t parameters, std::size_t begin, std::size_t end,
                          const KnownNames& names);

}  // namespace emucc
