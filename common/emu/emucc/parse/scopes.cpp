#include "parse/scopes.hpp"

#include "parse/classes.hpp"
#include "parse/parameters.hpp"
#include "parse/statements.hpp"

namespace emucc {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

/// True for names such as `float4`, `uchar2`, `longlong1`.
bool is_vector_type(std::string_view name) {
  if (name.empty() || name.back() < '1' || name.back() > '4') return false;
  name.remove_suffix(1);
  if (name == "float" || name == "double") return true;
  if (!name.empty() && name.front() == 'u') name.remove_prefix(1);
  for (std::string_view element : {"char", "short", "int", "long", "longlong"})
    if (name == element) return true;
  return false;
}

}  // namespace

bool is_arithmetic_type(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {
      "bool",     "char",     "signed",  "unsigned", "short",    "int",       "long",    "float",
      "double",   "wchar_t",  "char8_t", "char16_t", "char32_t", "__int128",  "size_t",  "ptrdiff_t",
      "intptr_t", "int8_t",   "int16_t", "int32_t",  "int64_t",  "uintptr_t", "uint8_t", "uint16_t",
      "uint32_t", "uint64_t", "uint",    "ushort",   "uchar",    "ulong",     "clock_t"};
  return words.count(name) > 0;
}

bool is_predefined_type(std::string_view name) {
  static const std::unordered_set<std::string_view> words = {
      "void", "auto", "dim3", "half", "half2", "__half", "__half2", "__nv_bfloat16", "__nv_bfloat162"};
  return is_arithmetic_type(name) || is_vector_type(name) || words.count(name) > 0 || ends_with(name, "_t");
}

ValueType Scopes::specified(std::size_t begin, std::size_t end) const {
  ValueType type;
  bool is_template = false;
  for (std::size_t i = begin; i < end; ++i) {
    const std::string_view word = syntax_.at(i);
    if (is_arithmetic_type(word)) type.base = ValueType::Base::arithmetic;
    if (word == "auto" || word == "decltype") return {};
    type.watched = type.watched || word == "volatile";
    is_template = is_template || word == "<";
  }
  if (is_template) type.base = ValueType::Base::unknown;
  if (type.base == ValueType::Base::arithmetic || begin >= end) return type;
  const std::size_t name = name_of_type(syntax_, begin, end);
  if (syntax_.is_name(name)) type.name = name;
  for (std::size_t i = begin; i < end && !is_template; ++i)
    if (is_predefined_type(syntax_.at(i))) type.base = ValueType::Base::other;
  return type;
}

ValueType Scopes::declared(const Statement& declaration, const LocalName& name) const {
  ValueType type = specified(declaration.type, declaration.type_end);
  for (std::size_t i = name.begin; i < name.name; ++i)
    if (syntax_.is(i, "*")) ++type.pointers;
  type.dimensions = static_cast<std::uint8_t>(type.dimensions + dimensions_of(syntax_, name));
  type.reference = name.reference;
  return type;
}

// ---- names declared anywhere

/// Records the parameters of a template that are types, and the parameters whose type shows that they are
/// values.
void Scopes::template_parameters(std::size_t open) {
  for (const Parameter& parameter : read_parameters(syntax_, open)) {
    const std::size_t first = parameter.begin;
    const std::size_t name = parameter.end - 1;
    if (syntax_.is(first, "typename") || syntax_.word(first) == Word::class_key) {
      if (!syntax_.is_name(name)) continue;
      types_.insert(syntax_.at(name));
      type_parameters_.insert(syntax_.at(name));
    } else if (syntax_.is(first, "template")) {
      templates_.insert(syntax_.at(name));
    } else {
      const std::size_t type = syntax_.is(first, "const") ? first + 1 : first;
      if ((is_predefined_type(syntax_.at(first)) || type != first) && syntax_.is_name(name))
        values_.insert(syntax_.at(name));
      if ((!is_arithmetic_type(syntax_.at(type)) || parameter.parenthesised) &&
          parameter.name != Syntax::npos)
        value_parameters_.insert(syntax_.at(parameter.name));
    }
  }
}

/// Records types and templates, wherever they are declared. The preceding word shows the kind of name.
void Scopes::collect() {
  if (collected_) return;
  collected_ = true;
  for (std::size_t i = 0; i < syntax_.size(); ++i) {
    const Word word = syntax_.word(i);
    if (word == Word::class_key || word == Word::enumeration) {
      std::size_t name = i + 1;
      while (syntax_.word(name) == Word::class_key || syntax_.word(name) == Word::align ||
             syntax_.is(name, "alignas"))
        name = syntax_.is(name + 1, "(") ? syntax_.after(name + 1) : name + 1;
      if (syntax_.is_name(name)) types_.insert(syntax_.at(name));
    } else if (word == Word::using_ && syntax_.is(i + 2, "=")) {
      types_.insert(syntax_.at(i + 1));
    } else if (word == Word::typedef_) {
      std::size_t end = i;
      while (end < syntax_.size() && !syntax_.is(end, ";")) end = syntax_.after(end);
      if (syntax_.is_name(end - 1)) types_.insert(syntax_.at(end - 1));
    } else if (word == Word::template_ && syntax_.is(i + 1, "<")) {
      template_parameters(i + 1);
      const std::size_t close = syntax_.template_close(i + 1);
      if (close == npos) continue;
      const Declaration found = syntax_.declaration(i, syntax_.size());
      if (found.kind == Declaration::Kind::function || found.kind == Declaration::Kind::prototype)
        templates_.insert(syntax_.at(found.name));
    }
  }
}

// ---- names declared around a position

void Scopes::find_enclosing() {
  const std::size_t known = enclosing_.size();
  if (known == syntax_.size()) return;
  enclosing_.resize(syntax_.size(), npos);
  std::vector<std::size_t> open;
  for (std::size_t i = known; i < syntax_.size(); ++i) {
    const std::size_t partner = syntax_.partner(i);
    if (partner != npos && partner < i && !open.empty() && open.back() == partner) open.pop_back();
    enclosing_[i] = open.empty() ? npos : open.back();
    if (partner != npos && partner > i) open.push_back(i);
  }
}

/// Returns the parameters of the function whose body opens at `brace`, or the header of the statement; npos
/// if there are none.
std::size_t Scopes::parameters_before(std::size_t brace) const {
  constexpr std::size_t most_between = 24;  // `const noexcept -> ns::T<int>*`
  for (std::size_t i = brace; i-- > 0 && brace - i < most_between;) {
    if (syntax_.is(i, ")")) return syntax_.partner(i);
    const bool type = syntax_.is_identifier(i) || syntax_.is(i, "->") || syntax_.is(i, "::") ||
                      syntax_.is(i, "<") || syntax_.is(i, ">") || syntax_.is(i, "*") || syntax_.is(i, "&");
    if (!type) break;
  }
  return npos;
}

void Scopes::read_parameter_list(std::size_t open, Names& names) {
  for (const Parameter& parameter : read_parameters(syntax_, open)) {
    if (parameter.name == npos || parameter.pack) continue;
    std::size_t end = parameter.name;  // the end of the specifiers
    while (end > parameter.begin && !syntax_.is_name(end - 1) && !syntax_.is(end - 1, ">") &&
           !is_arithmetic_type(syntax_.at(end - 1)))
      --end;
    ValueType type = specified(parameter.begin, end);
    type.pointers = static_cast<std::uint8_t>(parameter.pointers + (parameter.array ? 1 : 0));
    type.reference = parameter.reference || parameter.rvalue;
    type.watched = specified(parameter.begin, parameter.name).watched;  // `int volatile* p`
    if (parameter.parenthesised) type = {};
    names[syntax_.at(parameter.name)].push_back({parameter.name, type});
  }
}

void Scopes::add_names(const Statement& statement, Names& names) const {
  for (const LocalName& name : statement.names)
    names[syntax_.at(name.name)].push_back({name.name, declared(statement, name)});
}

bool Scopes::is_statement_header(std::size_t open) const {
  return open > 0 &&
         (syntax_.is(open - 1, "for") || syntax_.is(open - 1, "if") || syntax_.is(open - 1, "while") ||
          syntax_.is(open - 1, "switch") || syntax_.is(open - 1, "constexpr"));
}

bool Scopes::is_class_body(std::size_t brace) const {
  if (!syntax_.is(brace, "{")) return false;
  for (std::size_t i = brace; i-- > 0;) {
    if (syntax_.is(i, ";") || syntax_.is(i, "{") || syntax_.is(i, "}") || syntax_.is(i, ")")) return false;
    if (syntax_.word(i) == Word::class_key) return syntax_.class_body(i) == brace;
  }
  return false;
}

void Scopes::read_header(std::size_t open, Names& names) {
  if (!is_statement_header(open)) return read_parameter_list(open, names);
  const std::size_t close = syntax_.partner(open);
  if (close == npos) return;
  std::size_t end = open + 1;  // for a range-based loop, the end of the variable before the `:`
  while (end < close && !syntax_.is(end, ":") && !syntax_.is(end, "?")) end = syntax_.after(end);
  read_block(open + 1, syntax_.is(end, ":") ? end : close, names);
}

/// Records the variables that are declared in the statements of [begin, end) and in their headers. The
/// contents of blocks are skipped.
void Scopes::read_block(std::size_t begin, std::size_t end, Names& names) {
  for (std::size_t at = begin; at < end;) {
    while (at < end && (syntax_.word(at) == Word::device || syntax_.word(at) == Word::constant ||
                        syntax_.word(at) == Word::managed || syntax_.word(at) == Word::inline_ ||
                        syntax_.word(at) == Word::host || syntax_.word(at) == Word::forceinline ||
                        syntax_.stream().tokens[at].kind == TokenKind::directive ||
                        syntax_.stream().tokens[at].kind == TokenKind::verbatim))
      ++at;
    Statement found;
    if (read_declaration(syntax_, at, end, found)) {
      add_names(found, names);
      at = found.end;
      continue;
    }
    if (syntax_.is(at, "for") && syntax_.is(at + 1, "(")) {  // the loop's body may have no braces
      read_header(at + 1, names);
      at = syntax_.after(at + 1);
      continue;
    }
    if (syntax_.word(at) == Word::enumeration) {
      for (; at < end && !syntax_.is(at, ";"); at = syntax_.after(at))
        if (syntax_.is(at, "{") && syntax_.partner(at) != npos)
          for (std::size_t i = at + 1; i < syntax_.partner(at); i = syntax_.after(i))
            if (syntax_.is_name(i) && (syntax_.is(i - 1, "{") || syntax_.is(i - 1, ",")))
              names[syntax_.at(i)].push_back({i, {ValueType::Base::arithmetic, 0, 0, false}});
    }
    for (bool last = false; at < end && !last; at = syntax_.after(at))
      last = syntax_.is(at, ";") || syntax_.is(at, "{") || syntax_.is(at, "else") || syntax_.is(at, "do");
  }
}

const Scopes::Names& Scopes::names_of(std::size_t open) {
  const auto [found, is_new] = names_.try_emplace(open);
  if (!is_new) return found->second;
  Names names;
  if (open == npos || is_class_body(open)) unordered_.insert(open);
  if (open == npos) {
    read_block(0, syntax_.size(), names);
  } else if (syntax_.is(open, "{") && syntax_.partner(open) != npos) {
    if (const std::size_t header = parameters_before(open); header != npos) read_header(header, names);
    read_block(open + 1, syntax_.partner(open), names);
  } else if (syntax_.is(open, "(") && is_statement_header(open)) {
    read_header(open, names);
  }
  return names_[open] = std::move(names);
}

const Scopes::Variable* Scopes::find(std::size_t open, std::size_t at) {
  const Names& names = names_of(open);
  const auto found = names.find(syntax_.at(at));
  if (found == names.end()) return nullptr;
  const Variable* last = nullptr;
  for (const Variable& variable : found->second)
    if (variable.name <= at || unordered_.count(open) > 0) last = &variable;
  return last;
}

bool Scopes::is_deep(std::size_t at) {
  constexpr int limit = 128;
  find_enclosing();
  int depth = 0;
  for (std::size_t open = enclosing_[at]; open != npos && depth < limit; open = enclosing_[open]) ++depth;
  return depth == limit;
}

bool Scopes::is_type_parameter(std::string_view name) {
  collect();
  return type_parameters_.count(name) > 0;
}

bool Scopes::is_function_parameter(std::string_view name) {
  collect();
  return value_parameters_.count(name) > 0;
}

NameMeaning Scopes::meaning(std::size_t at) {
  find_enclosing();
  if (syntax_.is_built_in_variable(at)) return {Meaning::value, {}, npos};
  for (std::size_t open = enclosing_[at];; open = enclosing_[open]) {
    if (const Variable* const found = find(open, at)) return {Meaning::value, found->type, found->name};
    if (open == npos) break;
  }
  return qualified_meaning(at);
}

NameMeaning Scopes::qualified_meaning(std::size_t at) {
  collect();
  const std::string_view name = syntax_.at(at);
  const int type = static_cast<int>(types_.count(name)), value = static_cast<int>(values_.count(name)),
            function = static_cast<int>(templates_.count(name));
  if (type + value + function != 1) return {};
  return {type != 0 ? Meaning::type : value != 0 ? Meaning::value : Meaning::template_, {}, npos};
}

}  // namespace emucc
