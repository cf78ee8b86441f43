#include "lex/align.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

namespace emucc {
namespace {

/// A user's file, whose lines are cut into tokens.
struct SourceFile {
  std::string text;
  std::vector<std::string_view> lines;
  std::vector<std::vector<Token>> tokens;
};

SourceFile cut(std::string text) {
  SourceFile file;
  file.text = std::move(text);
  const std::string_view all = file.text;
  bool in_comment = false;
  for (std::size_t at = 0; at <= all.size();) {
    std::size_t end = all.find('\n', at);
    if (end == all.npos) end = all.size();
    file.lines.push_back(all.substr(at, end - at));
    file.tokens.push_back(lex_source_line(file.lines.back(), in_comment));
    at = end + 1;
  }
  return file;
}

/// Finds the positions in the user's line from which the tokens of one preprocessed line came.
class LineAligner {
 public:
  /// Aligns tokens [begin, end) of the stream, which came from `line`; `original` contains the line's tokens.
  LineAligner(TokenStream& stream, std::size_t begin, std::size_t end, std::string_view line,
              const std::vector<Token>& original)
      : stream_(stream), begin_(begin), end_(end), line_(line), original_(original) {}

  void align() {
    std::size_t left = 0;
    while (begin_ + left < end_ && left < original_.size() && same(begin_ + left, left)) {
      place(begin_ + left, left);
      ++left;
    }
    if (begin_ + left == end_) return;
    for (std::size_t i = begin_ + left; i < end_; ++i)
      if (stream_.tokens[i].kind == TokenKind::identifier) names_.insert(stream_.spelling(i));
    const auto beyond = static_cast<std::uint32_t>(line_.size() + 2);
    for (std::size_t i = begin_ + left; i < end_; ++i) {
      stream_.tokens[i].from_macro = true;
      stream_.tokens[i].column = beyond;
    }
    place_runs(begin_ + left, end_, runs(left, original_.size()));
  }

 private:
  /// Adjacent tokens of the user's line. No macro has changed them.
  struct Run {
    std::size_t begin = 0, end = 0;
    std::vector<Run> arguments;  ///< the arguments of the macro after it
    std::size_t size() const { return end - begin; }
  };

  std::string_view original(std::size_t index) const {
    return line_.substr(original_[index].offset, original_[index].length);
  }
  bool same(std::size_t token, std::size_t index) const { return stream_.spelling(token) == original(index); }
  void place(std::size_t token, std::size_t index) {
    stream_.tokens[token].from_macro = false;
    stream_.tokens[token].column = original_[index].column;
  }

  /// True for a name that doesn't occur in the preprocessor's output.
  bool is_macro(std::size_t index) const {
    return original_[index].kind == TokenKind::identifier && names_.count(original(index)) == 0;
  }
  /// The index after the arguments of the macro at `index`, or after its name if it has no arguments.
  std::size_t behind_macro(std::size_t index, std::size_t end) const {
    if (++index == end || original(index) != "(") return index;
    for (int depth = 0; index < end; ++index) {
      if (original(index) == "(") ++depth;
      if (original(index) == ")" && --depth == 0) return index + 1;
    }
    return end;
  }
  /// Divides a part of the user's line at its macros. Two adjacent macros have an empty run between them.
  std::vector<Run> runs(std::size_t begin, std::size_t end) const {
    std::vector<Run> result{{begin, begin, {}}};
    for (std::size_t i = begin; i < end;) {
      if (is_macro(i)) {
        const std::size_t behind = behind_macro(i, end);
        if (behind > i + 2) result.back().arguments = arguments(i + 2, behind - 1);
        result.push_back({behind, behind, {}});
        i = behind;
      } else {
        result.back().end = ++i;
      }
    }
    return result;
  }
  /// Returns the runs of all arguments of a macro in one list, since a macro may use its arguments in any
  /// order.
  std::vector<Run> arguments(std::size_t begin, std::size_t end) const {
    std::vector<Run> result;
    int depth = 0;
    for (std::size_t i = begin, from = begin; i <= end; ++i) {
      if (i < end && (original(i) == "(" || original(i) == "[")) ++depth;
      if (i < end && (original(i) == ")" || original(i) == "]")) --depth;
      if (i < end && (original(i) != "," || depth > 0)) continue;
      for (Run& run : runs(from, i)) {
        std::vector<Run> inner = std::move(run.arguments);
        if (run.size() > 0) result.push_back({run.begin, run.end, {}});
        result.insert(result.end(), inner.begin(), inner.end());
      }
      from = i + 1;
    }
    return result;
  }

  bool stands_at(const Run& run, std::size_t token) const {
    for (std::size_t k = 0; k < run.size(); ++k)
      if (!same(token + k, run.begin + k)) return false;
    return true;
  }
  /// Returns the first occurrence of the run in [begin, end), or `none`.
  std::size_t find(const Run& run, std::size_t begin, std::size_t end) const {
    for (; begin + run.size() <= end; ++begin)
      if (stands_at(run, begin)) return begin;
    return none;
  }
  std::size_t find_last(const Run& run, std::size_t begin, std::size_t end) const {
    for (; begin + run.size() <= end; --end)
      if (stands_at(run, end - run.size())) return end - run.size();
    return none;
  }

  /// Places the runs in [begin, end) in order: the first one at the beginning, the last one at the end, and
  /// macros' output between the runs. A run with several possible positions is skipped.
  void place_runs(std::size_t begin, std::size_t end, const std::vector<Run>& all) {
    const std::size_t count = all.size();
    std::vector<std::size_t> first(count), last(count);
    std::size_t from = begin;
    for (std::size_t k = 0; k < count; ++k) {
      first[k] = find(all[k], from, k == 0 ? std::min(end, begin + all[k].size()) : end);
      if (first[k] == none) return place_end(all.back(), begin, end);
      from = first[k] + all[k].size();
    }
    std::size_t to = end;
    for (std::size_t k = count; k-- > 0; to = last[k]) {
      last[k] = k == 0 ? begin : find_last(all[k], k + 1 == count ? end - all[k].size() : begin, to);
      if (last[k] == none) return place_end(all.back(), begin, end);
    }
    first.back() = last.back();
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t i = 0; first[k] == last[k] && i < all[k].size(); ++i)
        place(last[k] + i, all[k].begin + i);
      if (k + 1 < count) place_arguments(first[k] + all[k].size(), last[k + 1], all[k].arguments);
    }
  }
  /// The line was changed in other ways: places only its end, which is unchanged.
  void place_end(const Run& run, std::size_t begin, std::size_t end) {
    for (std::size_t k = 1; k <= run.size() && k <= end - begin && same(end - k, run.end - k); ++k)
      place(end - k, run.end - k);
  }
  /// Places each argument of a macro that occurs exactly once in [begin, end). An argument occurs in this
  /// range or nowhere.
  void place_arguments(std::size_t begin, std::size_t end, const std::vector<Run>& arguments) {
    for (const Run& run : arguments) {
      const std::size_t at = find(run, begin, end);
      if (at == none || find_last(run, begin, end) != at) continue;
      for (std::size_t i = 0; i < run.size(); ++i) place(at + i, run.begin + i);
    }
  }

  static constexpr std::size_t none = ~std::size_t{0};
  TokenStream& stream_;
  const std::size_t begin_, end_;
  const std::string_view line_;
  const std::vector<Token>& original_;
  std::unordered_set<std::string_view> names_;  ///< names in the preprocessor's output
};

bool has_columns(const Token& token) {
  return token.kind != TokenKind::directive && token.kind != TokenKind::verbatim &&
         token.kind != TokenKind::end;
}

}  // namespace

void align_columns(TokenStream& stream, const FileLoader& load) {
  std::unordered_map<std::string, std::optional<SourceFile>> files;
  auto& tokens = stream.tokens;
  for (std::size_t begin = 0; begin < tokens.size();) {
    if (!has_columns(tokens[begin])) {
      ++begin;
      continue;
    }
    const std::string& name = stream.places[tokens[begin].place].file;
    const std::uint32_t line = tokens[begin].line;
    std::size_t end = begin + 1;
    while (has_columns(tokens[end]) && tokens[end].line == line &&
           (tokens[end].place == tokens[begin].place || stream.places[tokens[end].place].file == name)) {
      ++end;
    }
    auto [entry, fresh] = files.try_emplace(name);
    if (fresh) {
      if (auto text = load(name)) {
        entry->second.emplace();
        *entry->second = cut(std::move(*text));
      }
    }
    const auto& file = entry->second;
    if (file && line >= 1 && line <= file->lines.size())
      LineAligner(stream, begin, end, file->lines[line - 1], file->tokens[line - 1]).align();
    begin = end;
  }
}

std::optional<std::string> load_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return std::nullopt;
  return std::move(text).str();
}

}  // namespace emucc
