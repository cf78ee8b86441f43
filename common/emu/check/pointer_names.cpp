#include "pointer_names.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "expression.hpp"

namespace cuemu::check {

namespace {

/// The stacks of all allocations, each once; and the user's calls of the stacks already examined, by line, in order of
/// first occurrence.
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

/// An allocating call in a line.
struct Call {
  std::size_t name;  ///< where the name begins
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

/// The call of the line that has this address, or null if unknown.
const Call* find_call(const std::vector<Call>& all, const Line& line, const void* address) {
  if (all.size() == 1) return &all.front();
  const std::vector<const void*> seen = seen_in(line);
  const auto here = std::find(seen.begin(), seen.end(), address);
  if (here != seen.end() && seen.size() == all.size())
    return &all[static_cast<std::size_t>(std::distance(seen.begin(), here))];
  // g++ gives the column of the parenthesis, clang++ of the name.
  const auto exact = std::find_if(all.begin(), all.end(), [&](const Call& call) {
    return static_cast<int>(call.name) + 1 == line.column || static_cast<int>(call.open) + 1 == line.column;
  });
  return exact != all.end() ? &*exact : nullptr;
}

/// The pointer whose address is at `at`, after casts; empty: none.
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

/// The allocation's line, from the call's parenthesis on; empty: unknown.
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

std::string pointer_filled_by(const std::vector<void*>& stack) {
  return pointer_at(arguments_of(stack), 0);
}

std::string pointer_copied(const Line& line, bool destination) {
  const std::string call = text_of_call(line, "cudaMemcpy");
  const bool by_rows = call.rfind("cudaMemcpy2D", 0) == 0;  // its pitch is between the two
  if (call.rfind("cudaMemcpy3D", 0) == 0) return "";
  std::size_t at = call.find('(');
  int depth = 0;
  for (int commas = destination ? 0 : by_rows ? 2 : 1; at < call.size(); ++at) {
    depth += call[at] == '(' ? 1 : call[at] == ')' ? -1 : 0;
    if (depth == 1 && call[at] == ',') --commas;
    if (depth == 1 && commas == 0) break;
  }
  if (at >= call.size()) return "";
  std::string name = pointer_at(call, ++at);
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
