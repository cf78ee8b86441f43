/// @file
/// What an analysis has to say of a source.
#pragma once
#include <string>
#include <vector>

#include "lex/diagnostic.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// The flags of nvcc's that decide what it refuses.
struct LanguageOptions {
  bool relocatable = false;        ///< -rdc=true
  bool extended_lambda = false;    ///< --extended-lambda
  bool relaxed_constexpr = false;  ///< --expt-relaxed-constexpr
};

class Findings {
 public:
  std::vector<Diagnostic> errors;
  std::vector<Diagnostic> warnings;

  void error(const Syntax& syntax, std::size_t at, std::string message) {
    add(syntax, errors, at, std::move(message));
  }
  void warning(const Syntax& syntax, std::size_t at, std::string message) {
    add(syntax, warnings, at, std::move(message));
  }

 private:
  /// One message for each line is enough.
  static void add(const Syntax& syntax, std::vector<Diagnostic>& to, std::size_t at, std::string message) {
    const Token& token = syntax.stream().tokens[at];
    const Place& place = syntax.stream().places[token.place];
    if (!place.flags.empty()) return;  // a macro of a system header
    if (!to.empty() && to.back().line == token.line && to.back().message == message) return;
    to.push_back({place.file, token.line, token.told_column(), std::move(message)});
  }
};

}  // namespace emucc
