// A number counts only if it has at least two significant digits: a single digit is often right by chance.
#include "verify/explanation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/columns.hpp"

namespace grader {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool belongs_to_a_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The numbers in a text, such as "81,920" and "0.148", but not the digits of "H200" or "float4".
std::vector<std::string> numbers_in(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    bool point = false;
    while (i < text.size()) {
      const bool more = i + 1 < text.size() && is_digit(text[i + 1]);
      const bool group = text[i] == ',' && !point && i + 3 < text.size() && more && is_digit(text[i + 2]) &&
                         is_digit(text[i + 3]) && (i + 4 >= text.size() || !is_digit(text[i + 4]));
      if (!is_digit(text[i]) && !(text[i] == '.' && more && !point) && !group) break;
      point = point || text[i] == '.';
      ++i;
    }
    if (begin == 0 || !belongs_to_a_word(text[begin - 1])) found.push_back(text.substr(begin, i - begin));
  }
  return found;
}

std::string without_groups(std::string number) {
  std::erase(number, ',');
  return number;
}

std::size_t decimals_of(const std::string& number) {
  const std::size_t point = number.find('.');
  return point == std::string::npos ? 0 : number.size() - point - 1;
}

/// The number of digits of a number without its leading zeros.
std::size_t significant_digits(const std::string& number) {
  const std::size_t first = number.find_first_of("123456789");
  if (first == std::string::npos) return 0;
  return static_cast<std::size_t>(
      std::count_if(number.begin() + static_cast<std::ptrdiff_t>(first), number.end(), is_digit));
}

/// The factors by which people scale a value when they write it.
std::vector<double> scales_of(const std::string& unit) {
  if (unit == "s") return {1, 1e3, 1e6};
  if (unit == "B") return {1, 1.0 / 1024, 1e-3};
  if (unit == "B/s") return {1e-9, 1e-12};
  return {1, 100, 1e-3, 1e-6};
}

bool agrees(const std::string& number, const MeasuredNumber& measured) {
  const double value = std::strtod(number.c_str(), nullptr);
  const double half_a_digit = 0.5 * std::pow(10., -static_cast<double>(decimals_of(number)));
  for (const double scale : scales_of(measured.unit)) {
    const double exact = measured.value * scale;
    if (std::abs(exact - value) <= half_a_digit * (1 + 1e-9)) return true;
  }
  return false;
}

}  // namespace

NamedNumbers numbers_named(const std::string& text, const std::vector<MeasuredNumber>& measured,
                           const std::vector<double>& parameters) {
  NamedNumbers named;
  std::vector<std::string> seen;
  for (const std::string& written : numbers_in(text)) {
    const std::string number = without_groups(written);
    const double value = std::strtod(number.c_str(), nullptr);
    const bool chosen = std::find(parameters.begin(), parameters.end(), value) != parameters.end();
    const bool share = number.find('.') != std::string::npos && significant_digits(number) > 0;
    if (chosen || (significant_digits(number) < 2 && !share)) continue;
    if (std::find(seen.begin(), seen.end(), number) != seen.end()) continue;
    seen.push_back(number);
    const bool known = std::any_of(measured.begin(), measured.end(),
                                   [&](const MeasuredNumber& one) { return agrees(number, one); });
    (known ? named.measured : named.unknown).push_back(written);
  }
  return named;
}

std::string text_behind(const std::string& printed, const std::string& line) {
  const std::size_t at = ("\n" + printed).find("\n" + line + "\n");
  return at == std::string::npos ? "" : printed.substr(std::min(printed.size(), at + line.size() + 1));
}

std::optional<double> printed_number(const std::string& printed, const std::string& name) {
  std::optional<double> found;
  for (std::string_view line : split_lines(printed)) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.substr(0, name.size()) != name) continue;
    line.remove_prefix(name.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty() || line.front() != ':') continue;
    line.remove_prefix(1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    double value = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc() || !std::isfinite(value)) continue;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    found = line.substr(0, 5) == " (ms)" ? value * 1e-3 : value;  // values are kept in SI units
  }
  return found;
}

std::string explanation_problem(const NamedNumbers& named, int expected) {
  if (static_cast<int>(named.measured.size()) >= expected) return {};
  std::string said =
      named.measured.empty()
          ? "The explanation names no number that was measured"
          : fmt::format("Of the numbers in the explanation only {} {} measured",
                        fmt::join(named.measured, ", "), named.measured.size() == 1 ? "was" : "were");
  said += fmt::format("; it must name at least {}.", expected);
  if (!named.unknown.empty()) {
    constexpr std::size_t most = 4;
    const auto shown = static_cast<std::ptrdiff_t>(std::min(most, named.unknown.size()));
    said += fmt::format(" In none of your tables, and not counted here: {}{}.",
                        fmt::join(named.unknown.begin(), named.unknown.begin() + shown, ", "),
                        named.unknown.size() > most ? " …" : "");
  }
  return said;
}

}  // namespace grader
