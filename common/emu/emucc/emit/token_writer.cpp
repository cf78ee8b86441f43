#include "emit/token_writer.hpp"

#include <algorithm>

namespace emucc {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/// True if the end of `text` and the beginning of `next` would form another token. This can happen only where
/// generated text replaces a name. For example, `n%blockDim.x` must not become `n%::…`, since `%:` means `#`,
/// and `:blockDim.x` must not become `:::…`.
bool joins(std::string_view text, std::string_view next) {
  if (text.empty() || next.empty()) return false;
  const bool qualified = next.substr(0, 2) == "::";
  return (is_word(text.back()) && is_word(next[0])) ||
         (qualified && (text.back() == '%' || text.back() == ':'));
}

}  // namespace

class PieceWriter {
 public:
  PieceWriter(const TokenWriter& pieces, const TokenStream& stream, bool keep_columns)
      : pieces_(pieces), stream_(stream), keep_columns_(keep_columns) {}

  std::string whole() {
    out_.reserve(stream_.text.size() + stream_.text.size() / 8);
    for (const auto& piece : pieces_.pieces_) add(piece);
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    return std::move(out_);
  }

  std::string flat(const TokenWriter::Cut& cut) {
    for (const auto& piece : cut) {
      if ((piece.token & TokenWriter::quiet_flag) != 0) {  // generated text is quiet, too
        text(pieces_.texts_[piece.text - 1]);
        continue;
      }
      const Token& token = stream_.tokens[piece.token];
      const std::string_view spelling =
          piece.text == 0 ? stream_.spelling(piece.token) : pieces_.texts_[piece.text - 1];
      if (token.kind ==
          TokenKind::directive) {  // `_Pragma` is an operator of the preprocessor, which has run already
        newline();
        out_ += spelling;
        newline();
      } else {
        word(spelling, token.space_before);
      }
    }
    return std::move(out_);
  }

 private:
  void add(const TokenWriter::Piece& piece) {
    if (piece.token == TokenWriter::generated_piece &&
        (piece.text == TokenWriter::begin_quiet_text || piece.text == TokenWriter::end_quiet_text)) {
      quiet_ = piece.text == TokenWriter::begin_quiet_text;
      place_ = ~std::uint32_t{0};
      return;
    }
    if (piece.token == TokenWriter::generated_piece) {
      text(pieces_.texts_[piece.text - 1]);
      last_token_ = ~std::size_t{0};
      return;
    }
    if ((piece.token & TokenWriter::quiet_flag) != 0)
      return quiet(stream_.tokens[piece.token & ~TokenWriter::quiet_flag], pieces_.texts_[piece.text - 1]);
    const Token& token = stream_.tokens[piece.token];
    const std::string_view spelling =
        piece.text == 0 ? stream_.spelling(piece.token) : pieces_.texts_[piece.text - 1];
    switch (token.kind) {
      case TokenKind::end:
        return;
      case TokenKind::verbatim:
        return verbatim(piece.token, spelling);
      case TokenKind::directive:
        return directive(piece.token, spelling);
      default:
        user_token(piece.token, token, spelling);
    }
    last_token_ =
        piece.text == 0 ? piece.token : ~std::size_t{0} - 1;  // after other text, columns are looked up again
  }

  void newline() {
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    line_begin_ = out_.size();
  }

  /// Writes a token of system headers, or a marker that enters or leaves a file. The token's line and place
  /// apply to the text after it.
  void verbatim(std::size_t index, std::string_view spelling) {
    const Token& token = stream_.tokens[index];
    if (token.column != 0 && index != 0) includer(stream_.tokens[index - 1].place, token.column);
    newline();
    out_ += spelling;
    newline();
    line_ = token.line;
    place_ = token.place;
  }

  /// Sets the compiler's current line before a marker that enters a file. Messages about that file give this
  /// line as the line of the #include.
  void includer(std::uint32_t place, std::uint32_t line) {
    if (!out_.empty() && out_.back() != '\n') {
      newline();
      ++line_;
    }
    if (place_ != place || line_ != line) marker(place, line);
  }

  void directive(std::size_t index, std::string_view spelling) {
    const Token& token = stream_.tokens[index];
    if (spelling.substr(0, 2) == "# ") return verbatim(index, spelling);
    if (!out_.empty() && out_.back() != '\n') {
      newline();
      ++line_;
    }
    if (place_ != token.place || token.line < line_ || token.line > line_ + far) marker(token);
    out_.append(token.line - line_, '\n');
    out_ += spelling;
    newline();
    line_ = token.line + 1;
  }

  void marker(const Token& token) { marker(token.place, token.line); }
  void marker(std::uint32_t at, std::uint32_t line) {
    newline();
    const Place& place = stream_.places[at];
    const std::string flags = quiet_ && place.flags.empty() ? " 3" : place.flags;
    out_ += "# " + std::to_string(line) + " \"" + place.file + "\"" + flags + "\n";
    line_begin_ = out_.size();
    line_ = line;
    place_ = at;
  }

  /// Writes generated text under the marker of a system header, so that compilers suppress its warnings. The
  /// next user token gets a new marker.
  void quiet(const Token& token, const std::string& generated) {
    last_token_ = ~std::size_t{0} - 1;
    if (!keep_columns_ && generated.find('\n') == generated.npos) return text(generated);
    newline();
    out_ += "# " + std::to_string(token.line) + " \"" + stream_.places[token.place].file + "\" 3\n" +
            generated + "\n";
    line_begin_ = out_.size();
    place_ = ~std::uint32_t{0};
  }

  std::size_t column() const { return out_.size() - line_begin_ + 1; }

  /// True if the token has its right position when it directly follows the previous one.
  bool follows(std::size_t index, const Token& token, std::string_view spelling) const {
    if (token.space_before || last_token_ + 1 != index || line_ != token.line || place_ != token.place)
      return false;
    if (joins(out_, spelling)) return false;
    const bool ends_shift = spelling == ">" && out_.back() == '>';  // the lexer's parts of `>>` stay together
    const bool both_of_macro = token.from_macro && stream_.tokens[last_token_].from_macro;
    return !keep_columns_ || token.column == 0 || token.column == column() || both_of_macro || ends_shift;
  }

  void user_token(std::size_t index, const Token& token, std::string_view spelling) {
    if (follows(index, token, spelling)) {
      out_ += spelling;
    } else {
      go_to(token);
      word(spelling, token.space_before);
    }
    if (token.kind == TokenKind::string) {
      const auto lines = std::count(spelling.begin(), spelling.end(), '\n');
      if (lines > 0) {
        line_ += static_cast<std::uint32_t>(lines);
        line_begin_ = out_.rfind('\n') + 1;
      }
    }
  }

  void go_to(const Token& token) {
    if (place_ != token.place || token.line < line_ || token.line > line_ + far) {
      marker(token);
    } else {
      for (; line_ < token.line; ++line_) {
        out_ += '\n';
        line_begin_ = out_.size();
      }
    }
    if (!keep_columns_ || token.column == 0) return;
    if (token.from_macro && column() >= token.column) return;  // any column after the line's end is right
    const bool needs_space = token.space_before && column() > 1 && out_.back() != ' ';
    if (column() + needs_space > token.column) marker(token);
    out_.append(token.column - column(), ' ');
  }

  void word(std::string_view spelling, bool space) {
    if (!out_.empty() && out_.back() != '\n' && out_.back() != ' ' && (space || joins(out_, spelling)))
      out_ += ' ';
    out_ += spelling;
  }

  void text(const std::string& generated) {
    word(generated.empty() ? std::string_view(" ") : generated, false);
  }

  static constexpr std::uint32_t far = 8;  // for up to this many lines, newlines are shorter than a marker

  const TokenWriter& pieces_;
  const TokenStream& stream_;
  const bool keep_columns_;
  std::string out_;
  std::size_t line_begin_ = 0;  // where the last line of out_ begins
  std::uint32_t line_ = 1;      // the compiler's number for the last line
  std::uint32_t place_ = 0;
  bool quiet_ = false;                        // user tokens are marked as tokens of a system header
  std::size_t last_token_ = ~std::size_t{0};  // the previous piece, if it was a user token
};

std::string TokenWriter::write(const TokenStream& stream, bool keep_columns) const {
  return PieceWriter(*this, stream, keep_columns).whole();
}

std::string TokenWriter::flat(const TokenStream& stream, const Cut& cut) const {
  return PieceWriter(*this, stream, true).flat(cut);
}

}  // namespace emucc
