#include "driver/words.hpp"

#include <algorithm>
#include <string_view>

namespace emucc {
namespace {

enum class Marks { dropped, kept };  // quotation marks and backslashes

std::vector<std::string> parts_of(const std::string& text, std::string_view separators,
                                  std::string_view quotes, Marks marks) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && separators.find(c) != separators.npos) {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
      continue;
    }
    inside = true;
    const bool mark = quote != 0 ? c == quote : quotes.find(c) != quotes.npos;
    if (mark) quote = quote == 0 ? c : 0;
    if (c == '\\' && quote != '\'' && i + 1 < text.size())
      word += text[++i] == '\n' ? "" : std::string(1, text[i]);
    else if (!mark || marks == Marks::kept)
      word += c;
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

}  // namespace

std::vector<std::string> split(const std::string& text, const char* separators) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(separators, at)) != text.npos) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end;
  }
  return parts;
}

std::vector<std::string> shell_words(const std::string& text) {
  return parts_of(text, " \t\n\r\f\v", "\"'", Marks::dropped);
}

std::vector<std::string> flags_of(const std::string& value) {
  std::vector<std::string> flags;
  for (const auto& part : parts_of(value, ", \t", "\"", Marks::kept))
    for (auto& word : shell_words(part)) flags.push_back(std::move(word));
  return flags;
}

}  // namespace emucc
