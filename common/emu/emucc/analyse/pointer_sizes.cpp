#include "analyse/pointer_sizes.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "analyse/findings.hpp"
#include "parse/syntax_tree.hpp"
#include "parse/units.hpp"

namespace emucc {
namespace {

/// A CUDA function with a size in bytes: the position of the size, and the number of pointer arguments before
/// it.
struct Sized {
  std::string_view name;
  std::size_t pointers, size;
  bool allocates = false;  ///< it takes the pointer's address
};
constexpr Sized functions[] = {
    {"cudaMalloc", 1, 1, true},     {"cudaMallocManaged", 1, 1, true},   {"cudaMallocHost", 1, 1, true},
    {"cudaHostAlloc", 1, 1, true},  {"cudaMallocAsync", 1, 1, true},     {"cudaMemcpy", 2, 2},
    {"cudaMemcpyAsync", 2, 2},      {"cudaMemcpyToSymbol", 2, 2},        {"cudaMemcpyToSymbolAsync", 2, 2},
    {"cudaMemcpyFromSymbol", 1, 2}, {"cudaMemcpyFromSymbolAsync", 1, 2}, {"cudaMemset", 1, 2},
    {"cudaMemsetAsync", 1, 2},
};
const Sized* sized_function(std::string_view name) {
  if (name.rfind("cuda", 0) != 0) return nullptr;
  const auto* const found = std::find_if(std::begin(functions), std::end(functions),
                                         [&](const Sized& each) { return each.name == name; });
  return found != std::end(functions) ? found : nullptr;
}

class Finder {
 public:
  explicit Finder(const Syntax& syntax) : syntax_(syntax) {}

  std::vector<Diagnostic> run() {
    units(0, syntax_.size());
    return std::move(found_);
  }

 private:
  void units(std::size_t begin, std::size_t end) {
    for (const Unit& unit : units_of(syntax_, begin, end)) {
      if (unit.kind == Unit::Kind::block || unit.kind == Unit::Kind::class_)
        units(unit.body + 1, syntax_.after(unit.body) - 1);
      else if (unit.kind == Unit::Kind::function && is_candidate(unit))
        for (const Statement& each :
             syntax_.tree().body(unit.body + 1, syntax_.after(unit.body) - 1).statements)
          statement(each);
    }
  }

  /// Returns true if the function may contain a mistake. This is cheap; to read a tree takes time, and few
  /// functions need it.
  bool is_candidate(const Unit& unit) const {
    bool size = false, call = false;
    for (std::size_t i = unit.body; i < unit.end; ++i) {
      size = size || syntax_.is(i, "sizeof");
      call = call || (syntax_.is_name(i) && sized_function(syntax_.at(i)) != nullptr);
    }
    return size && call;
  }

  void statement(const Statement& each) {
    for (const StatementPart& part : parts_of(syntax_, each))
      walk(*part.expression, [&](const Expression& node) {
        if (node.kind == ExpressionKind::call) call(node);
      });
    for (const Statement& inner : each.children) statement(inner);
  }

  void call(const Expression& node) {
    const Expression& callee = node.part(0);
    if (callee.kind != ExpressionKind::name) return;
    const Sized* const function = sized_function(syntax_.at(callee.at));
    if (function == nullptr || node.parts.size() <= function->size + 1) return;
    for (std::size_t i = 0; i < function->pointers; ++i) {
      const Expression* const pointer = pointer_of(node.part(i + 1), function->allocates);
      if (pointer == nullptr) continue;
      const std::string_view name = syntax_.at(pointer->at);
      walk(node.part(function->size + 1), [&](const Expression& size) {
        if (size.kind == ExpressionKind::query && asked(size) == name) warn(size, name);
      });
    }
  }

  /// Returns the variable with one `*` that is the argument, or whose address is the argument; null for other
  /// expressions.
  static const Expression* pointer_of(const Expression& argument, bool by_address) {
    switch (argument.kind) {
      case ExpressionKind::parentheses:
      case ExpressionKind::cast:
        return argument.parts.size() == 1 ? pointer_of(argument.part(0), by_address) : nullptr;
      case ExpressionKind::unary:
        return by_address && argument.op == "&" ? pointer_of(argument.part(0), false) : nullptr;
      case ExpressionKind::binary:  // p + 4
        return !by_address && argument.op == "+" ? pointer_of(argument.part(0), false) : nullptr;
      case ExpressionKind::name:
        return !by_address && argument.type.pointers == 1 && argument.type.dimensions == 0 ? &argument
                                                                                           : nullptr;
      case ExpressionKind::literal:
      case ExpressionKind::this_:
      case ExpressionKind::member:
      case ExpressionKind::index:
      case ExpressionKind::call:
      case ExpressionKind::assignment:
      case ExpressionKind::conditional:
      case ExpressionKind::query:
      case ExpressionKind::new_:
      case ExpressionKind::delete_:
      case ExpressionKind::throw_:
      case ExpressionKind::lambda:
      case ExpressionKind::list:
      case ExpressionKind::launch:
      case ExpressionKind::assembly:
      case ExpressionKind::unknown:
        return nullptr;
    }
    return nullptr;
  }

  /// Returns the `x` in `sizeof x` or `sizeof(x)`; empty if the operand is more than a name.
  std::string_view asked(const Expression& query) const {
    std::size_t begin = query.begin, end = query.end;
    if (!syntax_.is(begin, "sizeof")) return {};
    ++begin;
    while (end - begin > 2 && syntax_.is(begin, "(") && syntax_.is(end - 1, ")")) ++begin, --end;
    return end - begin == 1 && syntax_.is_name(begin) ? syntax_.at(begin) : std::string_view{};
  }

  void warn(const Expression& size, std::string_view name) {
    const std::string of(name);
    if (auto found =
            diagnostic_at(syntax_, size.begin,
                          "'sizeof(" + of + ")' is the size of a pointer, 8 bytes, not that of what '" + of +
                              "' points to: count * sizeof(*" + of + ")"))
      found_.push_back(std::move(*found));
  }

  const Syntax& syntax_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> check_pointer_sizes(const Syntax& syntax) {
  return Finder(syntax).run();
}

}  // namespace emucc
