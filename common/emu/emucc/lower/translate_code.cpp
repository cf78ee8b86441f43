// Translates statements and expressions: launches, built-in variables, lambdas, pragmas.
#include <algorithm>
#include <utility>

#include "lower/translator_detail.hpp"
#include "parse/functions.hpp"

namespace emucc::detail {

void Translator::code(std::size_t at, std::size_t end, Context& context) {
  while (at < end) at = std::max(code_token(at, end, context), at + 1);
}

std::size_t Translator::code_token(std::size_t at, std::size_t end, Context& context) {
  const Token& token = stream_.tokens[at];
  if (!before_token_.empty())
    if (const auto found = before_token_.find(at); found != before_token_.end()) text(found->second);
  drop(at);  // records the token's place in the output, where a replacement is written
  if (context.pass != nullptr)
    if (const std::size_t after = context.pass->write_instead(at); after != npos) return after;
  if (token.kind == TokenKind::directive) return pragma(at, context);
  if (const auto found = names_on_host_.find(at); found != names_on_host_.end())
    return name_on_host(found->second);
  if (token.kind == TokenKind::identifier) {
    if (const std::size_t after = guarded_array(at, end, context); after != npos) return after;
    const Word word = syntax_.word(at);
    if (word != Word::none) return word_token(at, end, word, context);
    if (const std::size_t after = template_variable(at, context); after != npos) return after;
    if (!context.volatile_pointers.empty())
      if (const std::size_t after = lockstep(at, end, context); after != npos) return after;
    if (context.instead_of_return != nullptr && syntax_.is(at, "return")) {
      replace(at, context.instead_of_return);
      return at + 1;
    }
    if (needs_template(at, context)) text(" template ");
    std::size_t begin = at;
    const std::size_t address = kernel_address(at, begin);
    if (address != npos) {
      // At `(void*)k<int>`, for cudaLaunchKernel and similar functions, the runtime learns how to call the kernel.
      out_.cut(marks_[begin]);
      out_.replace(begin, "[](auto* kernel) { ::cuemu::RegisterKernel known(kernel); return kernel; }(");
      for (std::size_t i = begin; i < address; ++i) emit(i);
      text(")");
      return address;
    }
    if (const std::size_t name = cast_kernel_pointer(at); name != npos) {
      emit(at);
      for (std::size_t i = at + 1; i < name; ++i) drop(i);
      text("(::cuemu::kernel_pointer(");
      emit(name);
      text(")");
      return name + 1;
    }
    std::size_t call_end = at;
    if (context.in_function && is_bare_kernel_call(at, call_end)) {
      error(at, "a call of the kernel '" + std::string(syntax_.at(at)) + "' needs a configuration: write " +
                    std::string(syntax_.at(at)) + "<<<grid, block>>>(…)");
    }
  } else if (token.kind == TokenKind::punctuator) {
    if (syntax_.is_launch_open(at)) return launch(at, context);
    if (syntax_.is(at, "[")) {
      const std::size_t body = syntax_.lambda_body(at);
      if (body != npos && body < end) return lambda(at, body, context);
    }
  }
  emit(at);
  if (!after_token_.empty())
    if (const auto found = after_token_.find(at); found != after_token_.end()) text(found->second);
  return at + 1;
}

/// Returns true if `at` names a member template in `C<B>::f<N>(…)`, where nvcc does not require the word
/// `template`.
bool Translator::needs_template(std::size_t at, const Context& context) const {
  if (!context.device || !context.in_function || context.in_head) return false;
  if (at < 2 || !syntax_.is(at - 1, "::") || !syntax_.is(at - 2, ">") || !syntax_.is(at + 1, "<"))
    return false;
  const std::size_t close = syntax_.template_close(at + 1);
  if (close == npos || !syntax_.is(close + 1, "(")) return false;
  for (std::size_t i = at + 2; i < close; ++i)
    if (syntax_.is(i, "&&")) return false;
  return true;
}

std::size_t Translator::word_token(std::size_t at, std::size_t end, Word word, Context& context) {
  switch (word) {
    case Word::shared:
      if (context.in_function) return shared_statement(at, end, context);
      [[fallthrough]];
    case Word::global:
    case Word::device:
    case Word::host:
    case Word::constant:
    case Word::managed:
    case Word::grid_constant:
    case Word::dropped:
      drop(at);
      return at + 1;
    case Word::launch_bounds:
    case Word::cluster_dims:
    case Word::dropped_with_arguments: {
      const std::size_t after = syntax_.is(at + 1, "(") ? syntax_.after(at + 1) : at + 1;
      for (std::size_t i = at; i < after; ++i) drop(i);
      return after;
    }
    case Word::forceinline: {
      // A second `inline` would be an error. The compiler decides whether to inline, since recursion must
      // stay possible.
      bool other = false;
      for (std::size_t i = at; i-- > 0 && (syntax_.is_identifier(i));)
        other = other || syntax_.word(i) == Word::inline_;
      for (std::size_t i = at + 1; i < end && syntax_.is_identifier(i); ++i)
        other = other || syntax_.word(i) == Word::inline_ || syntax_.word(i) == Word::forceinline;
      if (other)
        drop(at);
      else
        replace(at, "inline");
      return at + 1;
    }
    case Word::noinline:
      replace(at, "__attribute__((noinline))");
      return at + 1;
    case Word::align: {
      if (!syntax_.is(at + 1, "(")) break;
      const std::size_t after = syntax_.after(at + 1);
      replace(at, "__attribute__((aligned");
      code(at + 1, after, context);
      text(")) ");
      return after;
    }
    case Word::thread_idx:
    case Word::block_idx:
    case Word::block_dim:
    case Word::grid_dim:
    case Word::warp_size:
      return built_in_variable(at, word, context);
    case Word::printf:
      if (context.device && context.in_function && syntax_.is(at + 1, "(") && !means_own(syntax_, at))
        return device_function_name(at, "::cuemu::device_printf");
      break;
    case Word::clock:
      if (context.device && context.in_function && syntax_.is(at + 1, "(") && syntax_.is(at + 2, ")") &&
          !means_own(syntax_, at))
        return device_function_name(at, "::cuemu::clock");
      break;
    case Word::assert_fail:
      if (context.device && context.in_function && syntax_.is(at + 1, "(") && !means_own(syntax_, at))
        return device_function_name(at, "::cuemu::device_assert_fail");
      break;
    case Word::malloc_:
    case Word::free_:
      if (context.device && context.in_function && syntax_.is(at + 1, "(") && !means_own(syntax_, at))
        return device_function_name(
            at, word == Word::malloc_ ? "::cuemu::device_malloc" : "::cuemu::device_free");
      break;
    case Word::function_name:
    case Word::pretty_function:
      if (!context.kernel || context.in_lambda) break;
      replace(at, "\"" + (word == Word::function_name ? context.function : context.signature) + "\"");
      return at + 1;
    case Word::class_key: {
      const std::size_t body = syntax_.class_body(at);
      if (body != npos && body < end && context.in_function) return local_class(at, body, context);
      break;
    }
    case Word::operator_:  // neither `operator[]` nor `operator<<<int>` opens a lambda or a launch
      emit(at++);
      while (at < end && stream_.tokens[at].kind == TokenKind::punctuator && !syntax_.is(at, "(") &&
             !syntax_.is(at, ";"))
        emit(at++);
      return at;
    case Word::argument_keyword:
      if (syntax_.is(at, "__attribute__") ||
          syntax_.is(at, "__attribute")) {  // the host compiler understands `((__noinline__))` inside
        const std::size_t after = syntax_.is(at + 1, "(") ? syntax_.after(at + 1) : at + 1;
        while (at < after) emit(at++);
        return after;
      }
      break;
    case Word::assembly:
      if (context.device && context.in_function) return assembly(at, context);
      break;
    default:
      break;
  }
  emit(at);
  return at + 1;
}

/// Returns the meaning of a built-in variable's name in a class, outside functions: the built-in variable in
/// an initialiser, `struct S { int t = threadIdx.x; };`, or the user's member or parameter with that name.
Translator::InClass Translator::named_in_class(std::size_t at) const {
  if (syntax_.is(at + 1, ".")) return InClass::initialiser;
  for (std::size_t i = at; i-- > 0;) {
    if (syntax_.is(i, "=")) return syntax_.is(i - 1, "operator") ? InClass::parameter : InClass::initialiser;
    if (syntax_.is(i, "(")) {
      const std::size_t sign = syntax_.is_name(i - 1) ? i - 2 : i - 1;  // the sign in `= f(blockDim)`
      return syntax_.is(sign, "=") ? InClass::initialiser : InClass::parameter;
    }
    if (syntax_.is(i, ")")) i = syntax_.partner(i) == npos ? i : syntax_.partner(i);
    if (syntax_.is(i, ";") || syntax_.is(i, "{") || syntax_.is(i, "}")) break;
  }
  return InClass::member;
}

std::size_t Translator::built_in_variable(std::size_t at, Word word, Context& context) {
  const std::string name(syntax_.at(at));
  const bool member =
      at > 0 && (syntax_.is(at - 1, ".") || syntax_.is(at - 1, "->") || syntax_.is(at - 1, "::"));
  // If a type's name precedes the name, this is the user's declaration.
  if (at > 0 && !member && syntax_.is_name(at - 1) && !syntax_.is(at + 1, ".")) context.own.insert(name);
  bool in_code = context.device && context.in_function && !context.kernel;
  if (context.in_class && !context.in_function && !member) {
    const InClass part = named_in_class(at);
    if (part == InClass::member) context.own.insert(name);
    in_code = part == InClass::initialiser;
  }
  if (member || !in_code || context.own.count(name) > 0) {
    emit(at);
    return at + 1;
  }
  static constexpr const char* functions[] = {"thread_idx", "block_idx", "block_dim", "grid_dim",
                                              "warp_size"};
  replace(at, "::cuemu::" +
                  std::string(functions[static_cast<int>(word) - static_cast<int>(Word::thread_idx)]) + "()");
  return at + 1;
}

/// Writes `v<int>`, where v is a device variable template, in host code: the instance is registered where it is used.
std::size_t Translator::template_variable(std::size_t at, Context& context) {
  const std::string name(syntax_.at(at));
  if (!context.in_function || context.device || variable_templates_.count(name) == 0) return npos;
  const std::size_t close = syntax_.is(at + 1, "<") ? syntax_.template_close(at + 1) : npos;
  if (close == npos || !(syntax_.is(at - 1, "(") || syntax_.is(at - 1, ","))) return npos;  // an argument
  text("::cuemu::known_variable(");
  for (; at <= close; ++at) emit(at);
  text(")");
  return at;
}

/// Writes a device variable's name in host code: the host's copy, or the variable's address if it is an
/// argument of a kernel.
std::size_t Translator::name_on_host(const NameOnHost& found) {
  const bool by_address = syntax_.is(found.begin - 1, "&");
  const std::size_t before = by_address ? found.begin - 2 : found.begin - 1, after = found.last + 1;
  const bool is_argument = launch_arguments_ != npos &&
                           (before == launch_arguments_ || syntax_.is(before, ",")) &&
                           (syntax_.is(after, ",") || after == syntax_.partner(launch_arguments_));
  const bool overloaded = found.kind == NameOnHost::Kind::overloaded_function;
  text(overloaded ? "::cuemu::overload_on_host([](auto* like) { decltype(like) chosen = "
       : found.kind == NameOnHost::Kind::function ? "::cuemu::function_on_host("
       : !is_argument                             ? "::cuemu::on_host("
       : by_address                               ? "::cuemu::address_on_host("
                                                  : "::cuemu::argument_on_host(");
  for (std::size_t i = found.begin; i < after; ++i) emit(i);
  text(overloaded ? "; return chosen; })" : ")");
  return after;
}

/// Replaces the C library's printf, ::printf and std::printf by the device's function.
std::size_t Translator::device_function_name(std::size_t at, const char* replacement) {
  std::size_t begin = at;
  if (at > 0 && (syntax_.is(at - 1, ".") || syntax_.is(at - 1, "->"))) {
    emit(at);
    return at + 1;
  }
  if (at > 0 && syntax_.is(at - 1, "::")) {
    begin = at - 1;
    if (begin > 0 && syntax_.is(begin - 1, "std"))
      --begin;
    else if (begin > 0 && syntax_.is_name(begin - 1))
      begin = at;  // the name belongs to another namespace
  }
  if (begin == at && at > 0 && syntax_.is(at - 1, "::")) {
    emit(at);
    return at + 1;
  }
  if (begin != at) out_.cut(marks_[begin]);
  replace(at, replacement);
  return at + 1;
}

std::size_t Translator::launch(std::size_t open, Context& context) {
  const std::size_t close = syntax_.launch_close(open);
  const std::size_t begin = syntax_.callee_begin(open);
  if (close == npos || begin == open) {
    error(open, close == npos ? "this kernel launch has no '>>>(' that closes its configuration: write "
                                "kernel<<<grid, block>>>(arguments)"
                              : "this kernel launch names no kernel before '<<<'");
    emit(open);
    return open + 3;
  }
  if (close == open + 3)
    error(open, "a kernel launch needs a grid and a block: write kernel<<<grid, block>>>(arguments)");
  const TokenWriter::Cut callee = out_.cut(marks_[begin]);
  out_.replace(begin, "(::cuemu::push_launch(");
  for (std::size_t i = open; i < open + 3; ++i) drop(i);
  code(open + 3, close, context);
  text("), ");
  for (std::size_t i = close; i < close + 3; ++i) drop(i);
  out_.paste(callee);
  const std::size_t after = syntax_.after(close + 3);
  const std::size_t outer = std::exchange(launch_arguments_, close + 3);
  code(close + 3, after, context);
  launch_arguments_ = outer;
  text(")");
  marks_[begin] = static_cast<std::uint32_t>(out_.size());
  return after;
}

std::size_t Translator::lambda(std::size_t at, std::size_t body, Context& context) {
  Context inside = context;
  inside.in_function = true;
  const bool by_reference = syntax_.is(at + 1, "&") && (syntax_.is(at + 2, "]") || syntax_.is(at + 2, ","));
  const bool by_value = syntax_.is(at + 1, "=") && (syntax_.is(at + 2, "]") || syntax_.is(at + 2, ","));
  inside.kernel = context.kernel && (by_reference || by_value);  // the lambda captures threadIdx
  inside.in_lambda = true;
  inside.instead_of_return = nullptr;
  for (std::size_t i = at; i < body; ++i) {
    if (syntax_.word(i) == Word::device) inside.device = true;
  }
  const std::size_t close = syntax_.after(body) - 1;
  // The introducer is emitted token by token, so that it isn't translated as a lambda again.
  emit(at);
  code(at + 1, body, context);
  emit(body);
  if (!context.in_function && inside.device) redeclare_shared(body + 1, close, namespace_shared_);
  if (!by_reference) redeclare_shared(body + 1, close, context.shared);
  code(body + 1, close, inside);
  emit(close);
  return close + 1;
}

std::size_t Translator::local_class(std::size_t at, std::size_t body, Context& context) {
  emit(at);
  code(at + 1, body, context);
  emit(body);
  Context inside = context;
  inside.in_class = true;
  inside.in_function = inside.kernel = false;
  const std::size_t close = syntax_.after(body) - 1;
  declarations(body + 1, close, inside);
  emit(close);
  return close + 1;
}

// ---- pragmas

namespace {

/// Returns true if the condition of the loop at `at` calls a function. For such a loop, g++ ignores the
/// unroll pragma, and warns in a template.
bool calls_to_go_on(const Syntax& syntax, std::size_t at, bool built_in_variables_are_parameters) {
  if (!syntax.is(at, "for") || syntax.partner(at + 1) == npos) return false;
  const std::size_t end = syntax.partner(at + 1);
  std::size_t i = at + 2;
  while (i < end && !syntax.is(i, ";")) i = syntax.after(i);
  for (++i; i < end && !syntax.is(i, ";"); ++i) {
    const Word w = syntax.word(i);
    if (syntax.is(i, "(") && syntax.is_name(i - 1)) return true;
    if (!built_in_variables_are_parameters && w >= Word::thread_idx && w <= Word::warp_size) return true;
  }
  return false;
}

}  // namespace

/// Turns `#pragma unroll` before a loop into the host compiler's own pragma. NVIDIA's other pragmas are dropped.
std::size_t Translator::pragma(std::size_t at, const Context& context) {
  const auto line = syntax_.at(at);
  const std::size_t word = line.find_first_not_of(" \t", std::string_view("#pragma").size());
  const bool is_pragma = line.substr(0, 7) == "#pragma" && word != line.npos;
  const auto rest = is_pragma ? line.substr(word) : std::string_view();
  auto starts = [&](std::string_view with) { return rest.substr(0, with.size()) == with; };
  drop(at);
  if (context.second_form) return at + 1;
  if (starts("nv_") || starts("hd_warning_disable") || starts("diag_") || starts("nounroll")) return at + 1;
  if (!starts("unroll")) {
    emit(at);
    return at + 1;
  }
  const bool loop = syntax_.is(at + 1, "for") || syntax_.is(at + 1, "while") || syntax_.is(at + 1, "do");
  // With lockstep, a loop records its position at each iteration. g++ does not unroll such a loop, and warns.
  if (!options_.unroll || options_.lockstep || !loop || calls_to_go_on(syntax_, at + 1, context.kernel))
    return at + 1;
  std::string count = "16";
  const std::size_t digits = rest.find_first_of("0123456789");
  const bool literal =
      digits != rest.npos && rest.substr(6, digits - 6).find_first_not_of(" \t(") == rest.npos;
  if (literal)
    count = std::string(rest.substr(digits, rest.find_first_not_of("0123456789", digits) - digits));
  if (options_.host == HostKind::gcc)
    out_.replace(at, "#pragma GCC unroll " + count);
  else
    emit(at);
  return at + 1;
}

/// Finds `ns::k<…>` of a kernel template whose address is cast to a pointer. Returns its end, and sets
/// `begin`. Returns npos if there is none.
std::size_t Translator::kernel_address(std::size_t at, std::size_t& begin) const {
  const bool known = kernels_.count(std::string(syntax_.at(at))) > 0;
  if (!known || !syntax_.is(at + 1, "<") || syntax_.is_launch_open(at + 1)) return npos;
  const std::size_t close = syntax_.template_close(at + 1);
  if (close == npos || syntax_.is(close + 1, "(") || syntax_.is_launch_open(close + 1)) return npos;
  begin = syntax_.callee_begin(close + 1);
  if (begin > 0 && syntax_.is(begin - 1, "&")) --begin;
  if (begin < 3) return npos;
  if (syntax_.is(begin - 1, "=") && syntax_.is(begin - 3, "auto")) return close + 1;
  const bool c_cast = syntax_.is(begin - 1, ")") && syntax_.is(begin - 2, "*");
  const bool cast = syntax_.is(begin - 1, "(") && syntax_.is(begin - 2, ">") && syntax_.is(begin - 3, "*");
  return c_cast || cast ? close + 1 : npos;
}

/// Returns the position of `k` in `cudaLaunchKernel((void*)k, …`, where `k` may be a variable.
std::size_t Translator::cast_kernel_pointer(std::size_t at) const {
  static constexpr std::string_view functions[] = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel",
                                                   "cudaFuncSetAttribute", "cudaFuncSetCacheConfig"};
  if (std::find(std::begin(functions), std::end(functions), syntax_.at(at)) == std::end(functions) ||
      !syntax_.is(at + 1, "("))
    return npos;
  std::size_t i = at + 2;
  if (!syntax_.is(i++, "(")) return npos;
  if (syntax_.is(i, "const")) ++i;
  if (!syntax_.is(i, "void") || !syntax_.is(i + 1, "*") || !syntax_.is(i + 2, ")")) return npos;
  i += 3;
  return syntax_.is_name(i) && syntax_.is(i + 1, ",") ? i : npos;
}

bool Translator::is_bare_kernel_call(std::size_t at, std::size_t& call_end) const {
  const std::string name(syntax_.at(at));
  if (at == 0 || kernels_.count(name) == 0 || other_functions_.count(name) > 0) return false;
  if (!syntax_.is(at - 1, ";") && !syntax_.is(at - 1, "{") && !syntax_.is(at - 1, "}")) return false;
  std::size_t open = at + 1;
  if (syntax_.is(open, "<") && !syntax_.is_launch_open(open)) {
    const std::size_t close = syntax_.template_close(open);
    if (close == npos) return false;
    open = close + 1;
  }
  if (!syntax_.is(open, "(")) return false;
  call_end = syntax_.after(open);
  return syntax_.is(call_end, ";");
}

}  // namespace emucc::detail
