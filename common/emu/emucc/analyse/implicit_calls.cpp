#include "analyse/implicit_calls.hpp"

#include <algorithm>

#include "analyse/plain_loop.hpp"
#include "parse/classes.hpp"
#include "parse/parameters.hpp"
#include "parse/syntax_tree.hpp"

namespace emucc {
namespace {

/// Returns true if a CUDA function of that name waits, reads the thread's index, or changes memory that other
/// threads see.
bool is_noticed(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {
      "sync",        "arrive_and_wait", "thread_rank", "this_thread_block",
      "this_grid",   "this_cluster",    "meta_group",  "coalesced_threads",
      "this_thread", "tiled_partition", "asm",         "__asm__",
      "printf",      "lane_id"};
  return words.count(name) > 0 || is_meeting_name(name) || name.rfind("atomic", 0) == 0 ||
         name.rfind("__nv_atomic", 0) == 0;
}

}  // namespace

ImplicitCalls::ImplicitCalls(const Syntax& syntax) : syntax_(syntax) {
  collect(0, syntax.size(), {});
  find_distinguishing_functions();
  find_classes();
  if (!names_.empty() || !calls_.empty() || !followed_.empty()) spread();
}

/// @param inside the class with that body; empty: a namespace's
void ImplicitCalls::collect(std::size_t begin, std::size_t end, std::string_view inside) {
  for (const Unit& unit : units_of(syntax_, begin, end)) {
    if (unit.kind == Unit::Kind::block) {
      collect(unit.body + 1, unit.end - 1, inside);
      continue;
    }
    const Declaration& declaration = unit.declaration;
    std::string_view name;
    if (unit.kind == Unit::Kind::class_) {
      std::size_t key = unit.begin;
      while (syntax_.word(key) == Word::template_ && syntax_.template_close(key + 1) != npos)
        key = syntax_.template_close(key + 1) + 1;
      while (key < unit.body && syntax_.class_body(key) != unit.body) ++key;
      for (std::size_t i = key + 1; i < unit.body && name.empty(); i = syntax_.after(i))
        if (syntax_.is_name(i) && syntax_.word(i) == Word::none) name = syntax_.at(i);
      classes_.insert(name);
      collect(unit.body + 1, syntax_.after(unit.body) - 1, name);
    } else if (declaration.kind == Declaration::Kind::function ||
               declaration.kind == Declaration::Kind::prototype) {
      if (declaration.words.global || declaration.name == npos ||
          syntax_.partner(declaration.parameters) == npos)
        continue;
      functions_.push_back({declaration, class_of(declaration, inside)});
      name = syntax_.at(declaration.name);
    } else if (syntax_.word(unit.begin) == Word::using_) {
      name = syntax_.at(unit.begin + 1);
      for (std::size_t i = unit.begin; i < unit.end; ++i)
        if (syntax_.is(i, "::")) name = syntax_.at(i + 1);  // using a::T;
      if (syntax_.is(unit.begin + 2, "=")) name = syntax_.at(unit.begin + 1);
    } else {
      // `typedef a b;`, `T v = x;`: the last name before the initialiser
      for (std::size_t i = unit.begin; i < unit.end && !syntax_.is(i, "=") && !syntax_.is(i, "{"); ++i)
        if (syntax_.is_name(i)) name = syntax_.at(i);
      if (!inside.empty()) members_.push_back({inside, unit.begin, unit.end});
    }
    if (inside.empty() && !name.empty()) items_.push_back({name, unit.begin, unit.end});
  }
}

/// Returns the class of a member function, even if the function is defined outside of it: `T::T() {}`.
std::string_view ImplicitCalls::class_of(const Declaration& function, std::string_view inside) const {
  if (!inside.empty()) return inside;
  std::size_t at = function.name - (syntax_.is(function.name - 1, "~") ? 2 : 1);
  if (!syntax_.is(at, "::")) return {};
  --at;
  if (syntax_.is(at, ">") && syntax_.template_open(at) != npos) at = syntax_.template_open(at) - 1;
  return syntax_.at(at);
}

bool ImplicitCalls::distinguishes_at(std::size_t at) const {
  return syntax_.word(at) == Word::thread_idx || syntax_.word(at) == Word::assert_fail ||
         (syntax_.is_identifier(at) &&
          (is_noticed(syntax_.at(at)) || distinguishing_.count(syntax_.at(at)) > 0));
}

bool ImplicitCalls::distinguishes(std::size_t begin, std::size_t end) const {
  for (std::size_t i = begin; i < end; ++i)
    if (distinguishes_at(i)) return true;
  return false;
}

/// Marks a function if a function of its name is marked, or if it calls a marked function.
void ImplicitCalls::find_distinguishing_functions() {
  for (bool more = true; more;) {
    more = false;
    for (const Function& each : functions_) {
      const std::string_view name = syntax_.at(each.declaration.name);
      // An operator is not called by the word `operator`, and mentioning a constructor's class is not a call.
      if (syntax_.word(each.declaration.name) == Word::operator_ || name == each.of) continue;
      if (distinguishing_.count(name) == 0 &&
          distinguishes(each.declaration.parameters, each.declaration.end))
        more = distinguishing_.insert(name).second;
    }
  }
}

bool ImplicitCalls::has_distinguishing_default(const Declaration& function) const {
  for (const Parameter& each : read_parameters(syntax_, function.parameters))
    if (each.default_begin != npos && distinguishes(each.default_begin, each.default_end)) return true;
  return false;
}

/// Returns true if the function is a device destructor that isn't empty.
bool ImplicitCalls::ends_objects(const Declaration& function) const {
  return syntax_.is(function.name - 1, "~") && function.body != npos &&
         syntax_.partner(function.body) != function.body + 1;
}

/// Returns true if a function of that name, declared or defined, is a device function.
bool ImplicitCalls::is_on_device(std::string_view name, std::string_view of) const {
  return std::any_of(functions_.begin(), functions_.end(), [&](const Function& each) {
    return each.of == of && syntax_.at(each.declaration.name) == name &&
           (each.declaration.words.device || each.declaration.words.constexpr_);
  });
}

void ImplicitCalls::find_classes() {
  for (const Function& each : functions_) {
    const Declaration& function = each.declaration;
    const bool is_operator =
        syntax_.word(function.name) == Word::operator_ && !syntax_.is(function.name + 1, "(");
    const bool is_implicit = is_operator || (!each.of.empty() && syntax_.at(function.name) == each.of);
    const bool distinguishing =
        is_implicit && (distinguishes(function.parameters, function.end) || ends_objects(function)) &&
        is_on_device(syntax_.at(function.name), each.of);
    if (distinguishing && !each.of.empty())
      (is_followed(function, each.of) ? followed_ : names_).insert(each.of);
    if (distinguishing && each.of.empty())  // an operator of its operands' classes
      for (std::size_t i = function.parameters; i < syntax_.after(function.parameters); ++i)
        if (classes_.count(syntax_.at(i)) > 0) names_.insert(syntax_.at(i));
    if (has_distinguishing_default(function) && is_on_device(syntax_.at(function.name), each.of))
      (is_implicit ? names_ : calls_).insert(is_implicit ? each.of : syntax_.at(function.name));
  }
  for (const Item& member : members_)
    if (distinguishes(member.begin, member.end)) names_.insert(member.name);
  names_.erase("operator");
}

/// True if it is a constructor that is called at its arguments, `T v(a, b)`, and only its body distinguishes threads.
/// The analysis of a kernel follows that call (`BlockingReader::construct`). Kernels that use the class in another way
/// run thread by thread (is_followed_at()).
bool ImplicitCalls::is_followed(const Declaration& constructor, std::string_view of) const {
  if (syntax_.at(constructor.name) != of || syntax_.is(constructor.name - 1, "~") ||
      constructor.body == npos || distinguishes(constructor.parameters, constructor.body))
    return false;
  const auto* const all = constructors(syntax_, constructor.name);
  if (all == nullptr) return false;
  const auto parameters = read_parameters(syntax_, constructor.parameters);
  return std::count_if(parameters.begin(), parameters.end(),
                       [](const Parameter& each) { return each.default_begin == npos; }) > 1;
}

/// Returns true if the token is such a name, or the call of such a function.
bool ImplicitCalls::may_stand_for_one(std::size_t at) const {
  if (!syntax_.is_identifier(at)) return false;
  return names_.count(syntax_.at(at)) > 0 ||
         (calls_.count(syntax_.at(at)) > 0 && syntax_.call_open(at) != npos);
}

/// Marks all declarations that mention a marked declaration, until it finds no more.
void ImplicitCalls::spread() {
  const auto mentions = [&](const Item& item) {
    for (std::size_t i = item.begin; i < item.end; ++i)
      if (syntax_.at(i) != item.name &&
          (may_stand_for_one(i) || (syntax_.is_identifier(i) && followed_.count(syntax_.at(i)) > 0)))
        return true;
    return false;
  };
  for (bool more = true; more;) {
    more = false;
    for (const Item& item : items_)
      if (item.name != "operator" && names_.count(item.name) == 0 && mentions(item))
        more = names_.insert(item.name).second;
  }
}

/// True if the class at `at` is constructed there as `T v(a, b)` or `T(a, b)`, where every analysis sees a call.
/// A constructor in braces looks like the initialisation of members.
bool ImplicitCalls::is_followed_at(std::size_t at) const {
  std::size_t open = at + 1;
  if (syntax_.is(open, "<") && syntax_.template_close(open) != npos) open = syntax_.template_close(open) + 1;
  return syntax_.is(syntax_.is_name(open) ? open + 1 : open, "(");
}

/// True if `=` at `at` assigns a list to an object, `p[i].q = {1, 2}`. In a declaration, a type precedes the name.
bool ImplicitCalls::is_assignment_of_list(std::size_t at) const {
  if (!syntax_.is(at, "=") || !syntax_.is(at + 1, "{")) return false;
  std::size_t i = at - 1;
  for (;;) {
    while (syntax_.is(i, "]") && syntax_.partner(i) != npos) i = syntax_.partner(i) - 1;
    const bool of_object = syntax_.is(i - 1, ".") || syntax_.is(i - 1, "->") || syntax_.is(i - 1, "::");
    if (!syntax_.is_name(i) || !of_object) break;
    i -= 2;
  }
  if (!syntax_.is_name(i)) return true;
  --i;
  while (syntax_.is(i, "*") || syntax_.is(i, "&")) --i;
  const bool after_type = syntax_.is_identifier(i) && !syntax_.is(i, "else") && !syntax_.is(i, "do");
  return !after_type && !syntax_.is(i, ">");
}

std::string ImplicitCalls::reason_against(const Declaration& kernel) const {
  if (names_.empty() && calls_.empty() && followed_.empty()) return {};
  std::string_view found, followed;
  bool others = false;  // assignments of lists and types of expressions, which do not name the class
  for (std::size_t i = kernel.begin; i < kernel.end && found.empty(); ++i) {
    // A call elsewhere gives the template's type arguments.
    const bool any_type = i < kernel.parameters && (syntax_.is(i, "typename") || syntax_.is(i, "class"));
    const bool of_any_type =
        i > kernel.parameters && i < syntax_.after(kernel.parameters) && syntax_.is(i, "auto");
    if (any_type || of_any_type)
      for (const auto* const all : {&followed_, &names_})
        if (!all->empty()) found = *std::min_element(all->begin(), all->end());
    if (may_stand_for_one(i)) found = syntax_.at(i);
    others = others || syntax_.is(i, "decltype") || is_assignment_of_list(i);
    if (i < kernel.parameters || !syntax_.is_identifier(i) || followed_.count(syntax_.at(i)) == 0) continue;
    followed = syntax_.at(i);
    if (i < kernel.body || !is_followed_at(i)) found = followed;
  }
  if (found.empty() && others) found = followed;
  if (found.empty()) return {};
  return "it may use '" + std::string(found) +
         "', of which a constructor, a destructor, an operator or a default argument asks which thread runs, "
         "waits or does "
         "what others notice";
}

}  // namespace emucc
