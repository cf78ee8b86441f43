#include "options.hpp"

#include <charconv>
#include <cstdlib>
#include <sstream>

#include "services.hpp"

namespace cuemu::counters {

namespace {

void read_number(const std::string& name, const std::string& value, std::size_t& number) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || *end != '\0')
    fatal(("CUEMU_COUNTERS: " + name + " needs a number, not '" + value + "'").c_str());
}

void read_word(const std::string& word, Options& options) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const std::string value = equals == word.npos ? "" : word.substr(equals + 1);
  if (name == "quiet" && equals == word.npos) {
    options.quiet = true;
  } else if (name == "json" && !value.empty()) {
    options.json = value;
  } else if (name == "lines" && !value.empty()) {
    read_number(name, value, options.lines);
  } else if (name == "blocks" && !value.empty()) {
    read_number(name, value, options.blocks);
  } else {
    fatal(
        ("CUEMU_COUNTERS: '" + word + "' is not understood; known are quiet, lines=N, blocks=N and json=FILE")
            .c_str());
  }
}

}  // namespace

const Options& options() {
  static auto* const result = new Options;
  static bool is_read = false;
  // An unknown word ends the program, and its end reports with the options read so far.
  if (is_read) return *result;
  is_read = true;
  const char* const text = setting("CUEMU_COUNTERS");
  std::istringstream words(text != nullptr ? text : "");
  for (std::string word; std::getline(words, word, ',');)
    if (!word.empty()) read_word(word, *result);
  return *result;
}

}  // namespace cuemu::counters
