/// @file
/// What the translator makes: the user's tokens in a new order,
/// with generated text between them; and its way to text again.
///
/// Writing puts every user token on its own line and column again, and a macro's behind the end of its line. Where
/// generated text has pushed a token to the right, a line marker starts the line afresh (`# 12 "a.cu"` and blanks), so
/// the host compiler's messages point where the user wrote.
#pragma once
#include "lex/lexer.hpp"

namespace emucc {

class TokenWriter {
 public:
  /// Takes over the user's token `index`.
  void token(std::size_t index) { pieces_.push_back({static_cast<std::uint32_t>(index), 0}); }
  /// Puts other text in the place of the user's token `index`; a directive stays on its own line.
  void replace(std::size_t index, std::string spelling) {
    texts_.push_back(std::move(spelling));
    pieces_.push_back({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(texts_.size())});
  }
  /// Inserts generated text; it must not hold a newline.
  /// Where it must not touch its neighbours it brings its own blanks.
  void text(std::string generated) {
    texts_.push_back(std::move(generated));
    pieces_.push_back({generated_piece, static_cast<std::uint32_t>(texts_.size())});
  }

  /// Inserts generated text that is to cause no warnings, at the place of the user's token `index`. It may hold lines.
  void quiet_text(std::size_t index, std::string generated) {
    texts_.push_back(std::move(generated));
    pieces_.push_back(
        {static_cast<std::uint32_t>(index) | quiet_flag, static_cast<std::uint32_t>(texts_.size())});
  }

  /// From here on user tokens cause no warnings, up to end_quiet().
  void begin_quiet() { pieces_.push_back({generated_piece, begin_quiet_text}); }
  void end_quiet() { pieces_.push_back({generated_piece, end_quiet_text}); }

  std::size_t size() const { return pieces_.size(); }

  struct Piece {
    std::uint32_t token;  ///< or generated_piece
    std::uint32_t text;   ///< 1 + index of generated text; 0: none
  };
  using Cut = std::vector<Piece>;
  /// Takes out everything from piece `from` on, to be put in again elsewhere.
  Cut cut(std::size_t from) {
    Cut tail(pieces_.begin() + static_cast<std::ptrdiff_t>(from), pieces_.end());
    pieces_.resize(from);
    return tail;
  }
  void paste(const Cut& cut) { pieces_.insert(pieces_.end(), cut.begin(), cut.end()); }

  /// The whole as text. @param keep_columns false: lines stay right but columns need not (easier to read)
  std::string write(const TokenStream& stream, bool keep_columns) const;

  /// What was cut out as text without markers, for use in quiet text: one line, but for pragmas, which have their own.
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
