// Translates declarations at namespace and class level: kernels, device functions, variables.
#include <algorithm>
#include <utility>

#include "analyse/plain_loop.hpp"
#include "lower/translator_detail.hpp"
#include "parse/parameters.hpp"
#include "parse/scopes.hpp"
#include "parse/tree_dump.hpp"
#include "parse/units.hpp"

namespace emucc::detail {

void Translator::declarations(std::size_t at, std::size_t end, Context& context) {
  while (at < end) {
    const TokenKind kind = stream_.tokens[at].kind;
    if (kind == TokenKind::directive)
      at = pragma(at, context);
    else if (kind == TokenKind::verbatim || syntax_.is(at, ";") || syntax_.is(at, "}"))
      emit(at++);
    else
      at = declaration(at, end, context);
  }
}

std::size_t Translator::declaration(std::size_t at, std::size_t end, Context& context) {
  // namespace a::b {   extern "C" {
  const Word first = syntax_.word(at);
  if (first == Word::namespace_ || (first == Word::inline_ && syntax_.word(at + 1) == Word::namespace_) ||
      (first == Word::extern_ && stream_.tokens[at + 1].kind == TokenKind::string)) {
    std::size_t open = at;
    while (open < end && !syntax_.is(open, "{") && !syntax_.is(open, ";") && !syntax_.is(open, "=") &&
           !syntax_.is(open, "("))
      ++open;
    const bool block = open < end && syntax_.is(open, "{") && (first != Word::extern_ || open == at + 2);
    if (block) {
      const std::size_t close = std::min(syntax_.after(open) - 1, end);
      Context inside = context;
      inside.scope += namespace_suffix(syntax_, at, open);
      while (at <= open) emit(at++);
      declarations(at, close, inside);
      if (close < end && syntax_.is(close, "}")) {
        emit(close);
        return close + 1;
      }
      return std::max(close, at);
    }
  }
  if (first == Word::access && syntax_.is(at + 1, ":")) {
    emit(at);
    emit(at + 1);
    return at + 2;
  }

  const Declaration found = syntax_.declaration(at, end);
  const Words& words = found.words;
  using Kind = Declaration::Kind;
  if (found.kind == Kind::function) {
    function(found, context);
  } else if (words.shared && found.kind != Kind::class_ && !context.in_class) {
    std::size_t word = at;
    while (word < found.end && syntax_.word(word) != Word::shared) ++word;
    namespace_shared(word, end, context);
  } else if ((words.device || words.constant || words.managed) &&
             (found.kind == Kind::variable || found.kind == Kind::class_)) {
    device_variable(found, context);
  } else if (found.kind == Kind::class_) {
    class_definition(found, context);
    if (!context.in_class && !context.in_function) register_tables(found);
  } else {
    if (found.kind == Kind::prototype) {
      if (words.global)
        check_kernel(found);
      else if (found.name != npos)
        other_functions_.emplace(syntax_.at(found.name));
      if (!words.global && found.name != npos) note_prototype(found);
    }
    if (found.kind == Kind::variable && !context.in_class)
      for (const auto& pass : passes_) pass->note_variable(found);
    Context inside = context;  // for default arguments of device code
    if (found.kind == Kind::prototype && words.device) inside.device = inside.in_function = true;
    code(at, found.end, inside);
    if (found.kind == Kind::variable && context.in_class)
      context.own = std::move(inside.own);  // the class's members need it
  }
  return std::max(found.end, at + 1);
}

void Translator::class_definition(const Declaration& found, Context& context) {
  code(found.begin, found.body, context);
  emit(found.body);
  Context inside = context;
  inside.in_class = true;
  inside.in_function = false;
  const std::size_t close = std::min(syntax_.after(found.body) - 1, found.end);
  declarations(found.body + 1, close, inside);
  code(close, found.end, context);
}

/// Registers virtual functions, once in each source. The `virtual` of a nested class counts, too.
void Translator::register_tables(const Declaration& found) {
  std::size_t i = found.body;
  while (i < found.end && !syntax_.is(i, "virtual")) ++i;
  if (i == found.end || std::exchange(tables_registered_, true)) return;
  text(" static const ::cuemu::RegisterTables " + unique("tables") + ";");
}

void Translator::function(const Declaration& found, const Context& context) {
  Context inside = context;
  inside.in_function = true;
  inside.in_class = false;
  inside.kernel = false;
  inside.device = found.words.global || found.words.device;
  inside.volatile_pointers.clear();
  if (inside.device) inside.volatile_pointers = volatile_pointers(found);
  if (options_.lockstep && inside.device && !found.words.constexpr_) {
    inside.volatile_pointers.clear();
    steps_of_lanes(found);
  }
  inside.own.clear();
  if (found.parameters != npos) {
    bool default_argument = false;  // in a default argument, names are CUDA's, not the user's
    for (std::size_t i = found.parameters + 1; i + 1 < syntax_.after(found.parameters); ++i) {
      if (syntax_.is(i, ",")) default_argument = false;
      if (syntax_.is(i, "=")) default_argument = true;
      if (default_argument && syntax_.partner(i) != npos) i = syntax_.after(i) - 1;
      if (!default_argument && syntax_.is_built_in_variable(i)) inside.own.emplace(syntax_.at(i));
    }
  }
  const bool certain = !found.words.template_ && !context.in_class && !found.words.host;
  if (certain && inside.device) refuse_exceptions(found);
  if (found.words.global)
    check_kernel(found);
  else if (found.name != npos)
    other_functions_.emplace(syntax_.at(found.name));

  // Kernels can't call host functions.
  const bool called =
      found.name != npos && !found.words.global && (found.words.device || found.words.constexpr_);
  if (called) note_function(found, context);
  if (options_.dump == "tree" && found.name != npos) {
    const Token& token = stream_.tokens[found.name];
    dump_ += stream_.places[token.place].file + ":" + std::to_string(token.line) + ": '" +
             std::string(syntax_.at(found.name)) + "'\n" + dump_tree(syntax_, found.body + 1, found.end - 1);
  }
  inside.in_head = true;
  code(found.begin, found.body, inside);
  inside.in_head = false;
  emit(found.body);
  const std::size_t close = found.end - 1;
  if (found.words.global) {
    kernel_body(found, inside);
  } else {
    if (inside.device) redeclare_shared(found.body + 1, close, namespace_shared_);
    redeclare_shared(found.body + 1, close, context.shared);
    code(found.body + 1, close, inside);
  }
  emit(close);
  if (called)
    for (const auto& pass : passes_)
      if (pass->after_function(context)) split_ = true;
  if (found.words.global && !found.words.template_ && !context.in_class && !context.in_function &&
      !syntax_.is(found.parameters - 1, ">"))
    register_kernel(found);
}

/// Records a function that kernels may call.
void Translator::note_function(const Declaration& found, const Context& context) {
  if (!options_.fission) return;
  const bool known = is_device_function(found) && !context.in_class && namespace_shared_.empty();
  note_plain(std::string(syntax_.at(found.name)), is_plain(found, known));
  for (const auto& pass : passes_) pass->note_function(found, context);
}

/// Records a function that kernels may call before it is defined, if it is.
void Translator::note_prototype(const Declaration& found) {
  const std::string name(syntax_.at(found.name));
  if (options_.fission && found.words.device && expected_functions_.count(name) == 0) note_plain(name, false);
  for (const auto& pass : passes_) pass->note_prototype(found);
}

/// Registers a kernel whose address cudaLaunchKernel or a similar function may receive, so that the runtime
/// can call the kernel. The cast selects one of several kernels with the same name.
void Translator::register_kernel(const Declaration& found) {
  std::string parameters;
  const std::size_t close = syntax_.after(found.parameters) - 1;
  bool default_argument = false;
  for (std::size_t i = found.parameters + 1; i < close; ++i) {
    if (syntax_.is(i, ",")) default_argument = false;
    if (syntax_.is(i, "=")) default_argument = true;
    const std::size_t last = syntax_.is(i, "(") || syntax_.is(i, "[") || syntax_.is(i, "{") ? syntax_.after(i)
                             : syntax_.is(i, "<") && !default_argument && syntax_.template_close(i) != npos
                                 ? syntax_.template_close(i) + 1
                                 : i + 1;
    for (; i < last; ++i) {
      if (!default_argument && syntax_.word(i) == Word::none) parameters += syntax_.spaced(i);
    }
    --i;
  }
  text(" static const ::cuemu::RegisterKernel " + unique("kernel") + "(static_cast<void (*)(" + parameters +
       ")>(&" + std::string(syntax_.at(found.name)) + "));");
}

/// Writes a kernel's body as a lambda that the runtime calls for each thread. The function around the lambda is the
/// launch stub.
void Translator::kernel_body(const Declaration& found, Context& inside) {
  has_kernels_ = true;
  inside.kernel = true;
  inside.function = std::string(syntax_.at(found.name));
  for (std::size_t i = found.begin; i < found.body; ++i) {
    if (stream_.tokens[i].kind != TokenKind::identifier && stream_.tokens[i].kind != TokenKind::punctuator)
      continue;
    if (!inside.signature.empty() && stream_.tokens[i].space_before) inside.signature += ' ';
    inside.signature += syntax_.at(i);
  }
  const std::size_t close = found.end - 1;
  const std::string shared = declared_shared(found.body + 1, close);
  // A local variable with the name of a built-in variable needs a separate block inside the lambda, since the
  // lambda's parameters have these names.
  const bool hides = hides_built_in(found.body + 1, close);
  KernelPlan plan;
  bool plain = false;
  KernelPass* const pass = plan_kernel(found, inside, plan, plain);
  note_kernel(found, plain             ? "runs as a loop over the threads of a block"
                     : pass != nullptr ? plan.how
                                       : "runs thread by thread: " + plan.refusal);
  dump_ += plan.dump;
  limit_parameters(found);
  limit_shared(shared);
  give_to_device(found);
  text(std::string(" ::cuemu::kernel_entry") +
       (plain             ? "<::cuemu::plain_loop>"
        : pass != nullptr ? "<::cuemu::whole_block>"
                          : "") +
       "(::cuemu::KernelInfo{\"" + inside.function + "\", __builtin_FILE()");
  const bool clustered = found.cluster_dims != npos && syntax_.is(found.cluster_dims + 1, "(");
  if (found.launch_bounds != npos && syntax_.is(found.launch_bounds + 1, "(")) {
    text(", static_cast<unsigned>(");
    const std::size_t last = syntax_.after(found.launch_bounds + 1) - 1;
    for (std::size_t i = found.launch_bounds + 2; i < last && !syntax_.is(i, ",");) {
      const std::size_t after = syntax_.is(i, "(") ? syntax_.after(i) : i + 1;
      code(i, after, inside);
      i = after;
    }
    text(")");
  } else if (!shared.empty() || clustered) {
    text(", 0");
  }
  if (!shared.empty() || clustered) text(", ::cuemu::shared_bytes({" + shared + "})");
  if (clustered) {
    text(", ::dim3(");
    code(found.cluster_dims + 2, syntax_.after(found.cluster_dims + 1) - 1, inside);
    text(")");
  }
  split_ = split_ || pass != nullptr;
  if (pass != nullptr) inside.own.insert("threadIdx");  // the parameters of the pass's form take this name
  const ReferenceParameters references = reference_parameters(found);
  text("}, [=" + references.captures + "](" + kernel_parameters(inside) + ") mutable -> void {" +
       references.names);
  if (pass != nullptr) {
    inside.own.clear();
    inside.pass = pass;
    pass->write(inside);
    return text(" });");
  }
  redeclare_shared(found.body + 1, close, namespace_shared_);
  if (hides) text(" {");
  code(found.body + 1, close, inside);
  text(hides ? " } });" : " });");
}

/// Decides the form of a kernel. @return the pass that writes it, or null: the kernel is a plain loop if `plain`, or
/// runs thread by thread for the reason in `plan`
KernelPass* Translator::plan_kernel(const Declaration& found, const Context& inside, KernelPlan& plan,
                                    bool& plain) {
  plan.refusal = implicit_calls_ ? implicit_calls_->reason_against(found) : "splitting is off";
  if (!plan.refusal.empty()) return nullptr;
  plain = namespace_shared_.empty() && !hides_built_in(found.body + 1, found.end - 1) &&
          is_plain_loop(syntax_, found.body + 1, found.end - 1, plain_functions_);
  plan.refusal =
      "it is no plain loop, and this kit was built without the optimiser: build it with -DKIT_EMU_EXTRAS=ON";
  for (const auto& pass : passes_) {
    plan = pass->plan(found, inside, plain);
    if (!plan.refusal.empty()) continue;
    plain = false;
    return pass.get();
  }
  return nullptr;
}

void Translator::note_kernel(const Declaration& found, const std::string& how) {
  const Token& token = stream_.tokens[found.name];
  const std::string& file = stream_.places[token.place].file;
  const std::string what = "kernel '" + std::string(syntax_.at(found.name)) + "' " + how;
  notes_.push_back({file, token.line, token.reported_column(), what});
  if (options_.dump == "fission") dump_ += file + ":" + std::to_string(token.line) + ": " + what + "\n";
}

/// A parameter `T& x` passes an address, as with nvcc. A lambda that captures by copy would copy the object. So the
/// lambda gets a pointer, and the name refers to the object at that address.
Translator::ReferenceParameters Translator::reference_parameters(const Declaration& found) const {
  ReferenceParameters all;
  if (found.parameters == npos) return all;
  for (const Parameter& parameter : read_parameters(syntax_, found.parameters)) {
    if (!parameter.reference || parameter.pack || parameter.name == npos) continue;
    const std::string name(syntax_.at(parameter.name));
    all.captures += ", cuemu_at_" + name + " = ::cuemu::device_address(" + name + ")";
    all.names += " [[maybe_unused]] auto& " + name + " = *cuemu_at_" + name + ";";
  }
  return all;
}

/// Returns true if a variable that is declared in the range has the name of a built-in variable. A type's
/// name precedes the declared name.
bool Translator::hides_built_in(std::size_t at, std::size_t end) const {
  for (; at < end; ++at)
    if (syntax_.is_built_in_variable(at) && syntax_.is_name(at - 1) && !syntax_.is(at + 1, ".")) return true;
  return false;
}

/// Returns the lambda's own parameters. If a kernel's parameter has the name of a built-in variable, the
/// lambda's parameter is renamed.
std::string Translator::kernel_parameters(const Context& inside) const {
  std::string all = options_.kernel_parameters;
  for (const auto& name : inside.own) {
    const std::size_t found = all.find(name);
    if (found != all.npos) all.replace(found, name.size(), "cuemu_" + name);
  }
  return all;
}

void Translator::check_kernel(const Declaration& found) {
  if (found.name == npos || found.parameters == npos) return;
  kernels_.emplace(syntax_.at(found.name));
  const std::size_t close = syntax_.after(found.parameters) - 1;
  bool skip = false;  // a default argument
  for (std::size_t i = found.parameters + 1; i < close; ++i) {
    if (syntax_.is(i, "(") || syntax_.is(i, "[") || syntax_.is(i, "{"))
      i = syntax_.after(i) - 1;
    else if (syntax_.is(i, "<") && !skip && syntax_.template_close(i) != npos)
      i = syntax_.template_close(i);
    else if (syntax_.is(i, "="))
      skip = true;
    else if (syntax_.is(i, ","))
      skip = false;
    else if (!skip && syntax_.is(i, "&&"))
      error(i,
            "a __global__ function can't have a parameter of rvalue reference type: pass a value or a device "
            "pointer");
    else if (!skip && syntax_.is(i, "&") && syntax_.is(i + 1, "..."))
      error(i, "emucc does not take packs of references as parameters of a __global__ function");
  }
  for (std::size_t i = found.begin; i < found.name; ++i) {
    if (syntax_.is(i, "void") || syntax_.is(i, "auto") || syntax_.is(i, "decltype")) return;
  }
  if (!syntax_.is(found.name, "operator"))
    error(found.name,
          "a __global__ function must return void: results go to memory that a pointer parameter names");
}

void Translator::redeclare_shared(std::size_t begin, std::size_t end, const std::vector<SharedName>& names) {
  for (const auto& shared : names) {
    if (syntax_.mentions(begin, end, shared.name)) out_.quiet_text(begin, " " + shared.redeclaration);
  }
}

/// Records a shared variable at namespace level. Each function that mentions the variable declares it again.
void Translator::namespace_shared(std::size_t word, std::size_t end, Context& context) {
  const VariableDeclaration found = read_variables(syntax_, word, end);
  for (std::size_t i = found.begin; i < found.end; ++i) drop(i);
  const std::string type_name = in_place_class(found, context);
  const std::size_t before = out_.size();
  for (const auto& declarator : found.declarators) {
    Context scratch;
    shared_declarator(found, declarator, type_name, scratch);
    for (auto& shared : scratch.shared) namespace_shared_.push_back(std::move(shared));
  }
  out_.cut(before);
  for (auto& shared :
       namespace_shared_) {  // the tag must be the same in every function, and unique to this file
    const std::size_t tag = shared.redeclaration.find(", struct cuemu_shared_");
    if (tag == std::string::npos) continue;
    const std::size_t name = tag + 9;
    text("namespace { struct " +
         shared.redeclaration.substr(name, shared.redeclaration.find_first_of(",>", name) - name) + "; }");
    shared.redeclaration.erase(tag + 2, 7);
  }
}

void Translator::device_variable(const Declaration& found, Context& context) {
  std::size_t word = found.begin;
  while (syntax_.word(word) < Word::device || syntax_.word(word) > Word::managed) ++word;
  const Words& words = found.words;
  const VariableDeclaration variables = read_variables(syntax_, word, found.end);
  // In a definition of `a::x`, the reader of types has already read the qualified name.
  std::string qualified;
  if (variables.declarators.empty() || variables.declarators.front().name == npos) {
    for (std::size_t i = variables.type.size(); i-- > 0;) {
      const auto spelling = syntax_.at(variables.type[i]);
      if (i + 1 < variables.type.size() && (spelling == "::") == (syntax_.at(variables.type[i + 1]) == "::"))
        break;
      qualified.insert(0, spelling);
    }
  }
  const bool own = !options_.language.relocatable && !words.extern_ && !words.static_ && !words.inline_ &&
                   !words.const_ && !words.constexpr_ && !context.in_class && qualified.empty() &&
                   !words.template_;
  if (own) out_.replace(found.begin, "static ");
  if (found.kind == Declaration::Kind::class_)
    class_definition(found, context);
  else
    code(found.begin, found.end, context);
  if (words.template_) {  // the template's name precedes the initialiser
    std::size_t i = word;
    while (i < found.end && !syntax_.is(i, "=") && !syntax_.is(i, "{") && !syntax_.is(i, ";")) ++i;
    if (syntax_.is(i - 1, "]")) i = syntax_.partner(i - 1);
    if (syntax_.is_name(i - 1)) variable_templates_.emplace(syntax_.at(i - 1));
    for (const auto& declarator : variables.declarators)  // or inside the declarator: T (*name)(T)
      if (declarator.name != npos) variable_templates_.emplace(syntax_.at(declarator.name));
  }
  if (!words.constant) {
    const auto note = [&](std::string_view name) {
      device_variables_.emplace(name);
      for (const auto& pass : passes_) pass->note_device_variable(name);
    };
    if (!qualified.empty()) note(std::string_view(qualified).substr(qualified.rfind(':') + 1));
    for (const auto& declarator : variables.declarators)
      if (declarator.name != npos) note(syntax_.at(declarator.name));
  }
  if (words.extern_ || words.constexpr_ || words.template_ || context.in_class) return;
  const std::string kind = words.managed    ? ", ::cuemu::VariableKind::managed"
                           : words.constant ? ", ::cuemu::VariableKind::constant"
                                            : "";
  auto add = [&](const std::string& name) {
    text(" static const ::cuemu::RegisterVariable " + unique("variable") + "(\"" + name + "\", &" + name +
         ", sizeof(" + name + ")" + kind + ");");
    if (words.constant) limit_constants(context.scope + "::" + name);
  };
  if (!qualified.empty()) return add(qualified);
  for (const auto& declarator : variables.declarators) {
    if (declarator.name != npos) add(std::string(syntax_.at(declarator.name)));
  }
}

/// Refuses exceptions in device code. The caller excludes templates and functions for both sides: nvcc
/// accepts `throw` in a template that isn't instantiated, and in the host's branch of a function for both
/// sides.
void Translator::refuse_exceptions(const Declaration& found) {
  for (std::size_t i = found.body; i < found.end; ++i)
    if (syntax_.is(i, "throw") || syntax_.is(i, "try"))
      error(i,
            "device code does not support exception handling: store an error code for the host, or stop the "
            "kernel by assert() or __trap()");
}

/// Limits the size of a kernel's parameters, as ptxas does. Only objects of classes can be too large.
void Translator::limit_parameters(const Declaration& found) {
  std::string types;
  bool objects = false;
  for (const Parameter& each : read_parameters(syntax_, found.parameters)) {
    if (each.name == npos || each.pack || each.reference || each.rvalue) return;
    bool object = each.pointers == 0 && !each.array && !each.parenthesised;
    for (std::size_t i = each.begin; i < each.name; ++i)
      object = object && !is_predefined_type(syntax_.at(i));
    objects = objects || object;
    types += (types.empty() ? "decltype(" : ", decltype(") + std::string(syntax_.at(each.name)) + ")";
  }
  if (objects)
    text(" static_assert(::cuemu::parameter_bytes<" + types +
         ">() <= 32764, \"a kernel has at most 32764 bytes of parameters: pass a pointer to larger ones\");");
}

/// Calls give_to_device() for a kernel's arguments, since pointers to host memory are invalid in a kernel.
void Translator::give_to_device(const Declaration& found) {
  if (found.parameters == npos) return;
  std::string names;
  for (const Parameter& each : read_parameters(syntax_, found.parameters)) {
    if (each.name == npos || each.pack || each.reference || each.rvalue) continue;
    bool number = each.pointers == 0 && !each.array && !each.parenthesised;
    for (std::size_t i = each.begin; i < each.name; ++i)
      number = number && (syntax_.is(i, "const") || is_predefined_type(syntax_.at(i)));
    if (!number) names += (names.empty() ? "" : ", ") + std::string(syntax_.at(each.name));
  }
  if (!names.empty()) text(" ::cuemu::give_to_device(" + names + ");");
}

/// Limits the statically sized shared memory of a kernel, as ptxas does.
void Translator::limit_shared(const std::string& sizes) {
  if (!sizes.empty())
    text(" static_assert(::cuemu::shared_bytes({" + sizes +
         "}) <= 49152, \"a kernel has at most 48 KiB (0xc000 bytes) of __shared__ variables whose size is "
         "known: "
         "more is dynamic shared memory\");");
}

/// Limits a file's constant memory to the amount that a GPU has, as ptxas does. Only the compiler knows the sizes.
void Translator::limit_constants(const std::string& name) {
  constant_bytes_ += (constant_bytes_.empty() ? "sizeof(" : " + sizeof(") + name + ")";
  text(" static_assert(" + constant_bytes_ +
       " <= 65536, \"a file has at most 64 KiB (0x10000 bytes) of __constant__ variables: larger arrays "
       "belong in "
       "memory of cudaMalloc()\");");
}

}  // namespace emucc::detail
