#include "analyse/execution_space.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_set>

#include "parse/units.hpp"
#include "parse/variables.hpp"

namespace emucc {
namespace {

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Functions of both sides: a user's function of such a name is an overload.
bool is_built_in(std::string_view name) {
  static constexpr std::array<std::string_view, 40> names = {
      "abs",    "min",  "max",   "fabs",  "fabsf",  "sqrt", "sqrtf", "pow",   "powf",  "exp",
      "expf",   "log",  "logf",  "sin",   "sinf",   "cos",  "cosf",  "tan",   "tanf",  "floor",
      "floorf", "ceil", "ceilf", "round", "roundf", "fmin", "fminf", "fmax",  "fmaxf", "fmod",
      "fmodf",  "norm", "rsqrt", "hypot", "swap",   "rint", "clock", "clamp", "fma",   "trunc"};
  return contains(names, name) || name.rfind("__", 0) == 0 || name.rfind("make_", 0) == 0;
}
/// Of the C library, for the host alone.
bool is_host_library(std::string_view name) {
  static constexpr std::array<std::string_view, 18> names = {
      "rand",   "srand", "drand48", "fprintf", "sprintf", "snprintf", "puts",   "putchar", "scanf",
      "sscanf", "fopen", "fclose",  "fflush",  "exit",    "getenv",   "usleep", "sleep",   "gettimeofday"};
  return contains(names, name);
}
/// Of the C++ library.
bool is_host_type(std::string_view name) {
  static constexpr std::array<std::string_view, 14> names = {
      "cout", "cerr", "cin",   "endl",   "string",        "vector", "map",
      "list", "set",  "deque", "thread", "unordered_map", "sort",   "mutex"};
  return contains(names, name);
}
/// Of <cstring>, where device code has memcpy and memset alone.
bool is_string_function(std::string_view name) {
  static constexpr std::array<std::string_view, 15> names = {
      "strlen",  "strcmp", "strncmp", "strcpy", "strncpy", "strcat", "strncat", "strchr",
      "strrchr", "strstr", "strtok",  "strdup", "memcmp",  "memchr", "memmove"};
  return contains(names, name);
}
bool is_device_function(std::string_view name) {
  static constexpr std::array<std::string_view, 17> names = {"__syncthreads",
                                                             "__syncwarp",
                                                             "__threadfence",
                                                             "__threadfence_block",
                                                             "__shfl_sync",
                                                             "__shfl_up_sync",
                                                             "__shfl_down_sync",
                                                             "__shfl_xor_sync",
                                                             "__ballot_sync",
                                                             "atomicAdd",
                                                             "atomicSub",
                                                             "atomicMax",
                                                             "atomicMin",
                                                             "atomicCAS",
                                                             "atomicExch",
                                                             "__ldg",
                                                             "cudaGraphSetConditional"};
  return contains(names, name);
}

/// All that the file declares under one name.
struct DeclaredName {
  bool host = false, device = false;  ///< functions of this side alone
  bool other = false;                 ///< or something that the name may mean besides
  bool variable = false;              ///< of the host
  bool constant_array = false;        ///< const, of the host
  bool device_variable = false;       ///< of the device alone, and no constant of the language
  const char* space = "__device__";   ///< of such a variable
  std::string scope;                  ///< the namespaces around the function or variable, each with `::`
};

class Checker {
 public:
  explicit Checker(const Syntax& syntax) : syntax_(syntax) {}

  SpaceFindings run() {
    collect(0, syntax_.size(), "", false);
    for (const auto& [unit, scope] : functions_) check(unit, scope);
    for (const auto& [unit, scope] : host_variables_) check_initialisers(unit, scope);
    return std::move(findings_);
  }

 private:
  // ---- what there is

  void collect(std::size_t begin, std::size_t end, const std::string& scope, bool member) {
    for (const Unit& unit : units_of(syntax_, begin, end)) {
      const Declaration& declaration = unit.declaration;
      if (unit.kind == Unit::Kind::block) {
        collect(unit.body + 1, syntax_.after(unit.body) - 1, scope + block_name(unit), member);
      } else if (unit.kind == Unit::Kind::class_) {
        known_[declared_name(syntax_, unit)].other = true;
        collect(unit.body + 1, syntax_.after(unit.body) - 1, scope, true);
      } else if (declaration.name != npos && declaration.parameters != npos) {
        if (unit.kind == Unit::Kind::function) functions_.emplace_back(unit, scope);
        note_function(declaration, scope, member);
      } else if (declaration.kind == Declaration::Kind::variable && !member) {
        note_variable(unit, scope);
      } else {
        if (declaration.kind == Declaration::Kind::variable) check_member(declaration);
        for (std::size_t i = unit.begin; i < unit.end; ++i)
          if (syntax_.is_name(i)) known_[std::string(syntax_.at(i))].other = true;
      }
    }
  }

  /// `a::b::` of a namespace; nothing of one without a name, of an inline one, of `extern "C"`.
  std::string block_name(const Unit& unit) const {
    std::string name;
    if (syntax_.word(unit.begin) == Word::namespace_)
      for (std::size_t i = unit.begin + 1; i < unit.body; ++i)
        if (syntax_.is_name(i)) name += std::string(syntax_.at(i)) + "::";
    return name;
  }

  void note_function(const Declaration& declaration, const std::string& scope, bool member) {
    if (syntax_.is(declaration.parameters + 1, "*")) return;  // float (*f(int))(float): it returns a pointer
    DeclaredName& known = known_[std::string(syntax_.at(declaration.name))];
    const Words& words = declaration.words;
    const bool elsewhere = declaration.name > 0 && syntax_.is(declaration.name - 1, "::");
    if (member || elsewhere || words.global || words.constexpr_ || (words.device && words.host) ||
        (!known.scope.empty() && known.scope != scope))
      known.other = true;
    else
      (words.device ? known.device : known.host) = true;
    known.scope = scope;
  }

  void note_variable(const Unit& unit, const std::string& scope) {
    const Words& words = unit.declaration.words;
    const VariableDeclaration found = read_variables(syntax_, unit.begin, unit.end);
    const bool one_side = !words.managed && !words.constexpr_ && !words.template_;
    const bool of_device = one_side && (words.device || words.constant);
    const bool of_host = one_side && !words.device && !words.constant;
    const bool on_host = of_host && !words.const_ && !words.shared;
    const bool on_device = of_device && !words.const_;
    for (const auto& declarator : found.declarators) {
      if (declarator.name == npos) continue;
      DeclaredName& known = known_[std::string(syntax_.at(declarator.name))];
      const bool elsewhere = known.device_variable && known.scope != scope;
      // The values of constants that are no arrays are known where they are used.
      const bool array = of_host && words.const_ && syntax_.is(declarator.name + 1, "[");
      (on_host                   ? known.variable
       : array                   ? known.constant_array
       : on_device && !elsewhere ? known.device_variable
                                 : known.other) = true;
      known.scope = scope;
      if (words.constant) known.space = "__constant__";
    }
    if (of_host && !words.shared) host_variables_.emplace_back(unit, scope);
  }

  /// nvcc allows these words on functions of a class alone.
  void check_member(const Declaration& member) {
    const Words& words = member.words;
    if (words.static_ && (words.device || words.constant || words.managed))
      error(
          member.begin,
          "a class can't have a variable of the device as a static member: declare it outside of the class, "
          "in a namespace if its name is too common");
  }

  // ---- what is used

  void check(const Unit& unit, const std::string& scope) {
    const Words& words = unit.declaration.words;
    if (words.constexpr_ || (words.device && words.host)) return;
    const bool device = words.global || words.device;
    for (std::size_t i = unit.body + 1; i + 1 < unit.end; ++i) {
      if (syntax_.is(i, "[") && !device) {
        i = device_lambda_end(i);
        continue;
      }
      if (!syntax_.is_name(i)) continue;
      const Use use{unit, scope, i};
      if (device)
        in_device(use);
      else
        in_host(use);
    }
  }

  /// They run on the host, before main().
  void check_initialisers(const Unit& unit, const std::string& scope) {
    const auto declarators = read_variables(syntax_, unit.begin, unit.end).declarators;
    const auto first = std::find_if(declarators.begin(), declarators.end(),
                                    [](const Declarator& one) { return one.initialiser != npos; });
    if (first == declarators.end()) return;
    for (std::size_t i = first->initialiser; i < unit.end; ++i) {
      if (syntax_.is(i, "["))
        i = device_lambda_end(i);
      else if (syntax_.is_name(i))
        in_host({unit, scope, i});
    }
  }

  struct Use {
    const Unit& unit;
    const std::string& scope;
    std::size_t at;
  };

  void in_device(const Use& use) {
    const std::size_t at = use.at;
    const std::string name(syntax_.at(at));
    if (at > 1 && syntax_.is(at - 1, "::") && syntax_.is(at - 2, "std") && !syntax_.is(at - 3, "::")) {
      if (is_string_function(name) && syntax_.call_open(at) != npos)
        library_in_device(at, name);
      else if (is_host_type(name))
        error(at, "'std::" + name + "' is for host code only, but is used in device code" +
                      (name == "cout" || name == "cerr" || name == "endl" ? ": printf works there" : ""));
      return;
    }
    const auto found = known_.find(name);
    if (found == known_.end()) {
      if ((is_host_library(name) || is_string_function(name)) && is_call(use)) library_in_device(at, name);
      return;
    }
    const DeclaredName& known = found->second;
    if (known.other || known.device || known.device_variable || !sees(use, known)) return;
    if (known.host && !is_built_in(name) && is_call(use))
      error(at,
            "the host function '" + name +
                "' is called in device code: declare it __device__, or __host__ __device__ for both sides");
    if (known.constant_array && !known.host && !known.variable && is_used(use) && !is_unevaluated(at))
      error(at, "the host's constant array '" + name +
                    "' is used in device code, where it is undefined: declare it __constant__");
    if (known.variable && !known.host && is_used(use))
      warning(at,
              "the host variable '" + name +
                  "' is used in device code, where a GPU can't reach it: pass its value to the kernel, or "
                  "declare it __device__ or __constant__");
  }

  void library_in_device(std::size_t at, const std::string& name) {
    error(at, "'" + name + "' is a function of the host's library, but is called in device code");
  }

  void in_host(const Use& use) {
    const std::string name(syntax_.at(use.at));
    const auto found = known_.find(name);
    if (found == known_.end()) {
      if (is_device_function(name) && is_call(use))
        error(use.at, "'" + name + "' works in device code only, but is called in host code");
      return;
    }
    const DeclaredName& known = found->second;
    if (known.device_variable) return variable_in_host(use, known);
    if (known.other || known.host || !known.device || is_built_in(name) || !sees(use, known) || !is_call(use))
      return;
    error(use.at, "the __device__ function '" + name +
                      "' is called in host code: call it in a kernel, or declare it __host__ __device__");
  }

  void variable_in_host(const Use& use, const DeclaredName& known) {
    if (known.other || known.host || known.device || known.variable) return;
    const std::size_t begin = begin_of_name(use.at);
    if (!(begin == use.at ? sees(use, known) && is_used(use) : is_qualified(begin, use.at, known)) ||
        is_unevaluated(begin))
      return;
    findings_.variables_on_host.push_back({begin, use.at});
    if (may_be_reference(begin, use.at)) return;
    warning(use.at, std::string("the ") + known.space + " variable '" + std::string(syntax_.at(use.at)) +
                        "' is used in host code, which has a copy of its own: cudaMemcpyToSymbol and "
                        "cudaMemcpyFromSymbol reach the device's, and kernels use its name");
  }

  /// Does `a::b::x` mean the variable of that name, and not a member of a class?
  bool is_qualified(std::size_t begin, std::size_t name, const DeclaredName& known) const {
    std::string qualifier;
    for (std::size_t i = begin; i < name; ++i) qualifier += syntax_.at(i);
    const std::string whole = "::" + known.scope;
    if (syntax_.is(name + 1, "::") || syntax_.is(begin - 1, ">")) return false;
    return qualifier.front() == ':' ? qualifier == whole : whole.ends_with("::" + qualifier);
  }

  /// Where `a::b::x` begins.
  std::size_t begin_of_name(std::size_t at) const {
    while (at > 0 && syntax_.is(at - 1, "::")) at -= at > 1 && syntax_.is_name(at - 2) ? 2 : 1;
    return at;
  }

  /// `sizeof x`, `decltype(x)`, `std::size(x)`: only its type counts.
  bool is_unevaluated(std::size_t at) const {
    static constexpr std::array<std::string_view, 8> words = {"sizeof",   "alignof", "decltype", "typeid",
                                                              "noexcept", "size",    "ssize",    "typeof"};
    return contains(words, syntax_.at(at - 1)) ||
           (syntax_.is(at - 1, "(") && contains(words, syntax_.at(at - 2)));
  }

  /// As a whole argument of a call: CUDA's functions for symbols take it by reference, and the user's own may. Kernels and
  /// these functions take a value or an address.
  bool may_be_reference(std::size_t at, std::size_t name) const {
    static constexpr std::array<std::string_view, 9> by_value = {
        "printf",          "fprintf",    "memcpy",          "memset",  "cudaMemcpy",
        "cudaMemcpyAsync", "cudaMemset", "cudaMemsetAsync", "cudaFree"};
    const std::size_t before = syntax_.is(at - 1, "&") ? at - 2 : at - 1;
    const bool begins =
        syntax_.is(before, "(") || syntax_.is(before, ",") || syntax_.is(before, ")");  // a cast
    if (!begins || !(syntax_.is(name + 1, ")") || syntax_.is(name + 1, ","))) return false;
    std::size_t open = at;
    while (open > 0 && (!syntax_.is(open, "(") || syntax_.partner(open) < at)) --open;
    if (open < 3 || syntax_.is_launch_close(open - 3)) return false;
    return (syntax_.is_name(open - 1) || syntax_.is(open - 1, ">")) &&
           !contains(by_value, syntax_.at(open - 1));
  }

  /// A name of an enclosing namespace.
  static bool sees(const Use& use, const DeclaredName& known) { return use.scope.rfind(known.scope, 0) == 0; }

  bool is_used(const Use& use) const {
    const std::size_t at = use.at;
    if (at > 0 && (syntax_.is(at - 1, ".") || syntax_.is(at - 1, "->") || syntax_.is(at - 1, "::")))
      return false;
    return !syntax_.is(at + 1, "::") && !is_shadowed(use);
  }
  bool is_call(const Use& use) const { return syntax_.call_open(use.at) != npos && is_used(use); }

  /// Does the function declare the name for itself?
  bool is_shadowed(const Use& use) const {
    const std::string_view name = syntax_.at(use.at);
    for (std::size_t i = use.unit.declaration.parameters; i < use.unit.end; ++i) {
      if (syntax_.is(i, name) && declares(i)) return true;
    }
    return false;
  }
  /// Only words of a type stand between the beginning of a statement, or of a parameter, and the name.
  bool declares(std::size_t at) const {
    static constexpr std::array<std::string_view, 9> no_types = {
        "return", "else", "case", "throw", "goto", "delete", "sizeof", "co_return", "do"};
    if (at > 1 && syntax_.is(at - 1, "*") && syntax_.is(at - 2, "(") && syntax_.is(at + 1, ")")) return true;
    bool typed = false;
    for (std::size_t i = at; i-- > 0;) {
      const std::string_view spelling = syntax_.at(i);
      if (contains(no_types, spelling)) return false;
      if (syntax_.is(i, ">") && syntax_.template_open(i) != npos) {
        i = syntax_.template_open(i);
      } else if (syntax_.is_identifier(i)) {
        typed = true;
      } else if (spelling != "*" && spelling != "&" && spelling != "&&" && spelling != "::") {
        return typed && (spelling == ";" || spelling == "{" || spelling == "}" || spelling == "(" ||
                         spelling == ")" || spelling == "," || spelling == "[");
      }
    }
    return false;
  }

  /// The end of a lambda that runs on the device; `at` where there is none.
  std::size_t device_lambda_end(std::size_t at) const {
    const std::size_t body = syntax_.lambda_body(at);
    if (body == npos) return at;
    for (std::size_t i = at; i < body; ++i)
      if (syntax_.word(i) == Word::device || syntax_.word(i) == Word::global) return syntax_.after(body) - 1;
    return at;
  }

  void error(std::size_t at, std::string message) { add(findings_.errors, at, std::move(message)); }
  void warning(std::size_t at, std::string message) { add(findings_.warnings, at, std::move(message)); }
  /// One message for each line is enough.
  void add(std::vector<Diagnostic>& to, std::size_t at, std::string message) {
    const Token& token = syntax_.stream().tokens[at];
    const Place& place = syntax_.stream().places[token.place];
    if (!place.flags.empty()) return;  // a macro of a system header
    if (!to.empty() && to.back().line == token.line && to.back().message == message) return;
    to.push_back({place.file, token.line, token.told_column(), std::move(message)});
  }

  const Syntax& syntax_;
  std::map<std::string, DeclaredName> known_;
  std::vector<std::pair<Unit, std::string>> functions_, host_variables_;  ///< with their scopes
  SpaceFindings findings_;
};

}  // namespace

SpaceFindings check_spaces(const Syntax& syntax) {
  return Checker(syntax).run();
}

}  // namespace emucc
