/// @file
/// The errors and warnings of an analysis.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lex/diagnostic.hpp"
#include "parse/syntax.hpp"

namespace emucc {

/// The flags of nvcc that affect which code it refuses.
struct LanguageOptions {
  bool relocatable = false;        ///< -rdc=true
  bool extended_lambda = false;    ///< --extended-lambda
  bool relaxed_constexpr = false;  ///< --expt-relaxed-constexpr
};

/// Makes a message about the token at `at`. None if the token comes from a macro of a system header.
inline std::optional<Diagnostic> diagnostic_at(const Syntax& syntax, std::size_t at, std::string message) {
  const Token& token = syntax.stream().tokens[at];
  const Place& place = syntax.stream().places[token.place];
  if (!place.flags.empty()) return std::nullopt;
  return Diagnostic{place.file, token.line, token.reported_column(), std::move(message)};
}

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
  /// Adds at most one message for each line.
  static void add(const Syntax& syntax, std::vector<Diagnostic>& to, std::size_t at, std::string message) {
    std::optional<Diagnostic> found = diagnostic_at(syntax, at, std::move(message));
    if (!found) return;
    if (!to.empty() && to.back().line == found->line && to.back().message == found->message) return;
    to.push_back(std::move(*found));
  }
};

}  // namespace emucc
