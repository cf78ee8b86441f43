/// @file
/// Lists the declarations of a namespace or class, and edits their text.
#pragma once
#include <string>
#include <vector>

#include "parse/syntax.hpp"

namespace emucc {

/// A declaration, or a `namespace … {` or `extern "C" {` block with its contents.
struct Unit {
  enum class Kind { block, class_, function, other } kind = Kind::other;
  std::size_t begin = 0, end = 0;        ///< tokens [begin, end)
  std::size_t body = Declaration::npos;  ///< the `{` of a block, a class or a function
  Declaration declaration;
};

/// Returns the units of [begin, end), which is the whole stream or the inside of a block or class.
std::vector<Unit> units_of(const Syntax& syntax, std::size_t begin, std::size_t end);

/// Returns the suffix that `namespace a::b {`, the tokens [begin, open), adds to a scope: "::a::b". An inline
/// or unnamed namespace adds nothing, since its names belong to the enclosing namespace.
std::string namespace_suffix(const Syntax& syntax, std::size_t begin, std::size_t open);

/// Returns the name that a unit declares, as far as a simple reading finds it. A function's name includes its
/// parameters.
std::string declared_name(const Syntax& syntax, const Unit& unit);

/// Returns the text of [begin, end) after a line marker that gives its position in the source.
std::string marked_text(const TokenStream& stream, std::size_t begin, std::size_t end);
/// Returns a line marker for the token at `index`.
std::string marker_of(const TokenStream& stream, std::size_t index);

/// Collects replacements of parts of a text.
class Edits {
 public:
  explicit Edits(const TokenStream& stream) : stream_(stream) {}
  /// Replaces the tokens [begin, end) by `text`. The text after them keeps its line.
  void replace(std::size_t begin, std::size_t end, std::string text);
  bool empty() const { return edits_.empty(); }
  std::string apply() const;

 private:
  struct Edit {
    std::size_t begin, end;  // of the text
    std::string text;
  };
  const TokenStream& stream_;
  std::vector<Edit> edits_;
};

}  // namespace emucc
