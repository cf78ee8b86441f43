// Works line by line. Code stays unchanged. Headings, folds, tables and figures are recognised as whole lines; all
// other lines are prose, in which links and formulas are replaced.
#include "page.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "base/mathml.hpp"

namespace site {
namespace {

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.rfind(prefix, 0) == 0;
}

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string::npos) return "";
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string attribute(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"')
      out += "&quot;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '\n')
      out += ' ';
    else
      out += c;
  }
  return out;
}

/// Returns a heading's level, 1 to 6; 0 for other lines.
int heading_level(const std::string& line) {
  const std::size_t level = line.find_first_not_of('#');
  if (level == std::string::npos || level == 0 || level > 6 || line[level] != ' ') return 0;
  return static_cast<int>(level);
}

/// Returns the heading without Doxygen's label, {#like_this}, because the site names headings as GitHub does.
std::string heading_text(const std::string& line) {
  const std::string text = trimmed(line.substr(static_cast<std::size_t>(heading_level(line))));
  return !text.empty() && text.back() == '}' ? trimmed(text.substr(0, text.rfind("{#"))) : text;
}

/// Distinguishes code from prose. Code is inside a fence, or indented by four blanks after an empty line
/// outside a list.
class CodeBlocks {
 public:
  /// @return whether this line is code; a fence's own lines are code, too
  bool code(const std::string& line) {
    const std::string text = trimmed(line);
    if (!fence_.empty()) {
      if (starts_with(text, fence_) && text.find_first_not_of(fence_[0]) == std::string::npos) fence_.clear();
      return true;
    }
    if (starts_with(text, "```") || starts_with(text, "~~~")) {
      fence_ = text.substr(0, text.find_first_not_of(text[0]));
      info_ = trimmed(text.substr(fence_.size()));
      return true;
    }
    const std::size_t indent = text.empty() ? 0 : line.find_first_not_of(' ');
    const bool indented = indent >= 4 && !in_list_ && (after_empty_ || in_indented_);
    in_indented_ = indented || (in_indented_ && text.empty());
    if (indented) return true;
    if (text.empty()) {
      after_empty_ = true;
      return false;
    }
    const std::size_t digits = text.find_first_not_of("0123456789");
    const bool item = starts_with(text, "* ") || starts_with(text, "- ") || starts_with(text, "+ ") ||
                      (digits != std::string::npos && digits > 0 && text.compare(digits, 2, ". ") == 0);
    if (item)
      in_list_ = true;
    else if (after_empty_ && indent == 0)
      in_list_ = false;
    after_empty_ = false;
    return false;
  }
  bool in_fence() const { return !fence_.empty(); }
  const std::string& info() const { return info_; }  ///< the fence's word: "math", "console"

 private:
  std::string fence_, info_;
  bool after_empty_ = true, in_list_ = false, in_indented_ = false;
};

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::string cell;
  bool in_code = false;
  const std::string text = trimmed(row);
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '`') in_code = !in_code;
    if (text[i] == '|' && text[i - 1] != '\\' && !in_code) {
      cells.push_back(trimmed(cell));
      cell.clear();
    } else {
      cell += text[i];
    }
  }
  return cells;
}

bool is_row(const std::string& line) {
  return starts_with(line, "|");
}

bool is_delimiter(const std::string& line) {
  return is_row(line) && line.find('-') != std::string::npos &&
         line.find_first_not_of("|-: ") == std::string::npos;
}

bool without_head(const std::string& line) {
  const std::vector<std::string> cells = cells_of(line);
  return !cells.empty() && std::all_of(cells.begin(), cells.end(), [](const auto& c) { return c.empty(); });
}

class Preparation {
 public:
  Preparation(const Page& page, const std::string& markdown, const Pages& pages, const fs::path& root)
      : page_(page), pages_(pages), root_(root), lines_(lines_of(markdown)) {}

  Prepared run() {
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      const std::string& line = lines_[at_];
      if (code_.code(line)) {
        flush();
        if (code_.in_fence())
          fence();
        else
          out_.text += line + "\n";
      } else if (heading_level(line) > 0) {
        flush();
        heading(line);
      } else if (starts_with(trimmed(line), "<details") || trimmed(line) == "</details>") {
        flush();
        fold(trimmed(line));
      } else if (is_row(line) && at_ + 1 < lines_.size() && is_delimiter(lines_[at_ + 1]) &&
                 without_head(line)) {
        flush();
        facts();
      } else if (starts_with(line, "![") && line.back() == ')' && line.find("](") == line.rfind("](")) {
        flush();
        figure(line);
      } else if (starts_with(trimmed(line), "|") || trimmed(line).empty()) {
        flush();  // a formula or a link does not continue in the next row or paragraph
        out_.text += inline_markup(line, at_) + "\n";
      } else {
        if (prose_.empty()) prose_from_ = at_;
        prose_ += line + "\n";
      }
    }
    flush();
    if (open_folds_ > 0) error(lines_.size() - 1, "a <details> without its </details>");
    return std::move(out_);
  }

 private:
  void error(std::size_t line, const std::string& what) {
    out_.errors.push_back(page_.file.generic_string() + ":" + std::to_string(line + 1) + ": " + what);
  }

  void flush() {
    if (!prose_.empty()) out_.text += inline_markup(prose_, prose_from_);
    prose_.clear();
  }

  /// HTML between paragraphs. Without [block] Doxygen would put this HTML into a paragraph, and split it at the
  /// paragraph's end.
  static std::string html_block(const std::string& html) {
    return "\n\\htmlonly[block]\n" + html + "\n\\endhtmlonly\n\n";
  }

  void heading(const std::string& line) {
    // Doxygen requires that no level is skipped: a ### below a # becomes a ##.
    const int level = level_ = std::min(heading_level(line), level_ + 1);
    const std::string text = heading_text(line);
    const std::string id =
        level == 1 ? (page_.id == "index" ? "mainpage" : page_.id) : page_.id + "--" + unique(slug(text));
    out_.text += std::string(static_cast<std::size_t>(level), '#') + " " + text + " {#" + id + "}\n";
    if (level == 1 && sections() > 2) out_.text += "\n[TOC]\n";
  }

  /// Makes an anchor unique, as GitHub does: steps, steps-1.
  std::string unique(const std::string& name) {
    const int before = seen_[name]++;
    return before == 0 ? name : name + "-" + std::to_string(before);
  }

  int sections() const {
    CodeBlocks code;
    return static_cast<int>(std::count_if(lines_.begin(), lines_.end(), [&](const std::string& line) {
      return !code.code(line) && heading_level(line) == 2;
    }));
  }

  void fold(const std::string& text) {
    if (text == "</details>") {
      if (open_folds_-- == 0) error(at_, "a </details> without its <details>");
      out_.text += html_block("</details>");
      return;
    }
    const std::size_t from = text.find("<summary>"), to = text.find("</summary>");
    if (from == std::string::npos || to == std::string::npos) {
      error(at_, "a <details> whose <summary>…</summary> does not stand on the same line");
      return;
    }
    ++open_folds_;
    ++out_.fold_count;
    out_.text +=
        html_block("<details><summary>" + code_spans(text.substr(from + 9, to - from - 9)) + "</summary>");
    if (const std::string rest = trimmed(text.substr(to + 10)); !rest.empty()) {
      prose_ = rest + "\n";
      prose_from_ = at_;
    }
  }

  /// Converts code spans to HTML where Doxygen does not convert them.
  static std::string code_spans(const std::string& text) {
    std::string out;
    bool open = false;
    for (const char c : text) {
      if (c == '`') {
        out += open ? "</code>" : "<code>";
        open = !open;
      } else if (open && c == '<') {
        out += "&lt;";
      } else {
        out += c;
      }
    }
    return out;
  }

  /// Writes a table with an empty head, which is a list of facts: the first cell of each row is the row's head.
  void facts() {
    std::string table = "\n<table class=\"facts\">\n";
    for (at_ += 2; at_ < lines_.size() && is_row(lines_[at_]); ++at_) {
      table += "<tr>";
      bool first = true;
      for (const std::string& cell : cells_of(lines_[at_])) {
        const char* name = first ? "th" : "td";
        table += std::string("<") + name + ">" + inline_markup(cell, at_) + "</" + name + ">";
        first = false;
      }
      table += "</tr>\n";
    }
    --at_;
    out_.text += table + "</table>\n\n";
  }

  void figure(const std::string& line) {
    const std::size_t middle = line.find("](");
    const std::string alt = line.substr(2, middle - 2);
    const std::string target = line.substr(middle + 2, line.size() - middle - 3);
    if (!figure_file(target, alt)) return;
    out_.text +=
        html_block("<figure><img src=\"" + figure_url(target) + "\" alt=\"" + attribute(alt) +
                   "\"><figcaption aria-hidden=\"true\">" + attribute(alt) + "</figcaption></figure>");
  }

  fs::path resolved(const std::string& target) const {
    return (page_.file.parent_path() / target).lexically_normal();
  }

  std::string figure_url(const std::string& target) const {
    return "figures/" + figure_name(resolved(target));
  }

  bool figure_file(const std::string& target, const std::string& alt) {
    if (alt.empty()) error(at_, "a figure without a description: " + target);
    if (!fs::is_regular_file(root_ / resolved(target))) {
      error(at_, "there is no figure " + target);
      return false;
    }
    out_.figures.insert(resolved(target));
    ++out_.figure_count;
    return true;
  }

  void fence() {
    const std::size_t first = at_;
    std::string content;
    while (++at_ < lines_.size()) {
      code_.code(lines_[at_]);
      if (!code_.in_fence()) break;
      content += lines_[at_] + "\n";
    }
    if (at_ == lines_.size()) error(first, "a block of code without its end");
    if (code_.info() == "math") {
      if (const std::string html = formula(content, true, first); !html.empty())
        out_.text += html_block(html);
    } else {
      out_.text += lines_[first] + "\n" + content + "```\n";
    }
  }

  std::string formula(const std::string& tex, bool block, std::size_t line) {
    ++out_.formula_count;
    try {
      return grader::mathml(tex, block);
    } catch (const grader::FormulaError& e) {
      error(line, std::string("formula: ") + e.what());
      return "";
    }
  }

  /// Replaces links and formulas in prose; leaves `code` unchanged.
  std::string inline_markup(const std::string& text, std::size_t line) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
      if (starts_at(text, i, "$`")) {
        if (const std::size_t end = text.find("`$", i + 2); end != std::string::npos) {
          out += "\\htmlonly" + formula(text.substr(i + 2, end - i - 2), false, line) + "\\endhtmlonly";
          i = end + 2;
          continue;
        }
      }
      if (text[i] == '`') {
        const std::size_t ticks = text.find_first_not_of('`', i);
        if (ticks == std::string::npos) return out + text.substr(i);
        const std::size_t end = text.find(text.substr(i, ticks - i), ticks);
        const std::size_t to = end == std::string::npos ? ticks : end + ticks - i;
        out += text.substr(i, to - i);
        i = to;
        continue;
      }
      if (text[i] == '[') {
        const std::size_t middle = text.find("](", i), bracket = text.find('[', i + 1);
        const std::size_t end = middle == std::string::npos ? middle : text.find(')', middle);
        if (end != std::string::npos && (bracket == std::string::npos || bracket > middle)) {
          out += link(text.substr(i + 1, middle - i - 1), text.substr(middle + 2, end - middle - 2),
                      line + static_cast<std::size_t>(std::count(
                                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n')));
          i = end + 1;
          continue;
        }
      }
      out += text[i++];
    }
    return out;
  }

  static bool starts_at(const std::string& text, std::size_t at, const char* what) {
    return text.compare(at, std::char_traits<char>::length(what), what) == 0;
  }

  std::string link(std::string text, const std::string& target, std::size_t line) {
    std::replace(text.begin(), text.end(), '\n', ' ');  // Doxygen can't parse a link of two lines
    const std::string as_it_is = "[" + text + "](" + target + ")";
    if (target.find("://") != std::string::npos || starts_with(target, "mailto:")) return as_it_is;
    const std::size_t hash = target.find('#');
    const std::string file = target.substr(0, hash);
    const std::string anchor = hash == std::string::npos ? "" : target.substr(hash + 1);
    fs::path path = file.empty() ? page_.file : resolved(file);
    if (fs::is_directory(root_ / path)) path /= "README.md";
    if (const auto to = pages_.find(path.lexically_normal()); to != pages_.end()) {
      if (anchor.empty()) return "[" + text + "](@ref " + to->second.id + ")";
      if (to->second.anchors.count(anchor) > 0)
        return "[" + text + "](@ref " + to->second.id + "--" + anchor + ")";
      error(line, "the link " + target + " asks for a heading that isn't there");
      return text;
    }
    if (fs::is_regular_file(root_ / path)) {
      out_.listings.insert(path);
      return "[" + text + "](@ref " + listing_id(path) + ")";
    }
    error(line, "the link " + target + " leads nowhere");
    return text;
  }

  const Page& page_;
  const Pages& pages_;
  const fs::path& root_;
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
  CodeBlocks code_;
  std::string prose_;  ///< lines that have not been written yet
  std::size_t prose_from_ = 0;
  int open_folds_ = 0, level_ = 0;
  std::map<std::string, int> seen_;
  Prepared out_;
};

std::string name_of(const fs::path& file) {
  std::string out;
  for (const char c : file.generic_string())
    out += std::isalnum(static_cast<unsigned char>(c))
               ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
               : '-';
  return out;
}

}  // namespace

std::string page_id(const fs::path& file) {
  if (file == "README.md") return "index";
  return name_of(file.filename() == "README.md" ? file.parent_path() : file.parent_path() / file.stem());
}

std::string listing_id(const fs::path& file) {
  return name_of(file);
}

std::string figure_name(const fs::path& file) {
  return name_of(file.parent_path() / file.stem()) + file.extension().string();
}

std::string slug(const std::string& heading) {
  std::string out;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ')
      out += '-';
    else if (std::isalnum(byte) || c == '-' || c == '_')
      out += static_cast<char>(std::tolower(byte));
    // Other characters are dropped, as on GitHub. Characters beyond ASCII are dropped because an id may not contain
    // them.
  }
  return out;
}

Page survey(const fs::path& file, const std::string& markdown) {
  Page page{file, page_id(file), "", {}};
  CodeBlocks code;
  std::map<std::string, int> seen;
  for (const std::string& line : lines_of(markdown)) {
    if (code.code(line) || heading_level(line) == 0) continue;
    const std::string text = heading_text(line);
    if (heading_level(line) == 1) {
      if (page.title.empty()) page.title = text;
      continue;
    }
    const int before = seen[slug(text)]++;
    page.anchors.insert(before == 0 ? slug(text) : slug(text) + "-" + std::to_string(before));
  }
  return page;
}

Prepared prepare(const Page& page, const std::string& markdown, const Pages& pages, const fs::path& root) {
  return Preparation(page, markdown, pages, root).run();
}

}  // namespace site
