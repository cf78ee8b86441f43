// Empty lines separate a text into blocks. Code between fences is one block.
#include "handout/outline.hpp"

#include "base/columns.hpp"
#include "base/regex.hpp"

namespace grader {
namespace {

std::vector<std::string> blocks_of(const std::string& text) {
  std::vector<std::string> blocks(1);
  bool in_code = false;
  for (const std::string& line : split_lines(text)) {
    if (trimmed(line).starts_with("```")) in_code = !in_code;
    if (!in_code && trimmed(line).empty()) {
      if (!blocks.back().empty()) blocks.emplace_back();
    } else {
      blocks.back() += blocks.back().empty() ? line : "\n" + line;
    }
  }
  if (blocks.back().empty()) blocks.pop_back();
  return blocks;
}

/// The bold phrase with which a paragraph begins: "Tiles" for "**Tiles.** A block …". Empty if there is none.
std::string bold_phrase(const std::string& block) {
  const std::size_t end = block.starts_with("**") ? block.find("**", 2) : std::string::npos;
  if (end == std::string::npos) return {};
  std::string phrase = replace_all(block.substr(2, end - 2), "\n", " ");
  while (!phrase.empty() && (phrase.back() == '.' || phrase.back() == ':')) phrase.pop_back();
  return phrase;
}

/// The bold phrase with its whole sentence. A colon before a table or a list becomes a full stop.
std::string first_sentence(const std::string& block) {
  const std::string text = replace_all(block, "\n", " ");
  const std::size_t phrase = text.find("**", 2) + 2;
  bool in_code = false;
  for (std::size_t i = phrase; i + 1 < text.size(); ++i) {
    if (text[i] == '`') in_code = !in_code;
    if (!in_code && (text[i] == '.' || text[i] == '?') && text[i + 1] == ' ') return text.substr(0, i + 1);
  }
  return text.ends_with(':') ? text.substr(0, text.size() - 1) + "." : text;
}

bool is_figure(const std::string& block) {
  return block.starts_with("![") && block.ends_with(')');
}

}  // namespace

std::vector<std::string> handout_questions(const std::string& handout) {
  static const Regex number(R"(\d+\. (.*))");
  std::vector<std::string> questions;
  bool inside = false;
  for (const std::string& line : split_lines(handout)) {
    if (line.starts_with("## ")) {
      inside = line.starts_with("## Questions");
    } else if (const auto match = inside ? number.match(line) : std::nullopt) {
      questions.push_back((*match)[1]);
    } else if (inside && !questions.empty() && line.starts_with("   ")) {
      questions.back() += line.substr(2);
    }
  }
  return questions;
}

std::string without_folds(const std::string& handout) {
  std::string out;
  bool in_code = false, in_fold = false;
  for (const std::string& line : split_lines(handout)) {
    if (trimmed(line).starts_with("```")) in_code = !in_code;
    if (!in_code && line.starts_with("<details")) in_fold = true;
    if (!in_fold) out += line + "\n";
    if (!in_code && line.ends_with("</details>")) in_fold = false;
  }
  return out;
}

Outline outline_of(const std::string& handout) {
  Outline out;
  std::string heading;
  bool explains = false;    // in the section that explains the topic
  bool after_idea = false;  // whether the previous block is an idea
  for (const std::string& block : blocks_of(without_folds(handout))) {
    const std::string phrase = bold_phrase(block);
    if (block.starts_with('#')) {
      heading = block.substr(block.find_first_not_of("# "));
      if (block.starts_with("## ")) explains = heading == "What you need to know";
    } else if (is_figure(block)) {
      out.figures.push_back({heading, block});
      // The previous paragraph only introduces the drawing of a run.
      if (after_idea && block.find("(figures/seen.svg)") != std::string::npos) out.ideas.pop_back();
    } else if (!phrase.empty()) {
      if (explains) out.ideas.push_back(first_sentence(block));
      heading = phrase;
    } else if (out.introduction.empty()) {
      out.introduction = block;
    }
    after_idea = explains && !phrase.empty();
  }
  out.questions = handout_questions(handout);
  return out;
}

}  // namespace grader
