// Helps the translator's tests. Translates text to text, on few lines and with single blanks.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>

#include "lower/translator.hpp"

namespace emucc {

using testing::HasSubstr;
using testing::Not;

/// Returns the text without markers, with single blanks, and without blanks that make no difference. Of a
/// shared variable's tag, only the number remains.
inline std::string squeeze(const std::string& text) {
  std::string lines, all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (line.rfind("# ", 0) != 0) lines += line + " ";
    at = end + 1;
  }
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] != ' ')
      all += lines[i];
    else if (!all.empty() && i + 1 < lines.size() && is_word(all.back()) && is_word(lines[i + 1]))
      all += ' ';
  }
  static const std::regex tag("cuemu_shared_[A-Za-z_]\\w*?_(\\d+)\\b");
  return std::regex_replace(all, tag, "cuemu_shared_$1");
}

inline TranslateOptions plain() {
  TranslateOptions options;
  options.keep_columns = false;
  options.kernel_parameters = "P";
  options.language.extended_lambda = options.language.relaxed_constexpr = true;
  return options;
}

inline std::string translated(const std::string& text, const TranslateOptions& options = plain()) {
  const Translation result = translate(text, options);
  for (const auto& error : result.errors) ADD_FAILURE() << error.message;
  return result.text;
}

#define EXPECT_TRANSLATION(in, out) EXPECT_EQ(squeeze(translated(in)), squeeze(out))

inline std::string error_of(const std::string& text) {
  const Translation result = translate(text, plain());
  return result.errors.empty() ? "" : result.errors.front().message;
}

/// Returns the contents of a kernel's body.
inline std::string in_kernel(const std::string& body) {
  const std::string all = squeeze(translated("template<class T> __global__ void k() {" + body + "}"));
  const std::string begin = "mutable->void{";
  const std::size_t at = all.find(begin) + begin.size();
  return all.substr(at, all.rfind("});}") - at);
}

inline std::string in_device(const std::string& body) {
  const std::string all = squeeze(translated("__device__ void f() {" + body + "}"));
  return all.substr(9, all.size() - 10);
}

}  // namespace emucc
