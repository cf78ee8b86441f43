/// @file
/// What the user's namespaces declare, and what a name stands for in one.
///
/// A function's body may come to stand in a kernel of another namespace, or above its own place (inline_calls.hpp):
/// there its names must be looked up as they are where it was written. Only what is declared in the user's files
/// is known; a name that is not found comes from a header, and means the same everywhere.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parse/units.hpp"

namespace emucc {

/// A function or a variable, and where it is declared.
struct NamespaceMember {
  Declaration declaration;
  std::string scope;      ///< "::a::b": the namespace; one of a class has that of the class
  bool in_class = false;  ///< it is a member of a class
};

/// What `namespace a::b {`, `[begin, open)`, adds to a scope: "::a::b". An inline namespace and one without a name
/// add nothing, since their names are those of the namespace around them.
std::string namespace_suffix(const Syntax& syntax, std::size_t begin, std::size_t open);

class Namespaces {
 public:
  explicit Namespaces(const Syntax& syntax);

  /// Functions, prototypes and variables, as they stand in the text.
  const std::vector<NamespaceMember>& members() const { return members_; }

  /// Is the name declared in this very namespace?
  bool declares(const std::string& scope, const std::string& name) const;
  /// Of the namespace and those around it the innermost that declares the name.
  std::optional<std::string> declaring(const std::string& scope, const std::string& name) const;
  /// The token from which on the name, which the namespace declares, may be used: of a class, its definition.
  std::size_t usable_from(const std::string& scope, const std::string& name) const;
  /// How many namespaces declare it?
  std::size_t count(const std::string& name) const;
  /// The namespace that `a::b`, the tokens [begin, end), names in `scope`. `::a` begins with its sign.
  std::optional<std::string> named(std::size_t begin, std::size_t end, const std::string& scope) const;
  /// Those that `using namespace` opens in `scope`, or in one around it, before `at`.
  std::vector<std::string> opened(const std::string& scope, std::size_t at) const;
  /// Those that `using namespace` opens between the tokens, which stand in `scope`.
  std::vector<std::string> opened_within(std::size_t begin, std::size_t end, const std::string& scope) const;
  /// Where the name that `using a::f` brings to `scope` is declared.
  std::optional<std::string> brought(const std::string& scope, const std::string& name) const;

 private:
  struct Declared {
    std::size_t from = npos;       ///< where it may be used from on
    std::size_t announced = npos;  ///< a class: where it is only named
    std::string brought_from;      ///< `using a::f;`: "::a"; empty: it is declared here
    bool brought = false;
  };
  struct Opened {
    std::string scope, name;
    std::size_t at;
  };
  void collect(std::size_t begin, std::size_t end, const std::string& scope, bool in_class);
  void note(const std::string& scope, std::size_t name, std::size_t from);
  void announce(const std::string& scope, std::size_t name, std::size_t from);
  void note_other(const Unit& unit, const std::string& scope);
  void note_using(const Unit& unit, const std::string& scope);
  void note_variables(const Unit& unit, const std::string& scope);
  void note_enumerators(std::size_t open, const std::string& scope, std::size_t from);
  const Declared* find(const std::string& scope, const std::string& name) const;

  const Syntax& syntax_;
  std::vector<NamespaceMember> members_;
  std::map<std::string, std::map<std::string, Declared>> names_;  ///< by name, then by scope
  std::vector<Opened> opened_;
};

/// The namespace around "::a::b", "::a", whose own is "".
std::string namespace_around(const std::string& scope);
/// Is `outer` the namespace `inner` or one around it?
bool is_around(const std::string& outer, const std::string& inner);

}  // namespace emucc
