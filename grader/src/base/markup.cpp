#include "base/markup.hpp"

#include "base/columns.hpp"

namespace grader {

std::string element_text(const std::string& text) {
  return replace_all(replace_all(replace_all(text, "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
}

std::string foreign_text(const std::string& text) {
  return replace_all(replace_all(element_text(printable(text, true)), "\"", "&quot;"), "'", "&#39;");
}

std::string page_head(const std::string& title, const std::string& more) {
  return "<!doctype html>\n<html lang=en><meta charset=utf-8>" + more +
         "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
         "<meta http-equiv=Content-Security-Policy "
         "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src "
         "data:\">\n"
         "<title>" +
         title + "</title>";
}

std::string latex_text(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        out += '\\';
        [[fallthrough]];
      default:
        out += c;
    }
  }
  // Special characters in the kit's texts, with LaTeX commands for engines and fonts that lack the
  // characters.
  static const std::pair<const char*, const char*> symbols[] = {
      {"×", "$\\times$"}, {"µ", "$\\mu$"}, {"±", "$\\pm$"}, {"−", "$-$"},  {"–", "--"},   {"·", "$\\cdot$"},
      {"⁰", "$^0$"},      {"¹", "$^1$"},   {"²", "$^2$"},   {"³", "$^3$"}, {"⁴", "$^4$"}, {"⁵", "$^5$"},
      {"⁶", "$^6$"},      {"⁷", "$^7$"},   {"⁸", "$^8$"},   {"⁹", "$^9$"}};
  for (const auto& [symbol, command] : symbols) {
    for (std::size_t at = out.find(symbol); at != std::string::npos; at = out.find(symbol, at)) {
      out.replace(at, std::string(symbol).size(), command);
      at += std::string(command).size();
    }
  }
  return out;
}

std::string base64(const std::string& bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

}  // namespace grader
