#include "lex/align.hpp"

#include <fstream>
#include <sstream>
#include <unordered_map>

namespace emucc {
namespace {

/// A user's file, cut into tokens line by line.
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

/// Tokens [begin, end) of the stream came from one line of a file: those equal from the left and from the
/// right get its columns.
void align_line(TokenStream& stream, std::size_t begin, std::size_t end, std::string_view line,
                const std::vector<Token>& original) {
  auto same = [&](std::size_t index, const Token& other) {
    return stream.spelling(index) == line.substr(other.offset, other.length);
  };
  std::size_t left = 0;
  while (begin + left < end && left < original.size() && same(begin + left, original[left])) {
    stream.tokens[begin + left].column = original[left].column;
    ++left;
  }
  std::size_t right = 0;
  while (end - right > begin + left && original.size() - right > left &&
         same(end - right - 1, original[original.size() - right - 1])) {
    stream.tokens[end - right - 1].column = original[original.size() - right - 1].column;
    ++right;
  }
}

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
      align_line(stream, begin, end, file->lines[line - 1], file->tokens[line - 1]);
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
