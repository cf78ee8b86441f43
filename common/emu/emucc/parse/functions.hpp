/// @file
/// A table by name of the functions that the user's text declares and that kernels may call. It is built
/// once.
///
/// The analyses know thousands of CUDA functions by name alone. But a program may use such a name for another
/// function, since a namespace or a class may declare its own `max`.
#pragma once
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "parse/classes.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// A function or its prototype. A member function of a class may be a constructor.
struct OwnFunction {
  Declaration declaration;
  bool in_class = false;   ///< a member of a class; if it is defined elsewhere, the class has the prototype
  bool global = false;     ///< no namespace encloses it: `::f` is this one
  std::string_view space;  ///< the name of the innermost namespace; empty: global or unnamed
};

class Functions {
 public:
  Functions(const Syntax& syntax, const Classes& classes);

  /// Returns all functions with that name; null if there are none.
  const std::vector<OwnFunction>* named(std::string_view name) const;
  /// True if the token is in a class or a member function. There, members' names need no qualifier.
  bool is_in_class(std::size_t token) const;
  /// True if the token can name a member of the namespace `space` without a qualifier, because it is inside
  /// that namespace or after a `using`.
  bool reaches(std::size_t token, std::string_view space, std::string_view function) const;

 private:
  void collect(std::size_t begin, std::size_t end, bool global, std::string_view space);
  void add(const Declaration& found, bool in_class, bool global, std::string_view space);

  const Syntax& syntax_;
  std::unordered_map<std::string_view, std::vector<OwnFunction>> by_name_;
  std::vector<std::pair<std::size_t, std::size_t>> classes_;  ///< tokens [begin, end)
  struct Space {
    std::string_view name;
    std::size_t begin, end;
  };
  std::vector<Space> spaces_;
  std::unordered_set<std::string_view> brought_;  ///< last words of the names in `using` declarations
};

/// True if the call at `callee` may call a function or variable that the user's text declares. The callee's
/// name may be qualified. False if `::`, `std::` or `cuda::std::` excludes this.
bool may_be_own(const Syntax& syntax, std::size_t callee);

/// True if the call must be a call of one of these functions, as far as this can be known without the
/// arguments' types. Otherwise the function is assumed to be CUDA's.
bool means_own(const Syntax& syntax, std::size_t callee);

}  // namespace emucc
