#include "parse/units.hpp"

#include <algorithm>

namespace emucc {
namespace {

/// Returns the `{` of `namespace a::b {`, `inline namespace x {` or `extern "C" {` at `at`; npos if there is
/// no such block.
std::size_t block_open(const Syntax& syntax, std::size_t at, std::size_t end) {
  const Word first = syntax.word(at);
  const bool external = first == Word::extern_ && syntax.stream().tokens[at + 1].kind == TokenKind::string &&
                        syntax.is(at + 2, "{");
  if (external) return at + 2;
  if (first != Word::namespace_ && !(first == Word::inline_ && syntax.word(at + 1) == Word::namespace_))
    return npos;
  std::size_t open = at;
  while (open < end && !syntax.is(open, "{")) {
    if (syntax.is(open, ";") || syntax.is(open, "=")) return npos;
    ++open;
  }
  return open < end ? open : npos;
}

}  // namespace

std::vector<Unit> units_of(const Syntax& syntax, std::size_t begin, std::size_t end) {
  std::vector<Unit> units;
  for (std::size_t at = begin; at < end;) {
    const TokenKind kind = syntax.stream().tokens[at].kind;
    const bool label = syntax.word(at) == Word::access && syntax.is(at + 1, ":");
    if (kind == TokenKind::directive || kind == TokenKind::verbatim || syntax.is(at, ";") ||
        syntax.is(at, "}") || label) {
      at += label ? 2 : 1;
      continue;
    }
    Unit unit;
    unit.begin = at;
    unit.body = block_open(syntax, at, end);
    if (unit.body != npos) {
      unit.kind = Unit::Kind::block;
      unit.end = std::min(syntax.after(unit.body), end);
    } else {
      unit.declaration = syntax.declaration(at, end);
      unit.end = std::max(unit.declaration.end, at + 1);
      unit.body = unit.declaration.body;
      if (unit.declaration.kind == Declaration::Kind::function) unit.kind = Unit::Kind::function;
      if (unit.declaration.kind == Declaration::Kind::class_) unit.kind = Unit::Kind::class_;
    }
    at = unit.end;
    units.push_back(unit);
  }
  return units;
}

std::string namespace_suffix(const Syntax& syntax, std::size_t begin, std::size_t open) {
  std::string suffix;
  if (syntax.word(begin) != Word::namespace_) return suffix;
  for (std::size_t i = begin + 1; i < open; ++i) {
    if (syntax.word(i) == Word::inline_) {  // namespace a::inline b
      ++i;
      continue;
    }
    if (syntax.is(i, "[")) i = syntax.after(i) - 1;
    if (syntax.is_name(i)) suffix += "::" + std::string(syntax.at(i));
  }
  return suffix;
}

std::string declared_name(const Syntax& syntax, const Unit& unit) {
  const Declaration& declaration = unit.declaration;
  if (unit.kind == Unit::Kind::block) return {};
  if (declaration.parameters != npos && declaration.name != npos) {
    std::string name;
    for (std::size_t i = declaration.name; i < syntax.after(declaration.parameters); ++i)
      name += std::string(syntax.at(i)) + " ";
    return name;
  }
  if (unit.kind == Unit::Kind::class_) {
    std::size_t name = unit.begin;
    for (std::size_t i = unit.begin; i < unit.body && !syntax.is(i, ":"); ++i) {
      if (syntax.is_name(i)) name = i;
    }
    return std::string(syntax.at(name));
  }
  std::size_t last = unit.begin;
  const bool alias = syntax.word(unit.begin) == Word::using_;
  for (std::size_t i = unit.begin; i < unit.end; i = syntax.after(i)) {
    if (syntax.is(i, "=") || syntax.is(i, "{") || syntax.is(i, ";")) break;
    if (syntax.is_name(i) && !(alias && last != unit.begin)) last = i;
  }
  return std::string(syntax.at(last));
}

std::string marker_of(const TokenStream& stream, std::size_t index) {
  const Token& token = stream.tokens[index];
  const Place& place = stream.places[token.place];
  return "\n# " + std::to_string(token.line) + " \"" + place.file + "\"" + place.flags + "\n";
}

std::string marked_text(const TokenStream& stream, std::size_t begin, std::size_t end) {
  const Token& last = stream.tokens[end - 1];
  const std::size_t from = stream.tokens[begin].offset;
  return marker_of(stream, begin) + std::string(stream.text.substr(from, last.offset + last.length - from));
}

void Edits::replace(std::size_t begin, std::size_t end, std::string text) {
  // The replaced text extends to the next token, since a marker replaces the blanks between them.
  const std::size_t to = stream_.tokens[end].offset;
  const bool more = end + 1 < stream_.tokens.size();
  edits_.push_back(
      {stream_.tokens[begin].offset, to, std::move(text) + (more ? marker_of(stream_, end) : "\n")});
}

std::string Edits::apply() const {
  std::vector<Edit> sorted = edits_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string text;
  std::size_t at = 0;
  for (const Edit& edit : sorted) {
    if (edit.begin < at) continue;
    text += stream_.text.substr(at, edit.begin - at);
    text += edit.text;
    at = edit.end;
  }
  return text + std::string(stream_.text.substr(at));
}

}  // namespace emucc
