/// @file
/// The functions that kernels may call and that the user's own text declares, by their names, as a table that is made
/// once.
///
/// CUDA has thousands of functions that the analyses know by name alone. What a program calls so may be another one:
/// a namespace and a class may have a `max` of their own.
#pragma once
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "parse/classes.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// A function or its prototype; that of a class may be a constructor.
struct OwnFunction {
  Declaration declaration;
  bool in_class = false;  ///< it is a member of a class; of one defined elsewhere the class has the prototype
  bool global = false;    ///< no namespace stands around it: `::f` is this one
  std::string_view space;  ///< the name of the innermost namespace; empty: it is global, or that has none
};

class Functions {
 public:
  Functions(const Syntax& syntax, const Classes& classes);

  /// All of that name, or null.
  const std::vector<OwnFunction>* named(std::string_view name) const;
  /// Does the token stand in a class, or in a function of one, where the names of its members need no qualifier?
  bool is_in_class(std::size_t token) const;
  /// Can the token name what stands in a namespace of that name without a qualifier: within it, or behind a `using`?
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
  std::unordered_set<std::string_view> brought_;  ///< last words of what `using` names
};

/// May the call of what is named at `callee`, perhaps behind qualifiers, mean a function or a variable that the
/// user's own text declares? Not where `::`, `std::` or `cuda::std::` says that it is another one.
bool may_be_own(const Syntax& syntax, std::size_t callee);

/// Does it mean one, as far as can be told without its arguments' types? Otherwise it is taken for CUDA's.
bool means_own(const Syntax& syntax, std::size_t callee);

}  // namespace emucc
