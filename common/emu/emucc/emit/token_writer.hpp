/// @file
/// The translator's output: the user's tokens in a new order, with generated text between them. It is
/// converted to text at the end.
///
/// Each user token is written on its original line and column. A token from a macro is written after the end
/// of its line. If generated text has moved a token to the right, a line marker (`# 12 "a.cu"` and blanks)
/// restarts the line. So the host compiler's messages point to the user's source.
#pragma once
#include "lex/lexer.hpp"

namespace emucc {

class TokenWriter {
 public:
  /// Appends the user's token `index`.
  void token(std::size_t index) { pieces_.push_back({static_cast<std::uint32_t>(index), 0}); }
  /// Replaces the user's token `index` by other text. A directive stays on a line of its own.
  void replace(std::size_t index, std::string spelling) {
    texts_.push_back(std::move(spelling));
    pieces_.push_back({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(texts_.size())});
  }
  /// Inserts generated text without newlines. The text must contain the blanks that separate it from its neighbours.
  void text(std::string generated) {
    texts_.push_back(std::move(generated));
    pieces_.push_back({generated_piece, static_cast<std::uint32_t>(texts_.size())});
  }

  /// Inserts generated text that must cause no warnings, at the position of the user's token `index`. The
  /// text may contain newlines.
  void quiet_text(std::size_t index, std::string generated) {
    texts_.push_back(std::move(generated));
    pieces_.push_back(
        {static_cast<std::uint32_t>(index) | quiet_flag, static_cast<std::uint32_t>(texts_.size())});
  }

  /// Suppresses warnings for the following user tokens, up to end_quiet().
  void begin_quiet() { pieces_.push_back({generated_piece, begin_quiet_text}); }
  void end_quiet() { pieces_.push_back({generated_piece, end_quiet_text}); }

  std::size_t size() const { return pieces_.size(); }

  struct Piece {
    std::uint32_t token;  ///< an index of a token, or generated_piece
    std::uint32_t text;   ///< 1 + index of generated text; 0: none
  };
  using Cut = std::vector<Piece>;
  /// Removes the pieces from index `from` to the end, so that they can be inserted elsewhere.
  Cut cut(std::size_t from) {
    Cut tail(pieces_.begin() + static_cast<std::ptrdiff_t>(from), pieces_.end());
    pieces_.resize(from);
    return tail;
  }
  void paste(const Cut& cut) { pieces_.insert(pieces_.end(), cut.begin(), cut.end()); }

  /// Returns the whole output as text. @param keep_columns false: lines are right, but columns may differ,
  /// which is easier to read
  std::string write(const TokenStream& stream, bool keep_columns) const;

  /// Returns the removed pieces as text without markers, for use in quiet text. All text is on one line,
  /// except for pragmas, which are on lines of their own.
  std::string flat(const TokenStream& stream, const Cut& cut) const;

 private:
  static constexpr std::uint32_t generated_piece = ~std::uint32_t{0};
  static constexpr std::uint32_t begin_quiet_text = ~std::uint32_t{0}, end_quiet_text = begin_quiet_text - 1;
  static constexpr std::uint32_t quiet_flag = std::uint32_t{1} << 31;
  std::vector<Piece> pieces_;
  std::vector<std::string> texts_;
  friend class PieceWriter;
};

}  // namespace emucc
