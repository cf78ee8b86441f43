// Functions that look up facts in declared commands.
#include "cli/command.hpp"

#include <algorithm>

namespace grader {

bool Option::is_flag() const {
  return std::holds_alternative<bool*>(value) || std::holds_alternative<bool Session::*>(value);
}

bool Option::is_argument() const {
  return names.front() != '-';
}

std::vector<std::string> Option::all_names() const {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t end = std::min(names.find(',', at), names.size());
    out.push_back(names.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::vector<Option> concat(std::initializer_list<std::vector<Option>> lists) {
  std::vector<Option> out;
  for (const std::vector<Option>& list : lists) out.insert(out.end(), list.begin(), list.end());
  return out;
}

const Command* find_command(const std::vector<Command>& commands, const std::string& name) {
  const auto found =
      std::find_if(commands.begin(), commands.end(), [&](const Command& c) { return c.name == name; });
  return found == commands.end() ? nullptr : &*found;
}

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names = {"-h", "--help"};
  for (const Option& option : command.options) {
    if (option.is_argument() || option.is_rest()) continue;
    for (std::string& name : option.all_names()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace grader
