#include "driver/messages.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "analyse/missing.hpp"

namespace emucc {
namespace {

/// Returns the line without escape sequences for colours.
std::string without_colour(std::string_view line) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\033') {
      plain += line[i];
      continue;
    }
    while (i < line.size() && !std::isalpha(static_cast<unsigned char>(line[i]))) ++i;
  }
  return plain;
}

/// The parts of a line such as `a.cu:3:14: error: text`. The column is 0 for all other lines.
struct Header {
  std::string place;  ///< file and line
  std::string text;   ///< with "error: " or "warning: "
  int column = 0;
};

Header read_header(const std::string& line) {
  Header found;
  std::size_t kind = std::string::npos;
  for (const char* word : {": error: ", ": warning: ", ": fatal error: "})
    kind = std::min(kind, line.find(word));
  if (kind == std::string::npos || kind == 0) return found;
  const std::size_t colon = line.rfind(':', kind - 1);
  if (colon == std::string::npos) return found;
  found.column = std::atoi(line.c_str() + colon + 1);
  found.place = line.substr(0, colon);
  found.text = line.substr(kind + 2);
  return found;
}

bool ends_with(const std::string& line, std::string_view end) {
  return line.size() >= end.size() && line.compare(line.size() - end.size(), end.size(), end) == 0;
}

/// True for a line that gives the context of the following message.
bool is_context(const std::string& line) {
  return line.rfind("In file included from ", 0) == 0 || line.rfind("                 from ", 0) == 0 ||
         (ends_with(line, ":") && line.find(": In ") != std::string::npos) ||
         line.find(": At global scope:") != std::string::npos;
}

/// A message, with the context lines before it and the explanations after it.
struct Group {
  Header header;
  std::string text;
};

std::vector<Group> groups_of(const std::string& messages) {
  std::vector<Group> groups(1);
  std::string before;
  for (std::size_t at = 0; at < messages.size();) {
    std::size_t end = messages.find('\n', at);
    end = end == std::string::npos ? messages.size() : end + 1;
    const std::string line = messages.substr(at, end - at);
    at = end;
    const std::string plain = without_colour(std::string_view(line).substr(0, line.find('\n')));
    if (ends_with(plain, ": In lambda function:")) continue;
    const Header header = read_header(plain);
    if (header.column > 0) {
      groups.push_back({header, before + line});
      before.clear();
    } else if (is_context(plain)) {
      before += line;
    } else {
      groups.back().text += before + line;
      before.clear();
    }
  }
  groups.back().text += before;
  return groups;
}

/// The identifier that begins at `at`.
std::string name_at(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
    ++end;
  return text.substr(at, end - at);
}

/// Explains a `__shared__` array whose size is not constant. `__shared__ float s[n];` becomes a call of
/// shared<float[n], …>, which is invalid if n is a variable. g++'s message contains the call with the tag
/// cuemu_shared_s_1. clang++'s message shows the translated line.
std::string shared_of_no_constant_size(const Group& group) {
  const std::string tag = "cuemu_shared_", declaration = "auto& ";
  const std::string& said = group.header.text;
  if (said.find("no matching function for call to ") == said.npos) return {};
  std::string name;
  if (const std::size_t at = said.find(tag); at != said.npos && said.find("shared<") != said.npos) {
    name = name_at(said, at + tag.size());
    name.resize(std::min(name.rfind('_'), name.size()));
  } else if (ends_with(said, "'shared'")) {
    const std::string text = without_colour(group.text);
    const std::size_t end = text.find("= ::cuemu::shared<");
    const std::size_t begin = text.rfind(declaration, end);
    if (end == text.npos || begin == text.npos) return {};
    name = name_at(text, text.find_first_not_of(' ', begin + declaration.size()));
  } else {
    return {};
  }
  return group.header.place + ": error: the size of the __shared__ array '" + name +
         "' must be a constant: for one that the launch decides write extern __shared__, and give its bytes "
         "as "
         "the third value of <<<grid, block, bytes>>>\n";
}
/// True for the message that g++ prints as a consequence of such an error.
bool follows_from_size(const Group& group) {
  return group.header.text.find("variably modified type") != std::string::npos ||
         group.header.text.find("cuemu::shared()") != std::string::npos;
}

/// The text between the first quotation marks of a message, as in ‘plain’ or 'plain'.
std::string quoted(const std::string& said) {
  std::size_t begin = said.find("‘"), length = 3, end = said.find("’");
  if (begin == said.npos) {
    begin = said.find('\'');
    length = 1;
    end = said.find('\'', begin + 1);
  }
  return begin == said.npos || end == said.npos ? "" : said.substr(begin + length, end - begin - length);
}

/// Returns a sentence about a call of a function that is declared but not defined
/// (include/cuemu/declared/names.h).
std::string of_declared_only(const std::string& said) {
  for (const std::string mark : {"declared with attribute error: ", "declared with 'error' attribute: "})
    if (const std::size_t at = said.find(mark);
        at != said.npos && said.find("has only the declarations") != said.npos)
      return said.substr(at + mark.size());
  return {};
}

/// Returns a sentence about a header or a name that belongs to a part of CUDA that the emulation lacks.
std::string of_missing_part(const Group& group) {
  const std::string& said = group.header.text;
  const std::string fatal = "fatal error: ", no_file = ": No such file or directory";
  std::string part, what;
  if (said.rfind(fatal, 0) == 0) {
    what = ends_with(said, no_file) ? said.substr(fatal.size(), said.size() - fatal.size() - no_file.size())
                                    : quoted(said);
    part = missing_header(what);
  } else if (std::string text = of_declared_only(said); !text.empty()) {
    what = quoted(said);
    what.resize(std::min(what.find('<'), what.size()));  // without template arguments
    part = std::move(text);
  } else if (said.find("was not declared") != said.npos || said.find("undeclared identifier") != said.npos ||
             said.find("unknown type name") != said.npos || said.find("does not name a type") != said.npos) {
    what = quoted(said);
    part = missing_name(what);
  }
  if (part.empty()) return {};
  return group.header.place + ": error: '" + what + "' belongs to " + part + "\n";
}

}  // namespace

std::string tidy_messages(const std::string& messages) {
  std::vector<Group> groups = groups_of(messages);
  std::map<std::string, std::size_t> first;  // groups by their text
  std::string tidy;
  std::set<std::string> parts;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    Group& group = groups[i];
    if (group.header.column == 0) continue;
    if (std::string anew = of_missing_part(group); !anew.empty()) {
      const bool is_new = parts.insert(anew.substr(anew.find("' belongs to "))).second;  // once for each part
      group.text = is_new ? std::move(anew) : "";
      continue;
    }
    if (std::string anew = shared_of_no_constant_size(group); !anew.empty()) {
      group.text = std::move(anew);
      group.header.text = "shared";
    } else if (follows_from_size(group)) {
      group.text.clear();
      continue;
    }
    const auto [known, is_new] = first.emplace(group.header.place + ":" + group.header.text, i);
    if (is_new) continue;
    Group& other = groups[known->second];
    if (group.header.column < other.header.column) other = group;
    group.text.clear();
  }
  for (const Group& group : groups) tidy += group.text;
  return tidy;
}

std::string missing_instrument(const std::string& messages) {
  if (messages.find("cuemu_check_is_linked") != messages.npos) return "--check or --record";
  if (messages.find("cuemu_counters_are_linked") != messages.npos) return "--counters";
  if (messages.find("cuemu_hooks_are_linked") != messages.npos) return "--watchable";
  return "";
}

}  // namespace emucc
