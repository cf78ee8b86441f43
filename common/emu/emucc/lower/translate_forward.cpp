// Finds plain functions that are called before they are defined, as in `__device__ float sum(float);`. Kernels above
// the definition may be plain loops that call them.
#include "analyse/function_list.hpp"
#include "analyse/plain_loop.hpp"
#include "lower/translator_detail.hpp"

namespace emucc::detail {

/// True if kernels can call the function, and its `volatile` accesses need no separate form.
bool Translator::is_device_function(const Declaration& found) const {
  const bool in_step = options_.lockstep && !found.words.constexpr_;
  return found.words.device && (in_step || volatile_pointers(found).empty());
}

/// Finds the names of which all functions in the file are plain.
void Translator::note_forward_functions() {
  const FunctionList functions(syntax_);
  if (!functions.has_prototypes()) return;
  std::size_t most = 0;
  do {
    most = plain_functions_.size();
    plain_functions_ = functions.names_that([&](const DefinedFunction& each) {
      return is_plain(each.declaration, each.known && is_device_function(each.declaration));
    });
  } while (plain_functions_.size() > most);
  expected_functions_ = plain_functions_;
}

/// True if the function may be called in a plain loop.
/// @param known true if it is a device function at namespace level
bool Translator::is_plain(const Declaration& found, bool known) const {
  const std::string_view name = syntax_.at(found.name);
  // Where CUDA has a function of that name, another call may call CUDA's.
  return known && !is_meeting_name(name) && !is_acting_name(name) &&
         is_plain_function(syntax_, found.body + 1, found.end - 1, plain_functions_);
}

/// Records whether a function of that name is plain, as all of them must be.
void Translator::note_plain(const std::string& name, bool plain) {
  if (!plain) {
    plain_functions_.erase(name);
    waiting_functions_.insert(name);
  } else if (waiting_functions_.count(name) == 0) {
    plain_functions_.insert(name);
  }
}

}  // namespace emucc::detail
