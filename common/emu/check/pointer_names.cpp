#include "pointer_names.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "expression.hpp"

namespace cuemu::check {

namespace {

/// The stacks of all allocations without duplicates, and for each line the user's calls in the examined
/// stacks, in the order of their first occurrence.
struct Calls {
  std::mutex mutex;
  std::set<std::vector<void*>> stacks;
  std::vector<std::vector<void*>> fresh;
  std::map<Line, std::vector<const void*>> seen;
};
Calls& calls() {
  static auto* const all = new Calls;
  return *all;
}

std::vector<const void*> seen_in(const Line& line) {
  Calls& all = calls();
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (const std::vector<void*>& stack : all.fresh) {
    const void* const address = users_address(stack);
    if (address == nullptr) continue;
    std::vector<const void*>& here = all.seen[line_of(address)];
    if (std::find(here.begin(), here.end(), address) == here.end()) here.push_back(address);
  }
  all.fresh.clear();
  return all.seen[line];
}

/// A call in the source that allocates memory.
struct Call {
  std::size_t name;  ///< the beginning of its name
  std::size_t open;  ///< its opening parenthesis
};

std::vector<Call> calls_in(const std::string& text) {
  std::vector<Call> result;
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (!is_word(text[begin])) continue;
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string word = text.substr(begin, end - begin);
    const std::size_t open = text.find_first_not_of(' ', end);
    if ((word.rfind("cudaMalloc", 0) == 0 || word == "cudaHostAlloc") && open != text.npos &&
        text[open] == '(')
      result.push_back({begin, open});
    begin = end;
  }
  return result;
}

/// Returns the call in the line that has this return address; null if it is unknown.
const Call* find_call(const std::vector<Call>& all, const Line& line, const void* address) {
  if (all.size() == 1) return &all.front();
  const std::vector<const void*> seen = seen_in(line);
  const auto here = std::find(seen.begin(), seen.end(), address);
  if (here != seen.end() && seen.size() == all.size())
    return &all[static_cast<std::size_t>(std::distance(seen.begin(), here))];
  // g++ records the column of the parenthesis, and clang++ the column of the name.
  const auto exact = std::find_if(all.begin(), all.end(), [&](const Call& call) {
    return static_cast<int>(call.name) + 1 == line.column || static_cast<int>(call.open) + 1 == line.column;
  });
  return exact != all.end() ? &*exact : nullptr;
}

/// Returns the pointer whose address is taken at `at`, after casts; empty if there is none.
std::string pointer_at(const std::string& text, std::size_t at) {
  for (;;) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '&')) ++at;
    if (at >= text.size() || text[at] != '(') break;
    at = text.find(')', at);
    if (at == text.npos) return "";
    ++at;
  }
  if (text.compare(at, 16, "reinterpret_cast") == 0) {
    at = text.find('&', at);
    if (at == text.npos) return "";
    ++at;
  }
  std::size_t end = at;
  int depth = 0;
  while (end < text.size() &&
         (is_word(text[end]) || text[end] == '.' || text[end] == '[' || (depth > 0 && text[end] == ']') ||
          text.compare(end, 2, "->") == 0 || (text[end] == '>' && end > at && text[end - 1] == '-'))) {
    depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
    ++end;
  }
  return text.substr(at, end - at);
}

}  // namespace

void note_allocation(const std::vector<void*>& stack) {
  Calls& all = calls();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (all.stacks.insert(stack).second) all.fresh.push_back(stack);
}

namespace {

/// Returns the text of the allocation's line from the call's parenthesis on; empty if it is unknown.
std::string arguments_of(const std::vector<void*>& stack) {
  const void* const address = users_address(stack);
  if (address == nullptr) return "";
  const Line line = line_of(address);
  const auto& lines = source_lines(line.file);
  if (line.line < 1 || static_cast<std::size_t>(line.line) > lines.size()) return "";
  const std::string& text = lines[static_cast<std::size_t>(line.line) - 1];
  const std::vector<Call> all = calls_in(text);
  const Call* const call = find_call(all, line, address);
  return call != nullptr ? text.substr(call->open + 1) : "";
}

}  // namespace

namespace {

/// Returns the position of a word in a text; npos if the text does not contain it.
std::size_t find_word(const std::string& text, const std::string& word, std::size_t from = 0) {
  for (std::size_t at = text.find(word, from); at != text.npos; at = text.find(word, at + 1))
    if ((at == 0 || !is_word(text[at - 1])) &&
        (at + word.size() == text.size() || !is_word(text[at + word.size()])))
      return at;
  return text.npos;
}

/// Returns the position of the bracket that closes the one at `open`. Returns the text's end if there is
/// none.
std::size_t close_of(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    depth += std::string("([{<").find(text[at]) != std::string::npos   ? 1
             : std::string(")]}>").find(text[at]) != std::string::npos ? -1
                                                                       : 0;
    if (depth == 0) return at;
  }
  return text.size();
}

/// Returns the text of the function that contains a line, from its name to its end. Uses the last
/// occurrence of the name before the line.
std::string text_of_function(const Line& line) {
  const auto& lines = source_lines(line.file);
  if (line.function.empty() || static_cast<std::size_t>(line.line) > lines.size()) return "";
  for (auto first = static_cast<std::size_t>(line.line); first-- > 0;) {
    const std::size_t name = find_word(lines[first], line.function);
    const std::size_t open = name != std::string::npos ? name + line.function.size() : name;
    if (name == std::string::npos || open >= lines[first].size() || lines[first][open] != '(') continue;
    std::string text = lines[first].substr(open);
    for (std::size_t i = first + 1, depth = 1; i < lines.size() && depth > 0 && i < first + 100; ++i) {
      text += "\n" + lines[i];
      const std::size_t body = text.find('{');
      int braces = body == text.npos ? 1 : 0;
      for (std::size_t at = std::min(body, text.size()); at < text.size(); ++at)
        braces += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
      depth = braces > 0 ? 1 : 0;
    }
    return text;
  }
  return "";
}

/// Returns the names that are declared at `at`, each with the column (from 0) where the name and its
/// initialiser end.
std::vector<std::pair<std::string, std::size_t>> declared_at(const std::string& text, std::size_t at) {
  std::vector<std::pair<std::string, std::size_t>> result;
  while (at < text.size()) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '*' || text[at] == ',')) ++at;
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == at) break;
    const std::string name = text.substr(at, end - at);
    at = end;
    while (at < text.size() && text[at] != ',' && text[at] != ';')
      at = text[at] == '(' || text[at] == '{' ? close_of(text, at) + 1 : at + 1;
    result.emplace_back(name, at);
    if (at >= text.size() || text[at] == ';') break;
  }
  return result;
}

/// Returns the variable that receives a call's result: "d" for `float* d = make(n)`, if `call` is the
/// position of `make`. Empty if there is none.
std::string assigned_in(const std::string& text, std::size_t call) {
  const std::size_t equals = text.rfind('=', call);
  if (equals == text.npos || text.find_first_of(";{}", equals) < call) return "";
  std::size_t end = equals;
  while (end > 0 && text[end - 1] == ' ') --end;
  std::size_t begin = end;
  while (begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  return text.substr(begin, end - begin);
}

/// Returns the variable that holds the memory outside the function that called cudaMalloc. For a constructor
/// this is an object of the class. Otherwise it is the pointer that receives the function's result, or a
/// pointer that the function sets for its caller. Empty if there is no such variable, or if the lines do not
/// show it.
/// @param pointer the pointer's name in the function
/// @param inner the line in the function
/// @param caller the line that calls the function
std::string held_by(const std::string& pointer, const Line& inner, const Line& caller) {
  const std::string text = raw_text(caller), function = text_of_function(inner);
  std::size_t name = find_word(text, inner.function);
  for (std::size_t next = name; next != text.npos; next = find_word(text, inner.function, next + 1))
    name = next;
  if (function.empty() || name == text.npos || pointer.find_first_of(".[-") != pointer.npos) return "";
  std::size_t after = name + inner.function.size();
  if (after < text.size() && text[after] == '<') after = close_of(text, after) + 1;
  after = std::min(text.find_first_not_of(' ', after), text.size());
  const std::string parameters = function.substr(0, close_of(function, 0));
  const std::string assigned = assigned_in(text, name);
  if (after < text.size() && is_word(text[after])) {  // an object
    const auto declared = declared_at(text, after);
    const auto column = static_cast<std::size_t>(std::max(caller.column - 1, 0));
    const auto found = std::find_if(declared.begin(), declared.end(), [&](const auto& one) {
      return declared.size() == 1 || column < one.second;
    });
    if (found == declared.end()) return "";
    const bool is_only = calls_in(function).size() < 2;
    return is_only ? found->first : found->first + "." + pointer;
  }
  if (find_word(parameters, pointer) != parameters.npos) {
    if (after >= text.size() || text[after] != '(') return "";
    const std::size_t reference = text.find('&', after), close = close_of(text, after);
    return pointer_at(text, reference < close ? reference : after + 1);
  }
  const bool is_constructor = text.rfind("new ", name) != text.npos || text.rfind("make_", name) != text.npos;
  const bool is_result = find_word(function, "return " + pointer) != function.npos;
  if (is_constructor && !assigned.empty())
    return calls_in(function).size() < 2 ? assigned : assigned + "->" + pointer;
  return is_result ? assigned : "";
}

}  // namespace

std::string pointer_filled_by(const std::vector<void*>& stack) {
  std::string name = pointer_at(arguments_of(stack), 0);
  const std::vector<Line> lines = users_lines(stack);
  for (std::size_t i = 0; i + 1 < lines.size() && !name.empty(); ++i) {
    const std::string holder = held_by(name[0] == '*' ? name.substr(1) : name, lines[i], lines[i + 1]);
    if (holder.empty()) break;
    name = holder;
  }
  return name;
}

namespace {

/// Returns the beginning of the destination or the source in the text of a copy; npos if it is unknown.
std::size_t begin_of_copied(const std::string& call, bool destination) {
  const bool by_rows = call.rfind("cudaMemcpy2D", 0) == 0;  // the pitch is an argument between the two
  if (call.rfind("cudaMemcpy3D", 0) == 0) return call.npos;
  std::size_t at = call.find('(');
  int depth = 0;
  for (int commas = destination ? 0 : by_rows ? 2 : 1; at < call.size(); ++at) {
    depth += call[at] == '(' ? 1 : call[at] == ')' ? -1 : 0;
    if (depth == 1 && call[at] == ',') --commas;
    if (depth == 1 && commas == 0) break;
  }
  return at < call.size() ? at + 1 : call.npos;
}

}  // namespace

std::string hint_without_address(const Line& line) {
  const std::string call = text_of_call(line, "cudaMalloc");
  // Without a cast, the argument is a pointer to a pointer.
  const std::size_t comma = call.find(',');
  return !call.empty() && call.find("(void") < comma && call.find('&') > comma
             ? "cudaMalloc sets the pointer whose address it gets: write & before the pointer's name"
             : "";
}

std::string variable_copied(const Line& line, bool destination) {
  const std::string call = text_of_call(line, "cudaMemcpy");
  const std::size_t begin = begin_of_copied(call, destination);
  const std::size_t sign = begin != call.npos ? call.find_first_not_of(' ', begin) : call.npos;
  if (sign == call.npos || call[sign] != '&') return "";
  std::size_t end = sign + 1;
  while (end < call.size() && is_word(call[end])) ++end;
  return end < call.size() && call[end] == ',' ? call.substr(sign + 1, end - sign - 1) : "";
}

std::string pointer_copied(const Line& line, bool destination) {
  const std::string call = text_of_call(line, "cudaMemcpy");
  std::size_t at = begin_of_copied(call, destination);
  if (at == call.npos) return "";
  std::string name = pointer_at(call, at);
  at = call.find(name, at) + name.size();
  if (name.empty() || at >= call.size()) return "";
  if (call[at] == '(')  // a method of the array
    name.resize(std::max<std::size_t>(name.find_last_of(".>") + 1, 1) - 1);
  else if (call[at] == ':' || call[at] == '<')
    return "";
  if (!name.empty() && name.back() == '-') name.pop_back();
  return name.substr(0, name.find('['));
}

std::string type_filled_by(const std::vector<void*>& stack) {
  const std::string text = arguments_of(stack);
  int depth = 1;
  std::size_t end = 0;
  for (; end < text.size() && depth > 0; ++end) depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
  const std::string word = "sizeof(";
  const std::size_t begin = text.find(word), close = text.find(')', begin);
  return begin < end && close < end ? text.substr(begin + word.size(), close - begin - word.size()) : "";
}

}  // namespace cuemu::check
