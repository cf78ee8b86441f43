/// @file
/// The surroundings of the code being translated.
#pragma once
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace emucc {

class KernelPass;

/// A `__shared__` variable that nested or later code may mention.
struct SharedName {
  std::string name;
  std::string redeclaration;  ///< "auto& s = …;": the same variable, for a lambda or another function
};

struct Context {
  bool in_function = false;
  bool in_head = false;  ///< the code is before a function's body
  bool kernel = false;   ///< the code is directly in a kernel's body, where threadIdx is a parameter
  bool in_lambda = false;
  bool device = false;  ///< the code is in a __global__, __device__ or __host__ __device__ function
  bool in_class = false;
  std::string scope;     ///< the namespace, "::a::b"
  std::string function;  ///< the name for __func__ and similar names in a kernel
  std::string signature;
  std::unordered_set<std::string> own;  ///< built-in variables' names that the user has declared again
  /// Pointers to volatile memory through which a warp relies on lockstep execution (see lockstep()).
  std::unordered_set<std::string> volatile_pointers;
  std::vector<SharedName> shared;  ///< the variables declared so far in the enclosing functions

  // ---- code that a pass writes (kernel_pass.hpp)
  KernelPass* pass = nullptr;               ///< the pass that writes the code
  const char* instead_of_return = nullptr;  ///< the statement that ends a thread while others continue
  bool second_form = false;  ///< the code belongs to a function that is written a second time, as one line
  std::unordered_map<std::string, std::string>
      shared_tags;  ///< for a kernel in two forms: the tags of its shared variables
};

}  // namespace emucc
