// A thin layer over toml++, which keeps the source position of every node.
#include "catalog/toml_reader.hpp"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>

#include "base/files.hpp"
#include "catalog/catalog.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_file = 1 << 20;

SourcePos position(const fs::path& file, const toml::source_position& at) {
  return {file, static_cast<unsigned>(at.line), static_cast<unsigned>(at.column)};
}

std::string type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or a time";
  }
}

std::unique_ptr<toml::table> parse(const fs::path& file, const std::string& text) {
  try {
    return std::make_unique<toml::table>(toml::parse(text, file.string()));
  } catch (const toml::parse_error& error) {
    std::string message(error.description());
    // The messages of toml++ begin with "Error while parsing X: ". Keep the sentence after that.
    if (const auto colon = message.find(": ");
        message.starts_with("Error while parsing") && colon != std::string::npos)
      message.erase(0, colon + 2);
    throw Error(ErrorKind::usage, describe_at(position(file, error.source().begin), "not TOML: " + message));
  }
}

void check_format(TomlTable root, int newest) {
  const std::int64_t format = root.integer("format", 1, std::numeric_limits<int>::max());
  if (format > newest) {
    root.fail("format",
              fmt::format("format {} is newer than this grader, which knows formats up to {}: update the kit",
                          format, newest));
  }
}

}  // namespace

std::string quoted_list(const std::vector<std::string>& words, const char* last_joint) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last_joint) : ", ";
    text += fmt::format("\"{}\"", words[i]);
  }
  return text;
}

// ---------------------------------------------------------------------------------------------------------------------

TomlFile::TomlFile(fs::path path, std::unique_ptr<toml::table> table)
    : path_(std::move(path)), table_(std::move(table)) {}
TomlFile::~TomlFile() = default;
TomlFile::TomlFile(TomlFile&&) noexcept = default;

TomlFile TomlFile::read(const fs::path& file, int newest_format) {
  const std::string text = read_file(file, largest_file);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw Error(ErrorKind::usage,
                fmt::format("{} is empty; expected \"format = {}\" and more.", shown(file), newest_format),
                "docs/ARCHITECTURE.md says what belongs there.");
  }
  if (const unsigned line = first_line_not_utf8(text); line > 0) {
    throw Error(ErrorKind::usage, fmt::format("{}:{}: not UTF-8 text.", shown(file), line),
                "Save the file as UTF-8.");
  }
  TomlFile parsed(file, parse(file, text));
  check_format(parsed.root(), newest_format);
  return parsed;
}

TomlTable TomlFile::root() const {
  return TomlTable(*this, *table_, "");
}

// ---------------------------------------------------------------------------------------------------------------------

TomlTable::TomlTable(const TomlFile& file, const toml::table& table, std::string name)
    : file_(&file), table_(&table), name_(std::move(name)) {}

SourcePos TomlTable::at(const std::string& key) const {
  const toml::node* node = table_->get(key);
  return position(shown(file_->path()), (node != nullptr ? node->source() : table_->source()).begin);
}

void TomlTable::fail_at(const toml::node* node, const std::string& message) const {
  const toml::source_position at = node != nullptr ? node->source().begin : table_->source().begin;
  throw Error(ErrorKind::usage, describe_at(position(shown(file_->path()), at), message));
}

void TomlTable::fail(const std::string& key, const std::string& message,
                     std::optional<std::size_t> element) const {
  const toml::node* node = table_->get(key);
  if (node != nullptr && element && node->is_array() && *element < node->as_array()->size())
    node = node->as_array()->get(*element);
  fail_at(node, message);
}

void TomlTable::fail_type(const std::string& key, const char* expected, const toml::node& node) const {
  fail_at(&node, fmt::format("\"{}\" is {}; expected {}", key, type_name(node), expected));
}

const toml::node* TomlTable::find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  return table_->get(key);
}

const toml::node& TomlTable::require(const std::string& key) {
  if (const toml::node* node = find(key)) return *node;
  const std::string where = name_.empty() ? "at the top of the file" : "in " + name_;
  // If a key is misspelt, the right key is missing, so the message names both.
  std::vector<std::string> keys;
  for (const auto& [name, value] : *table_) keys.emplace_back(name.str());
  const std::string near = did_you_mean(key, keys);
  fail_at(nullptr, near.empty() ? fmt::format("expected \"{}\" {}", key, where)
                                : fmt::format("expected \"{}\" {}; is \"{}\" misspelt?", key, where, near));
}

bool TomlTable::has(const std::string& key) {
  return find(key) != nullptr;
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, node] : *table_) keys.emplace_back(key.str());
  return keys;
}

std::string TomlTable::text_of(const std::string& key, const toml::node& node) const {
  const auto* text = node.as_string();
  if (text == nullptr) fail_type(key, "a string in quotes", node);
  return text->get();
}

std::int64_t TomlTable::integer_of(const std::string& key, const toml::node& node, std::int64_t least,
                                   std::int64_t most) const {
  const auto* number = node.as_integer();
  if (number == nullptr) fail_type(key, "a whole number", node);
  if (number->get() < least || number->get() > most) {
    fail_at(&node,
            most > std::numeric_limits<int>::max() - 1
                ? fmt::format("\"{}\" is {}; expected a whole number from {}", key, number->get(), least)
                : fmt::format("\"{}\" is {}; expected a whole number from {} to {}", key, number->get(),
                              least, most));
  }
  return number->get();
}

std::string TomlTable::text(const std::string& key) {
  const toml::node& node = require(key);
  std::string value = text_of(key, node);
  if (value.find_first_not_of(" \t\r\n") == std::string::npos)
    fail_at(&node, fmt::format("\"{}\" is empty; expected a string", key));
  return value;
}

std::string TomlTable::text_or(const std::string& key, const std::string& otherwise) {
  const toml::node* node = find(key);
  return node != nullptr ? text_of(key, *node) : otherwise;
}

std::int64_t TomlTable::integer(const std::string& key, std::int64_t least, std::int64_t most) {
  return integer_of(key, require(key), least, most);
}

std::int64_t TomlTable::integer_or(const std::string& key, std::int64_t otherwise, std::int64_t least,
                                   std::int64_t most) {
  const toml::node* node = find(key);
  return node != nullptr ? integer_of(key, *node, least, most) : otherwise;
}

double TomlTable::number(const std::string& key, double least) {
  return number_of(key, require(key), least);
}

double TomlTable::number_of(const std::string& key, const toml::node& node, double least) {
  if (!node.is_number()) fail_type(key, "a number", node);
  const double value = node.value<double>().value_or(std::nan(""));
  if (!std::isfinite(value) || value < least)
    fail_at(&node, fmt::format("\"{}\" is {}; expected a number of at least {}", key, value, least));
  return value;
}

double TomlTable::number_or(const std::string& key, double otherwise, double least) {
  return has(key) ? number(key, least) : otherwise;
}

std::vector<std::string> TomlTable::texts(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_array()) fail_type(key, "a list of strings, [\"…\", \"…\"]", *node);
  std::vector<std::string> values;
  for (const toml::node& element : *node->as_array()) values.push_back(text_of(key, element));
  return values;
}

std::vector<std::int64_t> TomlTable::integers(const std::string& key, std::int64_t least, std::int64_t most) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_array()) fail_type(key, "a list of whole numbers, [1, 2]", *node);
  std::vector<std::int64_t> values;
  for (const toml::node& element : *node->as_array()) values.push_back(integer_of(key, element, least, most));
  return values;
}

std::vector<double> TomlTable::numbers(const std::string& key, double least) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_array()) fail_type(key, "a list of numbers, [2, 1.5]", *node);
  std::vector<double> values;
  for (const toml::node& element : *node->as_array()) values.push_back(number_of(key, element, least));
  return values;
}

std::string TomlTable::choice(const std::string& key, const std::vector<std::string>& choices) {
  const toml::node* node = find(key);
  if (node == nullptr) return choices.front();
  const std::string value = text_of(key, *node);
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return value;
  const std::string near = did_you_mean(value, choices);
  fail_at(node, fmt::format("unknown {} \"{}\"; expected {}{}", key, value, quoted_list(choices, "or"),
                            near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)));
}

std::optional<TomlTable> TomlTable::table(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_table()) fail_type(key, fmt::format("a table, [{}] or {{ … }}", key).c_str(), *node);
  return TomlTable(*file_, *node->as_table(), fmt::format("[{}]", key));
}

std::vector<TomlTable> TomlTable::tables(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const std::string expected = fmt::format("tables, each headed [[{}]]", key);
  if (!node->is_array()) fail_type(key, expected.c_str(), *node);
  std::vector<TomlTable> values;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_table()) fail_type(key, expected.c_str(), element);
    values.emplace_back(*file_, *element.as_table(), fmt::format("[[{}]]", key));
  }
  return values;
}

void TomlTable::finish() {
  for (const auto& [name, value] : *table_) {
    const std::string key(name.str());
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const std::string near = did_you_mean(key, known_);
    const std::string where = name_.empty() ? "" : " in " + name_;
    const std::string message =
        near.empty()
            ? fmt::format("unknown key \"{}\"{}; expected one of {}", key, where, quoted_list(known_, "or"))
            : fmt::format("unknown key \"{}\"{}; did you mean \"{}\"?", key, where, near);
    throw Error(ErrorKind::usage, describe_at(position(shown(file_->path()), name.source().begin), message));
  }
}

}  // namespace grader
