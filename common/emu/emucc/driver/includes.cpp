#include "driver/includes.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_set>
#include <utility>

namespace emucc {
namespace {

constexpr std::size_t most_files = 200;

/// A line of a source: a directive, or any other line.
struct Line {
  std::string directive;  ///< "include", "ifndef" …; empty: code
  std::string rest;       ///< the text after it, without comments and surrounding blanks
};

/// Lines with comments and blank lines removed.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  bool next(Line& line) {
    while (at_ < text_.size()) {
      const std::string plain = without_comments();
      const std::size_t begin = plain.find_first_not_of(" \t\r");
      if (begin == plain.npos) continue;
      line = {};
      if (plain[begin] != '#') return true;
      const std::size_t word = std::min(plain.find_first_not_of(" \t", begin + 1), plain.size());
      const std::size_t end = std::min(plain.find_first_of(" \t\r<\"(", word), plain.size());
      line.directive = plain.substr(word, end - word);
      const std::size_t rest = plain.find_first_not_of(" \t", end);
      if (rest != plain.npos) line.rest = plain.substr(rest, plain.find_last_not_of(" \t\r") - rest + 1);
      return true;
    }
    return false;
  }

 private:
  std::string without_comments() {
    std::string plain;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == text_.npos ? text_.size() : end + 2;
        plain += ' ';
      } else {
        plain += text_[at_++];
      }
    }
    ++at_;
    return plain;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

class Search {
 public:
  explicit Search(const IncludeSearch& how) : how_(how) {}

  /// @return false if the rest of the source must not be searched after this file
  bool file(const std::string& path, bool is_source) {
    const auto text = how_.load(path);
    if (!text || !seen_.insert(path).second || seen_.size() > most_files) return true;
    LineReader reader(*text);
    Line line;
    std::string guard;  // of `#ifndef X` before everything else
    int depth = 0;      // of conditionals within it
    bool first = true;
    while (reader.next(line)) {
      const bool was_first = std::exchange(first, false);
      const std::string& word = line.directive;
      if (word.empty()) {
        if (is_source) return true;
      } else if (word == "ifndef" && was_first) {
        guard = line.rest;
      } else if (word.rfind("if", 0) == 0) {
        ++depth;
      } else if (word == "endif") {
        --depth;
      } else if (word == "define" && line.rest.substr(0, line.rest.find_first_of(" \t(")) != guard) {
        if (is_source || may_configure(line.rest)) return false;
      } else if (word == "undef") {
        return false;
      } else if (word == "include" && depth == 0 && !include(line.rest, path)) {
        return false;
      }
      if (is_source && depth > 0) return true;  // a condition decides whether the rest is compiled
    }
    return true;
  }

  std::vector<std::string> found;

 private:
  /// True for macros that library headers depend on: reserved names and NDEBUG.
  static bool may_configure(const std::string& macro) {
    return macro[0] == '_' || macro.rfind("NDEBUG", 0) == 0;
  }

  bool include(const std::string& what, const std::string& from) {
    const bool brackets = what[0] == '<';
    const std::size_t close = what.find(brackets ? '>' : '"', 1);
    if (close == what.npos || (!brackets && what[0] != '"')) return true;
    const std::string name = what.substr(1, close - 1);
    if (!brackets) {
      const std::size_t slash = from.rfind('/');
      const std::string beside = (slash == from.npos ? "" : from.substr(0, slash + 1)) + name;
      if (how_.load(beside)) return file(beside, false);
    }
    for (const auto& folder : how_.folders) {
      if (how_.load(folder + "/" + name)) return file(folder + "/" + name, false);
    }
    if (how_.is_precompilable(name) && std::find(found.begin(), found.end(), name) == found.end())
      found.push_back(name);
    return true;
  }

  const IncludeSearch& how_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

std::vector<std::string> sure_includes(const std::string& source, const IncludeSearch& search) {
  Search all(search);
  all.file(source, true);
  return std::move(all.found);
}

bool uses_special_function(const std::string_view code) {
  // The last four names are extensions of libstdc++ in namespace __gnu_cxx.
  static const std::unordered_set<std::string_view> names = {
      "assoc_laguerre", "assoc_legendre", "beta",         "comp_ellint_1", "comp_ellint_2",
      "comp_ellint_3",  "cyl_bessel_i",   "cyl_bessel_j", "cyl_bessel_k",  "cyl_neumann",
      "ellint_1",       "ellint_2",       "ellint_3",     "expint",        "hermite",
      "laguerre",       "legendre",       "riemann_zeta", "sph_bessel",    "sph_legendre",
      "sph_neumann",    "airy_ai",        "airy_bi",      "conf_hyperg",   "hyperg"};
  const auto in_word = [](const char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
  char before = 0;  // the last character before a word, without blanks
  for (std::size_t at = 0; at < code.size();) {
    if (!in_word(code[at])) {
      if (!std::isspace(static_cast<unsigned char>(code[at]))) before = code[at];
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < code.size() && in_word(code[at])) ++at;
    std::string_view word = code.substr(begin, at - begin);
    if (names.count(word) == 0 && (word.back() == 'f' || word.back() == 'l')) word.remove_suffix(1);
    const std::size_t next = code.find_first_not_of(" \t\n", at);
    if (names.count(word) > 0 && (before == ':' || (next != code.npos && code[next] == '('))) return true;
    before = word.back();
  }
  return false;
}

}  // namespace emucc
