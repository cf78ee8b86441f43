#include "analyse/plain_loop.hpp"

#include <algorithm>
#include <cctype>

#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

/// What may stand before a parenthesis: statements, operators, casts,
/// and functions that neither wait nor ask which thread calls.
const std::unordered_set<std::string_view>& harmless() {
  static const std::unordered_set<std::string_view> words = {
      "if",
      "for",
      "while",
      "switch",
      "return",
      "sizeof",
      "alignof",
      "decltype",
      "constexpr",
      "catch",
      "and",
      "or",
      "not",
      "static_cast",
      "reinterpret_cast",
      "const_cast",
      "static_assert",
      "noexcept",
      "bool",
      "char",
      "short",
      "int",
      "long",
      "unsigned",
      "signed",
      "float",
      "double",
      "size_t",
      "int32_t",
      "uint32_t",
      "int64_t",
      "uint64_t",
      "int8_t",
      "uint8_t",
      "int16_t",
      "uint16_t",
      "make_float2",
      "make_float3",
      "make_float4",
      "make_int2",
      "make_int3",
      "make_int4",
      "make_uint2",
      "make_uint4",
      "make_double2",
      "make_double4",
      "make_uchar4",
      "min",
      "max",
      "abs",
      "labs",
      "fmin",
      "fmax",
      "fminf",
      "fmaxf",
      "fabs",
      "fabsf",
      "sqrt",
      "sqrtf",
      "rsqrt",
      "rsqrtf",
      "cbrt",
      "cbrtf",
      "exp",
      "expf",
      "exp2",
      "exp2f",
      "exp10",
      "exp10f",
      "expm1",
      "expm1f",
      "log",
      "logf",
      "log2",
      "log2f",
      "log10",
      "log10f",
      "log1p",
      "log1pf",
      "pow",
      "powf",
      "sin",
      "sinf",
      "cos",
      "cosf",
      "tan",
      "tanf",
      "asin",
      "asinf",
      "acos",
      "acosf",
      "atan",
      "atanf",
      "atan2",
      "atan2f",
      "sinh",
      "sinhf",
      "cosh",
      "coshf",
      "tanh",
      "tanhf",
      "erf",
      "erff",
      "erfc",
      "erfcf",
      "floor",
      "floorf",
      "ceil",
      "ceilf",
      "trunc",
      "truncf",
      "round",
      "roundf",
      "rint",
      "rintf",
      "lrint",
      "lrintf",
      "lround",
      "lroundf",
      "fma",
      "fmaf",
      "fmod",
      "fmodf",
      "hypot",
      "hypotf",
      "copysign",
      "copysignf",
      "isnan",
      "isinf",
      "isfinite",
      "signbit",
      "sincosf",
      "sincos",
      "__ldg",
      "cuemu_thread_rank",
      "cuemu_tile_mask",
      "cuemu_vote",
      "cuemu_votes",
      "on_device",
      "__fmaf_rn",
      "__fma_rn",
      "__fadd_rn",
      "__fsub_rn",
      "__fmul_rn",
      "__fdiv_rn",
      "__frcp_rn",
      "__fsqrt_rn",
      "__fdividef",
      "__expf",
      "__exp10f",
      "__logf",
      "__log2f",
      "__log10f",
      "__powf",
      "__sinf",
      "__cosf",
      "__tanf",
      "__saturatef",
      "__dadd_rn",
      "__dmul_rn",
      "__mul24",
      "__umul24",
      "__mulhi",
      "__umulhi",
      "__popc",
      "__popcll",
      "__clz",
      "__clzll",
      "__ffs",
      "__ffsll",
      "__brev",
      "__brevll",
      "__float_as_int",
      "__int_as_float",
      "__float_as_uint",
      "__uint_as_float",
      "__float2int_rn",
      "__float2int_rz",
      "__int2float_rn",
      "__double2float_rn",
      "llrint",
      "llrintf",
      "llround",
      "llroundf",
      "ldexp",
      "ldexpf",
      "scalbn",
      "scalbnf",
      "logb",
      "logbf",
      "ilogb",
      "ilogbf",
      "nextafter",
      "nextafterf",
      "remainder",
      "remainderf",
      "fdim",
      "fdimf",
      "rcbrt",
      "rcbrtf",
      "rhypot",
      "rhypotf",
      "norm3df",
      "norm4df",
      "sinpi",
      "sinpif",
      "cospi",
      "cospif",
      "sincospi",
      "sincospif",
      "asinh",
      "asinhf",
      "acosh",
      "acoshf",
      "atanh",
      "atanhf",
      "tgamma",
      "tgammaf",
      "lgamma",
      "lgammaf",
      "nearbyint",
      "nearbyintf",
      "normcdf",
      "normcdff",
      "llabs",
      "__float2int_ru",
      "__float2int_rd",
      "__float2uint_rn",
      "__float2uint_rz",
      "__float2ll_rn",
      "__float2ll_rz",
      "__uint2float_rn",
      "__int2double_rn",
      "__uint2double_rn",
      "__ll2float_rn",
      "__ll2double_rn",
      "__double2int_rn",
      "__double2int_rz",
      "__double2ll_rn",
      "__double2ll_rz",
      "__double_as_longlong",
      "__longlong_as_double",
      "__byte_perm",
      "__funnelshift_l",
      "__funnelshift_r",
      "__sad",
      "__usad",
      "__mul64hi",
      "__umul64hi",
      "make_uint3",
      "make_double3",
      "make_short2",
      "make_short4",
      "make_ushort2",
      "make_ushort4",
      "make_char2",
      "make_char4",
      "make_uchar2",
      "make_uchar3",
      "make_longlong2",
      "make_ulonglong2",
      "intptr_t",
      "uintptr_t",
      "ptrdiff_t",
      "__float2half",
      "__half2float",
  };
  return words;
}

}  // namespace

/// May a loop over threads contain it? Instructions that compute one register from others, and nothing that asks
/// which thread runs.
bool is_computing_assembly(const Syntax& syntax, std::size_t at) {
  static const std::unordered_set<std::string_view> opcodes = {
      "mov", "add",  "sub",  "mul",  "mad",   "fma",   "rsqrt", "sqrt", "rcp",  "ex2",  "lg2",     "sin",
      "cos", "tanh", "abs",  "neg",  "min",   "max",   "and",   "or",   "xor",  "not",  "shl",     "shr",
      "shf", "bfe",  "bfi",  "brev", "clz",   "popc",  "prmt",  "cvt",  "selp", "set",  "setp",    "div",
      "rem", "lop3", "slct", "dp4a", "mul24", "mad24", "bfind", "fns",  "sad",  "cnot", "copysign"};
  std::size_t open = at + 1;
  while (syntax.is_identifier(open)) ++open;  // volatile
  if (!syntax.is(open, "(")) return false;
  bool any = false;
  for (std::size_t i = open + 1; syntax.stream().tokens[i].kind == TokenKind::string; ++i) {
    std::string text(syntax.at(i));
    if (text.front() != '"') return false;
    for (std::size_t n = 1; n < text.size(); ++n)  // %%tid.x, %laneid
      if (text[n - 1] == '%' && std::isdigit(static_cast<unsigned char>(text[n])) == 0) return false;
    for (std::size_t n = text.find("\\n"); n != text.npos; n = text.find("\\n", n)) text.replace(n, 2, ";;");
    for (std::size_t n = text.find("\\t"); n != text.npos; n = text.find("\\t", n)) text.replace(n, 2, "  ");
    for (std::size_t from = 1; from < text.size() - 1;) {
      const std::size_t end = std::min(text.find_first_of(";{}", from), text.size() - 1);
      std::size_t begin = text.find_first_not_of(' ', from);
      if (begin < end && text[begin] == '@') begin = text.find_first_not_of(' ', text.find(' ', begin));
      if (begin < end && text.compare(begin, 4, ".reg") != 0) {
        const std::size_t stop = text.find_first_of(". ;", begin);
        if (opcodes.count(std::string_view(text).substr(begin, stop - begin)) == 0) return false;
        any = true;
      }
      from = end + 1;
    }
  }
  return any;
}

bool is_harmless_call(std::string_view name) {
  return harmless().count(name) > 0;
}

bool has_atomic_name(std::string_view name) {
  return name.substr(0, 6) == "atomic";
}

namespace {

class PlainLoopReader {
 public:
  PlainLoopReader(const Syntax& syntax, const std::unordered_set<std::string>& plain_functions)
      : syntax_(syntax), plain_functions_(plain_functions) {}

  bool read(const std::vector<Statement>& statements) const {
    return std::all_of(statements.begin(), statements.end(),
                       [&](const Statement& each) { return read(each); });
  }

 private:
  bool read(const Statement& statement) const {
    if (statement.kind == Statement::Kind::shared || !is_type(statement.type, statement.type_end))
      return false;
    if (statement.kind == Statement::Kind::alias && !is_type(statement.begin, statement.end)) return false;
    for (const auto* list : {&statement.names, &statement.counters})
      for (const LocalName& name : *list)
        if (!is_type(name.begin, name.name) || constructs(statement, name)) return false;
    for (const StatementPart& part : parts_of(syntax_, statement))
      if (!read(*part.expression)) return false;
    return read(statement.children);
  }

  bool constructs(const Statement& declaration, const LocalName& name) const {
    const ValueType type = syntax_.tree().scopes().specified(declaration.type, declaration.type_end);
    return name.direct && !name.pointer && type.base != ValueType::Base::arithmetic;
  }

  /// A type whose variables nobody else watches, and that is not made here.
  bool is_type(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (syntax_.is(i, "volatile") || syntax_.is(i, "auto") || syntax_.word(i) == Word::class_key)
        return false;
    return true;
  }

  bool read(const Expression& node) const {
    const auto are_parts = [&] {
      return std::all_of(node.parts.begin(), node.parts.end(),
                         [&](const Expression* part) { return read(*part); });
    };
    switch (node.kind) {
      case ExpressionKind::literal:
      case ExpressionKind::name:
      case ExpressionKind::this_:
      case ExpressionKind::query:
        return true;
      case ExpressionKind::parentheses:
      case ExpressionKind::member:
      case ExpressionKind::index:
      case ExpressionKind::unary:
      case ExpressionKind::binary:
      case ExpressionKind::assignment:
      case ExpressionKind::conditional:
      case ExpressionKind::list:
        return are_parts();
      case ExpressionKind::call: {  // one without a name may reach anything
        const Expression& callee = node.part(0);
        return callee.kind == ExpressionKind::name && is_plain(callee.at) && are_parts();
      }
      case ExpressionKind::cast:
        return is_type(node.type_begin, node.type_end) &&
               (!is_construction(syntax_, node) || is_plain(node.at)) && are_parts();
      case ExpressionKind::assembly:
        return is_computing_assembly(syntax_, node.at) && are_parts();
      case ExpressionKind::new_:
      case ExpressionKind::delete_:
      case ExpressionKind::throw_:
      case ExpressionKind::lambda:
      case ExpressionKind::launch:
      case ExpressionKind::unknown:
        return false;
    }
    return false;
  }

  bool is_plain(std::size_t callee) const {
    return is_harmless_call(syntax_.at(callee)) || syntax_.is(callee, "void") ||
           plain_functions_.count(std::string(syntax_.at(callee))) > 0;
  }

  const Syntax& syntax_;
  const std::unordered_set<std::string>& plain_functions_;
};

}  // namespace

bool is_plain_loop(const Syntax& syntax, std::size_t begin, std::size_t end,
                   const std::unordered_set<std::string>& plain_functions) {
  return PlainLoopReader(syntax, plain_functions).read(syntax.tree().body(begin, end).statements);
}

bool is_plain_function(const Syntax& syntax, std::size_t begin, std::size_t end,
                       const std::unordered_set<std::string>& plain_functions) {
  for (std::size_t i = begin; i < end; ++i) {
    const Word word = syntax.word(i);
    if (word >= Word::thread_idx && word <= Word::warp_size) return false;
  }
  return is_plain_loop(syntax, begin, end, plain_functions);
}

}  // namespace emucc
