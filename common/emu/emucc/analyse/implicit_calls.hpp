/// @file
/// Functions that run without being named where they are called: constructors, destructors, operators, conversions, and what
/// default arguments call.
///
/// Whoever reads a kernel's body (nonblocking.hpp, uniformity.hpp, plain_loop.hpp) sees `T v;` and `a + b`, and takes them for what
/// they are with numbers. That is right as long as such a function computes from its operands. Where one asks which thread runs,
/// waits for others, or changes what they see, it would do so once for a block, or for the wrong thread; so its class is noted here,
/// and whatever declares or mentions that class is noted with it: classes that hold one, functions that return one, other names of it.
/// A kernel that mentions any of these runs thread by thread.
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

  /// Why a kernel has to run thread by thread for their sake; empty: it need not.
  std::string reason_against(const Declaration& kernel) const;

 private:
  /// What the file declares, in a namespace or a class.
  struct Item {
    std::string_view name;
    std::size_t begin, end;
  };

  void collect(std::size_t begin, std::size_t end, std::string_view inside);
  void find_telling_functions();
  void find_classes();
  void spread();
  bool tells(std::size_t begin, std::size_t end) const;
  bool tells_at(std::size_t at) const;
  std::string_view class_of(const Declaration& function, std::string_view inside) const;
  bool has_telling_default(const Declaration& function) const;
  bool ends_objects(const Declaration& function) const;
  bool is_followed(const Declaration& constructor, std::string_view of) const;
  bool may_stand_for_one(std::size_t at) const;
  bool is_on_device(std::string_view name, std::string_view of) const;

  const Syntax& syntax_;
  struct Function {
    Declaration declaration;
    std::string_view of;  ///< the class; empty: none
  };
  std::vector<Function> functions_;
  std::vector<Item> items_;    ///< of namespaces alone: a class stands for what is in it
  std::vector<Item> members_;  ///< data of classes, by the class's name
  std::unordered_set<std::string_view> classes_;
  std::unordered_set<std::string_view>
      telling_;                                 ///< functions that tell threads apart, or that others notice
  std::unordered_set<std::string_view> names_;  ///< behind which such functions may stand
  std::unordered_set<std::string_view> calls_;  ///< functions with such default arguments
  std::unordered_set<std::string_view> followed_;  ///< classes that a kernel may name, but nobody else
};

}  // namespace emucc
