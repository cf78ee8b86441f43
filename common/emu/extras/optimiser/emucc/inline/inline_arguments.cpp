// Replaces the parameters of a called function. The call shows the types and numbers that replace template
// parameters. The argument, or a variable initialised with the argument, replaces a function parameter.
#include <cctype>

#include "inline/inline_detail.hpp"

namespace emucc::detail {

// ---- template arguments

void CallInliner::bind_template(std::size_t name, const Ranges& given, const Frame& caller, Frame& frame) {
  const Declaration& found = frame.function->found;
  if (!is(found.begin, "template")) {
    if (is(name + 1, "<")) refuse("'" + spelled(name) + "' is no template", name);
    return;
  }
  if (!is(found.begin + 1, "<") || is(found.begin + 2, ">"))
    return refuse("'" + spelled(name) + "' is a specialisation", name);
  const std::vector<Parameter> wanted = read_parameters(syntax_, found.begin + 1);
  Ranges explicit_ones;
  if (is(name + 1, "<")) explicit_ones = syntax_.arguments(name + 1, syntax_.template_close(name + 1));
  for (std::size_t i = 0; i < wanted.size() && !refused(); ++i) {
    if (wanted[i].name == npos) continue;
    const bool type = is(wanted[i].begin, "class") || is(wanted[i].begin, "typename");
    if (wanted[i].pack || is(wanted[i].begin, "template"))
      return refuse("'" + spelled(name) + "' has template parameters of a kind that is not inlined", name);
    Tokens argument;
    Group group;
    if (i < explicit_ones.size())
      copy(explicit_ones[i].first, explicit_ones[i].second, caller, argument);
    else if (group_argument(spelled(wanted[i].name), given, caller, frame, group))
      put(name, type ? type_of_group(group) : std::to_string(group.size), argument);
    else if (type)
      argument = deduced(name, spelled(wanted[i].name), given, caller, frame);
    if (argument.empty() && wanted[i].default_begin != npos)
      copy(wanted[i].default_begin, wanted[i].default_end, frame, argument);
    if (argument.empty())
      return refuse(
          "what '" + spelled(wanted[i].name) + "' is in the call of '" + spelled(name) + "' does not show",
          name);
    const bool name_alone = argument.size() == 1 && argument[0].kind == TokenKind::identifier;
    if (!type && !name_alone) {  // `(f)(x)` might be a cast
      argument.insert(argument.begin(), sign(name, "("));
      argument.push_back(sign(name, ")"));
    }
    frame.replaced[spelled(wanted[i].name)] = std::move(argument);
  }
}

bool CallInliner::group_argument(const std::string& parameter, const Ranges& given, const Frame& caller,
                                 const Frame& frame, Group& group) const {
  const std::vector<Parameter>& all = frame.function->parameters;
  for (std::size_t i = 0; i < given.size() && i < all.size(); ++i)
    for (std::size_t k = all[i].begin; k < all[i].end; ++k)
      if (is(k, parameter) && group_of(given[i].first, given[i].second, caller, group)) return true;
  return false;
}

bool CallInliner::type_of(std::size_t begin, std::size_t end, const Frame& frame, std::string& element,
                          int& pointers) const {
  if (begin + 1 == end && stream_.tokens[begin].kind == TokenKind::number) {
    const std::string_view number = syntax_.at(begin);
    const bool real = number.find('.') != number.npos;
    const char last = number.back();
    pointers = 0;
    if (real) element = last == 'f' || last == 'F' ? "float " : "double ";
    if (!real) element = last == 'u' || last == 'U' ? "unsigned " : "int ";
    return real ? last != 'l' && last != 'L' : number.find_first_of("lL") == number.npos && number.size() < 9;
  }
  if (!syntax_.is_name(begin)) return false;
  const auto renamed = frame.replaced.find(spelled(begin));
  const auto known =
      variables_.find(renamed == frame.replaced.end() ? spelled(begin) : text(renamed->second));
  if (known == variables_.end() || known->second.element.empty()) return false;
  element = known->second.element;
  pointers = known->second.dimensions;
  std::size_t at = begin + 1;
  for (; at < end && is(at, "["); at = syntax_.after(at)) --pointers;
  if (is(at, ".") && pointers == 0 && at + 2 == end && element.size() == 7 && element.back() == ' ') {
    const std::string vector = element.substr(0, 5);  // float4, int2, …
    if (vector == "float" && std::string("xyzw").find(spelled(at + 1)) != std::string::npos) {
      element = "float ";
      return true;
    }
  }
  return at == end && pointers >= 0;
}

Tokens CallInliner::deduced(std::size_t name, const std::string& parameter, const Ranges& given,
                            const Frame& caller, const Frame& frame) {
  const std::vector<Parameter>& all = frame.function->parameters;
  for (std::size_t i = 0; i < given.size() && i < all.size(); ++i) {
    // const T* p, T v, const T& v
    std::size_t names = 0, others = 0;
    for (std::size_t k = all[i].begin; k < all[i].end; ++k) {
      if (is(k, parameter)) ++names;
      if (is(k, "<") || is(k, "::")) ++others;
    }
    if (names != 1 || others > 0 || all[i].parenthesised) continue;
    std::string element;
    int pointers = 0;
    if (!type_of(given[i].first, given[i].second, caller, element, pointers)) continue;
    pointers -= all[i].pointers + (all[i].array ? 1 : 0);
    if (pointers < 0 || pointers > 1) continue;
    Tokens tokens;
    for (std::size_t at = 0; at < element.size();) {
      const std::size_t blank = element.find(' ', at);
      const std::string one = element.substr(at, blank - at);
      const bool identifier = std::isalpha(static_cast<unsigned char>(one[0])) != 0 || one[0] == '_';
      tokens.push_back(identifier ? word(name, one) : sign(name, one));
      at = blank + 1;
    }
    for (int k = 0; k < pointers; ++k) tokens.push_back(sign(name, "*"));
    return tokens;
  }
  return {};
}

// ---- arguments

void CallInliner::bind(std::size_t name, const Ranges& given, const Frame& caller, Frame& frame,
                       const std::string& number) {
  const std::vector<Parameter>& all = frame.function->parameters;
  std::size_t calls = 0;
  for (const auto& [begin, end] : given) calls += has_call(begin, end) ? 1 : 0;
  if (calls > 0 && given.size() > 1)
    for (const auto& [begin, end] : given)
      for (std::size_t i = begin; i < end && !has_call(begin, end); ++i)
        if (calls > 1 || is(i, "[") || is(i, "(") || is(i, "->") || is(i, "++") || is(i, "--"))
          return refuse("arguments of '" + spelled(name) + "' may be computed in another order", name);
  std::unordered_map<std::string, Tokens> bound;
  for (std::size_t i = 0; i < all.size() && !refused(); ++i) {
    Tokens argument;
    Group group;
    if (i < given.size() && all[i].name != npos && group_of(given[i].first, given[i].second, caller, group)) {
      frame.groups[spelled(all[i].name)] = group;
      if (group.size == 0)  // the block's name may have other uses
        bound[spelled(all[i].name)] = block_group(given[i].first, given[i].second, caller, number);
      continue;
    }
    if (i < given.size())
      expression(given[i].first, given[i].second, caller, argument);
    else
      copy(all[i].default_begin, all[i].default_end, frame, argument);
    if (all[i].name == npos) {
      if (argument.size() > 1) return refuse("'" + spelled(name) + "' has a parameter without a name", name);
      continue;
    }
    bound[spelled(all[i].name)] = parameter(name, all[i], argument, frame, number);
  }
  for (auto& [parameter, tokens] : bound)
    if (!frame.replaced.emplace(parameter, std::move(tokens)).second)
      refuse("two names of '" + spelled(name) + "' are the same", name);
}

Tokens CallInliner::parameter(std::size_t name, const Parameter& parameter, const Tokens& argument,
                              const Frame& frame, const std::string& number) {
  const std::string own = spelled(parameter.name);
  const bool changes = is_changed(frame.begin, frame.end, own);
  const bool watched = syntax_.mentions(parameter.begin, parameter.name, "volatile");
  if (!watched && argument.size() == 1 && argument[0].kind == TokenKind::identifier) {
    const auto known = variables_.find(std::string(stream_.spelling(argument[0])));
    if (known != variables_.end() && serves(parameter, known->second, changes, frame)) return argument;
  }
  if (parameter.parenthesised || parameter.rvalue || watched) {
    refuse("the parameter '" + own + "' of '" + spelled(name) + "' is of a kind that is not inlined", name);
    return {};
  }
  for (std::size_t i = parameter.name + 1; i < parameter.end; i = syntax_.after(i))
    if (is(i, "[") && i != parameter.name + 1) {
      refuse("the parameter '" + own + "' of '" + spelled(name) + "' has several dimensions", name);
      return {};
    }
  const std::string anew = "cuemu_" + number + "_" + own;
  Variable variable;
  if (!parameter.reference) variable.element = element_type(parameter.begin, parameter.name, frame);
  variable.dimensions = parameter.pointers + (parameter.array ? 1 : 0);
  variable.changes = changes;
  for (std::size_t i = parameter.begin; i < parameter.name; ++i) {
    if (is(i, "[")) {  // [[maybe_unused]]
      i = syntax_.after(i) - 1;
      continue;
    }
    if (!is(i, "__restrict__") && !is(i, "__restrict")) copy_token(i, frame, out_);
  }
  if (parameter.array) out_.push_back(sign(parameter.name, "*"));
  out_.push_back(word(parameter.name, anew));
  out_.push_back(sign(parameter.name, "="));
  out_.insert(out_.end(), argument.begin(), argument.end());
  out_.push_back(sign(parameter.name, ";"));
  note(anew, variable);
  return {word(parameter.name, anew)};
}

bool CallInliner::serves(const Parameter& parameter, const Variable& variable, bool changes,
                         const Frame& frame) const {
  if (parameter.pack || parameter.rvalue) return false;
  if (parameter.parenthesised) return parameter.reference && variable.is_array;  // T (&s)[4]
  const std::string element = element_type(parameter.begin, parameter.name, frame);
  if (variable.element.empty() || element != variable.element) return false;
  const int dimensions = parameter.pointers + (parameter.array ? 1 : 0);
  if (parameter.reference) {
    bool constant = false;
    for (std::size_t i = parameter.begin; i < parameter.name; ++i) constant = constant || is(i, "const");
    return dimensions == variable.dimensions && !variable.is_array && (constant || variable.dimensions == 0);
  }
  if (changes || dimensions != variable.dimensions) return false;
  return variable.is_array || !variable.changes;
}

}  // namespace emucc::detail
