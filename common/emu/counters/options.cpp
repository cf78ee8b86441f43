#include "options.hpp"

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "services.hpp"

namespace cuemu::counters {

namespace {

/// The options, and a sentence about an invalid option; empty: all options are valid.
struct Setting {
  Options options;
  std::string problem;
};

void read_number(const std::string& name, const std::string& value, std::size_t& number,
                 std::string& problem) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || *end != '\0')
    problem = "CUEMU_COUNTERS: " + name + " needs a number, not '" + value + "'";
}

void read_word(const std::string& word, Setting& setting) {
  Options& options = setting.options;
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const std::string value = equals == word.npos ? "" : word.substr(equals + 1);
  if (name == "quiet" && equals == word.npos) {
    options.quiet = true;
  } else if (name == "json" && !value.empty()) {
    options.json = value;
  } else if (name == "lines" && !value.empty()) {
    read_number(name, value, options.lines, setting.problem);
  } else if (name == "blocks" && !value.empty()) {
    read_number(name, value, options.blocks, setting.problem);
  } else {
    setting.problem =
        "CUEMU_COUNTERS: '" + word + "' is not understood; known are quiet, lines=N, blocks=N and json=FILE";
  }
}

}  // namespace

const Options& options() {
  static const Setting* const read = [] {
    auto* const result = new Setting;
    const char* const text = setting("CUEMU_COUNTERS");
    std::istringstream words(text != nullptr ? text : "");
    for (std::string word; result->problem.empty() && std::getline(words, word, ',');)
      if (!word.empty()) read_word(word, *result);
    return result;
  }();
  // At its end the program reports with the options read so far, and this function runs again. So only the first call
  // may end the program.
  static std::atomic_flag ends = ATOMIC_FLAG_INIT;
  if (!read->problem.empty() && !ends.test_and_set()) fatal(read->problem.c_str());
  return read->options;
}

}  // namespace cuemu::counters
