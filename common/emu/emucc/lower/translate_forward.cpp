// Finds plain functions that are called before they are defined, as in `__device__ float sum(float);`. Kernels above
// the definition may be plain loops that call them.
#include <algorithm>

#include "lower/translator_detail.hpp"
#include "parse/units.hpp"

namespace emucc::detail {

namespace {
struct DefinedFunction {
  Declaration declaration;
  bool known;  ///< at namespace level, after no `__shared__` variable of a namespace
};

class FunctionList {
 public:
  explicit FunctionList(const Syntax& syntax) : syntax_(syntax) { collect(0, syntax.size(), false); }
  const std::vector<DefinedFunction>& all() const { return all_; }
  /// Returns true if a function was declared before it is defined.
  bool forward() const { return forward_; }

 private:
  void collect(std::size_t begin, std::size_t end, bool in_class) {
    for (const Unit& unit : units_of(syntax_, begin, end)) {
      if (unit.kind == Unit::Kind::block || unit.kind == Unit::Kind::class_) {
        collect(unit.body + 1, std::min(syntax_.after(unit.body) - 1, unit.end),
                in_class || unit.kind == Unit::Kind::class_);
        continue;
      }
      const Declaration& found = unit.declaration;
      shared_ = shared_ || found.words.shared;
      if (found.name == npos || found.words.global) continue;
      if (found.kind == Declaration::Kind::prototype && found.words.device && !in_class)
        prototypes_.insert(syntax_.at(found.name));
      if (found.kind != Declaration::Kind::function) continue;
      all_.push_back({found, !in_class && !shared_});
      forward_ = forward_ || (all_.back().known && prototypes_.count(syntax_.at(found.name)) > 0);
    }
  }

  const Syntax& syntax_;
  std::vector<DefinedFunction> all_;
  std::unordered_set<std::string_view> prototypes_;
  bool shared_ = false, forward_ = false;
};
}  // namespace

/// Returns true if kernels can call the function, and its `volatile` accesses need no separate form.
bool Translator::is_device_function(const Declaration& found) const {
  const bool in_step = options_.lockstep && !found.words.constexpr_;
  return found.words.device && (in_step || volatile_pointers(found).empty());
}

/// Assumes for each name the facts that are true of all functions of that name in the file. Whether a
/// function is plain follows from its callees, which may be defined later, so the search is repeated until it
/// finds nothing new. The first definition of a function of that name discards the assumption. After it, the
/// facts in note_function() apply.
void Translator::note_forward_functions() {
  const FunctionList functions(syntax_);
  if (!functions.forward()) return;
  for (std::size_t most = 0;;) {
    waiting_functions_.clear();
    for (const DefinedFunction& each : functions.all())
      note_plain(each.declaration, each.known && is_device_function(each.declaration));
    if (plain_functions_.size() <= most) break;
    most = plain_functions_.size();
  }
  waiting_functions_.clear();
  expected_functions_ = plain_functions_;
}

}  // namespace emucc::detail
