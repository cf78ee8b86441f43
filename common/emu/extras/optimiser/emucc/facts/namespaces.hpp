/// @file
/// Finds the declarations in the user's namespaces, and the meaning of a name in a namespace.
///
/// A function's body may be copied into a kernel of another namespace, or to a place above its own position
/// (inline_calls.hpp). There its names must be looked up as at their original position. Only declarations in the
/// user's files are known. A name that isn't found comes from a header, and has the same meaning everywhere.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parse/units.hpp"

namespace emucc {

/// A function or a variable, with the scope of its declaration.
struct NamespaceMember {
  Declaration declaration;
  std::string scope;      ///< "::a::b": the namespace; for a class member, the class's namespace
  bool in_class = false;  ///< the function or variable is a member of a class
};

class Namespaces {
 public:
  explicit Namespaces(const Syntax& syntax);

  /// Returns the functions, prototypes and variables, in the order of the text.
  const std::vector<NamespaceMember>& members() const { return members_; }

  /// Returns true if this namespace itself declares the name.
  bool declares(const std::string& scope, const std::string& name) const;
  /// Returns the innermost namespace that declares the name: `scope` or a namespace that encloses it.
  std::optional<std::string> declaring(const std::string& scope, const std::string& name) const;
  /// Returns the first token from which a name of this namespace may be used: for a class, its definition.
  std::size_t usable_from(const std::string& scope, const std::string& name) const;
  /// Returns the number of namespaces that declare the name.
  std::size_t count(const std::string& name) const;
  /// Returns the namespace that `a::b`, the tokens [begin, end), names in `scope`. A name such as `::a`
  /// begins with `::`.
  std::optional<std::string> named(std::size_t begin, std::size_t end, const std::string& scope) const;
  /// Returns the namespaces that `using namespace` opens before `at`, in `scope` or in an enclosing
  /// namespace.
  std::vector<std::string> opened(const std::string& scope, std::size_t at) const;
  /// Returns the namespaces that `using namespace` opens in [begin, end), which is in `scope`.
  std::vector<std::string> opened_within(std::size_t begin, std::size_t end, const std::string& scope) const;
  /// Returns the scope that declares the name that `using a::f` imports into `scope`.
  std::optional<std::string> brought(const std::string& scope, const std::string& name) const;

 private:
  struct Declared {
    std::size_t from = npos;       ///< the first token from which the name may be used
    std::size_t announced = npos;  ///< for a class: its forward declaration
    std::string brought_from;      ///< for `using a::f;`: "::a"; empty: the name is declared here
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

/// Returns the enclosing namespace: "::a" for "::a::b", "" for "::a".
std::string namespace_around(const std::string& scope);
/// Returns true if `outer` is the namespace `inner` or encloses it.
bool is_around(const std::string& outer, const std::string& inner);

}  // namespace emucc
