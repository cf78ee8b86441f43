#include "analyse/restrictions.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>

#include "analyse/constant_values.hpp"
#include "analyse/sides.hpp"
#include "parse/parameters.hpp"
#include "parse/syntax_tree.hpp"
#include "parse/units.hpp"

namespace emucc {
namespace {

class Restrictions {
 public:
  Restrictions(const Syntax& syntax, const LanguageOptions& options)
      : syntax_(syntax), options_(options), compiled_(syntax) {}

  Findings run() {
    units(0, syntax_.size(), {});
    lambdas();
    for (const Unit& each : bodies_) launches(each);
    return std::move(findings_);
  }

 private:
  void error(std::size_t at, std::string message) { findings_.error(syntax_, at, std::move(message)); }
  void warning(std::size_t at, std::string message) { findings_.warning(syntax_, at, std::move(message)); }

  /// The body of the namespace or class that contains a unit, and whether it belongs to a template.
  struct Around {
    std::size_t block = npos;
    bool in_class = false, in_template = false;
  };

  void units(std::size_t begin, std::size_t end, const Around& around) {
    for (const Unit& unit : units_of(syntax_, begin, end)) {
      const Declaration& found = unit.declaration;
      if (unit.kind == Unit::Kind::block || unit.kind == Unit::Kind::class_) {
        const bool is_class = unit.kind == Unit::Kind::class_;
        units(unit.body + 1, syntax_.after(unit.body) - 1,
              {unit.body, around.in_class || is_class,
               around.in_template || (is_class && found.words.template_)});
      } else if (found.name != npos && found.parameters != npos) {
        function_head(found, around);
        if (unit.kind == Unit::Kind::function)
          body(unit, !around.in_template && compiled_.has(found, around.in_class));
      }
    }
  }

  // ---- heads of functions

  void function_head(const Declaration& found, const Around& around) {
    const std::string name(syntax_.at(found.name));
    if (!around.in_class) note_function(found, name, around.block);
    grid_constants(found);
    if (name == "main" && (found.words.global || found.words.device))
      error(found.name, "main can't be __global__ or __device__: the program begins on the host");
    if (found.words.global)
      kernel_head(found, around.in_class);
    else if (found.launch_bounds != npos)
      error(found.name, "__launch_bounds__ belongs to __global__ functions, which '" + name + "' is not");
  }

  void kernel_head(const Declaration& found, bool in_class) {
    bool is_friend = false, is_auto = false;
    for (std::size_t i = found.begin; i < found.name; ++i) {
      if (syntax_.is(i, "<") && syntax_.template_close(i) != npos) i = syntax_.template_close(i);
      is_friend = is_friend || syntax_.word(i) == Word::friend_;
      is_auto = is_auto || syntax_.is(i, "auto");
      if (syntax_.is(i, "inline")) warning(i, "inline is ignored for a __global__ function (#20050-D)");
    }
    if (is_friend && found.body != npos)
      error(found.name, "a __global__ function can't be defined in a friend declaration: define it outside");
    else if (in_class && !is_friend)
      error(found.name,
            "a __global__ function can't be a member of a class: make it a function that takes the object");
    if (found.words.device || found.words.host)
      error(found.name, "a __global__ function can't be __device__ or __host__ too");
    if (syntax_.word(found.name) == Word::operator_)
      error(found.name, "an operator can't be a __global__ function");
    if (syntax_.word(found.begin) == Word::template_ && syntax_.is(found.begin + 1, "<"))
      template_packs(found);
    const std::size_t close = syntax_.after(found.parameters) - 1;
    if (syntax_.is(close - 1, "...") && (syntax_.is(close - 2, ",") || close - 2 == found.parameters))
      error(close - 1, "a __global__ function can't have a variable number of arguments");
    for (std::size_t i = found.parameters + 1; i < close; ++i)
      if (syntax_.is(i, "initializer_list") || syntax_.is(i, "va_list"))
        error(i, "a __global__ function can't have a parameter of the type '" + std::string(syntax_.at(i)) +
                     "'");
    const std::size_t end = found.body != npos ? found.body : found.end;
    bool trailing_type = false;
    for (std::size_t i = close + 1; i < end; ++i) {
      trailing_type = trailing_type || syntax_.is(i, "->");
      if (syntax_.is(i, "noexcept"))
        error(i, "a __global__ function can't have an exception specification: leave 'noexcept' out");
    }
    if (is_auto && !trailing_type)
      error(found.name, "a __global__ function must say that it returns void, not leave it to 'auto'");
  }

  void grid_constants(const Declaration& found) {
    for (const Parameter& each : read_parameters(syntax_, found.parameters)) {
      bool marked = false;
      for (std::size_t i = each.begin; i < each.end; ++i)
        marked = marked || syntax_.word(i) == Word::grid_constant;
      if (!marked) continue;
      const std::size_t at = each.name != npos ? each.name : found.name;
      if (!found.words.global)
        error(at, "__grid_constant__ belongs to parameters of __global__ functions");
      else if (!each.constant || each.reference || each.rvalue)
        error(at, "a __grid_constant__ parameter must be const, and no reference");
    }
  }

  void template_packs(const Declaration& found) {
    const std::vector<Parameter> all = read_parameters(syntax_, found.begin + 1);
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
      if (all[i].pack)
        error(found.name, "a pack must be the last parameter of the template of a __global__ function");
  }

  /// Warns about a host function that is redeclared for the device, since nvcc then compiles it for both
  /// sides.
  void note_function(const Declaration& found, const std::string& name, std::size_t block) {
    Named& all = functions_[name];
    if (found.words.global) all.kernels.push_back(found);
    if (found.words.template_ || syntax_.is(found.name - 1, "::") || found.words.global) return;
    std::string signature = std::to_string(block);
    for (std::size_t i = found.parameters; i < syntax_.after(found.parameters); ++i)
      signature += " " + std::string(syntax_.at(i));
    if (found.kind == Declaration::Kind::prototype && side_of(found.words) == Side::host)
      all.host_prototypes.insert(signature);
    else if (side_of(found.words) == Side::device && all.host_prototypes.count(signature) > 0)
      warning(found.name,
              "'" + name +
                  "' was declared for the host and is redeclared as __device__: nvcc takes it for "
                  "a __host__ __device__ function (#20039-D)");
  }

  // ---- bodies

  void body(const Unit& unit, bool certain) {
    bodies_.push_back(unit);
    if (!certain || side_of(unit.declaration.words) != Side::device) return;
    const std::size_t end = syntax_.after(unit.body) - 1;
    for (std::size_t i = unit.body + 1; i < end; ++i) device_token(i);
    if (unit.declaration.words.global) hidden_parameters(unit, end);
    if (may_hold_arrays(unit.body + 1, end))
      for (const Statement& each : syntax_.tree().body(unit.body + 1, end).statements) statement(each);
  }

  /// Checks for variables that hide a kernel's parameters. The emulation puts a kernel's body into another
  /// function, where compilers would accept such variables.
  void hidden_parameters(const Unit& unit, std::size_t end) {
    const std::vector<Parameter> parameters = read_parameters(syntax_, unit.declaration.parameters);
    for (const Statement& each : syntax_.tree().body(unit.body + 1, end).statements) {
      if (each.kind != Statement::Kind::declaration && each.kind != Statement::Kind::shared) continue;
      for (const LocalName& local : each.names)
        for (const Parameter& one : parameters)
          if (one.name != npos && local.name != npos && syntax_.is(local.name, syntax_.at(one.name)))
            error(local.name, "'" + std::string(syntax_.at(local.name)) +
                                  "' is a parameter of the kernel already: give the variable another name");
    }
  }

  void device_token(std::size_t i) {
    if (!syntax_.is_identifier(i)) return;
    if (syntax_.is_built_in_variable(i) && syntax_.is(i - 1, "&") && !ends_operand(i - 2) &&
        !syntax_.is(i + 1, "."))
      error(i, "the address of the built-in variable '" + std::string(syntax_.at(i)) + "' can't be taken");
    const std::string_view word = syntax_.at(i);
    if (syntax_.is(i - 1, "&&") && syntax_.is_name(i) &&
        (syntax_.is(i - 2, "=") || syntax_.is(i - 2, "{") || syntax_.is(i - 2, ",")))
      error(i, "device code can't take the address of the label '" + std::string(word) + "': use switch");
    else if (word == "co_return" || word == "co_await" || word == "co_yield")
      error(i, "device code can't use " + std::string(word) + ": a GPU has no coroutines");
    else if (word == "__float128")
      error(i, "device code has no type __float128: its widest type is double");
    else if (const std::string_view mask = with_mask(word); !mask.empty() && syntax_.is(i + 1, "("))
      error(i, "'" + std::string(word) + "' exists for no GPU since 2017 (compute_70): use " +
                   std::string(mask) + ", which takes the mask of the lanes first");
    else if (word == "dynamic_cast" || word == "typeid")
      error(i, "device code can't use " + std::string(word) + ": a GPU knows no types at run time");
    else if (word == "thread_local")
      error(i, "device code can't have thread_local variables: a plain local variable is the thread's own");
    else if (word == "long" && syntax_.is(i + 1, "double"))
      warning(i,
              "'long double' is treated as 'double' in device code (#20208-D): results have fewer digits "
              "than here");
  }

  /// Returns the function that replaces one of CUDA 8's functions; empty for other names.
  static std::string_view with_mask(std::string_view old) {
    static const std::map<std::string_view, std::string_view> new_names = {
        {"__shfl", "__shfl_sync"},
        {"__shfl_up", "__shfl_up_sync"},
        {"__shfl_down", "__shfl_down_sync"},
        {"__shfl_xor", "__shfl_xor_sync"},
        {"__ballot", "__ballot_sync"},
        {"__any", "__any_sync"},
        {"__all", "__all_sync"}};
    const auto found = new_names.find(old);
    return found == new_names.end() ? std::string_view() : found->second;
  }

  /// Returns true if the token ends an operand. A `&` after an operand is a binary operator.
  bool ends_operand(std::size_t at) const {
    return syntax_.is_name(at) || syntax_.is(at, ")") || syntax_.is(at, "]") ||
           syntax_.stream().tokens[at].kind == TokenKind::number;
  }

  /// A quick test before the function's tree is read, since trees cost time.
  bool may_hold_arrays(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (syntax_.word(i) == Word::static_ || (syntax_.is(i, "[") && syntax_.is_name(i - 1) &&
                                               (syntax_.is_name(i - 2) || syntax_.is(i - 2, ","))))
        return true;
    return false;
  }

  void statement(const Statement& each) {
    if (each.kind == Statement::Kind::declaration || each.kind == Statement::Kind::shared) {
      bool is_static = false;
      for (std::size_t i = each.begin; i < each.type_end; ++i)
        is_static = is_static || syntax_.word(i) == Word::static_;
      for (const LocalName& name : each.names) local(each, name, is_static);
    }
    for (const Statement& inner : each.children) statement(inner);
  }

  void local(const Statement& each, const LocalName& name, bool is_static) {
    const std::string spelled(syntax_.at(name.name));
    if (each.kind == Statement::Kind::declaration && !name.pointer && !name.reference)
      for (std::size_t i = name.name + 1; i < name.end && syntax_.is(i, "["); i = syntax_.after(i))
        if (i + 2 < syntax_.after(i) &&
            is_known_at_run_time(syntax_, syntax_.tree().expression(i + 1, syntax_.after(i) - 1)))
          return error(name.name, "the size of the array '" + spelled +
                                      "' must be a constant: device code has no arrays of variable length");
    if (is_static && name.initialiser != npos &&
        is_known_at_run_time(syntax_, syntax_.tree().expression(name.initialiser, name.initialiser_end)))
      error(name.name, "the static variable '" + spelled + "' of device code needs a constant to begin with");
  }

  // ---- lambdas

  void lambdas() {
    for (std::size_t i = 0; i < syntax_.size(); ++i) {
      if (marked_lambda(syntax_, i) == npos) continue;
      if (!options_.extended_lambda)
        error(
            i,
            "a lambda that is marked __device__ or __host__ needs the flag --extended-lambda, as with nvcc");
      if (in_device_code(i)) continue;
      if (options_.extended_lambda) extended_lambda(i);
      for (std::size_t k = i + 1; k < syntax_.after(i); ++k)
        if (syntax_.is(k, "&") && (k == i + 1 || syntax_.is(k - 1, ",")))
          error(k,
                "a lambda for the device can't capture by reference: a GPU can't reach the host's variables");
    }
  }

  /// Checks a lambda that is marked for the device. nvcc makes a type for it, and this type contains the name
  /// of the function around it.
  void extended_lambda(std::size_t at) {
    const std::size_t body = marked_lambda(syntax_, at);
    bool host = false;
    for (std::size_t i = syntax_.after(at); i < body; ++i) host = host || syntax_.word(i) == Word::host;
    if (host && syntax_.mentions(syntax_.after(at), body, "auto"))
      error(at, "a lambda for both sides can't have parameters of type auto: name their types");
    for (std::size_t i = at + 1; host && i < syntax_.after(at); ++i)
      if (syntax_.is(i, "=") && syntax_.is_name(i - 1))
        error(i, "a lambda for both sides can't initialise what it captures: make a variable before it");
    const auto around = std::find_if(bodies_.begin(), bodies_.end(),
                                     [&](const Unit& each) { return each.body < at && at < each.end; });
    const std::string begun = "a lambda for the device can't be ";
    if (around == bodies_.end())
      return error(at, begun + "outside of a function: define it where it is used");
    const Declaration& function = around->declaration;
    for (std::size_t i = around->body + 1; i < at; ++i)
      if (syntax_.is(i, "[") && syntax_.lambda_body(i) != npos && syntax_.lambda_body(i) < at &&
          at < syntax_.after(syntax_.lambda_body(i)) &&
          (marked_lambda(syntax_, i) != npos ||
           syntax_.mentions(syntax_.after(i), syntax_.lambda_body(i), "auto")))
        return error(at, begun + "inside of " +
                             (marked_lambda(syntax_, i) != npos ? "another one"
                                                                : "a lambda with parameters of type auto") +
                             ": define it outside");
    for (std::size_t i = function.begin; i < function.name; ++i)
      if (syntax_.is(i, "auto") && !syntax_.mentions(function.parameters, around->body, "->"))
        return error(at, begun + "in a function that returns 'auto': name the type that it returns");
    for (const Class& each : syntax_.tree().classes().all()) {
      if (each.open == npos || at < each.open || at >= syntax_.after(each.open)) continue;
      if (each.open > around->body)
        return error(at, begun + "in a class that a function defines: define the class outside");
      if (is_private_in(each, function.begin))
        return error(at, begun + "in a private or protected function: make it public");
      if (function.name != npos && syntax_.is(function.name, syntax_.at(each.name)))
        return error(at,
                     begun + "in a constructor or destructor: define it in a function that this one calls");
    }
  }

  bool in_device_code(std::size_t at) const {
    return std::any_of(bodies_.begin(), bodies_.end(), [&](const Unit& each) {
      return each.body < at && at < each.end && side_of(each.declaration.words) != Side::host;
    });
  }

  // ---- launches

  void launches(const Unit& unit) {
    const Side side = side_of(unit.declaration.words);
    for (std::size_t i = unit.body + 1; i < unit.end; ++i) {
      if (!syntax_.is_launch_open(i)) continue;
      if (side == Side::device && !options_.relocatable)
        error(i, "a kernel can launch kernels only in relocatable code: compile with -rdc=true");
      const std::size_t name = launched_name(syntax_, i);
      const auto found = functions_.find(std::string(syntax_.at(name)));
      if (found == functions_.end() || syntax_.is(name - 1, ".") || syntax_.is(name - 1, "->")) continue;
      if (!found->second.kernels.empty()) {
        if (side == Side::host) launch_arguments(unit, found->second.kernels, i);
      } else if (syntax_.callee_begin(i) + 1 == i && !is_local(unit, name)) {
        error(name, "'" + found->first + "' is no kernel: declare it __global__, or call it without <<<…>>>");
      }
    }
  }

  bool is_local(const Unit& unit, std::size_t name) const {
    const std::size_t declared = syntax_.tree().scopes().meaning(name).declared;
    return declared != npos && declared > unit.declaration.parameters && declared < unit.end;
  }

  /// Checks the types of a launch's arguments. nvcc also compiles a kernel's template for the device. Types
  /// that only a host function or a class can name don't exist there.
  void launch_arguments(const Unit& unit, const std::vector<Declaration>& kernels, std::size_t launch) {
    const std::size_t close = syntax_.launch_close(launch);
    if (close == npos || !syntax_.is(close + 3, "(") || syntax_.partner(close + 3) == npos) return;
    const auto arguments = syntax_.arguments(close + 3, syntax_.partner(close + 3));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto [begin, end] = arguments[i];
      if (begin >= end || !std::all_of(kernels.begin(), kernels.end(),
                                       [&](const Declaration& each) { return takes_any_type(each, i); }))
        continue;
      if (is_unmarked_lambda(unit, begin, end))
        error(begin,
              "a lambda of host code can't be an argument of a kernel: mark it __device__ and compile with "
              "--extended-lambda");
      else if (const Class* const type = type_of_argument(begin, end))
        argument_type(unit, *type, begin);
    }
  }

  void argument_type(const Unit& unit, const Class& type, std::size_t at) {
    const std::string name(syntax_.at(type.name));
    if (type.open > unit.body && type.open < unit.end)
      error(at, "the type '" + name +
                    "' is defined in a function of the host, so the template of a kernel can't be used with "
                    "it: define it outside");
    else if (is_private(type))
      error(at,
            "the type '" + name +
                "' is a private or protected member of a class, so the template of a kernel can't be used "
                "with it: make it public");
  }

  /// Returns true if the kernel is a template, and the argument determines the type of this parameter.
  bool takes_any_type(const Declaration& kernel, std::size_t index) const {
    if (syntax_.word(kernel.begin) != Word::template_ || !syntax_.is(kernel.begin + 1, "<")) return false;
    const std::vector<Parameter> parameters = read_parameters(syntax_, kernel.parameters);
    if (parameters.empty() || (index >= parameters.size() && !parameters.back().pack)) return false;
    const Parameter& one = parameters[std::min(index, parameters.size() - 1)];
    const std::size_t last = syntax_.template_close(kernel.begin + 1);
    if (last == npos) return false;
    for (std::size_t i = kernel.begin + 3; i < last; ++i) {
      const bool names_type =
          syntax_.is(i - 1, "typename") || syntax_.word(i - 1) == Word::class_key || syntax_.is(i - 1, "...");
      if (names_type && syntax_.is_name(i) && syntax_.mentions(one.begin, one.end, syntax_.at(i)))
        return true;
    }
    return false;
  }

  /// Returns true if the argument is a lambda `[](int i) { … }` without a mark, or a variable of the function
  /// that contains such a lambda.
  bool is_unmarked_lambda(const Unit& unit, std::size_t begin, std::size_t end) const {
    std::size_t lambda = begin;
    if (end - begin == 1 && syntax_.is_name(begin)) lambda = lambda_of_variable(unit, begin);
    if (lambda == npos || !syntax_.is(lambda, "[") || marked_lambda(syntax_, lambda) != npos) return false;
    const std::size_t body = syntax_.lambda_body(lambda);
    return body != npos &&
           (lambda != begin ? syntax_.is(syntax_.after(body), ";") : syntax_.after(body) == end);
  }
  /// Returns the lambda after `auto f = `; npos if `f` may be something else.
  std::size_t lambda_of_variable(const Unit& unit, std::size_t name) const {
    std::size_t found = npos;
    for (std::size_t i = unit.declaration.parameters; i < unit.end; ++i) {
      if (!syntax_.is(i, syntax_.at(name)) || !syntax_.is_identifier(i - 1)) continue;
      if (found != npos || !syntax_.is(i - 1, "auto") || !syntax_.is(i + 1, "=")) return npos;
      found = i + 2;
    }
    return found;
  }

  const Class* type_of_argument(std::size_t begin, std::size_t end) const {
    const Expression& argument = inside_parentheses(syntax_.tree().expression(begin, end));
    const bool constructs = is_construction(syntax_, argument) || is_list_construction(syntax_, argument);
    const std::size_t name = constructs ? argument.at : argument.type.name;
    return name == npos ? nullptr : syntax_.tree().classes().named(name);
  }

  /// Returns true if the class is a `private` or `protected` member of a class.
  bool is_private(const Class& type) const {
    const Class* around = nullptr;  // the innermost enclosing class
    for (const Class& each : syntax_.tree().classes().all())
      if (each.open < type.open && type.open < syntax_.after(each.open)) around = &each;
    return around != nullptr && is_private_in(*around, type.name);
  }
  /// Returns true if the class `around` declares the member at `member` as private or protected.
  bool is_private_in(const Class& around, std::size_t member) const {
    std::size_t key = around.open;
    while (key > 0 && (syntax_.word(key) != Word::class_key || syntax_.class_body(key) != around.open)) --key;
    bool hidden = syntax_.is(key, "class");
    for (std::size_t i = around.open + 1; i < member; i = syntax_.after(i))
      if (syntax_.word(i) == Word::access && syntax_.is(i + 1, ":")) hidden = !syntax_.is(i, "public");
    return hidden;
  }

  struct Named {
    std::vector<Declaration> kernels;
    std::unordered_set<std::string> host_prototypes;  ///< the parameters of each
  };

  const Syntax& syntax_;
  const LanguageOptions& options_;
  Compiled compiled_;
  std::map<std::string, Named> functions_;  ///< functions of namespaces
  std::vector<Unit> bodies_;
  Findings findings_;
};

}  // namespace

Findings check_restrictions(const Syntax& syntax, const LanguageOptions& options) {
  return Restrictions(syntax, options).run();
}

}  // namespace emucc
