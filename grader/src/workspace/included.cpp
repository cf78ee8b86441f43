// One pass over a text finds its words and directives. Each # before the word of a directive counts, even in
// a comment or a string: a superfluous file in a key costs a compilation, but a missing file gives a wrong
// program. Texts may be hostile. So a text counts as unclear if it forces repeated lookahead, includes files
// endlessly, or hides the start of a comment in a file name.
#include "workspace/included.hpp"

#include <algorithm>
#include <mutex>
#include <string_view>

#include "base/files.hpp"
#include "workspace/source_scan.hpp"

namespace grader {
namespace {

constexpr std::size_t largest_header = 16 << 20;
constexpr std::size_t most_included = 2000;  // most different names in all files; honest sources have fewer
constexpr std::size_t most_ahead = 4;        // as a multiple of the text's length

bool is_word(char c) {
  return (c >= '0' && c <= '9') || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Joins each line that ends with a backslash to the next line, even in the middle of a word.
std::string joined_lines(const std::string& text) {
  std::string joined;
  joined.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t end = i + 1;
    if (text[i] == '\\') {
      while (end < text.size() && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r')) ++end;
      if (end < text.size() && text[end] == '\n') {
        i = end;
        continue;
      }
    }
    joined += text[i];
  }
  return joined;
}

class TextScanner {
 public:
  explicit TextScanner(const std::string& text)
      : text_(joined_lines(text)),
        kinds_(classify(text_)),
        pragmas_in_strings_(text_.find("_Pragma") != std::string::npos),
        may_look_ahead_(most_ahead * text_.size() + 4096) {}

  ScannedText scan() {
    // The digraph for #, and the assembler's include directives.
    for (const char* odd : {"%:", "incbin", ".include"})
      if (text_.find(odd) != std::string::npos) found_.unclear = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_word(c)) {
        const bool counts = is_code(at_);
        const std::string word = take_word();
        if (word.rfind("__has_", 0) == 0 && word.find("attribute") == std::string::npos) question();
        if (counts) found_.words.insert(word);
      } else {
        ++at_;
        if (c == '#') directive();
      }
    }
    return std::move(found_);
  }

 private:
  std::string take_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  /// Whether a macro may be replaced at a place. A place in a string counts only if the string is read as a
  /// directive.
  bool is_code(std::size_t at) const {
    if (kinds_[at] == TextKind::string) return pragmas_in_strings_;
    return kinds_[at] == TextKind::code || kinds_[at] == TextKind::macro;
  }

  bool here(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }

  /// Skips blanks and comments; the scanner may already be inside a comment.
  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\v' || text_[at_] == '\f') {
        ++at_;
      } else if (here("/*")) {
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      } else {
        return;
      }
    }
  }

  /// Reads a directive. Its text is then read again as words, since the # may be inside a string.
  void directive() {
    const std::size_t begin = at_;
    if (found_.unclear) return;  // all files count, so no other directive matters
    skip_blanks();
    const std::string word = take_word();
    if (word == "include" || word == "include_next" || word == "import")
      file_name();
    else if (word == "embed")
      found_.unclear = true;
    go_back(begin);
  }

  /// Reads __has_include(…) and similar operators.
  void question() {
    const std::size_t begin = at_;
    if (found_.unclear) return;
    skip_blanks();
    if (here("(")) {  // not #ifdef __has_include
      ++at_;
      file_name();
    }
    go_back(begin);
  }

  /// Goes back, and counts the lookahead. The limit is a few times the text's length, so that scanning takes linear
  /// time.
  void go_back(std::size_t begin) {
    const std::size_t ahead = at_ - begin;
    if (ahead > may_look_ahead_) found_.unclear = true;
    may_look_ahead_ -= std::min(ahead, may_look_ahead_);
    at_ = begin;
  }

  void file_name() {
    skip_blanks();
    const char open = at_ < text_.size() ? text_[at_] : '\n';
    const char wanted = open == '"' ? '"' : '>';
    std::size_t close = std::min(at_ + 1, text_.size());
    while (close < text_.size() && text_[close] != wanted && text_[close] != '\n') ++close;
    if ((open != '"' && open != '<') || close == text_.size() || text_[close] == '\n') {
      found_.unclear = true;
      return;
    }
    const std::string name = text_.substr(at_ + 1, close - at_ - 1);
    // Where a scanner for comments would find the start of a comment, the compiler reads a file name.
    if (name.find("//") != std::string::npos || name.find("/*") != std::string::npos) found_.unclear = true;
    at_ = close;
    if (seen_.insert(name).second) found_.included.push_back(name);
  }

  const std::string text_;
  const std::vector<TextKind> kinds_;  ///< of each byte of text_
  const bool pragmas_in_strings_;
  std::size_t may_look_ahead_;
  std::unordered_set<std::string> seen_;  ///< names that were included
  std::size_t at_ = 0;
  ScannedText found_;
};

/// The scanned headers, which all builds of a process share: a grading plans dozens of builds, and each of
/// them needs every header of the emulation.
class ScannedHeaders {
 public:
  /// @return null if the file does not exist
  std::shared_ptr<const ScannedText> find(const fs::path& file) {
    std::error_code none;
    if (!fs::is_regular_file(file, none)) return nullptr;
    const Stamp stamp{fs::file_size(file, none), fs::last_write_time(file, none)};
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      const auto known = headers_.find(file);
      if (known != headers_.end() && known->second.stamp == stamp) return known->second.text;
    }
    auto text = std::make_shared<const ScannedText>(scan_text(read_file(file, largest_header)));
    const std::lock_guard<std::mutex> guard(mutex_);
    headers_[file] = {stamp, text};
    return text;
  }

 private:
  using Stamp =
      std::pair<std::uintmax_t, fs::file_time_type>;  ///< size and time: a change means reading again
  struct Known {
    Stamp stamp;
    std::shared_ptr<const ScannedText> text;
  };
  std::mutex mutex_;
  std::map<fs::path, Known> headers_;
};

/// Whether a macro's name is ordinary. The system's headers use ordinary names only where their documentation
/// says so.
bool is_ordinary(const std::string& macro) {
  return macro.size() > 2 && macro != "NDEBUG" && macro[0] >= 'A' && macro[0] <= 'Z' &&
         macro.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos;
}

/// Whether a name is a word of the texts, or several of their words pasted together.
bool can_be_made(const std::string& name, const std::vector<const ScannedText*>& texts) {
  const auto is_there = [&](const std::string& word) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const ScannedText* text) { return text->words.count(word) > 0; });
  };
  std::vector<bool> made(name.size() + 1);  // element n: whether the first n letters of the name can be made
  made[0] = true;
  for (std::size_t end = 1; end <= name.size(); ++end)
    for (std::size_t begin = 0; begin < end && !made[end]; ++begin)
      made[end] = made[begin] && is_there(name.substr(begin, end - begin));
  return made[name.size()];
}

}  // namespace

ScannedText scan_text(const std::string& text) {
  return TextScanner(text).scan();
}

Included::Included(const Submission& submission, std::vector<fs::path> folders)
    : submission_(submission), folders_(std::move(folders)) {
  std::size_t included = 0;
  for (const SubmissionFile& file : submission.files) {
    texts_.push_back(scan_text(file.text));
    included += texts_.back().included.size();
  }
  for (ScannedText& text : texts_) {
    if (included > most_included) text = {{}, {}, true};
    names_.emplace_back();
    for (const std::string& name : text.included) names_.back().insert(fs::path(name).filename());
  }
}

std::size_t Included::index_of(const SubmissionFile& file) const {
  return static_cast<std::size_t>(&file - submission_.files.data());
}

/// The indices of the source and of all files that it may include. All files if this is unclear.
std::vector<std::size_t> Included::reached_from(std::size_t source) const {
  const std::vector<SubmissionFile>& files = submission_.files;
  std::vector<std::size_t> reached = {source};
  std::vector<bool> seen(files.size());
  seen[source] = true;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const std::size_t from = reached[next];
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (seen[i]) continue;
      const bool named = names_[from].count(files[i].name.filename()) > 0;
      if (!named && !texts_[from].unclear) continue;
      seen[i] = true;
      reached.push_back(i);
    }
  }
  std::sort(reached.begin(), reached.end());
  return reached;
}

std::vector<const SubmissionFile*> Included::files_of(const SubmissionFile& source) const {
  std::vector<const SubmissionFile*> files;
  for (const std::size_t i : reached_from(index_of(source))) files.push_back(&submission_.files[i]);
  return files;
}

bool Included::includes_from(const std::string& folder, const SubmissionFile& source) const {
  const std::vector<std::size_t> reached = reached_from(index_of(source));
  return std::any_of(reached.begin(), reached.end(), [&](std::size_t i) {
    const auto& names = texts_[i].included;
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name.rfind(folder, 0) == 0; });
  });
}

const ScannedText* Included::header(const fs::path& file) const {
  static ScannedHeaders of_all_builds;
  const auto [known, is_new] = headers_.try_emplace(file);
  if (is_new) known->second = of_all_builds.find(file);
  return known->second.get();
}

/// Adds the headers that a text includes, recursively. @return false if a header is unknown
bool Included::add_headers(const ScannedText& text, const fs::path& beside, Texts& all,
                           std::unordered_set<std::string>& seen) const {
  for (const std::string& name : text.included) {
    std::vector<fs::path> places = folders_;
    if (!beside.empty()) places.insert(places.begin(), beside);
    bool found = false;
    for (const fs::path& place : places) {
      const fs::path file = (place / name).lexically_normal();
      const ScannedText* header = this->header(file);
      if (!header) continue;
      found = true;
      if (!seen.insert(file.string()).second) continue;
      all.push_back(header);
      if (header->unclear || !add_headers(*header, file.parent_path(), all, seen)) return false;
    }
    // The header may belong to another library, whose macros are unknown. The names of the system's headers
    // look like <vector>, <stdio.h> and <sys/time.h>.
    const bool foreign = name.find('/') != std::string::npos && name.rfind("sys/", 0) != 0;
    const bool own = std::any_of(
        submission_.files.begin(), submission_.files.end(),
        [&](const SubmissionFile& file) { return file.name.filename() == fs::path(name).filename(); });
    if (foreign && !found && !own) return false;
  }
  return true;
}

bool Included::macro_counts(const std::string& macro, const SubmissionFile& source) const {
  if (!is_ordinary(macro)) return true;
  Texts all;
  for (const std::size_t i : reached_from(index_of(source))) {
    if (texts_[i].unclear || texts_[i].words.count(macro)) return true;
    all.push_back(&texts_[i]);
  }
  std::unordered_set<std::string> seen;
  ScannedText always;
  if (source.name.extension() == ".cu") always.included = {"cuda_runtime.h"};
  const Texts own = all;
  if (!add_headers(always, {}, all, seen)) return true;
  for (const ScannedText* text : own)
    if (!add_headers(*text, {}, all, seen)) return true;
  return can_be_made(macro, all);
}

}  // namespace grader
