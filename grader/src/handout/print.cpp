// Changes md4c's HTML in three ways: figures become parts of the page, with their text below them; links to
// other pages of the kit, which are useless on paper, become text; and folds are open. Style sheets do the
// rest.
#include "handout/print.hpp"

#include <fmt/format.h>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/markup.hpp"
#include "handout/outline.hpp"
#include "handout/page_html.hpp"

namespace grader {

extern const char* const handout_css;
extern const char* const slides_css;

namespace {

constexpr std::uintmax_t largest_figure = 8 << 20;

/// The value of an attribute of the element that begins at `from`. md4c does not escape angle brackets in
/// such values.
std::string attribute(const std::string& html, std::size_t from, const std::string& name) {
  const std::size_t end = html.find('>', from), at = html.find(" " + name + "=\"", from);
  if (at > end) return {};
  const std::size_t value = at + name.size() + 3;
  return html.substr(value, html.find('"', value) - value);
}

std::string figure(const fs::path& file, const std::string& words) {
  const std::string type = file.extension() == ".svg" ? "image/svg+xml" : "image/png";
  return fmt::format("<figure><img alt=\"\" src=\"data:{};base64,{}\"><figcaption>{}</figcaption></figure>",
                     type, base64(read_file(file, largest_figure)),
                     replace_all(replace_all(words, "<", "&lt;"), ">", "&gt;"));
}

std::string with_figures(const std::string& html, const fs::path& folder) {
  const std::string begin = "<p><img ", end = "></p>";
  std::string out;
  std::size_t from = 0;
  for (;;) {
    const std::size_t at = html.find(begin, from);
    if (at == std::string::npos) return out + html.substr(from);
    out += html.substr(from, at - from) +
           figure(folder / attribute(html, at + 3, "src"), attribute(html, at + 3, "alt"));
    from = html.find(end, at) + end.size();
  }
}

std::string without_dead_links(const std::string& html) {
  std::string out;
  std::size_t from = 0;
  for (;;) {
    const std::size_t at = html.find("<a href=\"", from);
    if (at == std::string::npos) return out + html.substr(from);
    const std::size_t text = html.find('>', at) + 1, end = html.find("</a>", text), next = end + 4;
    const bool on_the_web = attribute(html, at, "href").starts_with("http");
    out += html.substr(from, at - from);
    out += on_the_web ? html.substr(at, next - at) : html.substr(text, end - text);
    from = next;
  }
}

std::string printed(const std::string& markdown, const fs::path& folder) {
  return without_dead_links(with_figures(page_html(markdown), folder));
}

std::string name_of(const Lab& lab) {
  return lab.id + ": " + lab.title;
}

/// The text at the edge of a lab's pages. Each lab has its own page box, since browsers don't support running
/// headers of CSS.
std::string page_box(std::size_t number, const std::string& words) {
  std::string quoted;
  for (const char c : words) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return fmt::format("@page lab{} {{ @top-left {{ content: \"{}\"; }} }}\n.lab{} {{ page: lab{}; }}\n",
                     number, quoted, number, number);
}

std::string page_of(const std::string& title, const std::string& style, const std::string& body) {
  return page_head(element_text(title)) + "\n<style>\n" + style + "</style>\n" + body;
}

std::string title_of(const std::vector<Handout>& handouts) {
  return handouts.size() == 1 ? name_of(*handouts[0].lab) : "CUDA Lab Kit";
}

class Deck {
 public:
  explicit Deck(const Lab& lab, std::size_t number) : lab_(lab), number_(number) {}

  void add(const std::string& kind, const std::string& title, const std::string& html) {
    out_ += fmt::format("<section class=\"slide {} lab{}\"><h1>{}</h1><div>{}</div></section>\n", kind,
                        number_, title, html);
  }

  /// Adds a list of items, on as many slides as they need.
  void add_list(const std::string& title, const std::vector<std::string>& items, bool numbered) {
    constexpr std::size_t of_a_line = 88, most_half_lines = 27;  // characters; half lines of a slide
    for (std::size_t from = 0, to = 0; from < items.size(); from = to) {
      std::string html = numbered ? fmt::format("<ol start={}>", from + 1) : "<ul>";
      for (std::size_t used = 0; to < items.size(); ++to) {
        used += 2 * (items[to].size() / of_a_line + 1) + 1;
        if (to > from && used > most_half_lines) break;
        html += "<li>" + printed(items[to], lab_.folder) + "</li>";
      }
      add("list", title, html + (numbered ? "</ol>" : "</ul>"));
    }
  }

  const std::string& html() const { return out_; }

 private:
  const Lab& lab_;
  std::size_t number_;
  std::string out_;
};

}  // namespace

std::string handouts_page(const std::vector<Handout>& handouts) {
  std::string style = handout_css, body;
  for (std::size_t i = 0; i < handouts.size(); ++i) {
    const Handout& handout = handouts[i];
    const bool instructor = !handout.answers.empty();
    const std::string text =
        instructor ? replace_all(handout.text, "<details>", "<details open>") : without_folds(handout.text);
    style += page_box(i, name_of(*handout.lab));
    body += fmt::format("<article class=lab{}>{}</article>\n", i, printed(text, handout.lab->folder));
    if (instructor)
      body += fmt::format("<article class=\"lab{} answers\">{}</article>\n", i,
                          printed(handout.answers, handout.lab->folder));
  }
  return page_of(title_of(handouts), style, body);
}

std::string slides_page(const std::vector<Handout>& handouts) {
  std::string style = slides_css, body;
  for (std::size_t i = 0; i < handouts.size(); ++i) {
    const Lab& lab = *handouts[i].lab;
    const Outline outline = outline_of(handouts[i].text);
    Deck deck(lab, i);
    std::string goals;
    for (const std::string& objective : lab.objectives) goals += "<li>" + element_text(objective) + "</li>";
    deck.add("title", element_text(lab.title),
             "<p class=lab>" + lab.id + "</p>" + printed(outline.introduction, lab.folder) + "<ul>" + goals +
                 "</ul>");
    deck.add_list("Ideas", outline.ideas, false);
    for (const OutlineFigure& one : outline.figures)
      deck.add("picture", element_text(one.title), printed(one.image, lab.folder));
    deck.add_list("Questions", outline.questions, true);
    style += page_box(i, name_of(lab));
    body += deck.html();
  }
  return page_of(title_of(handouts), style, body);
}

}  // namespace grader
