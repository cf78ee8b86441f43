/// @file
/// Reads TOML files that people wrote. Every key is read by name and type. A key that is not read is an
/// error. Every error shows the file, the line, a caret and the expected form.
///
///     const TomlFile file = TomlFile::read(path, 1);
///     TomlTable root = file.root();
///     const std::string title = root.text("title");
///     for (TomlTable& part : root.tables("part")) { … part.finish(); }
///     root.finish();                                   // unknown keys, with "did you mean"
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/filesystem.hpp"

namespace toml {
inline namespace v3 {
class node;
class table;
}  // namespace v3
}  // namespace toml

namespace grader {

class TomlTable;

/// A parsed file. It must outlive its tables, which refer to it.
class TomlFile {
 public:
  /// @param newest_format the newest known format: the file's `format` must be a whole number from 1 to this
  /// @throws Error (usage) for a file that is missing, empty, a folder, over 1 MiB, not UTF-8, not TOML, or
  ///         of a newer format
  static TomlFile read(const fs::path& file, int newest_format);
  ~TomlFile();
  TomlFile(TomlFile&&) noexcept;

  TomlTable root() const;
  const fs::path& path() const { return path_; }

 private:
  TomlFile(fs::path path, std::unique_ptr<toml::table> table);
  fs::path path_;
  std::unique_ptr<toml::table> table_;
};

/// One table of a file. Each getter marks its key as known, and finish() refuses all other keys.
class TomlTable {
 public:
  TomlTable(const TomlFile& file, const toml::table& table, std::string name);

  bool has(const std::string& key);
  std::vector<std::string> keys() const;  ///< the keys that the table has, sorted

  std::string text(const std::string& key);  ///< required and not empty
  std::string text_or(const std::string& key, const std::string& otherwise);
  std::int64_t integer(const std::string& key, std::int64_t least, std::int64_t most);
  std::int64_t integer_or(const std::string& key, std::int64_t otherwise, std::int64_t least,
                          std::int64_t most);
  /// A finite number that is at least `least`. Whole numbers are accepted, too.
  double number(const std::string& key, double least);
  double number_or(const std::string& key, double otherwise, double least);
  /// Default: an empty list.
  std::vector<std::string> texts(const std::string& key);
  std::vector<std::int64_t> integers(const std::string& key, std::int64_t least, std::int64_t most);
  std::vector<double> numbers(const std::string& key, double least);
  /// One of the choices. Without the key, the first.
  std::string choice(const std::string& key, const std::vector<std::string>& choices);

  std::optional<TomlTable> table(const std::string& key);
  std::vector<TomlTable> tables(const std::string& key);

  /// The place of a key's value. If the table has no such key, the place of its head.
  SourcePos at(const std::string& key) const;

  /// @throws Error for unread keys
  void finish();

  /// Throws an error at a key's value. If the table has no such key, at its head.
  /// @param element if the value is a list, the number of the element at which the error is, from 0
  [[noreturn]] void fail(const std::string& key, const std::string& message,
                         std::optional<std::size_t> element = {}) const;

 private:
  const toml::node* find(const std::string& key);
  const toml::node& require(const std::string& key);
  [[noreturn]] void fail_at(const toml::node* node, const std::string& message) const;
  [[noreturn]] void fail_type(const std::string& key, const char* expected, const toml::node& node) const;
  std::string text_of(const std::string& key, const toml::node& node) const;
  double number_of(const std::string& key, const toml::node& node, double least);
  std::int64_t integer_of(const std::string& key, const toml::node& node, std::int64_t least,
                          std::int64_t most) const;

  const TomlFile* file_;
  const toml::table* table_;
  std::string name_;  ///< "[[part]]", "[data]", or empty for the top of the file
  std::vector<std::string> known_;
};

/// "a", "b" and "c"
std::string quoted_list(const std::vector<std::string>& words, const char* last_joint = "and");

}  // namespace grader
