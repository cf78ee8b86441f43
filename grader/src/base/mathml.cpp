// A recursive-descent parser that writes the MathML while it parses. A row consists of atoms, each with scripts.
#include "base/mathml.hpp"

#include <cctype>
#include <map>
#include <string_view>
#include <vector>

namespace grader {
namespace {

const std::map<std::string, std::string>& letters() {
  static const std::map<std::string, std::string> table = {
      {"alpha", "α"},  {"beta", "β"},   {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"}, {"theta", "θ"},
      {"lambda", "λ"}, {"mu", "μ"},     {"pi", "π"},    {"rho", "ρ"},   {"sigma", "σ"},   {"tau", "τ"},
      {"phi", "φ"},    {"varphi", "φ"}, {"omega", "ω"}, {"Delta", "Δ"}, {"Sigma", "Σ"},   {"Omega", "Ω"},
      {"infty", "∞"},  {"ldots", "…"},  {"dots", "…"},  {"cdots", "⋯"}};
  return table;
}

const std::map<std::string, std::string>& operators() {
  static const std::map<std::string, std::string> table = {
      {"cdot", "·"},   {"times", "×"},  {"pm", "±"},    {"le", "≤"},    {"leq", "≤"},
      {"ge", "≥"},     {"geq", "≥"},    {"ne", "≠"},    {"neq", "≠"},   {"approx", "≈"},
      {"sim", "∼"},    {"equiv", "≡"},  {"in", "∈"},    {"to", "→"},    {"mapsto", "↦"},
      {"lfloor", "⌊"}, {"rfloor", "⌋"}, {"lceil", "⌈"}, {"rceil", "⌉"}, {"bmod", "mod"},
      {"mid", "|"},    {"ll", "≪"},     {"gg", "≫"},    {"oplus", "⊕"}, {"ast", "∗"}};
  return table;
}

const std::map<std::string, std::string>& functions() {
  static const std::map<std::string, std::string> table = {{"cos", "cos"}, {"sin", "sin"}, {"tan", "tan"},
                                                           {"exp", "exp"}, {"log", "log"}, {"ln", "ln"},
                                                           {"max", "max"}, {"min", "min"}};
  return table;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

std::string element(const char* name, const std::string& content) {
  return std::string("<") + name + ">" + content + "</" + name + ">";
}

class Parser {
 public:
  Parser(const std::string& tex, bool block) : tex_(tex), block_(block) {}

  std::string formula() {
    std::string out = row("");
    if (at_ < tex_.size()) throw FormulaError("a '" + std::string(1, tex_[at_]) + "' that nothing opened");
    return out;
  }

 private:
  void skip_blanks() {
    while (at_ < tex_.size() && std::isspace(static_cast<unsigned char>(tex_[at_]))) ++at_;
  }

  /// The command at the current position without its backslash; "" if there is none. `\\` is the command "\".
  std::string peek_command() const {
    if (at_ + 1 >= tex_.size() || tex_[at_] != '\\') return "";
    std::size_t end = at_ + 1;
    while (end < tex_.size() && std::isalpha(static_cast<unsigned char>(tex_[end]))) ++end;
    return tex_.substr(at_ + 1, std::max<std::size_t>(end - at_ - 1, 1));
  }

  /// Atoms up to the end, a closing brace, or the command `until` ("right", "end").
  std::string row(const std::string& until) {
    std::string out;
    for (;;) {
      skip_blanks();
      if (at_ >= tex_.size() || tex_[at_] == '}') return out;
      const std::string command = peek_command();
      if (!command.empty() && (command == until || (until == "end" && command == "\\"))) return out;
      if (until == "end" && tex_[at_] == '&') return out;
      out += scripted();
    }
  }

  std::string scripted() {
    bool limits = false;
    const std::string base = atom(limits);
    std::string below, above;
    for (skip_blanks(); at_ < tex_.size() && (tex_[at_] == '_' || tex_[at_] == '^'); skip_blanks()) {
      std::string& script = tex_[at_] == '_' ? below : above;
      if (!script.empty()) throw FormulaError("two scripts at the same place");
      ++at_;
      bool none = false;
      script = atom(none);
    }
    const bool under = limits && block_;
    if (below.empty() && above.empty()) return base;
    if (above.empty()) return element(under ? "munder" : "msub", base + below);
    if (below.empty()) return element(under ? "mover" : "msup", base + above);
    return element(under ? "munderover" : "msubsup", base + below + above);
  }

  std::string group() {
    skip_blanks();
    if (at_ >= tex_.size() || tex_[at_] != '{') throw FormulaError("a '{' is missing");
    ++at_;
    const std::string inside = row("");
    if (at_ >= tex_.size()) throw FormulaError("a '}' is missing");
    ++at_;
    return element("mrow", inside);
  }

  /// The literal text of a group: a name or words.
  std::string words() {
    skip_blanks();
    const std::size_t end = at_ < tex_.size() && tex_[at_] == '{' ? tex_.find('}', at_) : std::string::npos;
    if (end == std::string::npos) throw FormulaError("a group in braces is missing");
    const std::string out = tex_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return out;
  }

  std::string fence() {
    skip_blanks();
    bool limits = false;
    if (at_ >= tex_.size()) throw FormulaError("a bracket is missing");
    const char c = tex_[at_];
    if (c == '\\') return atom(limits);
    ++at_;
    return c == '.' ? "" : element("mo", std::string(1, c));
  }

  /// Rows of cells: \\begin{aligned}, and \\begin{cases} with its brace.
  std::string environment() {
    const std::string name = words();
    if (name != "aligned" && name != "cases")
      throw FormulaError("the only environments are aligned and cases");
    std::string rows, cells;
    for (;;) {
      cells += element("mtd", row("end"));
      if (at_ >= tex_.size()) throw FormulaError("\\end{" + name + "} is missing");
      if (tex_[at_] == '&') {
        ++at_;
        continue;
      }
      if (tex_[at_] == '}') throw FormulaError("a '}' that nothing opened");
      rows += element("mtr", cells);
      cells.clear();
      if (peek_command() == "end") break;
      at_ += 2;  // the two backslashes
    }
    at_ += 4;
    if (words() != name) throw FormulaError("\\end{" + name + "} is missing");
    if (name == "cases")
      return "<mrow><mo>{</mo><mtable class=\"cases\" columnalign=\"left\">" + rows + "</mtable></mrow>";
    return "<mtable class=\"aligned\" displaystyle=\"true\">" + rows + "</mtable>";
  }

  std::string command(bool& limits) {
    const std::string name = peek_command();
    if (name.empty()) throw FormulaError("a backslash with nothing behind it");
    at_ += 1 + name.size();
    if (const auto at = letters().find(name); at != letters().end()) return element("mi", at->second);
    if (const auto at = operators().find(name); at != operators().end()) return element("mo", at->second);
    if (const auto at = functions().find(name); at != functions().end()) {
      // U+2061, "function application": it produces the space before the argument, and screen readers read it as
      // "of".
      skip_blanks();
      const bool script = at_ < tex_.size() && (tex_[at_] == '_' || tex_[at_] == '^');
      return element("mi", at->second) + (script ? "" : "<mo>&#x2061;</mo>");
    }
    if (name == "sum" || name == "prod") {
      limits = true;
      return element("mo", name == "sum" ? "∑" : "∏");
    }
    if (name == "frac") {
      const std::string above = group();
      return element("mfrac", above + group());
    }
    if (name == "tfrac") {  // a fraction as small as in running text
      const std::string above = group();
      return "<mstyle displaystyle=\"false\">" + element("mfrac", above + group()) + "</mstyle>";
    }
    if (name == "sqrt") return element("msqrt", group());
    if (name == "mathrm" || name == "operatorname")
      return "<mi mathvariant=\"normal\">" + escaped(words()) + "</mi>";
    if (name == "mathtt") return "<mi class=\"code\" mathvariant=\"normal\">" + escaped(words()) + "</mi>";
    if (name == "text") return element("mtext", escaped(words()));
    if (name == "left") {
      const std::string open = fence();
      const std::string inside = row("right");
      if (peek_command() != "right") throw FormulaError("\\right is missing");
      at_ += 6;
      return element("mrow", open + inside + fence());
    }
    if (name == "begin") return environment();
    if (name == "quad") return "<mspace width=\"1em\"></mspace>";
    if (name == "qquad") return "<mspace width=\"2em\"></mspace>";
    if (name == "," || name == ";" || name == " ") return "<mspace width=\"0.2em\"></mspace>";
    if (name == "{" || name == "}" || name == "_" || name == "%") return element("mo", name);
    throw FormulaError("\\" + name + " is not known here");
  }

  std::string atom(bool& limits) {
    skip_blanks();
    if (at_ >= tex_.size()) throw FormulaError("something is missing at the end");
    const char c = tex_[at_];
    if (c == '{') return group();
    if (c == '\\') return command(limits);
    if (c == '^' || c == '_') throw FormulaError("a script with nothing before it");
    if (c == '}' || c == '&' || c == '$' || c == '#' || c == '%')
      throw FormulaError("a '" + std::string(1, c) + "' in a formula");
    if (std::isdigit(static_cast<unsigned char>(c))) {
      const std::size_t from = at_;
      while (at_ < tex_.size() && (std::isdigit(static_cast<unsigned char>(tex_[at_])) || tex_[at_] == '.'))
        ++at_;
      return element("mn", tex_.substr(from, at_ - from));
    }
    if (std::isalpha(static_cast<unsigned char>(c))) {
      ++at_;
      return element("mi", std::string(1, c));
    }
    if (c == '\'') {
      ++at_;
      return element("mo", "′");
    }
    if (c == '-') {
      ++at_;
      return element("mo", "−");
    }
    if (static_cast<unsigned char>(c) >= 0x80) {  // one character of UTF-8, such as "…"
      const std::size_t from = at_++;
      while (at_ < tex_.size() && (static_cast<unsigned char>(tex_[at_]) & 0xc0) == 0x80) ++at_;
      return element("mo", tex_.substr(from, at_ - from));
    }
    ++at_;
    if (std::string_view("()[]|").find(c) !=
        std::string_view::npos)  // \left and \right make brackets that grow
      return "<mo stretchy=\"false\">" + std::string(1, c) + "</mo>";
    return element("mo", escaped(std::string(1, c)));
  }

  const std::string& tex_;
  bool block_;
  std::size_t at_ = 0;
};

}  // namespace

std::string mathml(const std::string& tex, bool block) {
  const std::string inside = Parser(tex, block).formula();
  if (inside.empty()) throw FormulaError("the formula is empty");
  return std::string(block ? "<math display=\"block\">" : "<math>") + inside + "</math>";
}

}  // namespace grader
