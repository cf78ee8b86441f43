#include "analyse/restrictions.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>

#include "analyse/constant_values.hpp"
#include "parse/syntax_tree.hpp"
#include "parse/units.hpp"
#include "parse/variables.hpp"

namespace emucc {
namespace {

/// Which side runs a function's body.
enum class Side : std::uint8_t { host, device, both };

Side side_of(const Words& words) {
  if (words.global) return Side::device;
  if (!words.device) return Side::host;
  return words.host ? Side::both : Side::device;
}

class Checker {
 public:
  Checker(const Syntax& syntax, const LanguageOptions& options) : syntax_(syntax), options_(options) {}

  Findings run() {
    units(0, syntax_.size(), false);
    lambdas();
    for (const Unit& each : bodies_) launches(each);
    return std::move(findings_);
  }

 private:
  void error(std::size_t at, std::string message) { findings_.error(syntax_, at, std::move(message)); }
  void warning(std::size_t at, std::string message) { findings_.warning(syntax_, at, std::move(message)); }

  void units(std::size_t begin, std::size_t end, bool in_class) {
    for (const Unit& unit : units_of(syntax_, begin, end)) {
      const Declaration& found = unit.declaration;
      const bool function =
          found.kind == Declaration::Kind::function || found.kind == Declaration::Kind::prototype;
      if (unit.kind == Unit::Kind::block || unit.kind == Unit::Kind::class_) {
        units(unit.body + 1, syntax_.after(unit.body) - 1, in_class || unit.kind == Unit::Kind::class_);
      } else if (function && found.name != npos && found.parameters != npos) {
        function_head(found, in_class);
        if (unit.kind == Unit::Kind::function) body(unit);
      } else if (found.kind == Declaration::Kind::variable) {
        variable(found, in_class);
      }
    }
  }

  // ---- heads of functions

  void function_head(const Declaration& found, bool in_class) {
    const std::string name(syntax_.at(found.name));
    if (!in_class) note_function(found, name);
    if (found.words.global)
      kernel_head(found, in_class);
    else if (found.launch_bounds != npos)
      error(found.launch_bounds,
            "__launch_bounds__ belongs to __global__ functions, which '" + name + "' is not");
  }

  void kernel_head(const Declaration& found, bool in_class) {
    const std::string name(syntax_.at(found.name));
    bool is_friend = false, is_auto = false;
    for (std::size_t i = found.begin; i < found.name; ++i) {
      is_friend = is_friend || syntax_.word(i) == Word::friend_;
      is_auto = is_auto || syntax_.is(i, "auto");
      if (syntax_.is(i, "inline")) warning(i, "inline does nothing for a __global__ function");
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
    if (name == "main")
      error(found.name, "main can't be a __global__ function: the program begins on the host");
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

  /// A function of the host that is defined for the device is one of both sides.
  void note_function(const Declaration& found, const std::string& name) {
    Named& all = functions_[name];
    (found.words.global ? all.kernel : all.other) = true;
    if (found.words.template_ || syntax_.is(found.name - 1, "::") || found.words.global) return;
    std::string signature;
    for (std::size_t i = found.parameters; i < syntax_.after(found.parameters); ++i)
      signature += std::string(syntax_.at(i)) + " ";
    if (found.kind == Declaration::Kind::prototype && side_of(found.words) == Side::host)
      all.host_prototypes.insert(signature);
    else if (side_of(found.words) == Side::device && all.host_prototypes.count(signature) > 0)
      warning(found.name, "'" + name +
                              "' was declared for the host and is defined as __device__: nvcc makes it a "
                              "function of both sides; declare it as it is defined");
  }

  // ---- variables of namespaces and classes

  void variable(const Declaration& found, bool in_class) {
    const Words& words = found.words;
    if (!words.device && !words.constant && !words.managed) return;
    const std::string name = variable_name(found);
    if (in_class && !words.static_ && words.device)
      warning(found.begin, "__device__ has no meaning for a member of a class, which is where its object is");
    if (!words.managed) return;
    if (words.const_ || words.constexpr_)
      error(found.begin, "a __managed__ variable can't be const: " + name);
    if (words.constant || words.shared)
      error(found.begin, "a __managed__ variable can't be __constant__ or __shared__: " + name);
    for (std::size_t i = found.begin; i < found.end && !syntax_.is(i, "="); ++i)
      if (syntax_.is(i, "&")) error(i, "a __managed__ variable can't be a reference: " + name);
  }

  std::string variable_name(const Declaration& found) const {
    for (std::size_t i = found.begin; i + 1 < found.end; ++i)
      if (syntax_.is_name(i) && syntax_.word(i) == Word::none &&
          (syntax_.is(i + 1, "=") || syntax_.is(i + 1, ";") || syntax_.is(i + 1, "[") ||
           syntax_.is(i + 1, "{") || syntax_.is(i + 1, ",")))
        return std::string(syntax_.at(i));
    return {};
  }

  // ---- bodies

  void body(const Unit& unit) {
    bodies_.push_back(unit);
    const Side side = side_of(unit.declaration.words);
    const std::size_t end = syntax_.after(unit.body) - 1;
    for (std::size_t i = unit.body + 1; i < end; ++i) {
      if (syntax_.word(i) == Word::constant || syntax_.word(i) == Word::managed)
        error(i, "a " + std::string(syntax_.at(i)) +
                     " variable can't be declared in a function: declare it outside");
      if (syntax_.word(i) == Word::device && begins_statement(i) && !in_class_body(i, unit.body))
        error(i, "a __device__ variable can't be declared in a function: declare it outside");
      if (side == Side::host) {
        if (const std::size_t lambda = device_lambda_end(i); lambda != npos)
          i = lambda;
        else if (syntax_.word(i) == Word::shared && !in_class_body(i, unit.body))
          error(i, "a __shared__ variable belongs to a block, and can't be declared in host code");
      } else if (side == Side::device) {
        device_token(i);
      }
    }
    if (side == Side::device && may_hold_arrays(unit.body + 1, end))
      for (const Statement& each : syntax_.tree().body(unit.body + 1, end).statements) statement(each);
  }

  void device_token(std::size_t i) {
    if (!syntax_.is_identifier(i)) return;
    const std::string_view word = syntax_.at(i);
    if (word == "throw")
      error(i, "device code can't throw exceptions: write what went wrong to memory, or call __trap()");
    else if (word == "try")
      error(i, "device code can't catch exceptions: there are none on a GPU");
    else if (word == "dynamic_cast" || word == "typeid")
      error(i, "device code can't use " + std::string(word) + ": a GPU knows no types at run time");
    else if (word == "thread_local")
      error(i, "device code can't have thread_local variables: a plain local variable is the thread's own");
    else if (word == "long" && syntax_.is(i + 1, "double"))
      warning(i, "a GPU has no long double: it is a double there, with fewer digits than here");
  }

  bool begins_statement(std::size_t at) const {
    return syntax_.is(at - 1, ";") || syntax_.is(at - 1, "{") || syntax_.is(at - 1, "}");
  }

  /// Does it stand in a class that the function defines?
  bool in_class_body(std::size_t at, std::size_t body) const {
    for (std::size_t i = body + 1; i < at; ++i)
      if (syntax_.word(i) == Word::class_key)
        if (const std::size_t open = syntax_.class_body(i);
            open != npos && open < at && at < syntax_.after(open))
          return true;
    return false;
  }

  /// Trees cost time.
  bool may_hold_arrays(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (syntax_.word(i) == Word::static_ ||
          (syntax_.is(i, "[") && syntax_.is_name(i - 1) && syntax_.is_name(i - 2)) ||
          (syntax_.is(i, "[") && syntax_.is_name(i - 1) && syntax_.is(i - 2, ",")))
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

  // ---- lambdas and launches

  std::size_t device_lambda_end(std::size_t at) const {
    const std::size_t body = lambda_of_device(at);
    return body == npos ? npos : syntax_.after(body) - 1;
  }

  /// The `{` of a lambda that is marked for the device; npos where there is none.
  std::size_t lambda_of_device(std::size_t at) const {
    if (!syntax_.is(at, "[")) return npos;
    const std::size_t body = syntax_.lambda_body(at);
    if (body == npos) return npos;
    for (std::size_t i = syntax_.after(at); i < body; ++i)
      if (syntax_.word(i) == Word::device || syntax_.word(i) == Word::host) return body;
    return npos;
  }

  void lambdas() {
    for (std::size_t i = 0; i < syntax_.size(); ++i) {
      if (lambda_of_device(i) == npos) continue;
      if (!options_.extended_lambda)
        error(i,
              "a lambda that is marked __device__ or __host__ needs the flag --extended-lambda, of nvcc too");
      if (syntax_.is(i + 1, "&") && !in_device_code(i))
        error(i + 1,
              "a lambda for the device can't capture by reference: a GPU can't reach the host's variables");
    }
  }

  bool in_device_code(std::size_t at) const {
    return std::any_of(bodies_.begin(), bodies_.end(), [&](const Unit& each) {
      return each.body < at && at < each.end && side_of(each.declaration.words) != Side::host;
    });
  }

  void launches(const Unit& unit) {
    const bool device = side_of(unit.declaration.words) == Side::device;
    for (std::size_t i = unit.body + 1; i < unit.end; ++i) {
      if (!syntax_.is_launch_open(i)) continue;
      if (device && !options_.relocatable)
        error(i, "a kernel can launch kernels only in relocatable code: compile with -rdc=true");
      if (syntax_.callee_begin(i) + 1 != i) continue;
      const auto found = functions_.find(std::string(syntax_.at(i - 1)));
      if (found != functions_.end() && !found->second.kernel &&
          syntax_.tree().scopes().meaning(i - 1).declared == npos)
        error(i - 1,
              "'" + found->first + "' is no kernel: declare it __global__, or call it without <<<…>>>");
    }
  }

  struct Named {
    bool kernel = false, other = false;
    std::unordered_set<std::string> host_prototypes;  ///< parameters
  };

  const Syntax& syntax_;
  const LanguageOptions& options_;
  std::map<std::string, Named> functions_;  ///< of namespaces
  std::vector<Unit> bodies_;
  Findings findings_;
};

}  // namespace

Findings check_restrictions(const Syntax& syntax, const LanguageOptions& options) {
  return Checker(syntax, options).run();
}

}  // namespace emucc
