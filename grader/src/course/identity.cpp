#include "course/identity.hpp"

#include <algorithm>
#include <set>

#include "base/columns.hpp"

namespace grader {
namespace {

/// The small letter for a Latin, Greek or Cyrillic capital. Canvas writes names in small letters.
unsigned small_letter(unsigned c) {
  if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 0x20;
  if ((c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177)) return c | 1;
  if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E)) return c + (c & 1);
  if ((c >= 0x391 && c <= 0x3A9) || (c >= 0x410 && c <= 0x42F)) return c + 0x20;
  return c >= 0x400 && c <= 0x40F ? c + 0x50 : c;
}

/// The text in small letters, without blanks and punctuation.
std::string squeezed(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c & 0xE0) == 0xC0 && i + 1 < text.size()) {  // two bytes long
      const unsigned letter =
          small_letter((c & 0x1Fu) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3Fu));
      out += static_cast<char>(0xC0 | letter >> 6);
      out += static_cast<char>(0x80 | (letter & 0x3F));
    } else if (c >= 0x80) {
      out += text[i];
    } else if (std::isalnum(c) != 0) {
      out += static_cast<char>(std::tolower(c));
    }
  }
  return out;
}

/// The spellings of a name: each of its words may be the first.
std::set<std::string> ways_to_write(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : name)
    if (c == ' ' || c == ',')
      words.emplace_back();
    else
      words.back() += c;
  std::set<std::string> out;
  for (std::size_t first = 0; first < words.size() && words.size() < 20; ++first) {
    std::string joined;
    for (std::size_t i = 0; i < words.size(); ++i) joined += words[(first + i) % words.size()];
    if (std::string one = squeezed(joined); !one.empty()) out.insert(std::move(one));
  }
  return out;
}

/// Students by the value of one of their columns; null for a value that several students have.
using Index = std::map<std::string, const Student*>;

void add(Index& index, const std::string& key, const Student& student) {
  if (key.empty()) return;
  const auto [at, is_new] = index.emplace(key, &student);
  if (!is_new && at->second != &student) at->second = nullptr;
}

const Student* look_up(const Index& index, const std::string& key) {
  const auto found = index.find(key);
  return key.empty() || found == index.end() ? nullptr : found->second;
}

/// Makes a name safe as a file name, since a platform's users choose their names freely.
std::string fit_for_a_file(std::string text) {
  text = printable(text);
  std::replace(text.begin(), text.end(), '/', '_');
  if (!text.empty() && text.front() == '.') text.front() = '_';
  if (text.size() > 120) text.resize(120);
  return text.empty() ? "_" : text;
}

bool agree(const Person& person, const Student& student) {
  return person.name.empty() || student.name.empty() ||
         ways_to_write(student.name).count(squeezed(person.name)) != 0;
}

/// The id of a person who is not in the class's file.
std::string called(const Person& person) {
  if (person.number.empty() && !person.logins.empty()) return person.logins.front();
  return person.name.empty() ? person.number : person.name;
}

}  // namespace

std::string key_of(const Person& person) {
  return !person.number.empty()   ? "number " + person.number
         : !person.logins.empty() ? "login " + person.logins.front()
                                  : "name " + person.name;
}

std::vector<std::string> ids_of(const std::vector<Person>& people,
                                const std::map<std::string, Student>& students) {
  Index by_number, by_login, by_name;
  for (const auto& [id, student] : students) {
    add(by_number, lower(student.number), student);
    for (const std::string& login : {id, student.email}) add(by_login, lower(login), student);
    add(by_name, squeezed(id), student);
    for (const std::string& way : ways_to_write(student.name)) add(by_name, way, student);
  }
  std::map<std::string, std::set<std::string>> keys_of_name;  // the persons with this name
  for (const Person& person : people) keys_of_name[squeezed(person.name)].insert(key_of(person));

  std::vector<std::string> out;
  for (const Person& person : people) {
    const bool is_alone = keys_of_name[squeezed(person.name)].size() == 1;
    const bool has_name_alone = person.number.empty() && person.logins.empty();
    const Student* student = look_up(by_number, lower(person.number));
    for (const std::string& login : person.logins)
      if (student == nullptr) student = look_up(by_login, lower(login));
    if (student == nullptr && has_name_alone) student = look_up(by_login, lower(person.name));
    if (student == nullptr) {  // one platform's number may be an id in the class file
      student = look_up(by_login, lower(person.number));
      if (student != nullptr && !agree(person, *student)) student = nullptr;
    }
    if (student == nullptr && is_alone && !has_name_alone) student = look_up(by_name, squeezed(person.name));
    const bool is_distinct = is_alone || person.number.empty() || person.name.empty();
    out.push_back(student != nullptr
                      ? student->id
                      : fit_for_a_file(is_distinct ? called(person) : person.name + " " + person.number));
  }
  return out;
}

}  // namespace grader
