// Attributes are refused unless they are listed as allowed, since a new compiler may have new attributes that
// switch instrumentation off. Builtins are allowed unless they are listed as refused, since most builtins
// only compute and access no memory.
#include "analyse/hidden_code.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "parse/units.hpp"

namespace emucc {
namespace {

constexpr std::string_view allowed_attributes[] = {
    // attributes of C++
    "assume", "carries_dependency", "deprecated", "fallthrough", "likely", "maybe_unused",
    "no_unique_address", "nodiscard", "noreturn", "unlikely",
    // attributes of compilers
    "aligned", "alloc_align", "alloc_size", "always_inline", "assume_aligned", "cold", "const", "constructor",
    "destructor", "flatten", "format", "format_arg", "hot", "ivdep", "leaf", "malloc", "may_alias",
    "noinline", "nonnull", "nothrow", "packed", "pure", "returns_nonnull", "sentinel", "unroll", "unused",
    "used", "vector_size", "visibility", "warn_unused_result"};

/// Builtins that access memory, the stack or other functions without instrumentation.
constexpr std::string_view refused_builtins[] = {
    "_",    "alloca",  "apply",   "bcmp",    "bcopy",  "bzero",    "call_with", "calloc",   "dwarf",
    "eh_",  "exec",    "extract", "fork",    "fprint", "fput",     "frame",     "free",     "frob",
    "ia32", "index",   "init_",   "longjmp", "malloc", "mem",      "nontemp",   "prefetch", "print",
    "put",  "realloc", "return",  "rindex",  "setjmp", "snprint",  "sprint",    "stack",    "stp",
    "str",  "thread",  "unwind",  "vfprint", "vprint", "vsnprint", "vsprint"};

/// Names of the tools and of the emulation, also as the linker spells them.
constexpr std::string_view refused_names[] = {
    "__asan_",  "__cyg_profile", "__gcov_", "__real_", "__rtl_",   "__sanitizer_", "__tsan_",
    "__ubsan_", "__wrap_",       "_ZN",     "cuemu_",  "__start_", "__stop_",      "_GLOBAL_OFFSET_"};

constexpr std::string_view pragmas_of_gcc[] = {"diagnostic", "error",  "ivdep",  "novector",
                                               "poison",     "unroll", "warning"};
constexpr std::string_view pragmas_of_clang[] = {"diagnostic", "loop", "fp"};
constexpr std::string_view refused_pragmas[] = {"extern_prefix", "redefine_extname", "weak"};

template <std::size_t n>
bool is_in(const std::string_view (&list)[n], std::string_view word) {
  return std::find(list, list + n, word) != list + n;
}
template <std::size_t n>
bool begins_with_one_of(const std::string_view (&list)[n], std::string_view word) {
  return std::any_of(list, list + n,
                     [&](std::string_view begin) { return word.substr(0, begin.size()) == begin; });
}

/// Returns an attribute's name without underscores: `noinline` for `__noinline__`.
std::string_view without_underscores(std::string_view name) {
  if (name.size() > 4 && name.substr(0, 2) == "__" && name.substr(name.size() - 2) == "__")
    return name.substr(2, name.size() - 4);
  return name;
}

bool is_assembly(std::string_view word) {
  return word == "asm" || word == "__asm__" || word == "__asm";
}

class HiddenCode {
 public:
  explicit HiddenCode(const TokenStream& stream) : stream_(stream) {}

  std::vector<Diagnostic> find() {
    for (at_ = 0; at_ + 1 < stream_.tokens.size(); ++at_) {
      const Token& token = stream_.tokens[at_];
      if (!is_submitted(stream_.places[token.place].file)) continue;
      const std::string_view word = stream_.spelling(token);
      if (token.kind == TokenKind::directive) pragma(word);
      if (token.kind == TokenKind::identifier) name(word);
      if (token.kind == TokenKind::punctuator) punctuator(word);
    }
    return std::move(found_);
  }

 private:
  std::string_view spelling(std::size_t index) const {
    return index < stream_.tokens.size() ? stream_.spelling(index) : std::string_view();
  }
  bool is_identifier(std::size_t index) const {
    return index < stream_.tokens.size() && stream_.tokens[index].kind == TokenKind::identifier;
  }
  bool touches_next(std::size_t index) const {
    return index + 1 < stream_.tokens.size() && !stream_.tokens[index + 1].space_before;
  }

  void refuse(std::size_t at, std::string_view what, const char* why) {
    const Token& token = stream_.tokens[at];
    if (!found_.empty() && found_.back().line == token.line &&
        found_.back().file == stream_.places[token.place].file)
      return;
    found_.push_back({stream_.places[token.place].file, token.line, token.reported_column(),
                      "'" + std::string(what) + "' " + why});
  }

  void name(std::string_view word) {
    if (word == "__attribute__" || word == "__attribute" || word == "__declspec") {
      attributes(at_ + 1, "(");
      return;
    }
    constexpr std::string_view builtin = "__builtin_";
    const bool of_system =
        !stream_.places[stream_.tokens[at_].place].flags.empty();  // in a system header's macro
    if (word.substr(0, builtin.size()) == builtin) {
      if (begins_with_one_of(refused_builtins, word.substr(builtin.size())))
        refuse(at_, word, "is hidden from the checker and the counters: call the ordinary function instead");
    } else if (word.substr(0, 7) == "__sync_" || word.substr(0, 9) == "__atomic_") {
      refuse(at_, word,
             "is no part of CUDA: use atomicAdd() and its like in kernels, and std::atomic on the host");
    } else if (!of_system && (word == "cuemu" || begins_with_one_of(refused_names, word))) {
      refuse(at_, word, "is a name of those who run and watch the program: use another name");
    }
  }

  void punctuator(std::string_view word) {
    if (word == "[" && spelling(at_ + 1) == "[") attributes(at_, "[");
    const bool digraph =
        (word == "<" && touches_next(at_) && (spelling(at_ + 1) == ":" || spelling(at_ + 1) == "%"));
    if (digraph) refuse(at_, "<" + std::string(spelling(at_ + 1)), "is a digraph: write the bracket itself");
  }

  /// Reads attributes; `at` is the first of their two opening brackets.
  void attributes(std::size_t at, std::string_view open) {
    if (spelling(at) != open || spelling(at + 1) != open) return;
    int depth = 2;  // number of open brackets of any kind
    bool begins = true;
    for (at += 2; at + 1 < stream_.tokens.size() && depth > 1; ++at) {
      const std::string_view word = spelling(at);
      if (word == "(" || word == "[" || word == "{") ++depth;
      if (word == ")" || word == "]" || word == "}") --depth;
      if (depth == 2 && begins && word == "using") {  // [[using gnu: noinline]]
        at += 2;
      } else if (depth == 2 && begins && is_identifier(at)) {
        while (spelling(at + 1) == "::" && is_identifier(at + 2)) at += 2;
        const std::string_view name = without_underscores(spelling(at));
        if (!is_in(allowed_attributes, name))
          refuse(at, name, "is an attribute that a submission may not have: remove it");
        begins = false;
      } else if (depth == 2 && word == ",") {
        begins = true;
      }
    }
  }

  void pragma(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; begin < line.size() && words.size() < 4;) {
      const std::size_t end = std::min(line.find_first_of(" \t(#", begin), line.size());
      if (end > begin) words.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    if (words.size() < 2 || words[0] != "pragma") return;
    const std::string_view who = words[1], what = words.size() > 2 ? words[2] : std::string_view();
    const bool refused = is_in(refused_pragmas, who) || (who == "GCC" && !is_in(pragmas_of_gcc, what)) ||
                         (who == "clang" && !is_in(pragmas_of_clang, what));
    if (!refused) return;
    const std::string shown = "#pragma " + std::string(who) + (what.empty() ? "" : " ") + std::string(what);
    refuse(at_, shown, "changes how code is compiled or named, and a submission may not have it: remove it");
  }

  const TokenStream& stream_;
  std::size_t at_ = 0;
  std::vector<Diagnostic> found_;
};

/// The functions of a file: device functions that it only declares, by name; the names of all functions that
/// it defines; and the ranges of device code.
struct Declared {
  std::unordered_map<std::string_view, std::size_t> only;  ///< the token of its name
  std::unordered_set<std::string_view> defined;
  std::vector<std::pair<std::size_t, std::size_t>> on_device;  ///< from a body's `{` to its `}`

  void collect(const Syntax& syntax, std::size_t begin, std::size_t end) {
    for (const Unit& unit : units_of(syntax, begin, end)) {
      const Declaration& found = unit.declaration;
      const std::size_t close = unit.body == npos ? npos : syntax.partner(unit.body);
      if (unit.kind == Unit::Kind::block || unit.kind == Unit::Kind::class_) {
        if (close != npos) collect(syntax, unit.body + 1, close);
      } else if (found.name == npos) {
        continue;
      } else if (found.kind == Declaration::Kind::function) {
        defined.insert(syntax.at(found.name));
        if (close != npos && (found.words.device || found.words.global))
          on_device.emplace_back(unit.body, close);
      } else if (found.kind == Declaration::Kind::prototype && found.words.device) {
        only.emplace(syntax.at(found.name), found.name);
      }
    }
  }
};

/// Returns true if a string literal has no text.
bool is_empty_text(std::string_view literal) {
  return literal == "\"\"";
}

}  // namespace

std::vector<Diagnostic> check_hidden_code(const TokenStream& stream) {
  return HiddenCode(stream).find();
}

std::vector<Diagnostic> check_device_functions(const Syntax& syntax) {
  const TokenStream& stream = syntax.stream();
  Declared declared;
  declared.collect(syntax, 0, syntax.size());
  std::erase_if(declared.only, [&](const auto& one) {
    return declared.defined.count(one.first) > 0 ||
           !is_submitted(stream.places[stream.tokens[one.second].place].file);
  });
  std::vector<Diagnostic> found;
  for (const auto& [open, close] : declared.on_device)
    for (std::size_t at = open; at < close && !declared.only.empty(); ++at) {
      const auto one = declared.only.find(syntax.at(at));
      if (one == declared.only.end() || !syntax.is_identifier(at)) continue;
      const Token& token = stream.tokens[one->second];
      found.push_back({stream.places[token.place].file, token.line, token.reported_column(),
                       "'" + std::string(one->first) +
                           "' is a function of the device that this file does not define: define it here, as "
                           "nvcc asks without -rdc=true"});
      declared.only.erase(one);
    }
  return found;
}

std::vector<std::size_t> assembly_in(const TokenStream& stream) {
  std::vector<std::size_t> found;
  const std::vector<Token>& tokens = stream.tokens;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].kind != TokenKind::identifier || !is_assembly(stream.spelling(at)) ||
        !is_submitted(stream.places[tokens[at].place].file))
      continue;
    std::size_t text = at + 1;
    while (text + 1 < tokens.size() && tokens[text].kind == TokenKind::identifier) ++text;  // volatile, goto
    bool empty = stream.spelling(text) == "(";
    for (++text; empty && text + 1 < tokens.size() && tokens[text].kind == TokenKind::string; ++text)
      empty = is_empty_text(stream.spelling(text));
    const std::string_view behind = stream.spelling(text);
    if (!empty || (behind != ")" && behind != ":" && behind != "::")) found.push_back(at);
  }
  return found;
}

Diagnostic host_assembly(const TokenStream& stream, std::size_t at) {
  const Token& token = stream.tokens[at];
  return {stream.places[token.place].file, token.line, token.reported_column(),
          "assembly of this machine is hidden from the checker and the counters: write C++ instead (PTX in "
          "kernels is welcome)"};
}

}  // namespace emucc
