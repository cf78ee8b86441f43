#include "similarity/tokens.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "workspace/source_scan.hpp"

namespace grader {
namespace {

using Words = std::unordered_set<std::string_view>;

/// Optional words that change little. They are not tokens.
const Words qualifiers = {"const",        "constexpr", "static",     "inline",   "extern", "volatile",
                          "__restrict__", "register",  "__restrict", "restrict", "std"};
const Words arithmetic = {"int",    "long",     "short",  "char",    "float",    "double",  "bool",    "auto",
                          "signed", "unsigned", "size_t", "int32_t", "uint32_t", "int64_t", "uint64_t"};
/// Words whose replacement changes the meaning of the program.
const Words kept = {"if",
                    "else",
                    "for",
                    "while",
                    "do",
                    "switch",
                    "case",
                    "default",
                    "break",
                    "continue",
                    "return",
                    "goto",
                    "struct",
                    "class",
                    "template",
                    "typename",
                    "new",
                    "delete",
                    "sizeof",
                    "void",
                    "true",
                    "false",
                    "nullptr",
                    "NULL",
                    "using",
                    "typedef",
                    "namespace",
                    "operator",
                    "static_cast",
                    "define",
                    "pragma",
                    "unroll",
                    "threadIdx",
                    "blockIdx",
                    "blockDim",
                    "gridDim",
                    "warpSize",
                    "dim3",
                    "min",
                    "max",
                    "fmin",
                    "fmax",
                    "fminf",
                    "fmaxf",
                    "sinf",
                    "cosf",
                    "sqrtf",
                    "fmaf",
                    "printf",
                    "malloc",
                    "free",
                    "memcpy",
                    "memset",
                    "vector",
                    "float2",
                    "float4",
                    "this_grid",
                    "exit",
                    "this_thread_block",
                    "tiled_partition",
                    "sync",
                    "shfl_down"};
const std::string_view kept_beginnings[] = {"cuda", "__", "atomic", "CUDA_", "LAB_TODO"};
const std::string_view operators[] = {
    "<<<", ">>>", "<<=", ">>=", "->", "++", "--", "<=", ">=", "==", "!=", "&&",
    "||",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "::", "<<", ">>"};

bool is_name(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// FNV-1a, so that the same text gives the same tokens on every machine.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

class Reader {
 public:
  Reader(const std::string& text, std::size_t most) : text_(text), kinds_(classify(text)), most_(most) {}

  std::vector<Token> read() {
    while (at_ < text_.size() && out_.size() < most_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (kinds_[at_] == TextKind::string) {
        literal();
      } else if (kinds_[at_] == TextKind::comment || kinds_[at_] == TextKind::comment_start ||
                 static_cast<unsigned char>(c) <= ' ' || c == '{' || c == '}' || c == '\\') {
        ++at_;
      } else if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
        number();
      } else if (is_name(c)) {
        name();
      } else {
        sign();
      }
    }
    return std::move(out_);
  }

 private:
  void add(std::string_view word) {
    out_.push_back({hash_of(word), line_});
    last_ = word;
  }

  void literal() {
    add("\"");
    for (; at_ < text_.size() && kinds_[at_] == TextKind::string; ++at_) line_ += text_[at_] == '\n';
  }

  void number() {
    const auto exponent = [&] {
      const char before = text_[at_ - 1];
      return (text_[at_] == '+' || text_[at_] == '-') && (before == 'e' || before == 'E' || before == 'p');
    };
    ++at_;
    while (at_ < text_.size() &&
           (is_name(text_[at_]) || text_[at_] == '.' || text_[at_] == '\'' || exponent()))
      ++at_;  // 0x1e+4 is a sum, but it may be one token
    add("0");
  }

  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    const std::string_view word = std::string_view(text_).substr(begin, at_ - begin);
    if (qualifiers.count(word) != 0) return;
    if (arithmetic.count(word) != 0) {
      if (last_ != "int") add("int");  // "unsigned int" is one token
    } else if (stays(word)) {
      add(word);
    } else {
      add("x");
    }
  }

  bool stays(std::string_view word) const {
    if (kept.count(word) != 0) return true;
    // Components of threadIdx and similar variables. The author chooses the names of all other members.
    if (last_ == "." && word.size() == 1 && word >= "w" && word <= "z") return true;
    return std::any_of(std::begin(kept_beginnings), std::end(kept_beginnings),
                       [&](std::string_view beginning) { return word.starts_with(beginning); });
  }

  void sign() {
    const std::string_view rest = std::string_view(text_).substr(at_, 3);
    for (const std::string_view known : operators) {
      if (!rest.starts_with(known)) continue;
      at_ += known.size();
      if (known != "::") add(known);
      return;
    }
    add(rest.substr(0, 1));
    ++at_;
  }

  const std::string& text_;
  const std::vector<TextKind> kinds_;
  const std::size_t most_;
  std::vector<Token> out_;
  std::string_view last_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
};

}  // namespace

std::vector<Token> tokens_of(const std::string& text, std::size_t most) {
  return Reader(text, most).read();
}

}  // namespace grader
