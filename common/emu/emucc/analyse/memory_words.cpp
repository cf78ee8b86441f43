#include "analyse/memory_words.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

#include "analyse/sides.hpp"
#include "parse/units.hpp"
#include "parse/variables.hpp"

namespace emucc {
namespace {

/// Returns true for fundamental types; a user can't redeclare their names.
bool is_plain_type(std::string_view word) {
  static const std::unordered_set<std::string_view> words = {"bool", "char",     "short", "int",
                                                             "long", "unsigned", "float", "double"};
  return words.count(word) > 0;
}
bool is_memory_word(Word word) {
  return word == Word::device || word == Word::constant || word == Word::managed || word == Word::shared;
}

class MemoryWords {
 public:
  MemoryWords(const Syntax& syntax, const LanguageOptions& options) : syntax_(syntax), options_(options) {}

  Findings run() {
    units(0, syntax_.size(), npos, false);
    if (!options_.relocatable)
      for (const auto& [name, at] : extern_)
        if (defined_.count(name) == 0)
          warning(at,
                  "the extern declaration of '" + std::string(name) +
                      "' is treated as a definition of this file's own (#20044-D): -rdc=true shares device "
                      "variables between files");
    return std::move(findings_);
  }

 private:
  // Messages refer to names, since CUDA's specifiers are macros of a header, where nothing is reported.
  void error(std::size_t at, std::string message) { findings_.error(syntax_, at, std::move(message)); }
  void warning(std::size_t at, std::string message) { findings_.warning(syntax_, at, std::move(message)); }
  std::string quoted(std::size_t name) const { return "'" + std::string(syntax_.at(name)) + "'"; }

  void units(std::size_t begin, std::size_t end, std::size_t block, bool in_class) {
    for (const Unit& unit : units_of(syntax_, begin, end)) {
      const Declaration& found = unit.declaration;
      if (unit.kind == Unit::Kind::block)
        units(unit.body + 1, syntax_.after(unit.body) - 1, unit.body, in_class);
      else if (unit.kind == Unit::Kind::class_)
        units(unit.body + 1, syntax_.after(unit.body) - 1, unit.body, true);
      else if (unit.kind == Unit::Kind::function)
        body(unit, block);
      else if (found.kind == Declaration::Kind::variable)
        variables(unit, in_class);
    }
  }

  // ---- outside of functions

  void variables(const Unit& unit, bool in_class) {
    const Words& words = unit.declaration.words;
    if (!words.device && !words.constant && !words.managed && !words.shared) return;
    for (const Declarator& each : read_variables(syntax_, unit.begin, unit.end).declarators) {
      if (each.name == npos) continue;
      if (words.shared && words.extern_ && !in_class) dynamic_names_.insert(syntax_.at(each.name));
      if (in_class)
        member(words, each.name);
      else
        note_extern(unit, each.name);
      if (words.managed) managed(words, each);
      inlined(unit, each.name);
      if (words.constant && words.shared)
        error(each.name, "a variable can't be __constant__ and __shared__: " + quoted(each.name));
    }
  }

  static std::string spelled(const Words& words) {
    return words.device     ? "__device__"
           : words.constant ? "__constant__"
           : words.shared   ? "__shared__"
                            : "__managed__";
  }

  void inlined(const Unit& unit, std::size_t name) {
    const Words& words = unit.declaration.words;
    if (words.inline_ && !words.static_ && !options_.relocatable)
      error(name, "the inline " + spelled(words) + " variable " + quoted(name) +
                      " needs -rdc=true: without it each file has device variables of its own");
  }

  void member(const Words& words, std::size_t name) {
    const std::string word = spelled(words);
    if (words.static_)
      error(name, "a static member of a class can't be " + word + ": declare " + quoted(name) +
                      " outside of the class");
    else
      warning(name, word + " does not apply to " + quoted(name) +
                        " (#1835-D): a member of a class is where its object is");
  }

  void note_extern(const Unit& unit, std::size_t name) {
    const Words& words = unit.declaration.words;
    for (std::size_t i = unit.begin; i < name; ++i)
      if (syntax_.word(i) == Word::extern_ && syntax_.stream().tokens[i + 1].kind == TokenKind::string)
        return;  // extern "C"
    if (!words.extern_)
      defined_.insert(syntax_.at(name));
    else if (!words.template_ && !words.shared)
      extern_.emplace_back(syntax_.at(name), name);
  }

  void managed(const Words& words, const Declarator& variable) {
    const std::string name = quoted(variable.name);
    if (words.const_ || words.constexpr_)
      error(variable.name, "a __managed__ variable can't be const: " + name);
    if (words.constant != words.shared)
      error(variable.name, "a __managed__ variable can't be __constant__ or __shared__: " + name);
    for (std::size_t i = variable.begin; i < variable.name; ++i)
      if (syntax_.is(i, "&")) error(variable.name, "a __managed__ variable can't be a reference: " + name);
  }

  // ---- in functions

  void body(const Unit& unit, std::size_t block) {
    const Words& words = unit.declaration.words;
    const Side side = side_of(words);
    std::unordered_set<std::string_view> own_names;
    std::string_view first_name;
    for (std::size_t i = unit.body + 1; i < unit.end; ++i) {
      one_dynamic_array(i, own_names, first_name);
      if (const std::size_t lambda = marked_lambda(syntax_, i); lambda != npos && side == Side::host)
        i = syntax_.after(lambda) - 1;
      if (!is_memory_word(syntax_.word(i))) continue;
      const VariableDeclaration found = read_variables(syntax_, i, unit.end);
      if (!begins_with_words(found.begin, i) || in_class_body(i, unit.body)) continue;
      for (const Declarator& each : found.declarators) {
        if (each.name == npos) continue;
        if (found.is_extern && syntax_.word(i) == Word::shared) own_names.insert(syntax_.at(each.name));
        if (syntax_.word(i) == Word::shared)
          shared(side, block, words.template_, found, each);
        else
          local(side, found, i, each.name);
      }
      i = std::max(i, found.end - 1);
    }
  }

  /// Warns if a function uses two `extern __shared__` arrays, since both begin at the same address.
  void one_dynamic_array(std::size_t at, const std::unordered_set<std::string_view>& own_names,
                         std::string_view& first) {
    const std::string_view name = syntax_.at(at);
    if (!syntax_.is_name(at) || (own_names.count(name) == 0 && dynamic_names_.count(name) == 0)) return;
    if (first.empty()) first = name;
    if (first == name || two_arrays_.count(name) > 0) return;
    two_arrays_.insert(name);
    warning(at, "the extern __shared__ arrays '" + std::string(first) + "' and " + quoted(at) +
                    " are the same memory: declare one of them, and let a pointer to its later elements be "
                    "the other");
  }

  void shared(Side side, std::size_t block, bool of_template, const VariableDeclaration& found,
              const Declarator& each) {
    if (side == Side::host)
      error(each.name, "the __shared__ variable " + quoted(each.name) +
                           " belongs to a block of threads, and can't be declared in host code");
    else if (found.is_extern && !of_template)
      dynamic_shared(block, found, each);
  }

  /// Checks a variable in a function. Device code may contain `static __device__ int calls;`, which is a
  /// static variable. `extern` declares a variable outside the function.
  void local(Side side, const VariableDeclaration& found, std::size_t word, std::size_t name) {
    bool is_static = false;
    for (std::size_t i = found.begin; i < name; ++i)
      is_static = is_static || syntax_.word(i) == Word::static_ || syntax_.word(i) == Word::extern_;
    if (side == Side::host || (side == Side::device && !is_static))
      error(name, "the " + std::string(syntax_.at(word)) + " variable " + quoted(name) +
                      " can't be declared in a function: declare it outside");
  }

  /// Checks that a name in dynamic shared memory always has the same type. All kernels of a file share this
  /// memory.
  void dynamic_shared(std::size_t block, const VariableDeclaration& found, const Declarator& each) {
    if (each.begin != each.name) return;
    std::string type;
    for (const std::size_t i : found.type) {
      if (syntax_.is(i, "const") || syntax_.is(i, "volatile")) continue;
      if (!is_plain_type(syntax_.at(i)) || !type.empty()) return;
      type = syntax_.at(i);
    }
    const auto [known, is_new] = dynamic_.emplace(std::pair(block, std::string(syntax_.at(each.name))), type);
    if (!is_new && known->second != type)
      error(each.name, "the dynamic shared memory " + quoted(each.name) + " has the type '" + known->second +
                           "' above, and '" + type + "' here: give it another name");
  }

  /// Returns true if only words of a declaration are between the beginning of a statement and CUDA's
  /// specifier.
  bool begins_with_words(std::size_t begin, std::size_t word) const {
    const bool starts =
        syntax_.is(begin - 1, ";") || syntax_.is(begin - 1, "{") || syntax_.is(begin - 1, "}");
    for (std::size_t i = begin; i < word; ++i)
      if (!syntax_.is_identifier(i)) return false;
    return starts;
  }

  /// Returns true if the token is inside a class that the function defines.
  bool in_class_body(std::size_t at, std::size_t body) const {
    for (std::size_t i = body + 1; i < at; ++i)
      if (syntax_.word(i) == Word::class_key)
        if (const std::size_t open = syntax_.class_body(i);
            open != npos && open < at && at < syntax_.after(open))
          return true;
    return false;
  }

  const Syntax& syntax_;
  const LanguageOptions& options_;
  std::unordered_set<std::string_view> dynamic_names_;  ///< `extern __shared__` arrays outside of functions
  std::unordered_set<std::string_view> two_arrays_;     ///< arrays with a warning
  std::vector<std::pair<std::string_view, std::size_t>> extern_;
  std::unordered_set<std::string_view> defined_;
  /// The types, by the block of the namespace and the variable's name.
  std::map<std::pair<std::size_t, std::string>, std::string> dynamic_;
  Findings findings_;
};

}  // namespace

Findings check_memory_words(const Syntax& syntax, const LanguageOptions& options) {
  return MemoryWords(syntax, options).run();
}

}  // namespace emucc
