// One pass over each page collects its tags. Links are checked after all anchors have been found.
#include "html_check.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

namespace site {
namespace {

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Tag {
  std::string name;  ///< lower case; "/p" for the end of a "p" element
  std::map<std::string, std::string> attributes;
  bool empty = false;              ///< <…/>
  std::size_t begin = 0, end = 0;  ///< positions in the page: of "<", and after ">"
};

std::string decoded(std::string text) {
  for (const auto& [entity, character] :
       {std::pair{"&amp;", "&"}, {"&quot;", "\""}, {"&lt;", "<"}, {"&gt;", ">"}}) {
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at)
      text.replace(at, std::char_traits<char>::length(entity), character);
  }
  for (std::size_t at = 0; (at = text.find('%', at)) != std::string::npos; ++at) {
    if (at + 2 < text.size() && std::isxdigit(static_cast<unsigned char>(text[at + 1])) &&
        std::isxdigit(static_cast<unsigned char>(text[at + 2])))
      text.replace(at, 3, 1, static_cast<char>(std::stoi(text.substr(at + 1, 2), nullptr, 16)));
  }
  return text;
}

/// Returns the tags of HTML or XML, without comments and scripts.
std::vector<Tag> tags_of(const std::string& text) {
  std::vector<Tag> out;
  std::size_t at = 0;
  while ((at = text.find('<', at)) != std::string::npos) {
    if (text.compare(at, 4, "<!--") == 0) {
      const std::size_t end = text.find("-->", at);
      at = end == std::string::npos ? text.size() : end + 3;
      continue;
    }
    Tag tag;
    tag.begin = at++;
    const auto name_character = [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == ':' || c == '_';
    };
    if (at < text.size() && text[at] == '/') tag.name += text[at++];
    while (at < text.size() && name_character(text[at]))
      tag.name += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at++])));
    if (tag.name.empty() || tag.name == "/") continue;  // "<!DOCTYPE", "<?xml", "a < b"
    while (at < text.size() && text[at] != '>') {
      if (text[at] == '/' || std::isspace(static_cast<unsigned char>(text[at]))) {
        tag.empty = text[at] == '/';
        ++at;
        continue;
      }
      std::string name, value;
      while (at < text.size() && (name_character(text[at]) || text[at] == '.')) name += text[at++];
      if (name.empty()) {
        ++at;
        continue;
      }
      if (at < text.size() && text[at] == '=') {
        ++at;
        if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
          const std::size_t end = text.find(text[at], at + 1);
          value = text.substr(at + 1, end - at - 1);
          at = end == std::string::npos ? text.size() : end + 1;
        } else {
          while (at < text.size() && text[at] != '>' && !std::isspace(static_cast<unsigned char>(text[at])))
            value += text[at++];
        }
      }
      tag.attributes[name] = decoded(value);
      tag.empty = false;
    }
    tag.end = ++at;
    out.push_back(tag);
    if (tag.name == "script" || tag.name == "style") {
      const std::size_t end = text.find("</" + tag.name, at);
      at = end == std::string::npos ? text.size() : end;
    }
  }
  return out;
}

/// Returns whether the text between two positions contains anything visible.
bool has_text(const std::string& text, std::size_t from, std::size_t to) {
  bool in_tag = false;
  for (std::size_t i = from; i < to; ++i) {
    if (text[i] == '<')
      in_tag = true;
    else if (text[i] == '>')
      in_tag = false;
    else if (!in_tag && !std::isspace(static_cast<unsigned char>(text[i])) &&
             text.compare(i, 6, "&#160;") != 0)
      return true;
    else if (!in_tag && text[i] == '&')
      i += 5;
  }
  return false;
}

/// Returns whether a position is inside a `code` element or a code block.
bool in_code(const std::string& text, std::size_t at) {
  for (const auto& [begin, end] :
       {std::pair{"<code", "</code>"}, {"<pre", "</pre>"}, {"<div class=\"line\">", "</div>"}}) {
    const std::size_t opened = text.rfind(begin, at), closed = text.rfind(end, at);
    if (opened != std::string::npos && (closed == std::string::npos || closed < opened)) return true;
  }
  return false;
}

struct Document {
  std::set<std::string> anchors;
  std::vector<std::string> links;
};

class Checker {
 public:
  Checker(const fs::path& html, const std::map<std::string, Expected>& expected)
      : html_(html), expected_(expected) {}

  CheckResult run() {
    if (!fs::is_directory(html_)) {
      out_.errors.push_back("there is no site in " + html_.string());
      return out_;
    }
    std::vector<fs::path> scripts;
    for (const auto& entry : fs::recursive_directory_iterator(html_)) {
      const std::string name = entry.path().lexically_relative(html_).generic_string();
      if (entry.path().extension() == ".html")
        page(name, read(entry.path()));
      else if (entry.path().extension() == ".js")
        scripts.push_back(entry.path());
    }
    out_.pages = static_cast<int>(documents_.size());
    if (documents_.count("index.html") == 0) error("index.html", "is missing");
    for (const auto& [name, counts] : expected_) {
      if (documents_.count(name) == 0) error(name, "is missing");
    }
    for (const auto& [name, document] : documents_) {
      for (const std::string& link : document.links) follow(name, link);
    }
    for (const fs::path& script : scripts) sidebar(script);
    std::sort(out_.errors.begin(), out_.errors.end());
    out_.errors.erase(std::unique(out_.errors.begin(), out_.errors.end()), out_.errors.end());
    return out_;
  }

 private:
  void error(const std::string& page, const std::string& what) { out_.errors.push_back(page + ": " + what); }

  void page(const std::string& name, const std::string& text) {
    Document& document = documents_[name];
    const std::vector<Tag> tags = tags_of(text);
    std::vector<const Tag*> open;
    Expected found;
    for (std::size_t i = 0; i < tags.size(); ++i) {
      const Tag& tag = tags[i];
      for (const char* attribute : {"id", "name"}) {
        if (const auto at = tag.attributes.find(attribute); at != tag.attributes.end())
          document.anchors.insert(at->second);
      }
      for (const char* attribute : {"href", "src", "data", "xlink:href"}) {
        if (const auto at = tag.attributes.find(attribute); at != tag.attributes.end())
          document.links.push_back(at->second);
      }
      if (tag.name == "img") {
        ++out_.images;
        if (tag.attributes.count("src") > 0 && tag.attributes.at("src").rfind("figures/", 0) == 0)
          ++found.figures;
        image(name, tag);
      }
      if (tag.name == "math") ++found.formulas;
      if (tag.name == "details") {
        ++found.folds;
        fold(name, text, tags, i);
      }
      if (tag.name == "th") head_cell(name, text, tags, i);
      nest(name, tag, open);
    }
    for (const char* markup : {"$`", "```", "@section", "@subsection", "@ref ", "\\htmlonly"}) {
      for (std::size_t at = text.find(markup); at != std::string::npos; at = text.find(markup, at + 1)) {
        if (!in_code(text, at)) error(name, std::string("shows markup to its reader: ") + markup);
      }
    }
    if (const auto wanted = expected_.find(name); wanted != expected_.end()) {
      const auto compare = [&](const char* what, int has, int must) {
        if (has != must)
          error(name, "has " + std::to_string(has) + " of " + std::to_string(must) + " " + what);
      };
      compare("figures", found.figures, wanted->second.figures);
      compare("folds", found.folds, wanted->second.folds);
      compare("formulas", found.formulas, wanted->second.formulas);
    }
    out_.folds += found.folds;
    out_.formulas += found.formulas;
  }

  /// A fold, a figure and a formula must be properly nested. An element that begins inside must end inside, and an
  /// element that began before must not end inside.
  void nest(const std::string& name, const Tag& tag, std::vector<const Tag*>& open) {
    static const std::set<std::string> watched = {"details", "summary", "figure", "math", "p",
                                                  "div",     "table",   "ul",     "ol",   "dl"};
    const bool ends = tag.name[0] == '/';
    const std::string element = ends ? tag.name.substr(1) : tag.name;
    if (watched.count(element) == 0 || tag.empty) return;
    if (!ends) {
      const bool block = element != "math" && element != "summary";
      if (block && !open.empty() && open.back()->name == "p") open.pop_back();  // as HTML defines it
      open.push_back(&tag);
      return;
    }
    if (!open.empty() && open.back()->name == element) {
      open.pop_back();
      return;
    }
    const bool in_fold =
        std::any_of(open.begin(), open.end(), [](const Tag* t) { return t->name == "details"; });
    if (element == "p") {  // the end of a paragraph that a block element has already closed
      if (in_fold) error(name, "a fold begins in a paragraph and is cut in two where that ends");
      return;
    }
    while (!open.empty() && open.back()->name == "p") open.pop_back();
    if (!open.empty() && open.back()->name == element) {
      open.pop_back();
      return;
    }
    const bool ours = in_fold || element == "details" || element == "figure" || element == "math";
    if (ours) error(name, "</" + element + "> ends what is not open: a fold or a figure is cut in two");
  }

  void fold(const std::string& name, const std::string& text, const std::vector<Tag>& tags, std::size_t at) {
    if (at + 1 >= tags.size() || tags[at + 1].name != "summary") {
      error(name, "a fold does not begin with its summary");
      return;
    }
    std::size_t summary_end = 0, end = 0;
    int depth = 0;
    for (std::size_t i = at; i < tags.size() && end == 0; ++i) {
      if (tags[i].name == "details") ++depth;
      if (tags[i].name == "/summary" && depth == 1 && summary_end == 0) summary_end = i;
      if (tags[i].name == "/details" && --depth == 0) end = i;
    }
    if (end == 0 || summary_end == 0) {
      error(name, "a fold has no end");
      return;
    }
    const std::string summary = text.substr(tags[at + 1].end, tags[summary_end].begin - tags[at + 1].end);
    if (!has_text(summary, 0, summary.size())) error(name, "a fold has no words on it");
    if (!has_text(text, tags[summary_end].end, tags[end].begin))
      error(name, "the fold '" + summary + "' is empty");
  }

  void head_cell(const std::string& name, const std::string& text, const std::vector<Tag>& tags,
                 std::size_t at) {
    if (at + 1 >= tags.size()) return;
    std::size_t end = at + 1;
    while (end < tags.size() && tags[end].name != "/th") ++end;
    if (end < tags.size() && !has_text(text, tags[at].end, tags[end].begin))
      error(name, "a table has an empty head");
  }

  void image(const std::string& name, const Tag& tag) {
    const auto source = tag.attributes.find("src");
    if (source == tag.attributes.end()) {
      error(name, "an image without src");
      return;
    }
    const bool ours = source->second.rfind("figures/", 0) == 0;
    if (ours && (tag.attributes.count("alt") == 0 || tag.attributes.at("alt").empty()))
      error(name, source->second + " has no description");
    if (source->second.find(':') != std::string::npos) return;  // data:, https:
    const fs::path file = (html_ / name).parent_path() / source->second;
    if (!fs::is_regular_file(file)) return;  // the check of its link reports it
    const std::string bytes = read(file);
    if (file.extension() == ".svg")
      svg(source->second, bytes, ours);
    else if (file.extension() == ".png" && bytes.rfind("\x89PNG\r\n", 0) != 0)
      error(source->second, "is no PNG");
  }

  /// Checks a drawing: it must be well-formed. The kit's own drawings must also describe themselves in words.
  void svg(const std::string& name, const std::string& text, bool ours) {
    if (!seen_.insert(name).second) return;
    std::vector<std::string> open;
    bool drawing = false, title = false, description = false, sound = true;
    for (const Tag& tag : tags_of(text)) {
      if (tag.name == "svg") drawing = true;
      if (tag.name == "title" && open.size() == 1) title = true;
      if (tag.name == "desc" && open.size() == 1) description = true;
      if (tag.name[0] != '/') {
        if (!tag.empty) open.push_back(tag.name);
      } else if (!open.empty() && open.back() == tag.name.substr(1)) {
        open.pop_back();
      } else {
        sound = false;
      }
    }
    if (!drawing || !sound || !open.empty())
      error(name, "is no well-formed SVG");
    else if (ours && !title)
      error(name, "has no <title>");
    else if (ours && !description)
      error(name, "has no <desc>, its description in words");
  }

  void follow(const std::string& from, const std::string& link) {
    if (link.empty() || link == "#") return;
    const std::size_t colon = link.find(':');
    if (colon != std::string::npos && colon < link.find_first_of("/#?"))
      return;  // https:, mailto:, javascript:
    ++out_.links;
    const std::size_t hash = link.find('#');
    std::string file = link.substr(0, std::min(hash, link.find('?')));
    const std::string anchor = hash == std::string::npos ? "" : link.substr(hash + 1);
    file = file.empty() ? from : (fs::path(from).parent_path() / file).lexically_normal().generic_string();
    const auto document = documents_.find(file);
    if (document == documents_.end()) {
      if (!fs::exists(html_ / file)) error(from, "the link " + link + " leads nowhere");
    } else if (!anchor.empty() && document->second.anchors.count(anchor) == 0) {
      error(from, "the link " + link + " leads to a page without that anchor");
    }
  }

  static bool is_url(const std::string& text) {
    const std::size_t dot = text.find(".html");
    return dot != std::string::npos && dot > 0 && (dot + 5 == text.size() || text[dot + 5] == '#') &&
           text.find_first_of(" <>$+:") == std::string::npos;
  }

  /// Checks the links in the JavaScript of Doxygen's sidebar, menus and index of words: each string that is an address.
  void sidebar(const fs::path& script) {
    const std::string text = read(script), name = script.lexically_relative(html_).generic_string();
    for (const char quote : {'"', '\''}) {
      std::size_t at = 0;
      while ((at = text.find(quote, at)) != std::string::npos) {
        const std::size_t end = text.find(quote, at + 1);
        if (end == std::string::npos) break;
        std::string url = text.substr(at + 1, end - at - 1);
        if (url.find('\n') == std::string::npos && is_url(url)) {
          // The index has its own folder, but its addresses are relative to the folder of the pages.
          while (url.rfind("../", 0) == 0) url = url.substr(3);
          follow_from_root(name, url);
          at = end + 1;
        } else {
          ++at;
        }
      }
    }
  }

  void follow_from_root(const std::string& script, const std::string& url) {
    const std::size_t before = out_.errors.size();
    follow("", url);
    if (out_.errors.size() > before) out_.errors.back() = script + out_.errors.back();
  }

  const fs::path& html_;
  const std::map<std::string, Expected>& expected_;
  std::map<std::string, Document> documents_;
  std::set<std::string> seen_;  ///< drawings
  CheckResult out_;
};

}  // namespace

CheckResult check_site(const fs::path& html, const std::map<std::string, Expected>& expected) {
  return Checker(html, expected).run();
}

}  // namespace site
