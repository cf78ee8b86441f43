/// @file
/// What an object may do that is called like a function and whose type is a template's parameter, `template <class F> …
/// f(x)`, or a function that is one, `template <float (*f)(float)>`.
///
/// Which objects a template is used with stands where it is called, perhaps in code that is never seen as such. So the
/// answer is of all that may be meant: the lambdas of device code in the file, every `operator()` of its classes, and
/// functions of the device that are named without being called. Those of headers (`cuda::std::plus`, `thrust::less`) compute
/// from their arguments and wait for nobody.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analyse/namespaces.hpp"
#include "analyse/nonblocking.hpp"

namespace emucc {

class FunctionObjects {
 public:
  /// @param namespaces of the same text
  FunctionObjects(const Syntax& syntax, const Namespaces& namespaces);

  /// Why one of them may wait for another thread; empty: none does.
  std::string unsteady_reason(const KnownNames& names) const;
  /// Does a function of the device have that name?
  bool is_function(std::string_view name) const { return functions_.count(name) > 0; }
  /// Does none of them change itself?
  bool are_constant() const { return constant_; }

 private:
  std::string find_reason(const KnownNames& names) const;
  void note_lambda(std::size_t open, std::size_t body, bool in_device_code);

  const Syntax& syntax_;
  struct Body {
    std::size_t begin, end;  ///< between the braces
    const Class* of;         ///< null: a lambda's
  };
  std::vector<Body> bodies_;
  std::unordered_set<std::string_view> functions_;  ///< of the device, but no members
  std::unordered_set<std::string> named_;           ///< functions that are named without being called
  bool all_known_ = true;                           ///< there is none without a body
  bool constant_ = true;
  // The last answer, and for which functions that wait for nobody it was given.
  mutable std::size_t known_functions_ = 0;
  mutable std::string answer_;
};

}  // namespace emucc
