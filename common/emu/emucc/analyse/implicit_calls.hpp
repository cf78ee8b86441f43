/// @file
/// Finds functions that run without an explicit call: constructors, destructors, operators, conversions, and
/// calls in default arguments.
///
/// The analyses of a kernel's body (plain_loop.hpp, and those of the optimiser, an extra) assume that `T v;` and
/// `a + b` behave as for numbers. This is correct if such a function only computes from its operands. It is
/// wrong if the function reads the thread's index, waits for other threads, or changes memory that other
/// threads see: the function would run once for a block, or for the wrong thread. The class of such a
/// function is recorded here. So is everything that declares or mentions the class: classes with such a
/// member, functions that return it, and aliases. A kernel that mentions any of these runs thread by thread.
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "parse/units.hpp"

namespace emucc {

class ImplicitCalls {
 public:
  explicit ImplicitCalls(const Syntax& syntax);

  /// Returns the reason why a kernel must run thread by thread because of such functions; empty if there is
  /// none.
  std::string reason_against(const Declaration& kernel) const;

 private:
  /// A declaration of the file in a namespace or a class.
  struct Item {
    std::string_view name;
    std::size_t begin, end;
  };

  void collect(std::size_t begin, std::size_t end, std::string_view inside);
  void find_distinguishing_functions();
  void find_classes();
  void spread();
  bool distinguishes(std::size_t begin, std::size_t end) const;
  bool distinguishes_at(std::size_t at) const;
  std::string_view class_of(const Declaration& function, std::string_view inside) const;
  bool has_distinguishing_default(const Declaration& function) const;
  bool ends_objects(const Declaration& function) const;
  bool is_followed(const Declaration& constructor, std::string_view of) const;
  bool is_followed_at(std::size_t at) const;
  bool is_assignment_of_list(std::size_t at) const;
  bool may_stand_for_one(std::size_t at) const;
  bool is_on_device(std::string_view name, std::string_view of) const;

  const Syntax& syntax_;
  struct Function {
    Declaration declaration;
    std::string_view of;  ///< the class; empty: none
  };
  std::vector<Function> functions_;
  std::vector<Item> items_;    ///< of namespaces alone: a class represents its contents
  std::vector<Item> members_;  ///< data of classes, by the class's name
  std::unordered_set<std::string_view> classes_;
  std::unordered_set<std::string_view>
      distinguishing_;  ///< functions that distinguish threads, or whose effects others see
  std::unordered_set<std::string_view> names_;  ///< names that may involve such functions
  std::unordered_set<std::string_view> calls_;  ///< functions with such default arguments
  std::unordered_set<std::string_view>
      followed_;  ///< classes that kernels may construct from arguments in parentheses, but that no other code may name
};

}  // namespace emucc
