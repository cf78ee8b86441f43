/// @file
/// Tokens that a pass inserts between the user's tokens, and the copy of a kernel made of both.
#pragma once
#include <string>
#include <vector>

#include "parse/syntax.hpp"

namespace emucc {

using Tokens = std::vector<Token>;

/// A token at the position of `like`.
Token made_token(TokenStream& stream, const Token& like, const std::string& spelling, TokenKind kind);

/// Words separated by blanks, each at the position of `like`.
void put_words(TokenStream& stream, const Token& like, const std::string& words, Tokens& to);

/// Appends a copy of a kernel to the tokens. Up to its body's brace it has as many tokens as the kernel.
/// @param syntax of `stream`, which is extended
Declaration append_copy(TokenStream& stream, Syntax& syntax, const Declaration& kernel, const Tokens& copy);

}  // namespace emucc
