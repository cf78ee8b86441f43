#include "catalog/text_change.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace grader {
namespace {

std::size_t line_of(const std::string& text, std::size_t at) {
  return 1 + static_cast<std::size_t>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

}  // namespace

void read_change(TomlTable& table, TextChange& change) {
  change.find = table.text("find");
  change.at = table.at("find");
  if (!table.has("replace"))
    table.fail("replace", "expected \"replace\" beside \"find\"; \"\" deletes what was found");
  change.replace = table.text_or("replace", "");
  if (change.replace == change.find)
    table.fail("replace", "\"replace\" is the same as \"find\": nothing would be wrong");
}

void apply_change(std::string& text, const TextChange& change, const std::string& file,
                  const std::string& of) {
  const auto fail = [&](const std::string& message) {
    throw Error(ErrorKind::usage, describe_at(change.at, fmt::format("{} ({})", message, of)));
  };
  const std::size_t at = text.find(change.find);
  if (at == std::string::npos)
    fail(fmt::format("\"find\" does not occur in {}; expected it exactly once", file));
  if (const std::size_t again = text.find(change.find, at + 1); again != std::string::npos)
    fail(fmt::format("\"find\" occurs in lines {} and {} of {}; expected it exactly once", line_of(text, at),
                     line_of(text, again), file));
  text.replace(at, change.find.size(), change.replace);
}

}  // namespace grader
