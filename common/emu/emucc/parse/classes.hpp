/// @file
/// A table of the user's classes with their member functions, constructors and data members, which is built
/// once. It also finds the class of an object.
///
/// A class is identified by its unqualified name. If several classes have the same name, or a class is
/// specialised, the table has no information about any of them.
#pragma once
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parse/expression.hpp"

namespace emucc {

struct Class;

/// A member function other than a constructor.
struct Method {
  const Class* of = nullptr;
  Words words;
  std::string_view name;                  ///< `operator` for `operator()` and other operators
  std::size_t parameters = Syntax::npos;  ///< its `(`
  std::size_t body = Syntax::npos;        ///< its `{`; npos: it is defined elsewhere, or virtual
  bool constant = false;                  ///< it can't change the object
  bool gives_address = false;             ///< its result may point to the object's memory
  bool is_call = false;                   ///< `operator()`
  bool is_virtual = false;                ///< it is declared virtual
};

/// A constructor of a class, or its destructor.
struct Constructor {
  Words words;
  bool ends = false;                      ///< it is the destructor
  std::size_t parameters = Syntax::npos;  ///< its `(`
  std::size_t body = Syntax::npos;        ///< its `{`; npos: the compiler generates it
  /// The initialisers of the members: the tokens inside their parentheses or braces.
  std::vector<std::pair<std::size_t, std::size_t>> initialisers;
};

struct DataMember {
  std::string_view name;
  ValueType type;
  Words words;
};

struct Class {
  std::size_t name = Syntax::npos;       ///< the token; npos: the class has none
  std::size_t open = Syntax::npos;       ///< the `{`
  std::vector<std::string_view> scopes;  ///< its enclosing namespaces and classes, outermost first
  std::vector<std::size_t> bases;        ///< the last words of their names
  std::vector<Method> methods;
  std::vector<DataMember> members;
  /// All functions that may be called at the beginning or the end of an object's life. Empty if they are
  /// unknown, because the class has bases, a constructor is defined elsewhere, or a default member
  /// initialiser calls a function.
  std::optional<std::vector<Constructor>> constructors;

  /// Returns all member functions with that name.
  std::vector<const Method*> named(std::string_view name) const;
  /// Returns the functions that may run when an object of the class is called like a function.
  std::vector<const Method*> calls() const;
  const DataMember* member(std::string_view name) const;
};

class Classes {
 public:
  explicit Classes(const Syntax& syntax);

  /// Returns all classes in the order of the text, including classes without a name and classes that share a
  /// name.
  const std::deque<Class>& all() const { return all_; }
  /// Returns the class that the last word of a type names, qualified or not; null if the class is unknown.
  const Class* named(std::size_t type) const;
  /// Returns the class of an object. With `through_pointer`, returns the class of the object that a pointer
  /// points to.
  const Class* of(const Expression& object, bool through_pointer = false) const;

 private:
  void read(Class& found, std::size_t begin) const;
  void read_bases(Class& found, std::size_t begin) const;
  void read_function(const Declaration& found, Class& into) const;
  bool read_constructor(Constructor& found) const;

  const Syntax& syntax_;
  std::deque<Class> all_;
  std::unordered_map<std::string_view, const Class*> by_name_;  ///< null: several classes have it
};

/// Returns the position of the name of the type that the specifiers [begin, end) spell: `T` for `const
/// a::T<int>`.
std::size_t name_of_type(const Syntax& syntax, std::size_t begin, std::size_t end);

/// Returns the functions that a call of `object.f` or `object->f` may call; empty if they are unknown.
std::vector<const Method*> called_methods(const Syntax& syntax, const Expression& member);
/// Returns the data member that `object.x` or `object->x` names; null if the member is unknown.
const DataMember* data_member(const Syntax& syntax, const Expression& member);
/// Returns the constructors (Class::constructors) of the class that `type` names; `type` is the last word of
/// a type.
const std::vector<Constructor>* constructors(const Syntax& syntax, std::size_t type);

/// True if `member`, as in `v.p`, is a pointer. Then `v.p[i] = 1` does not change v.
bool is_pointer_member(const Syntax& syntax, const Expression& member);
/// True if `member`, as in `v.a`, is an array in the object. Then `v.a[i]` is a part of v.
bool is_array_member(const Syntax& syntax, const Expression& member);

}  // namespace emucc
