#include "analyse/execution_space.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <unordered_set>

#include "analyse/constant_values.hpp"
#include "analyse/library_names.hpp"
#include "analyse/sides.hpp"
#include "parse/parameters.hpp"
#include "parse/syntax_tree.hpp"
#include "parse/units.hpp"
#include "parse/variables.hpp"

namespace emucc {
namespace {

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The kinds of declarations that one name has in the file.
struct DeclaredName {
  bool host = false, device = false;  ///< functions of only this side
  bool other = false;                 ///< or something else that the name may mean
  bool constexpr_ = false;            ///< a constexpr function of the host
  std::size_t definitions = 0;        ///< of functions
  bool template_ = false;             ///< a function template is among them
  bool variable = false;              ///< of the host
  bool constant_array = false;        ///< const, of the host
  bool constexpr_array = false;       ///< constexpr, of the host, of numbers
  bool constant = false;              ///< of the host, a number
  bool started = false;               ///< and a function initialises it when the program starts
  bool device_variable = false;       ///< of the device alone, and not a constant of the language
  const char* space = "__device__";   ///< of such a variable
  bool simple = false;                ///< a number or a pointer: not an array, not an object of a class
  std::string scope;                  ///< the namespaces around the function or variable, each with `::`
};

class Checker {
 public:
  Checker(const Syntax& syntax, const LanguageOptions& options)
      : syntax_(syntax), options_(options), compiled_(syntax) {}

  SpaceFindings run() {
    note_aliases();
    collect(0, syntax_.size(), "", false);
    for (const Function& each : functions_) check(each);
    for (const auto& [unit, scope] : host_variables_) check_initialisers(unit, scope);
    return std::move(findings_);
  }

 private:
  struct Function {
    Unit unit;
    std::string scope;
    bool member, in_template;
  };
  /// A use of a name in a function.
  struct Use {
    const Unit& unit;
    const std::string& scope;
    std::size_t at;
    bool certain;  ///< the function isn't a template that may have no instance
  };

  // ---- declarations

  void collect(std::size_t begin, std::size_t end, const std::string& scope, bool member,
               bool in_template = false) {
    for (const Unit& unit : units_of(syntax_, begin, end)) {
      const Declaration& declaration = unit.declaration;
      if (unit.kind == Unit::Kind::block) {
        collect(unit.body + 1, syntax_.after(unit.body) - 1, scope + block_name(unit), member, in_template);
      } else if (unit.kind == Unit::Kind::class_) {
        known_[declared_name(syntax_, unit)].other = true;
        collect(unit.body + 1, syntax_.after(unit.body) - 1, scope, true,
                in_template || declaration.words.template_);
      } else if (declaration.name != npos && declaration.parameters != npos) {
        if (unit.kind == Unit::Kind::function) {
          functions_.push_back({unit, scope, member, in_template});
          ++known_[std::string(syntax_.at(declaration.name))].definitions;
        }
        note_function(declaration, scope, member);
      } else if (declaration.kind == Declaration::Kind::variable && !member) {
        note_variable(unit, scope);
      } else if (syntax_.is(unit.begin, "using") && syntax_.is(unit.begin + 1, "namespace")) {
        opened_.insert(spelled(unit.begin + 2, unit.end - 1) + "::");
      } else {
        for (std::size_t i = unit.begin; i < unit.end; ++i)
          if (syntax_.is_name(i)) known_[std::string(syntax_.at(i))].other = true;
      }
    }
  }

  /// Records aliases of namespaces that have the same meaning throughout the file.
  void note_aliases() {
    std::set<std::string> other;
    for (std::size_t i = 0; i + 3 < syntax_.size(); ++i) {
      if (syntax_.word(i) != Word::namespace_ || syntax_.is(i - 1, "using") || !syntax_.is_name(i + 1))
        continue;
      const std::string name(syntax_.at(i + 1));
      std::size_t end = i + 3;
      while (end < syntax_.size() && !syntax_.is(end, ";")) ++end;
      if (!syntax_.is(i + 2, "=") || !aliases_.emplace(name, spelled(i + 3, end)).second) other.insert(name);
    }
    for (const std::string& name : other) aliases_.erase(name);
  }

  std::string spelled(std::size_t begin, std::size_t end) const {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) text += syntax_.at(i);
    return text;
  }

  /// Returns `a::b::` for a namespace; empty for an unnamed or inline one, and for `extern "C"`.
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
    known.template_ = known.template_ || words.template_;
    if (member || elsewhere || words.consteval_ || words.global || (words.device && words.host) ||
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
    const bool one_side = !words.managed && !words.template_;
    const bool of_device = one_side && (words.device || words.constant);
    const bool of_host = one_side && !words.device && !words.constant && !words.shared;
    for (const auto& declarator : found.declarators) {
      if (declarator.name == npos) continue;
      DeclaredName& known = known_[std::string(syntax_.at(declarator.name))];
      const bool elsewhere = known.device_variable && known.scope != scope;
      if (of_host)
        note_host_variable(found, declarator, words, known);
      else if (of_device && !words.const_ && !words.constexpr_ && !elsewhere)
        note_device_variable(found, declarator, known);
      else
        known.other = true;
      for (std::size_t i = declarator.initialiser; of_device && i < found.end; ++i)
        if (const auto host = known_.find(std::string(syntax_.at(i)));
            syntax_.is_name(i) && host != known_.end() && host->second.variable && !host->second.other &&
            !is_unevaluated(i))
          error(i, "the host variable '" + host->first +
                       "' can't begin a variable of the device: a GPU can't reach it");
      known.scope = scope;
      if (words.constant) known.space = "__constant__";
      if (of_device && declarator.begin == declarator.name &&
          host_type_in(found.begin, declarator.name) != npos)
        error(declarator.name,
              "the variable '" + std::string(syntax_.at(declarator.name)) +
                  "' of the device can't be an object of the host's library: make it an array of "
                  "numbers");
      if (!of_host && !words.template_ && is_started(declarator.initialiser, found.end))
        error(declarator.name, "the variable '" + std::string(syntax_.at(declarator.name)) +
                                   "' of the device needs a constant to begin with: a function can't compute "
                                   "its value when the program starts");
    }
    if (of_host && !words.constexpr_) host_variables_.emplace_back(unit, scope);
  }

  void note_host_variable(const VariableDeclaration& found, const Declarator& declarator, const Words& words,
                          DeclaredName& known) {
    const bool array = syntax_.is(declarator.name + 1, "[");
    const bool number = is_number(found) && declarator.begin == declarator.name;
    if (words.constexpr_) {
      (array && number ? known.constexpr_array : !array && number ? known.constant : known.other) = true;
    } else if (!words.const_ || (declarator.begin != declarator.name && !array)) {  // a pointer, too
      known.variable = true;
    } else if (array) {
      known.constant_array = true;
    } else if (number) {  // values of constants other than arrays are known where they are used
      known.constant = true;
      known.started = is_started(declarator.initialiser, found.end);
    } else {
      known.other = true;
    }
  }

  void note_device_variable(const VariableDeclaration& found, const Declarator& declarator,
                            DeclaredName& known) {
    known.device_variable = true;
    const bool pointer = declarator.begin != declarator.name && syntax_.is(declarator.name - 1, "*");
    const bool number = declarator.begin == declarator.name && is_number(found);
    known.simple = (pointer || number) && !syntax_.is(declarator.name + 1, "[");
  }

  /// Returns true if the variable's type is an arithmetic type of the language.
  bool is_number(const VariableDeclaration& found) const {
    return std::all_of(found.type.begin(), found.type.end(), [&](std::size_t at) {
      return syntax_.is(at, "const") || is_arithmetic_type(syntax_.at(at));
    });
  }
  /// Returns true if the initialiser calls a function that the compiler can't evaluate.
  bool is_started(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (!syntax_.is_name(i) || !syntax_.is(i + 1, "(") || is_unevaluated(i)) continue;
      const auto found = known_.find(std::string(syntax_.at(i)));
      if (found == known_.end() ? is_host_library(syntax_.at(i))
                                : (found->second.host || found->second.device) && !found->second.constexpr_ &&
                                      !found->second.other)
        return true;
    }
    return false;
  }

  // ---- uses

  void check(const Function& function) {
    const auto& [unit, scope, member, in_template] = function;
    const Words& words = unit.declaration.words;
    if (words.constexpr_) return;
    const bool certain = !in_template && compiled_.has(unit.declaration, member);
    if (side_of(words) == Side::both) return check_both(function, certain);
    const bool device = words.global || words.device;
    if (device) library_parameters(unit);
    if (device && certain && !options_.relaxed_constexpr) constexpr_objects(unit);
    for (std::size_t i = unit.body + 1; i + 1 < unit.end; ++i) {
      if (syntax_.is(i, "[") && !device) {
        const std::size_t end = device_lambda_end(i);
        if (end != i && runs_on_device_alone(i)) device_lambda(function, i, end, certain);
        i = end;
        continue;
      }
      if (!syntax_.is_name(i)) continue;
      const Use use{unit, scope, i, certain};
      if (device)
        in_device(use);
      else
        in_host(use);
    }
  }

  /// Examines a lambda for the device. The host evaluates its captures; its body is device code.
  void device_lambda(const Function& function, std::size_t open, std::size_t end, bool certain) {
    const auto& [unit, scope, member, in_template] = function;
    const std::size_t captured = syntax_.after(open);
    for (std::size_t i = open + 1; i < end; ++i) {
      if (!syntax_.is_name(i)) continue;
      const Use use{unit, scope, i, certain};
      if (i < captured) {
        in_host(use);
      } else {
        variable_around(use, open);
        in_device(use);
      }
    }
    for (std::size_t i = unit.declaration.parameters; i < open; ++i) {
      if (host_type_in(i - 2, i + 1) != i) continue;
      const std::size_t close = syntax_.template_close(i + 1);
      std::size_t name = close == npos ? i + 1 : close + 1;
      while (syntax_.is(name, "const") || syntax_.is(name, "&")) ++name;
      if (syntax_.is_name(name)) library_object(name, i, captured, end);
    }
  }
  /// Reports a variable of a host function that device code in a lambda uses.
  void variable_around(const Use& use, std::size_t lambda) {
    const std::size_t declared = syntax_.tree().scopes().meaning(use.at).declared;
    if (declared == npos || declared < use.unit.body || declared > lambda || is_member(use.at) ||
        is_unevaluated(use.at))
      return;
    const std::string name(syntax_.at(use.at));
    if (syntax_.is(declared + 1, "=") && syntax_.lambda_body(declared + 2) != npos &&
        marked_lambda(syntax_, declared + 2) == npos)
      return error(use.at, "the lambda '" + name +
                               "' of host code is used in a lambda for the device: mark it __device__, or "
                               "write its text here");
    bool is_static = false;
    for (std::size_t i = declared; !syntax_.is(i, ";") && !syntax_.is(i, "{") && !syntax_.is(i, "}"); --i) {
      if (syntax_.is(i, "const") || syntax_.is(i, "constexpr")) return;
      is_static = is_static || syntax_.is(i, "static");
    }
    if (is_static)
      error(use.at, "the host's static variable '" + name +
                        "' is used in device code, where a GPU can't reach it: copy it into a variable that "
                        "is not static, which the lambda captures");
  }

  /// Reports objects of the host's library among a kernel's parameters, such as `std::vector<int> v`. Their
  /// functions are the host's.
  void library_parameters(const Unit& unit) {
    for (const Parameter& each : read_parameters(syntax_, unit.declaration.parameters)) {
      const std::size_t type = host_type_in(each.begin, each.end);
      if (each.name == npos || type == npos || syntax_.is(each.name - 1, "*")) continue;
      library_object(each.name, type, unit.body + 1, unit.end - 1);
    }
  }
  /// Reports uses in device code of an object that these tokens declare.
  void library_object(std::size_t name, std::size_t type, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (syntax_.is(i, syntax_.at(name)) && !is_member(i) && !syntax_.is(i - 1, "::") &&
          (syntax_.is(i + 1, "[") || syntax_.is(i + 1, ".") || syntax_.is(i + 1, "(")))
        error(i, host_object_used(syntax_.at(i), syntax_.at(type)));
  }
  /// Reports objects such as `std::array<int, 4> a` in a kernel or among its parameters. Their functions are
  /// constexpr functions of the host.
  void constexpr_objects(const Unit& unit) {
    static constexpr std::array<std::string_view, 4> types = {"array", "complex", "optional", "span"};
    std::map<std::string_view, std::string_view> objects;  // their types
    for (std::size_t i = unit.declaration.parameters; i + 1 < unit.end; ++i) {
      if (!syntax_.is_name(i)) continue;
      const bool of_std = syntax_.is(i - 1, "::") && syntax_.is(i - 2, "std") && !syntax_.is(i - 3, "::");
      const std::size_t close =
          of_std && is_one_of(types, syntax_.at(i)) ? syntax_.template_close(i + 1) : npos;
      if (close != npos && !is_unevaluated(i - 2)) {
        std::size_t name = close + 1;
        while (syntax_.is(name, "const") || syntax_.is(name, "&")) ++name;
        if (!syntax_.is_name(name)) continue;
        objects[syntax_.at(name)] = syntax_.at(i);
        const bool made = name == close + 1 && name > unit.body;
        if (made && syntax_.is(i, "complex")) constexpr_object(name, "complex");
        i = name;
      } else if (const auto object = objects.find(syntax_.at(i));
                 object != objects.end() && !is_member(i) && !syntax_.is(i - 1, "::") && !is_unevaluated(i) &&
                 (syntax_.is(i + 1, "[") || (syntax_.is(i + 1, ".") && syntax_.is(i + 3, "(")))) {
        constexpr_object(i, object->second);
      }
    }
  }
  void constexpr_object(std::size_t at, std::string_view type) {
    const std::string name(type);
    error(at, "'" + std::string(syntax_.at(at)) + "' is a std::" + name +
                  ", whose functions are constexpr ones of the host: use cuda::std::" + name +
                  " of <cuda/std/" + name + ">, or compile with --expt-relaxed-constexpr, as nvcc asks");
  }
  /// Returns the position of `vector` in `std::vector`.
  std::size_t host_type_in(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin + 2; i < end; ++i)
      if (syntax_.is(i - 1, "::") && syntax_.is(i - 2, "std") && is_host_type(syntax_.at(i)) &&
          !(i >= begin + 4 && syntax_.is(i - 3, "::") && syntax_.is_name(i - 4)))  // cuda::std
        return i;
    return npos;
  }

  /// Examines initialisers of variables, which run on the host before main().
  void check_initialisers(const Unit& unit, const std::string& scope) {
    const auto declarators = read_variables(syntax_, unit.begin, unit.end).declarators;
    const auto first = std::find_if(declarators.begin(), declarators.end(),
                                    [](const Declarator& one) { return one.initialiser != npos; });
    if (first == declarators.end()) return;
    for (std::size_t i = first->initialiser; i < unit.end; ++i) {
      if (syntax_.is(i, "["))
        i = device_lambda_end(i);
      else if (syntax_.is_name(i))
        in_host({unit, scope, i, true});
    }
  }

  /// Examines a function for both sides. nvcc compiles it for both; an inline function only for a side that
  /// uses it.
  void check_both(const Function& function, bool certain) {
    const auto& [unit, scope, member, in_template] = function;
    const Words& words = unit.declaration.words;
    if (!certain || member || words.inline_ || words.static_ || asks_for_side(unit)) return;
    for (std::size_t i = unit.body + 1; i + 1 < unit.end; ++i)
      if (syntax_.is_name(i)) in_both({unit, scope, i, certain});
  }
  bool asks_for_side(const Unit& unit) const {
    for (std::size_t i = unit.body; i < unit.end; ++i)
      if (syntax_.is(i, "on_device")) return true;  // host_device.hpp has joined two bodies
    if (unit.begin == 0) return false;
    const std::string_view before = syntax_.at(unit.begin - 1);  // perhaps a pragma
    return before.find("exec_check_disable") != npos || before.find("hd_warning_disable") != npos;
  }

  void in_both(const Use& use) {
    const std::string name(syntax_.at(use.at));
    if (syntax_.is(use.at - 1, "::") && syntax_.is(use.at - 2, "std") && !syntax_.is(use.at - 3, "::") &&
        is_host_type(name))
      return is_stream(name)
                 ? error(use.at, "'std::" + name +
                                     "' is for host code only, but is used in a __host__ __device__ "
                                     "function: printf works on both sides")
                 : warning(use.at, "'std::" + name +
                                       "' is for host code only, but is used in a __host__ __device__ "
                                       "function (#20011-D)");
    const auto found = known_.find(name);
    const bool known = found != known_.end();
    if (known && (found->second.other || !means(use, found->second))) return;
    const bool host =
        known ? found->second.host && !found->second.device && !found->second.constexpr_ && !is_built_in(name)
              : is_host_library(name);
    const bool device =
        known ? found->second.device && !found->second.host && !found->second.constexpr_ && !is_built_in(name)
              : is_device_function(name);
    const bool call = known ? syntax_.call_open(use.at) != npos : is_call(use);
    if (host && call && !is_unevaluated(use.at))
      warning(use.at,
              "the host function '" + name +
                  "' is called in a __host__ __device__ function (#20011-D): device code can't call that");
    else if (device && call && !is_unevaluated(use.at))
      error(use.at, "the __device__ function '" + name +
                        "' is called in a __host__ __device__ function, which host code may call");
    else if (known && !found->second.host && !found->second.constexpr_ && !found->second.device &&
             !found->second.device_variable)
      variable_in_device(use, found->second, name);
  }

  static bool is_stream(std::string_view name) { return name == "cout" || name == "cerr" || name == "endl"; }

  void in_device(const Use& use) {
    const std::size_t at = use.at;
    const std::string name(syntax_.at(at));
    if (at > 1 && syntax_.is(at - 1, "::") && syntax_.is(at - 2, "std") && !syntax_.is(at - 3, "::")) {
      if (is_host_type(name))
        error(at, "'std::" + name + "' is for host code only, but is used in device code" +
                      (is_stream(name) ? ": printf works there" : ""));
      else if (!options_.relaxed_constexpr && use.certain && is_constexpr_library(at) &&
               !is_unevaluated(at - 2))
        error(at, "'std::" + name +
                      "' is a function of the host's library, but is called in device code: use what CUDA "
                      "has for it, "
                      "or compile with --expt-relaxed-constexpr where it is a constexpr one");
      else if (is_host_library(name) && syntax_.call_open(at) != npos)
        library_in_device(at, "std::" + name);
      return;
    }
    const auto found = known_.find(name);
    if (found == known_.end()) {
      if (is_host_library(name) && is_call(use)) library_in_device(at, name);
      if (name == "printf" && is_call(use)) sizes_of_format(at + 2);
      return;
    }
    const DeclaredName& known = found->second;
    if (known.device_variable) return constant_in_device(use, known);
    if (known.other || known.device || !means(use, known)) return;
    const bool call = syntax_.call_open(at) != npos;
    if (known.constexpr_ && !known.host && !options_.relaxed_constexpr && use.certain && call &&
        !is_unevaluated(at))
      error(at, "the constexpr function '" + name +
                    "' of the host is called in device code: compile with --expt-relaxed-constexpr, as nvcc "
                    "asks, or declare it __host__ __device__");
    if (known.host && !is_built_in(name) && call)
      error(at,
            "the host function '" + name +
                "' is called in device code: declare it __device__, or __host__ __device__ for both sides");
    if (known.host && !is_built_in(name) && !call && !is_unevaluated(begin_of_name(at)))
      error(at, "the address of the host function '" + name +
                    "' is taken in device code, which can't call it: declare the function __device__");
    if (!known.host && !known.constexpr_) variable_in_device(use, known, name);
  }

  /// Reports sizes in printf's format that a GPU does not support: it knows only h, l and ll. An H100 printed
  /// "%zu" literally at the end of a text. Elsewhere it took 4 bytes for it, and read all later arguments
  /// from wrong positions; a %s was then an illegal address.
  void sizes_of_format(std::size_t at) {
    for (; syntax_.stream().tokens[at].kind == TokenKind::string; ++at) {
      const std::string_view text = syntax_.at(at);
      for (std::size_t i = 0; (i = text.find('%', i)) != text.npos; ++i) {
        i = text.find_first_not_of("-+ #0123456789.*", i + 1);
        if (i == text.npos) break;
        const bool byte = text.compare(i, 2, "hh") == 0;
        if (!byte && std::string_view("zjtLq").find(text[i]) == std::string_view::npos) continue;
        warning(at, "a kernel's printf has no size '" + std::string(text.substr(i, byte ? 2 : 1)) +
                        "', only h, l and ll: a GPU prints the wrong bytes from there on; print " +
                        (byte             ? "an int with %d"
                         : text[i] == 'L' ? "a double"
                                          : "a long long with %lld, or an unsigned long long with %llu"));
      }
    }
  }

  void constant_in_device(const Use& use, const DeclaredName& known) {
    if (!is_alone(known) || !means(use, known)) return;
    if (std::string_view(known.space) != "__constant__" || !is_written(use.at)) return;
    const std::string name(syntax_.at(use.at));
    if (known.simple)
      error(use.at,
            "the __constant__ variable '" + name + "' can't be changed: only cudaMemcpyToSymbol does");
    else
      warning(use.at, "device code can't store to constant memory, where '" + name +
                          "' is: only cudaMemcpyToSymbol does");
  }
  /// Returns true if no other declaration in the file has the name.
  static bool is_alone(const DeclaredName& known) {
    return !known.other && !known.host && !known.device && !known.constexpr_ && !known.variable;
  }

  /// Returns true if the variable or a part of it is assigned to. Returns false if a lambda captures a value
  /// by that name.
  bool is_written(std::size_t at) const {
    if (syntax_.is(at - 1, "[") || syntax_.is(at - 1, ",") || syntax_.is(at - 1, "*")) return false;
    std::size_t end = at + 1;
    while (syntax_.is(end, "[") || syntax_.is(end, "."))
      end = syntax_.is(end, "[") ? syntax_.after(end) : end + 2;
    const auto steps = [&](std::size_t i) { return syntax_.is(i, "++") || syntax_.is(i, "--"); };
    return syntax_.assignment_length(end) > 0 || steps(end) || (steps(at - 1) && !ends_operand(at - 2));
  }

  void variable_in_device(const Use& use, const DeclaredName& known, const std::string& name) {
    const std::size_t at = use.at;
    if (is_unevaluated(at)) return;
    const std::string message = "the host variable '" + name +
                                "' is used in device code, where a GPU can't reach it: pass its value to the "
                                "kernel, or declare it __device__ or __constant__";
    if (known.variable && use.certain)
      error(at, message);
    else if (known.variable)
      warning(at, message);
    else if (known.constant_array || (known.constexpr_array && use.certain && is_indexed_by_variable(at)))
      error(at, "the array '" + name +
                    "' of the host is used in device code, where only the values of constants are there: "
                    "declare it __constant__");
    else if (known.started && use.certain)
      error(at, "'" + name +
                    "' is used in device code, but its value is computed when the program starts, on the "
                    "host: pass it to the kernel");
    else if (known.constant && use.certain && syntax_.is(at - 1, "&") && !ends_operand(at - 2))
      error(at, "device code can't reach the address of '" + name + "', which is one of the host's memory");
  }

  bool is_indexed_by_variable(std::size_t at) const {
    return syntax_.is(at + 1, "[") &&
           is_known_at_run_time(syntax_, syntax_.tree().expression(at + 2, syntax_.after(at + 1) - 1));
  }
  /// Returns true if the token ends an operand. An operator after it is then binary.
  bool ends_operand(std::size_t at) const {
    return syntax_.is(at, ")") || syntax_.is(at, "]") || (syntax_.is_name(at) && !syntax_.is(at, "return")) ||
           syntax_.stream().tokens[at].kind == TokenKind::number;
  }

  /// Returns true for `std::max(…)`, `std::numeric_limits<T>::max()` and similar calls.
  bool is_constexpr_library(std::size_t at) const {
    if (is_constexpr_function(syntax_.at(at))) return syntax_.call_open(at) != npos;
    if (!syntax_.is(at, "numeric_limits") || !syntax_.is(at + 1, "<")) return false;
    const std::size_t close = syntax_.template_close(at + 1);
    return close != npos && syntax_.is(close + 1, "::") && syntax_.is(close + 3, "(");
  }

  void library_in_device(std::size_t at, const std::string& name) {
    error(at, "'" + name + "' is a function of the host's library, but is called in device code");
  }

  void in_host(const Use& use) {
    const std::string name(syntax_.at(use.at));
    const auto found = known_.find(name);
    if (found == known_.end()) {
      if (syntax_.is_built_in_variable(use.at) && syntax_.is(use.at + 1, ".") && is_used(use))
        error(use.at, "'" + name +
                          "' exists in device code only, but is used in host code: the host knows the "
                          "numbers that it gives to <<<grid, block>>>");
      else if (is_device_function(name) && is_call(use))
        error(use.at, "'" + name + "' works in device code only, but is called in host code");
      return;
    }
    const DeclaredName& known = found->second;
    if (known.device_variable) return variable_in_host(use, known);
    if (known.other || known.host || known.constexpr_ || !known.device || is_built_in(name) ||
        !means(use, known))
      return;
    if (syntax_.call_open(use.at) == npos) return function_in_host(use, known);
    error(use.at, "the __device__ function '" + name +
                      "' is called in host code: call it in a kernel, or declare it __host__ __device__");
  }

  /// Examines a function whose address host code takes. If several functions have the name, its use decides
  /// which one is meant.
  void function_in_host(const Use& use, const DeclaredName& known) {
    using Kind = NameOnHost::Kind;
    const std::size_t at = use.at, begin = begin_of_name(at);
    const std::size_t arguments = known.template_ ? syntax_.template_close(at + 1) : npos;
    const bool one = !known.template_ || arguments != npos, overloaded = known.definitions > 1;
    const std::size_t operand = syntax_.is(begin - 1, "&") ? begin - 1 : begin;
    if (is_unevaluated(operand) || is_template_argument(operand) || (arguments != npos && overloaded)) return;
    findings_.names_on_host.push_back({begin, arguments != npos ? arguments : at,
                                       one && !overloaded ? Kind::function : Kind::overloaded_function});
  }
  /// Returns true if the token is between the brackets of `a<…>`.
  bool is_template_argument(std::size_t at) const {
    for (std::size_t i = at; i-- > 0;) {
      if (syntax_.is(i, ";") || syntax_.is(i, "{") || syntax_.is(i, "}") || syntax_.is(i, "(")) return false;
      if (syntax_.is(i, "<") && syntax_.template_close(i) != npos && syntax_.template_close(i) > at)
        return true;
    }
    return false;
  }

  void variable_in_host(const Use& use, const DeclaredName& known) {
    if (!is_alone(known)) return;
    const std::size_t begin = begin_of_name(use.at);
    if (!means(use, known) || is_unevaluated(begin)) return;
    findings_.names_on_host.push_back({begin, use.at, NameOnHost::Kind::variable});
    if (known.simple && std::string_view(known.space) == "__constant__" && is_written(use.at))
      return error(use.at, "the __constant__ variable '" + std::string(syntax_.at(use.at)) +
                               "' can't be assigned to: cudaMemcpyToSymbol changes the device's");
    if (may_be_reference(begin, use.at)) return;
    warning(use.at, std::string("the ") + known.space + " variable '" + std::string(syntax_.at(use.at)) +
                        "' is used in host code, which has a copy of its own: cudaMemcpyToSymbol and "
                        "cudaMemcpyFromSymbol reach the device's, and kernels use its name");
  }

  /// Returns true if `a::b::x` is the variable with that name, and not a member of a class.
  bool is_qualified(std::size_t begin, std::size_t name, const DeclaredName& known) const {
    std::string qualifier = spelled(begin, name);
    if (const auto alias = aliases_.find(std::string(syntax_.at(begin))); alias != aliases_.end())
      qualifier.replace(0, alias->first.size(), alias->second);
    const std::string whole = "::" + known.scope;
    if (syntax_.is(name + 1, "::") || syntax_.is(begin - 1, ">") || is_member(begin)) return false;
    return qualifier.front() == ':' ? qualifier == whole : whole.ends_with("::" + qualifier);
  }

  /// Returns the beginning of `a::b::x`.
  std::size_t begin_of_name(std::size_t at) const {
    while (at > 0 && syntax_.is(at - 1, "::")) at -= at > 1 && syntax_.is_name(at - 2) ? 2 : 1;
    return at;
  }

  /// Returns true for `sizeof x`, `decltype(x)` and `std::size(x)`, which use only the type of x.
  bool is_unevaluated(std::size_t at) const {
    static constexpr std::array<std::string_view, 8> words = {"sizeof",   "alignof", "decltype", "typeid",
                                                              "noexcept", "size",    "ssize",    "typeof"};
    return is_one_of(words, syntax_.at(at - 1)) ||
           (syntax_.is(at - 1, "(") && is_one_of(words, syntax_.at(at - 2)));
  }

  /// Returns true if the name is a whole argument of a call. CUDA's functions for symbols take such an
  /// argument by reference, and users' functions may. Kernels, and the functions excluded here, take a value
  /// or an address.
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
           !is_one_of(by_value, syntax_.at(open - 1));
  }

  /// Returns true if the use is inside the declaration's namespace, if it names the namespace, or if the file
  /// opens it.
  bool means(const Use& use, const DeclaredName& known) const {
    const std::size_t begin = begin_of_name(use.at);
    return begin == use.at
               ? (use.scope.rfind(known.scope, 0) == 0 || opened_.count(known.scope) > 0) && is_used(use)
               : is_qualified(begin, use.at, known);
  }

  bool is_used(const Use& use) const {
    const std::size_t at = use.at;
    return !is_member(at) && !syntax_.is(at - 1, "::") && !syntax_.is(at + 1, "::") && !is_shadowed(use);
  }
  bool is_member(std::size_t at) const { return syntax_.is(at - 1, ".") || syntax_.is(at - 1, "->"); }
  bool is_call(const Use& use) const { return syntax_.call_open(use.at) != npos && is_used(use); }

  /// Returns true if the function itself declares the name.
  bool is_shadowed(const Use& use) const {
    const std::string_view name = syntax_.at(use.at);
    for (std::size_t i = use.unit.declaration.parameters; i < use.unit.end; ++i) {
      if (syntax_.is(i, name) && declares(i)) return true;
    }
    return false;
  }
  /// Returns true if only words of a type are between the beginning of a statement or a parameter and the
  /// name.
  bool declares(std::size_t at) const {
    static constexpr std::array<std::string_view, 9> no_types = {
        "return", "else", "case", "throw", "goto", "delete", "sizeof", "co_return", "do"};
    if (at > 1 && syntax_.is(at - 1, "*") && syntax_.is(at - 2, "(") && syntax_.is(at + 1, ")")) return true;
    bool typed = false;
    for (std::size_t i = at; i-- > 0;) {
      const std::string_view spelling = syntax_.at(i);
      if (is_one_of(no_types, spelling)) return false;
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

  /// Returns the end of a lambda that runs on the device; `at` if there is none.
  std::size_t device_lambda_end(std::size_t at) const {
    const std::size_t body = syntax_.lambda_body(at);
    if (body == npos) return at;
    for (std::size_t i = at; i < body; ++i)
      if (syntax_.word(i) == Word::device || syntax_.word(i) == Word::global) return syntax_.after(body) - 1;
    return at;
  }

  /// Returns true if the lambda is marked __device__ but not __host__.
  bool runs_on_device_alone(std::size_t at) const {
    for (std::size_t i = at, body = syntax_.lambda_body(at); i < body; ++i)
      if (syntax_.word(i) == Word::host) return false;
    return true;
  }

  void error(std::size_t at, std::string message) { findings_.error(syntax_, at, std::move(message)); }
  void warning(std::size_t at, std::string message) { findings_.warning(syntax_, at, std::move(message)); }

  const Syntax& syntax_;
  std::map<std::string, DeclaredName> known_;
  std::vector<Function> functions_;
  std::set<std::string> opened_;                              ///< namespaces, each as `a::b::`
  std::map<std::string, std::string> aliases_;                ///< of namespaces
  std::vector<std::pair<Unit, std::string>> host_variables_;  ///< with their scopes
  const LanguageOptions& options_;
  Compiled compiled_;
  SpaceFindings findings_;
};

}  // namespace

SpaceFindings check_spaces(const Syntax& syntax, const LanguageOptions& options) {
  return Checker(syntax, options).run();
}

}  // namespace emucc
