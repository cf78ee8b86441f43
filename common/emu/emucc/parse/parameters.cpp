#include "parse/parameters.hpp"

namespace emucc {
namespace {

/// Reads the parameter at `at`. @return the index after it
std::size_t read_parameter(const Syntax& syntax, std::size_t at, std::size_t close, Parameter& found) {
  found.begin = at;
  for (; at < close && !syntax.is(at, ","); at = syntax.after(at)) {
    if (syntax.is(at, "=") && found.default_begin == npos) {
      found.end = at;
      found.default_begin = at + 1;
    }
    if (syntax.is(at, "<") && syntax.template_close(at) < close) at = syntax.template_close(at);
    if (found.default_begin != npos) continue;
    if (syntax.is(at, "...")) found.pack = true;
    if (syntax.is(at, "*")) ++found.pointers;
    if (syntax.is(at, "const")) found.constant = true;
    if (syntax.is(at, "&")) found.reference = true;
    if (syntax.is(at, "&&")) found.rvalue = true;
    if (syntax.is(at, "[") && at != found.begin) found.array = true;
    if (syntax.is(at, "(") && !found.parenthesised) {  // T (&s)[4]
      found.parenthesised = true;
      for (std::size_t i = at + 1; i < syntax.partner(at); ++i) {
        if (syntax.is(i, "&")) found.reference = true;
        if (syntax.is_name(i)) found.name = i;
      }
    }
    const bool word = syntax.is(at, "__restrict__") || syntax.is(at, "__restrict");
    if (syntax.is_name(at) && !word && !found.parenthesised && !found.array) found.name = at;
  }
  if (found.default_begin == npos)
    found.end = at;
  else
    found.default_end = at;
  // In `const T` and `unsigned` the last word is the type.
  if (found.name == found.begin || (found.name != npos && !found.parenthesised &&
                                    (syntax.is(found.name - 1, "const") || syntax.is(found.name - 1, "::")) &&
                                    (found.name == found.begin + 1 || syntax.is(found.name - 1, "::"))))
    found.name = npos;
  return at;
}

}  // namespace

std::vector<Parameter> read_parameters(const Syntax& syntax, std::size_t open) {
  std::vector<Parameter> all;
  const std::size_t close = syntax.is(open, "<") ? syntax.template_close(open) : syntax.partner(open);
  if (close == npos) return all;
  if (open + 2 == close && syntax.is(open + 1, "void")) return all;
  for (std::size_t at = open + 1; at < close;) {
    all.emplace_back();
    at = read_parameter(syntax, at, close, all.back()) + 1;
  }
  return all;
}

std::uint64_t reference_mask(const std::vector<Parameter>& parameters) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].pack || i >= 64) return ~std::uint64_t{0};
    const bool only_read =
        parameters[i].constant && parameters[i].pointers == 0 && !parameters[i].parenthesised;
    if ((parameters[i].reference && !only_read) || parameters[i].rvalue) mask |= std::uint64_t{1} << i;
  }
  return mask;
}

}  // namespace emucc
