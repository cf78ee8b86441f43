/// @file
/// Finds the meaning of a name at a place in the text: a variable of some type, a type, or a template.
///
/// C++ can't be parsed without the meanings of names: `(a)*b` is a product or a cast, and `a<b>(c)` is a call
/// or two comparisons. Declarations in the user's files are searched block by block, from the inside
/// outwards. From system headers, only the usual types are known.
#pragma once
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "parse/expression.hpp"

namespace emucc {

struct LocalName;
struct Statement;

enum class Meaning : std::uint8_t {
  unknown,
  value,  ///< a variable, or a constant
  type,
  template_,  ///< of a class or of functions
};

struct NameMeaning {
  Meaning meaning = Meaning::unknown;
  ValueType type;                       ///< of a value
  std::size_t declared = Syntax::npos;  ///< of a variable: the token of its name in the declaration
};

class Scopes {
 public:
  explicit Scopes(const Syntax& syntax) : syntax_(syntax) {}

  /// Returns the meaning of the identifier at `at`. It must be neither a member's name nor qualified.
  NameMeaning meaning(std::size_t at);
  /// Returns the meaning of the last identifier in a qualified name, if only one declaration has that name.
  NameMeaning qualified_meaning(std::size_t at);

  /// True if a template has a type parameter of that name.
  bool is_type_parameter(std::string_view name);
  /// True if a template has a value parameter of that name and of a type that isn't built in. Such a
  /// parameter may be a function.
  bool is_function_parameter(std::string_view name);

  /// True if the brackets around the token are nested more deeply than in any real program.
  bool is_deep(std::size_t at);

  /// Returns the type that the specifiers [begin, end) spell. The declarator's parts are left out.
  ValueType specified(std::size_t begin, std::size_t end) const;
  /// Returns the type of one of the names in a declaration.
  ValueType declared(const Statement& declaration, const LocalName& name) const;

 private:
  struct Variable {
    std::size_t name;
    ValueType type;
  };
  using Names = std::unordered_map<std::string_view, std::vector<Variable>>;

  void collect();
  void find_enclosing();
  const Names& names_of(std::size_t open);
  void read_block(std::size_t begin, std::size_t end, Names& names);
  void add_names(const Statement& statement, Names& names) const;
  bool is_statement_header(std::size_t open) const;
  bool is_class_body(std::size_t brace) const;
  void read_header(std::size_t open, Names& names);
  void read_parameter_list(std::size_t open, Names& names);
  std::size_t parameters_before(std::size_t brace) const;
  const Variable* find(std::size_t open, std::size_t at);
  void template_parameters(std::size_t open);

  const Syntax& syntax_;
  std::vector<std::size_t> enclosing_;  ///< by token: the innermost bracket around it, or npos
  std::unordered_map<std::size_t, Names> names_;
  std::unordered_set<std::size_t>
      unordered_;  ///< of these: names with the same meaning before their declaration
  bool collected_ = false;
  std::unordered_set<std::string_view> types_, values_, templates_;  ///< wherever they are declared
  std::unordered_set<std::string_view> type_parameters_;             ///< of templates
  std::unordered_set<std::string_view> value_parameters_;  ///< and the parameters that may be functions
};

/// True for a type of the language, or one that every CUDA program has: `float`, `size_t`, `float4`.
bool is_predefined_type(std::string_view name);
bool is_arithmetic_type(std::string_view name);

}  // namespace emucc
