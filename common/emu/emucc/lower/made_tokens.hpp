/// @file
/// Tokens that a pass puts between those of the user, and the copy of a kernel that it makes of both.
#pragma once
#include <string>
#include <vector>

#include "parse/syntax.hpp"

namespace emucc {

using Tokens = std::vector<Token>;

/// A token that stands where `like` does.
Token made_token(TokenStream& stream, const Token& like, const std::string& spelling, TokenKind kind);

/// Words with blanks between them, each where `like` stands.
void put_words(TokenStream& stream, const Token& like, const std::string& words, Tokens& to);

/// Puts a copy of a kernel behind the tokens that were there. Up to its body's brace it has as many as the kernel.
/// @param syntax of `stream`, which is extended
Declaration append_copy(TokenStream& stream, Syntax& syntax, const Declaration& kernel, const Tokens& copy);

}  // namespace emucc
