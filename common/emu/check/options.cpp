#include "options.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "findings.hpp"
#include "record.hpp"
#include "services.hpp"

// The value of `emucc --check --error-exitcode n`, which the driver defines in the program.
extern "C" __attribute__((weak)) const int cuemu_check_error_exitcode;
// The value with which the compiler fills local variables.
extern "C" __attribute__((weak)) const unsigned cuemu_check_unset_bytes;
// The words of `emucc --check=WORDS`.
extern "C" __attribute__((weak)) const char cuemu_check_words[];

namespace cuemu::check {

namespace {

void read_suppressions(const std::string& path, std::vector<std::string>& into) {
  std::ifstream in(path);
  if (!in) fatal(("CUEMU_CHECK: the suppressions file '" + path + "' can't be read").c_str());
  for (std::string line; std::getline(in, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty() && line[0] != '#') into.push_back(line);
  }
}

/// Reads `P:19:4`, which means element 19 of P with 4-byte elements.
RecordedElement read_element(const std::string& value) {
  RecordedElement element;
  const std::size_t last = value.rfind(':');
  const std::size_t first = last != value.npos && last > 0 ? value.rfind(':', last - 1) : value.npos;
  if (first != value.npos && first > 0 && last > first + 1 &&
      value.find_first_not_of("0123456789:", first) == value.npos) {
    element.array = value.substr(0, first);
    element.index = std::strtoull(value.c_str() + first + 1, nullptr, 10);
    element.bytes = std::strtoull(value.c_str() + last + 1, nullptr, 10);
  }
  if (element.bytes == 0 || element.bytes > 16)
    fatal(("CUEMU_CHECK: record needs ARRAY:INDEX:BYTES, such as P:19:4, not '" + value + "'").c_str());
  return element;
}

void read_word(const std::string& word, Options& result) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const std::string value = equals != word.npos ? word.substr(equals + 1) : "";
  if (equals == word.npos) {
    static const std::set<std::string> known = {"races", "memory", "barriers", "api", "leaks"};
    if (name == "all") return;
    if (name == "strict") {
      result.strict = true;
      return;
    }
    if (known.count(name) == 0)
      fatal(("CUEMU_CHECK: '" + name +
             "' is no group of rules; they are races, memory, barriers, api, leaks and all. Another word "
             "that stands alone is "
             "strict")
                .c_str());
    result.groups.insert(name);
  } else if (name == "json") {
    result.json = value;
  } else if (name == "sarif") {
    result.sarif = value;
  } else if (name == "suppress") {
    read_suppressions(value, result.suppressions);
  } else if (name == "record") {
    result.record = read_element(value);
  } else if (name == "record-json") {
    result.record_json = value;
  } else if (name == "trace-json") {
    result.trace_json = value;
  } else if (name == "error-exitcode" || name == "limit" || name == "trace") {
    char* end = nullptr;
    const long number = std::strtol(value.c_str(), &end, 10);
    if (value.empty() || *end != 0 || number < 0 || number > (name == "error-exitcode" ? 255 : 1'000'000))
      fatal(("CUEMU_CHECK: " + name + " needs a number, not '" + value + "'").c_str());
    if (name == "limit")
      result.limit = static_cast<std::size_t>(number);
    else if (name == "trace")
      result.trace = static_cast<std::size_t>(number);
    else
      result.error_exitcode = static_cast<int>(number);
  } else {
    fatal(("CUEMU_CHECK: '" + name +
           "' is no setting; they are json, sarif, suppress, error-exitcode, limit, record, record-json, "
           "trace and trace-json")
              .c_str());
  }
}

void read_words(const char* text, Options& result) {
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');)
    if (!word.empty()) read_word(word, result);
}

Options read_options() {
  Options result;
  if (&cuemu_check_error_exitcode != nullptr) result.error_exitcode = cuemu_check_error_exitcode;
  if (&cuemu_check_unset_bytes != nullptr) result.unset_bytes = cuemu_check_unset_bytes;
  if (is_recorded()) {  // the page shows all findings
    result.trace = record_settings().blocks;
    result.trace_from = record_settings().from;
    result.limit = 0;
  }
  if (cuemu_check_words != nullptr) read_words(cuemu_check_words, result);
  if (const char* const text = setting("CUEMU_CHECK"); text != nullptr) read_words(text, result);
  return result;
}

}  // namespace

/// Whether a suppression covers the finding. A suppression is `rule`, `rule:file`, `rule:file:line` or
/// `rule:file:line:array`; `*` matches anything.
bool Options::suppresses(const Finding& finding) const {
  for (const std::string& text : suppressions) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ':');) parts.push_back(part);
    const auto fits = [&](std::size_t i, const std::string& value) {
      return i >= parts.size() || parts[i] == "*" || parts[i] == value;
    };
    if (!fits(0, name_of(finding.rule)) || !fits(3, finding.array)) continue;
    if (parts.size() < 2) return true;
    for (const Party& party : finding.parties) {
      const std::string& file = party.line.file;
      const std::string base = file.substr(file.rfind('/') == file.npos ? 0 : file.rfind('/') + 1);
      if ((fits(1, file) || fits(1, base)) && fits(2, std::to_string(party.line.line))) return true;
    }
  }
  return false;
}

const Options& options() {
  static const auto* const read = new Options(read_options());
  return *read;
}

}  // namespace cuemu::check
