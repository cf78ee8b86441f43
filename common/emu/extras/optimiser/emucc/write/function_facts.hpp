/// @file
/// Collects the facts about a file's functions and constants, by name, up to the current place in the text.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "facts/function_objects.hpp"
#include "facts/namespaces.hpp"
#include "facts/nonblocking.hpp"
#include "inline/inline_calls.hpp"
#include "lower/kernel_pass.hpp"

namespace emucc::detail {

class FunctionFacts {
 public:
  using Constants = std::unordered_map<std::string, long long>;

  explicit FunctionFacts(KernelWriter& core);

  /// Returns the facts so far. `constants` may lack some of the names.
  KnownNames names(const Constants& constants) const {
    return {core_.plain_functions(), nonblocking_,      device_variables_,
            warp_functions_,         constants,         confined_,
            reference_parameters_,   &function_objects_};
  }
  const Constants& constants() const { return constants_; }
  /// Returns the constants of namespaces that code of the function or kernel may name. Omits names that
  /// parameters of its template may hide.
  Constants constants_of(const Declaration& function) const;

  const DeviceFunctions& functions() const { return device_functions_; }
  const Namespaces& namespaces() const { return namespaces_; }
  /// Returns the refusal. If a called function causes it, the text contains the reason for that function.
  std::string explained(std::string refusal) const;

  void note_variable(const Declaration& found);
  void note_device_variable(std::string_view name) { device_variables_.emplace(name); }
  /// A function that kernels may call before it is defined, if it is.
  void note_prototype(const Declaration& found);
  /// @param known it is a device function at namespace level
  void note_function(const Declaration& found, bool known);
  /// Records whether a function has a form for whole warps. All functions of its name must have one.
  void note_warp_form(const std::string& name, bool has_form);
  bool has_warp_form(const std::string& name) const { return warp_functions_.count(name) > 0; }

 private:
  void note_references(const Declaration& function);
  bool is_nonblocking(const Declaration& found, bool known);
  bool is_confined(const Declaration& found, bool known) const;
  void note_imports();
  void note_device_functions();
  void note_forward_functions();

  KernelWriter& core_;
  const Syntax& syntax_;
  const Namespaces namespaces_;
  const FunctionObjects function_objects_;
  std::unordered_set<std::string> nonblocking_, blocking_;  ///< see nonblocking.hpp
  std::unordered_map<std::string, std::string> blocking_reasons_;
  std::unordered_set<std::string> confined_, touching_;  ///< see memory_effects.hpp
  std::unordered_set<std::string> expected_;             ///< known before they are defined
  std::unordered_set<std::string> all_nonblocking_,
      all_confined_;  ///< true of all functions of the name in the file
  std::unordered_set<std::string> device_variables_;
  std::unordered_set<std::string> warp_functions_;  ///< functions that have a second form, for whole warps
  std::unordered_set<std::string> formless_;        ///< at least one function of the name has no second form
  Constants constants_;                             ///< of namespaces
  std::unordered_set<std::string> doubtful_constants_;
  std::unordered_map<std::string, std::uint64_t> reference_parameters_;  ///< see KnownNames
  DeviceFunctions device_functions_;                                     ///< see inline_calls.hpp
};

}  // namespace emucc::detail
