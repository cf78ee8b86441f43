#include "model/drawn.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/sha256.hpp"

namespace grader {
namespace {

constexpr std::uint64_t most_choices = 1'000'000'000;

/// Parses a size. No value for a text with a sign, a leading zero or other characters.
std::optional<std::uint64_t> number_in(const std::string& text) {
  constexpr std::size_t most_digits = 18;
  const bool plain = !text.empty() && text.size() <= most_digits &&
                     text.find_first_not_of("0123456789") == std::string::npos &&
                     (text[0] != '0' || text.size() == 1);
  return plain ? std::optional(std::stoull(text)) : std::nullopt;
}

}  // namespace

std::optional<DrawnArgument> DrawnArgument::parse(const std::string& text) {
  DrawnArgument out;
  const std::size_t open = text.find('{');
  if (open == std::string::npos) {
    out.before = text;
    return text.find('}') == std::string::npos ? std::optional(out) : std::nullopt;
  }
  const std::size_t close = text.find('}', open);
  const std::size_t dots = text.find("..", open);
  if (close == std::string::npos || dots >= close || text.find('{', open + 1) != std::string::npos ||
      text.find('}', close + 1) != std::string::npos)
    return std::nullopt;
  const auto low = number_in(text.substr(open + 1, dots - open - 1));
  const auto high = number_in(text.substr(dots + 2, close - dots - 2));
  if (!low || !high || *low > *high || *high - *low >= most_choices) return std::nullopt;
  out.before = text.substr(0, open);
  out.after = text.substr(close + 1);
  out.limits = std::pair(*low, *high);
  return out;
}

std::string DrawnArgument::pick(std::uint64_t random) const {
  if (!limits) return before;
  return fmt::format("{}{}{}", before, limits->first + random % (limits->second - limits->first + 1), after);
}

bool DrawnArgument::can_be(const std::string& argument) const {
  if (!limits) return argument == before;
  if (argument.size() < before.size() + after.size() || !argument.starts_with(before) ||
      !argument.ends_with(after))
    return false;
  const auto number =
      number_in(argument.substr(before.size(), argument.size() - before.size() - after.size()));
  return number && *number >= limits->first && *number <= limits->second;
}

std::uint64_t number_from(const std::string& secret, const std::vector<std::string>& words) {
  Sha256 sha;
  sha.update(fmt::format("{}:{}", secret.size(), secret));
  for (const std::string& word : words) sha.update(fmt::format("{}:{}", word.size(), word));
  return std::stoull(sha.hex_digest().substr(0, 16), nullptr, 16);
}

Lab with_drawn_sizes(Lab lab, const std::string& secret) {
  for (Case& c : lab.cases) {
    if (c.drawn.empty()) continue;
    const bool checked_whole = c.checked == c.args;
    for (std::size_t i = 0; i < c.args.size(); ++i)
      c.args[i] = c.drawn[i].pick(number_from(secret, {"size", lab.id, c.id, std::to_string(i)}));
    if (checked_whole) c.checked = c.args;
  }
  return lab;
}

std::string words_of_drawn(const Lab& published, const Lab& drawn, Backend backend) {
  std::string words;
  for (const Case& one : drawn.cases) {
    const auto own = std::find_if(published.cases.begin(), published.cases.end(),
                                  [&](const Case& other) { return other.id == one.id; });
    if (own == published.cases.end() || own->args == one.args || one.visibility != Visibility::visible ||
        !one.runs_on(backend))
      continue;
    words += fmt::format("{}case {} with {}", words.empty() ? "" : "; ", one.id, fmt::join(one.args, " "));
  }
  return words;
}

}  // namespace grader
