/// @file
/// The functions that kernels may call and that the user's own text declares, by their names, as a table that is made
/// once.
///
/// CUDA has thousands of functions that the analyses know by name alone. What a program calls so may be another one:
/// a namespace and a class may have a `max` of their own.
#pragma once
#include <string_view>
#include <unordered_map>
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
};

class Functions {
 public:
  Functions(const Syntax& syntax, const Classes& classes);

  /// All of that name, or null.
  const std::vector<OwnFunction>* named(std::string_view name) const;
  /// Does the token stand in a class, or in a function of one, where the names of its members need no qualifier?
  bool is_in_class(std::size_t token) const;

 private:
  void collect(std::size_t begin, std::size_t end, bool global);
  void add(const Declaration& found, bool in_class, bool global);

  const Syntax& syntax_;
  std::unordered_map<std::string_view, std::vector<OwnFunction>> by_name_;
  std::vector<std::pair<std::size_t, std::size_t>> classes_;  ///< tokens [begin, end)
};

/// May the call of what is named at `callee`, perhaps behind qualifiers, mean a function or a variable that the
/// user's own text declares? Not where `::`, `std::` or `cuda::std::` says that it is another one.
bool may_be_own(const Syntax& syntax, std::size_t callee);

}  // namespace emucc
