#include "analyse/execution_space.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_set>

#include "analyse/constant_values.hpp"
#include "parse/syntax_tree.hpp"
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
/// Of the C library and of CUDA's runtime, for the host alone.
bool is_host_library(std::string_view name) {
  static constexpr std::array<std::string_view, 48> names = {
      // the C library
      "rand", "srand", "drand48", "fprintf", "sprintf", "snprintf", "puts", "putchar", "scanf", "sscanf",
      "fopen", "fclose", "fflush", "exit", "getenv", "usleep", "sleep", "gettimeofday", "atoi", "atof",
      "calloc", "realloc", "qsort", "time", "getchar",
      // the runtime
      "cudaMemcpy", "cudaMemset", "cudaMemcpyToSymbol", "cudaMemcpyFromSymbol", "cudaMallocManaged",
      "cudaMallocHost", "cudaFreeHost", "cudaHostAlloc", "cudaMallocAsync", "cudaFreeAsync", "cudaSetDevice",
      "cudaDeviceReset", "cudaDeviceSynchronize", "cudaStreamCreate", "cudaStreamSynchronize",
      "cudaStreamQuery", "cudaEventCreate", "cudaEventSynchronize", "cudaEventElapsedTime", "cudaEventQuery",
      "cudaGetDeviceProperties", "cudaGetSymbolAddress", "cudaMemPrefetchAsync"};
  return contains(names, name);
}
/// Of the C++ library.
bool is_host_type(std::string_view name) {
  static constexpr std::array<std::string_view, 14> names = {
      "cout", "cerr", "cin",   "endl",   "string",        "vector", "map",
      "list", "set",  "deque", "thread", "unordered_map", "sort",   "mutex"};
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
  bool constexpr_ = false;            ///< a constexpr function of the host
  bool variable = false;              ///< of the host
  bool array = false;                 ///< of the host, constant
  bool constexpr_array = false;
  bool constant = false;  ///< of the host, a number
  bool started = false;   ///< and a function computes it when the program starts
  std::string scope;      ///< the namespaces around the function or variable, each with `::`
};

class Checker {
 public:
  Checker(const Syntax& syntax, const LanguageOptions& options) : syntax_(syntax), options_(options) {}

  Findings run() {
    collect(0, syntax_.size(), "", false);
    for (const auto& [unit, scope] : functions_) check(unit, scope);
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
    bool immediate = false;  // no call of it is left when the program runs
    for (std::size_t i = declaration.begin; i < declaration.name; ++i)
      immediate = immediate || syntax_.is(i, "consteval");
    if (member || elsewhere || immediate || words.global || (words.device && words.host) ||
        (!known.scope.empty() && known.scope != scope))
      known.other = true;
    else if (words.constexpr_ && !words.device)
      known.constexpr_ = true;
    else
      (words.device ? known.device : known.host) = true;
    known.scope = scope;
  }

  void note_variable(const Unit& unit, const std::string& scope) {
    const Words& words = unit.declaration.words;
    const VariableDeclaration found = read_variables(syntax_, unit.begin, unit.end);
    const bool on_host =
        !words.device && !words.constant && !words.managed && !words.shared && !words.template_;
    const bool constant = words.const_ || words.constexpr_;
    for (const auto& declarator : found.declarators) {
      if (declarator.name == npos) continue;
      DeclaredName& known = known_[std::string(syntax_.at(declarator.name))];
      known.scope = scope;
      if (!on_host) {
        known.other = true;
      } else if (!constant) {
        known.variable = true;
      } else if (is_number(found) && declarator.begin == declarator.name &&
                 syntax_.is(declarator.name + 1, "[")) {
        (words.constexpr_ ? known.constexpr_array : known.array) = true;
      } else if (is_number(found) && declarator.begin == declarator.name) {
        known.constant = true;
        known.started = !words.constexpr_ && is_started(declarator.initialiser, found.end);
      } else {
        known.other = true;
      }
    }
  }

  /// Of a type of the language's own.
  bool is_number(const VariableDeclaration& found) const {
    return std::all_of(found.type.begin(), found.type.end(), [&](std::size_t at) {
      return syntax_.is(at, "const") || is_arithmetic_type(syntax_.at(at));
    });
  }
  /// Does the initialiser call a function of the host that no compiler can compute?
  bool is_started(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (!syntax_.is_name(i) || !syntax_.is(i + 1, "(")) continue;
      const auto found = known_.find(std::string(syntax_.at(i)));
      if (found == known_.end() ? is_host_library(syntax_.at(i))
                                : found->second.host && !found->second.constexpr_ && !found->second.other)
        return true;
    }
    return false;
  }

  // ---- what is used

  void check(const Unit& unit, const std::string& scope) {
    const Words& words = unit.declaration.words;
    if (words.constexpr_ || (words.device && words.host)) return;
    const bool device = words.global || words.device;
    for (std::size_t i = unit.body + 1; i + 1 < unit.end; ++i) {
      if (syntax_.is(i, "[") && !device) {
        const std::size_t end = device_lambda_end(i);
        for (std::size_t k = i + 1; k < end; ++k)
          if (syntax_.is_name(k) && runs_on_device_alone(i)) in_device({unit, scope, k});
        i = end;
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

  struct Use {
    const Unit& unit;
    const std::string& scope;
    std::size_t at;
  };

  void in_device(const Use& use) {
    const std::size_t at = use.at;
    const std::string name(syntax_.at(at));
    if (at > 1 && syntax_.is(at - 1, "::") && syntax_.is(at - 2, "std") && !syntax_.is(at - 3, "::")) {
      if (is_host_type(name))
        error(at, "'std::" + name + "' is for host code only, but is used in device code" +
                      (name == "cout" || name == "cerr" || name == "endl" ? ": printf works there" : ""));
      else if (!options_.relaxed_constexpr && is_constexpr_library(at))
        error(at, "'std::" + name +
                      "' is a constexpr function of the host, but is called in device code: compile with "
                      "--expt-relaxed-constexpr, as nvcc asks, or use what CUDA has for it");
      else if (is_host_library(name) && syntax_.call_open(at) != npos)
        error(at, "'std::" + name + "' is a function of the host's library, but is called in device code");
      return;
    }
    const auto found = known_.find(name);
    if (found == known_.end()) {
      if (is_host_library(name) && is_call(use))
        error(at, "'" + name + "' is a function of the host's library, but is called in device code");
      return;
    }
    const DeclaredName& known = found->second;
    if (known.other || known.device || !sees(use, known)) return;
    if (known.constexpr_ && !known.host && !options_.relaxed_constexpr && is_call(use))
      error(at, "the constexpr function '" + name +
                    "' of the host is called in device code: compile with --expt-relaxed-constexpr, as nvcc "
                    "asks, or "
                    "declare it __host__ __device__");
    if (known.host && !is_built_in(name) && is_call(use))
      error(at,
            "the host function '" + name +
                "' is called in device code: declare it __device__, or __host__ __device__ for both sides");
    if (!known.host && !known.constexpr_ && is_used(use)) variable_in_device(use, known, name);
  }

  void variable_in_device(const Use& use, const DeclaredName& known, const std::string& name) {
    const std::size_t at = use.at;
    if (is_size(at)) return;
    if (known.variable)
      error(at, "the host variable '" + name +
                    "' is used in device code, where a GPU can't reach it: pass its value to the kernel, or "
                    "declare it __device__ or __constant__");
    else if (known.array || (known.constexpr_array && is_indexed_by_variable(at)))
      error(at,
            "the array '" + name +
                "' of the host is used in device code, where only the values of constants are there: declare "
                "it __constant__");
    else if (known.started)
      error(at, "'" + name +
                    "' is used in device code, but its value is computed when the program starts, on the "
                    "host: pass "
                    "it to the kernel");
    else if (known.constant && syntax_.is(at - 1, "&") && !ends_operand(at - 2))
      error(at, "the address of '" + name + "' is one of the host's memory, which device code can't reach");
  }

  /// `sizeof x`, `sizeof(x[0])`, `decltype(x)`
  bool is_size(std::size_t at) const {
    std::size_t before = at - 1;
    while (before > 0 && syntax_.is(before, "(")) --before;
    return syntax_.is(before, "sizeof") || syntax_.is(before, "decltype") || syntax_.is(before, "alignof");
  }
  bool is_indexed_by_variable(std::size_t at) const {
    return syntax_.is(at + 1, "[") &&
           is_known_at_run_time(syntax_, syntax_.tree().expression(at + 2, syntax_.after(at + 1) - 1));
  }
  /// Then what follows is an operator between two.
  bool ends_operand(std::size_t at) const {
    return syntax_.is(at, ")") || syntax_.is(at, "]") || (syntax_.is_name(at) && !syntax_.is(at, "return")) ||
           syntax_.stream().tokens[at].kind == TokenKind::number;
  }

  /// `std::max(…)`, `std::numeric_limits<T>::max()`
  bool is_constexpr_library(std::size_t at) const {
    if (syntax_.is(at, "max") || syntax_.is(at, "min") || syntax_.is(at, "clamp"))
      return syntax_.call_open(at) != npos;
    if (!syntax_.is(at, "numeric_limits") || !syntax_.is(at + 1, "<")) return false;
    const std::size_t close = syntax_.template_close(at + 1);
    return close != npos && syntax_.is(close + 1, "::") && syntax_.is(close + 3, "(");
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
    if (known.other || known.host || known.constexpr_ || !known.device || is_built_in(name) ||
        !sees(use, known) || !is_call(use))
      return;
    error(use.at, "the __device__ function '" + name +
                      "' is called in host code: call it in a kernel, or declare it __host__ __device__");
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

  /// Of a lambda for the device: is it marked for the host too?
  bool runs_on_device_alone(std::size_t at) const {
    for (std::size_t i = at, body = syntax_.lambda_body(at); i < body; ++i)
      if (syntax_.word(i) == Word::host) return false;
    return true;
  }

  void error(std::size_t at, std::string message) { findings_.error(syntax_, at, std::move(message)); }
  void warning(std::size_t at, std::string message) { findings_.warning(syntax_, at, std::move(message)); }

  const Syntax& syntax_;
  std::map<std::string, DeclaredName> known_;
  std::vector<std::pair<Unit, std::string>> functions_;
  const LanguageOptions& options_;
  Findings findings_;
};

}  // namespace

Findings check_spaces(const Syntax& syntax, const LanguageOptions& options) {
  return Checker(syntax, options).run();
}

}  // namespace emucc
