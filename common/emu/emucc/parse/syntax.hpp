/// @file
/// Recognises the structure of C++ in a token stream without parsing it: brackets, template arguments, the
/// heads of declarations, lambdas.
///
/// To translate CUDA's extensions, few facts suffice: matching brackets, the ends of declarations, CUDA's
/// specifiers, and the difference between functions, classes and variables. For invalid text these functions
/// return `npos` or the end. Then the translator copies the tokens, and the host compiler reports the error.
#pragma once
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "lex/lexer.hpp"

namespace emucc {

/// The words that the translator recognises.
enum class Word : std::uint8_t {
  none,
  // function and variable attributes that are dropped
  global,
  device,
  host,
  constant,
  managed,
  shared,
  grid_constant,
  dropped,
  // attributes that become the host compiler's attributes
  forceinline,
  noinline,
  align,
  // attributes with arguments that are dropped
  dropped_with_arguments,
  launch_bounds,
  cluster_dims,
  // built-in variables
  thread_idx,
  block_idx,
  block_dim,
  grid_dim,
  warp_size,
  // functions and names with another meaning in device code
  printf,
  clock,
  assert_fail,
  malloc_,
  free_,
  function_name,
  pretty_function,
  // C++
  assembly,
  class_key,
  enumeration,
  namespace_,
  template_,
  operator_,
  extern_,
  static_,
  inline_,
  constexpr_,
  typedef_,
  using_,
  friend_,
  requires_,
  access,
  argument_keyword,
  other_keyword,
};

/// CUDA's specifiers in a declaration outside functions.
struct Words {
  bool global = false, device = false, host = false, constant = false, managed = false, shared = false;
  bool extern_ = false, static_ = false, inline_ = false, constexpr_ = false, const_ = false,
       template_ = false;
  bool consteval_ = false;  ///< also sets constexpr_: no call of it remains at run time
};

/// One declaration in a namespace or a class.
struct Declaration {
  enum class Kind { function, prototype, class_, variable, other } kind = Kind::other;
  std::size_t begin = 0, end = 0;  ///< [begin, end): including its `;` or its body
  Words words;
  std::size_t name = npos;           ///< of a function: the identifier before its parameters
  std::size_t parameters = npos;     ///< the `(`
  std::size_t body = npos;           ///< the `{` of a function or a class
  std::size_t launch_bounds = npos;  ///< `__launch_bounds__`
  std::size_t cluster_dims = npos;   ///< `__cluster_dims__`
  static constexpr std::size_t npos = ~std::size_t{0};
};

inline constexpr std::size_t npos = Declaration::npos;

class SyntaxTree;

class Syntax {
 public:
  static constexpr std::size_t npos = Declaration::npos;

  explicit Syntax(const TokenStream& stream);
  ~Syntax();

  /// The trees of the tokens' expressions and bodies. Each tree is read at its first use.
  SyntaxTree& tree() const { return *tree_; }

  const TokenStream& stream() const { return stream_; }
  /// Must be called after tokens have been appended to the stream.
  void extend();
  std::size_t size() const { return stream_.tokens.size() - 1; }  ///< without the end token
  std::string_view at(std::size_t index) const {
    return index < stream_.tokens.size() ? stream_.spelling(index) : std::string_view();
  }
  bool is(std::size_t index, std::string_view spelling) const { return at(index) == spelling; }
  bool is_identifier(std::size_t index) const {
    return index < size() && stream_.tokens[index].kind == TokenKind::identifier;
  }
  /// True for an identifier that isn't a keyword.
  bool is_name(std::size_t index) const;
  Word word(std::size_t index) const;
  bool is_built_in_variable(std::size_t index) const {
    const Word w = word(index);
    return w >= Word::thread_idx && w <= Word::warp_size;
  }
  /// Returns the token's spelling with a blank. If the token is half of an operator that the lexer divides
  /// (`<<`, `<=`, `>>`, `>=`), returns it without a blank.
  std::string spaced(std::size_t index) const {
    const bool half =
        (is(index, "<") || is(index, ">")) && index + 1 < size() && !stream_.tokens[index + 1].space_before;
    return std::string(at(index)) + (half ? "" : " ");
  }

  /// Returns the bracket that matches the one at `index`, in either direction; npos if there is none.
  std::size_t partner(std::size_t index) const { return index < partners_.size() ? partners_[index] : npos; }
  /// Returns the token after the bracket that closes the one at `index`; index + 1 if no bracket closes it.
  std::size_t after(std::size_t index) const {
    return partner(index) == npos || partner(index) < index ? index + 1 : partner(index) + 1;
  }

  /// If the `<` at `index` opens template arguments, returns the `>` that closes them. Returns npos if the
  /// `<` looks like a comparison.
  std::size_t template_close(std::size_t index) const;
  /// If the `>` at `index` closes template arguments, returns their `<`; otherwise npos.
  std::size_t template_open(std::size_t index) const;
  /// Returns the `(` of the call of the name at `index`, which may have template arguments; npos if there is
  /// no call.
  std::size_t call_open(std::size_t index) const;
  /// Returns the parts between commas, inside `(` and `)` or inside the `<` and `>` of template arguments.
  std::vector<std::pair<std::size_t, std::size_t>> arguments(std::size_t open, std::size_t close) const;

  bool is_launch_open(std::size_t index) const;   ///< the first `<` of `<<<`
  bool is_launch_close(std::size_t index) const;  ///< the first `>` of `>>>`
  /// Returns the first `>` of the `>>>` that closes the launch configuration at `open`; npos if there is
  /// none.
  std::size_t launch_close(std::size_t open) const;
  /// Returns the beginning of the expression that a launch at `open` calls: `ns::k<int>`, `(*p)`, `a.b[3]` …;
  /// `open` if there is no such expression.
  std::size_t callee_begin(std::size_t open) const;

  /// If the `[` at `index` begins a lambda, returns the `{` of its body; otherwise npos.
  std::size_t lambda_body(std::size_t index) const;
  /// If `class`, `struct` or `union` at `index` begins a definition, returns its `{`; otherwise npos.
  std::size_t class_body(std::size_t index) const;

  /// Returns the declaration in a namespace or a class that begins at `begin` and ends before `limit`.
  Declaration declaration(std::size_t begin, std::size_t limit) const;

  /// Returns the number of tokens of the assignment operator (`=`, `+=`, `<<=` …) at `index`; 0 if there is
  /// none. It can be several, since the lexer returns `<` and `>` as separate tokens.
  std::size_t assignment_length(std::size_t index) const;

  /// True if [begin, end) contains the identifier other than as a member's name.
  bool mentions(std::size_t begin, std::size_t end, std::string_view name) const;

 private:
  std::size_t postfix_begin(std::size_t last) const;
  bool is_one_of(std::size_t index, std::initializer_list<std::string_view> spellings) const;
  bool pointer_declarator(std::size_t open) const;
  void read_head(Declaration& found, std::size_t limit) const;
  static void note(Declaration& found, Word word, std::string_view spelling, std::size_t index);

  const TokenStream& stream_;
  std::vector<std::size_t> partners_;
  std::unique_ptr<SyntaxTree> tree_;
};

}  // namespace emucc
