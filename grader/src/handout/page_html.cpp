// Formulas are removed before md4c parses the text, since md4c would take their stars and underscores for
// emphasis. Afterwards they are inserted as MathML.
#include "handout/page_html.hpp"

#if GRADER_READS_MARKDOWN
#include <md4c-html.h>
#endif

#include <vector>

#include "base/columns.hpp"
#include "base/markup.hpp"
#include "base/mathml.hpp"

namespace grader {
namespace {

/// The MathML of a formula. If it can't be parsed, its source.
std::string formula(const std::string& tex, bool block) {
  try {
    return mathml(tex, block);
  } catch (const FormulaError&) {
    return "<code>" + element_text(tex) + "</code>";
  }
}

class Formulas {
 public:
  /// Puts a mark in place of each formula.
  std::string cut_out(const std::string& markdown) {
    std::string out, block;
    bool in_code = false, in_block = false;
    for (const std::string& line : split_lines(markdown)) {
      const std::string text(trimmed(line));
      if (in_block && text == "```") {
        out += mark(formula(block, true)) + "\n";
        in_block = false;
      } else if (in_block) {
        block += line + "\n";
      } else if (!in_code && text == "```math") {
        in_block = true;
        block.clear();
      } else {
        if (text.starts_with("```")) in_code = !in_code;
        out += (in_code ? line : without_inline(line)) + "\n";
      }
    }
    return out;
  }

  std::string put_back(std::string html) const {
    for (std::size_t i = 0; i < found_.size(); ++i) html = replace_all(std::move(html), name(i), found_[i]);
    return html;
  }

 private:
  /// The mark consists of private-use characters, which occur in no page.
  static std::string name(std::size_t i) { return "\uE000" + std::to_string(i) + "\uE001"; }

  std::string mark(std::string html) {
    found_.push_back(std::move(html));
    return name(found_.size() - 1);
  }

  std::string without_inline(const std::string& line) {
    std::string out;
    std::size_t from = 0;
    for (;;) {
      const std::size_t begin = line.find("$`", from);
      const std::size_t end = begin == std::string::npos ? begin : line.find("`$", begin + 2);
      if (end == std::string::npos) return out + line.substr(from);
      out += line.substr(from, begin - from) + mark(formula(line.substr(begin + 2, end - begin - 2), false));
      from = end + 2;
    }
  }

  std::vector<std::string> found_;
};

}  // namespace

std::string page_html(const std::string& markdown) {
  Formulas formulas;
  const std::string text = formulas.cut_out(markdown);
  std::string html;
#if GRADER_READS_MARKDOWN
  const auto keep = [](const MD_CHAR* bytes, MD_SIZE size, void* out) {
    static_cast<std::string*>(out)->append(bytes, size);
  };
  md_html(text.data(), static_cast<MD_SIZE>(text.size()), keep, &html, MD_DIALECT_GITHUB, 0);
#endif
  return formulas.put_back(std::move(html));
}

}  // namespace grader
