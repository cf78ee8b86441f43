#include "base/regex.hpp"

#include <regex>

namespace grader {
namespace {

std::optional<RegexMatch> groups_of(bool matched, const std::smatch& found) {
  if (!matched) return std::nullopt;
  std::vector<std::optional<std::string>> groups;
  for (const std::ssub_match& group : found)
    groups.push_back(group.matched ? std::optional(group.str()) : std::nullopt);
  return RegexMatch(std::move(groups));
}

}  // namespace

struct Regex::Compiled {
  std::regex expression;
};

Regex::Regex(const char* expression) : compiled_(new Compiled{std::regex(expression)}) {}
Regex::~Regex() = default;

std::optional<RegexMatch> Regex::match(const std::string& text) const {
  std::smatch found;
  return groups_of(text.size() <= longest_text && std::regex_match(text, found, compiled_->expression),
                   found);
}

std::optional<RegexMatch> Regex::search(const std::string& text) const {
  std::smatch found;
  return groups_of(text.size() <= longest_text && std::regex_search(text, found, compiled_->expression),
                   found);
}

}  // namespace grader
