/// @file
/// The functions of a file by name, and the search for names of which all functions have a property.
///
/// A kernel may call a function that is defined below it, as in `__device__ float sum(float);`. Whether it has a
/// property, such as never to wait, follows from its callees, which may be defined later, too. Facts are kept by
/// name, so a property holds for a name only if all functions of that name in the file have it, and none of them is
/// only declared.
#pragma once
#include <string>
#include <unordered_set>
#include <vector>

#include "parse/units.hpp"

namespace emucc {

struct DefinedFunction {
  Declaration declaration;
  bool known;  ///< at namespace level, and no `__shared__` variable of a namespace precedes it
};

class FunctionList {
 public:
  explicit FunctionList(const Syntax& syntax);

  /// True if the file declares functions of the device besides defining them.
  bool has_prototypes() const { return !prototypes_.empty(); }

  /// Returns the names of which all functions fit. The property must not depend on what this call finds: call it with
  /// the names of the previous round, from none on, until it finds nothing new.
  /// @param fits a function of a DefinedFunction
  template <class Fits>
  std::unordered_set<std::string> names_that(const Fits& fits) const {
    std::unordered_set<std::string> good, bad = undefined_;
    for (const DefinedFunction& each : all_)
      (fits(each) ? good : bad).emplace(syntax_.at(each.declaration.name));
    for (const std::string& name : bad) good.erase(name);
    return good;
  }

 private:
  void collect(std::size_t begin, std::size_t end, bool in_class);
  bool is_defined(const Declaration& prototype) const;

  const Syntax& syntax_;
  std::vector<DefinedFunction> all_;
  std::vector<Declaration> prototypes_;        ///< of device functions, members of classes included
  std::unordered_set<std::string> undefined_;  ///< their names, where the file has no definition
  bool shared_ = false;
};

}  // namespace emucc
