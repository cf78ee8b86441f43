/// @file
/// Makes tokens that a pass inserts between the user's tokens, and the copy of a kernel, which consists of
/// both.
#pragma once
#include <string>
#include <vector>

#include "parse/syntax.hpp"

namespace emucc {

using Tokens = std::vector<Token>;

/// Returns a token at the position of `like`.
Token made_token(TokenStream& stream, const Token& like, const std::string& spelling, TokenKind kind);

/// Appends the words, separated by blanks, as tokens at the position of `like`.
void put_words(TokenStream& stream, const Token& like, const std::string& words, Tokens& to);

/// Appends a copy of a kernel to the tokens. Up to the body's brace, the copy has as many tokens as the kernel.
/// @param syntax the syntax of `stream`; both are extended
Declaration append_copy(TokenStream& stream, Syntax& syntax, const Declaration& kernel, const Tokens& copy);

}  // namespace emucc
