/// @file
/// Divides preprocessed C++ into tokens, which know their position in the user's files.
///
/// The input is the output of `g++ -E` or `clang++ -E`: macros are expanded, and line markers (`# 12 "a.cu" 1
/// 3`) give the source of each line. Most of the text comes from system headers. Each continuous part of such
/// text becomes one `verbatim` token, which the translator never examines. All other text is user code and is
/// divided into C++ tokens.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace emucc {

enum class TokenKind : std::uint8_t {
  identifier,  ///< keywords too
  number,
  string,  ///< with its prefix; raw strings may span lines
  character,
  punctuator,  ///< `<` and `>` are always separate, so that `>>>` can close templates or a launch;
               ///< other operators are whole
  directive,   ///< a `#pragma` line, or a marker that enters or leaves a file; without its newline
  verbatim,    ///< a stretch of system headers with the markers around it
  end,
};

/// Tokens that share a place come from the same file under the same marker flags.
struct Place {
  std::string file;   ///< as the marker spells it, without quotes and with its escapes
  std::string flags;  ///< " 3 4" in the expansion of a system header's macro, else empty
};

struct Token {
  TokenKind kind = TokenKind::end;
  bool space_before = false;  ///< white space or a newline precedes it
  bool line_start = false;    ///< first of its line in the preprocessed text
  std::uint32_t offset = 0;   ///< into TokenStream::text, or with made_flag the index of a made spelling
  std::uint32_t length = 0;
  std::uint32_t line = 0;  ///< in the user's file, from 1
  std::uint32_t column =
      0;  ///< in the user's file, from 1; 0 where unknown. A macro's token has a column after the line.
          ///< For a marker that enters a file: the line of the #include.
  std::uint32_t place = 0;  ///< index into TokenStream::places
  bool from_macro = false;  ///< its position in the user's line is unknown: see align.hpp

  /// The column for messages; 0 where it is unknown.
  std::uint32_t reported_column() const { return from_macro ? 0 : column; }
};

struct TokenStream {
  std::string_view text;      ///< the preprocessed text; must outlive the stream
  std::vector<Token> tokens;  ///< ends with one token of kind `end`
  std::vector<Place> places;
  std::deque<std::string> made;  ///< spellings of tokens that a pass has made
  static constexpr std::uint32_t made_flag = std::uint32_t{1} << 31;

  std::string_view spelling(const Token& token) const {
    if ((token.offset & made_flag) != 0) return made[token.offset & ~made_flag];
    return text.substr(token.offset, token.length);
  }
  std::string_view spelling(std::size_t index) const { return spelling(tokens[index]); }

  /// Returns `token` with another spelling.
  Token respelled(Token token, std::string spelling) {
    token.offset = static_cast<std::uint32_t>(made.size()) | made_flag;
    token.length = static_cast<std::uint32_t>(spelling.size());
    made.push_back(std::move(spelling));
    return token;
  }
};

struct LexOptions {
  /// The folders of -isystem options. Headers there are user code, although the compiler marks them as system
  /// headers.
  std::vector<std::string> user_system_folders;
};

/// Divides preprocessed text into tokens. Never fails: invalid C++ such as an unclosed string becomes
/// punctuators, and the host compiler reports the error at its position.
TokenStream lex(std::string_view text, const LexOptions& options = {});

/// Divides one line of a user's file into tokens with their columns, without comments.
/// @param in_comment in: whether the line starts inside a block comment; out: whether the next line does
std::vector<Token> lex_source_line(std::string_view line, bool& in_comment);

}  // namespace emucc
