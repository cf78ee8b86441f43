/// @file
/// Finds the possible effects of a call of an object whose type is a template's parameter, as in `template
/// <class F> … f(x)`, or of a function that is a template's parameter, as in `template <float (*f)(float)>`.
///
/// A call of the template gives the arguments, perhaps in code that this analysis never sees. So the answer
/// covers all candidates: the lambdas of device code in the file, every `operator()` of the file's classes,
/// and device functions that are named without a call. Function objects of headers (`cuda::std::plus`,
/// `thrust::less`) compute from their arguments and never wait.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "facts/namespaces.hpp"
#include "facts/nonblocking.hpp"

namespace emucc {

class FunctionObjects {
 public:
  /// @param namespaces the namespaces of the same text
  FunctionObjects(const Syntax& syntax, const Namespaces& namespaces);

  /// Returns the reason why one of the candidates may wait for another thread; empty if none waits.
  std::string blocking_reason(const KnownNames& names) const;
  /// Returns true if a device function has that name.
  bool is_function(std::string_view name) const { return functions_.count(name) > 0; }
  /// Returns true if no candidate changes its object.
  bool are_constant() const { return constant_; }

 private:
  std::string find_reason(const KnownNames& names) const;
  void note_lambda(std::size_t open, std::size_t body, bool in_device_code);

  const Syntax& syntax_;
  struct Body {
    std::size_t begin, end;  ///< the tokens between the braces
    const Class* of;         ///< the object's class; null: a lambda
  };
  std::vector<Body> bodies_;
  std::unordered_set<std::string_view> functions_;  ///< device functions, without members
  std::unordered_set<std::string> named_;           ///< functions that are named without a call
  bool all_known_ = true;                           ///< all candidates have a body
  bool constant_ = true;
  // The last answer, and the number of known functions when it was computed.
  mutable std::size_t known_functions_ = 0;
  mutable std::string answer_;
};

}  // namespace emucc
