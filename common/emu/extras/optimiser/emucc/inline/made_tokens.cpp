#include "inline/made_tokens.hpp"

#include <algorithm>
#include <cctype>

namespace emucc {

Token made_token(TokenStream& stream, const Token& like, const std::string& spelling, TokenKind kind) {
  Token token = stream.respelled(like, spelling);
  token.kind = kind;
  token.column = 0;
  token.space_before = true;
  token.line_start = false;
  return token;
}

void put_words(TokenStream& stream, const Token& like, const std::string& words, Tokens& to) {
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t blank = std::min(words.find(' ', at), words.size());
    const std::string one = words.substr(at, blank - at);
    const bool number = std::isdigit(static_cast<unsigned char>(one[0])) != 0;
    const bool name = std::isalpha(static_cast<unsigned char>(one[0])) != 0 || one[0] == '_';
    if (one == ">>") {  // the lexer keeps them apart
      to.push_back(made_token(stream, like, ">", TokenKind::punctuator));
      to.push_back(made_token(stream, like, ">", TokenKind::punctuator));
      to.back().space_before = false;
    } else {
      to.push_back(made_token(stream, like, one,
                              number ? TokenKind::number
                              : name ? TokenKind::identifier
                                     : TokenKind::punctuator));
    }
    at = blank + 1;
  }
}

Declaration append_copy(TokenStream& stream, Syntax& syntax, const Declaration& kernel, const Tokens& copy) {
  const std::size_t base = stream.tokens.size();
  const auto moved = [&](std::size_t at) { return at == npos ? npos : at - kernel.begin + base; };
  Declaration found = kernel;
  found.begin = base;
  found.name = moved(kernel.name);
  found.parameters = moved(kernel.parameters);
  found.body = moved(kernel.body);
  found.launch_bounds = moved(kernel.launch_bounds);
  found.cluster_dims = moved(kernel.cluster_dims);
  const Token end = stream.tokens.back();
  stream.tokens.insert(stream.tokens.end(), copy.begin(), copy.end());
  found.end = stream.tokens.size();
  stream.tokens.push_back(end);
  syntax.extend();
  return found;
}

}  // namespace emucc
