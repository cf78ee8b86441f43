/// @file
/// Requirements of labs on tuning, for their judges: reasons that quote measurements, and a choice of
/// parameters that is nearly the best. Only a person can judge the reasoning. Host code only.
#pragma once
#include <cctype>
#include <cmath>

#include "judge.hpp"

namespace lab {

/// The numbers of a text.
struct NamedNumbers {
  std::vector<std::string> measured;  ///< as written, without duplicates: they agree with a measured number
  std::vector<std::string> unknown;   ///< the other numbers that could be measurements
};

namespace detail {

inline bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The numbers in a text, such as "81,920" and "0.148", but not the digits of "H200" or "float4".
inline std::vector<std::string> numbers_in(const std::string& text) {
  const auto digit_at = [&](std::size_t i) { return i < text.size() && is_digit(text[i]); };
  std::vector<std::string> found;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    bool point = false;
    while (i < text.size()) {
      const bool group = text[i] == ',' && !point && digit_at(i + 1) && digit_at(i + 2) && digit_at(i + 3) &&
                         !digit_at(i + 4);
      if (!is_digit(text[i]) && !(text[i] == '.' && digit_at(i + 1) && !point) && !group) break;
      point = point || text[i] == '.';
      ++i;
    }
    const char before = begin == 0 ? ' ' : text[begin - 1];
    if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_')
      found.push_back(text.substr(begin, i - begin));
  }
  return found;
}

inline std::size_t decimals_of(const std::string& number) {
  const std::size_t point = number.find('.');
  return point == std::string::npos ? 0 : number.size() - point - 1;
}

/// The number of digits after the leading zeros.
inline std::size_t significant_digits(const std::string& number) {
  const std::size_t first = std::min(number.find_first_of("123456789"), number.size());
  return static_cast<std::size_t>(
      std::count_if(number.begin() + static_cast<std::ptrdiff_t>(first), number.end(), is_digit));
}

/// The factors by which people scale a value when they write it.
inline std::vector<double> scales_of(const std::string& unit) {
  if (unit == "s") return {1, 1e3, 1e6};
  if (unit == "B") return {1, 1.0 / 1024, 1e-3};
  if (unit == "B/s") return {1e-9, 1e-12};
  return {1, 100, 1e-3, 1e-6};
}

inline bool agrees(const std::string& number, const MeasuredNumber& measured) {
  const double value = std::strtod(number.c_str(), nullptr);
  const double half_a_digit = 0.5 * std::pow(10., -static_cast<double>(decimals_of(number)));
  const std::vector<double> scales = scales_of(measured.unit);
  return std::any_of(scales.begin(), scales.end(), [&](double scale) {
    return std::abs(measured.value * scale - value) <= half_a_digit * (1 + 1e-9);
  });
}

inline std::string joined(const std::vector<std::string>& items, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, items.size()); ++i) text += (i > 0 ? ", " : "") + items[i];
  return items.size() > most ? text + " …" : text;
}

}  // namespace detail

/// Finds the numbers of a text that agree with a measurement. A whole number counts only if it has at least
/// two significant digits, since a single digit is often right by chance.
/// @param chosen values that the student chose; they are in every table, and so prove no measurement
inline NamedNumbers numbers_named(const std::string& text, const std::vector<MeasuredNumber>& measured,
                                  const std::vector<double>& chosen) {
  NamedNumbers named;
  std::vector<std::string> seen;
  for (const std::string& written : detail::numbers_in(text)) {
    std::string number = written;
    number.erase(std::remove(number.begin(), number.end(), ','), number.end());
    const double value = std::strtod(number.c_str(), nullptr);
    const std::size_t digits = detail::significant_digits(number);
    const bool is_share = number.find('.') != std::string::npos && digits > 0;
    if (std::find(chosen.begin(), chosen.end(), value) != chosen.end() || (digits < 2 && !is_share)) continue;
    if (std::find(seen.begin(), seen.end(), number) != seen.end()) continue;
    seen.push_back(number);
    const bool known = std::any_of(measured.begin(), measured.end(),
                                   [&](const MeasuredNumber& one) { return detail::agrees(number, one); });
    (known ? named.measured : named.unknown).push_back(written);
  }
  return named;
}

/// The text after the line `line` of a program's output. Empty if there is no such line.
inline std::string text_behind(const std::string& printed, const std::string& line) {
  const std::size_t at = ("\n" + printed).find("\n" + line + "\n");
  return at == std::string::npos ? "" : printed.substr(std::min(printed.size(), at + line.size() + 1));
}

/// Requires that a program prints an explanation after `line`, and that it quotes `least` different measured
/// numbers.
inline Judgement judge_reasons(const JudgeRequest& request, const std::string& line, std::size_t least) {
  if (!request.measured) {
    JudgeWants wants;
    wants.measured = true;
    return Judgement::wanting(wants);
  }
  if (request.measured->empty())
    return Judgement::unsupported(
        "Nothing was counted here, and there is no table: the numbers can't be looked up.");
  const NamedNumbers named =
      numbers_named(text_behind(request.printed(), line), *request.measured, request.chosen);
  if (named.measured.size() >= least) return Judgement::passed();
  std::string says = named.measured.empty()
                         ? "The explanation names no number that was measured"
                         : "Of the numbers in the explanation only " +
                               detail::joined(named.measured, named.measured.size()) +
                               (named.measured.size() == 1 ? " was measured" : " were measured");
  says += "; it must name at least " + std::to_string(least) + ".";
  if (!named.unknown.empty())
    says += " In none of your tables, and not counted here: " + detail::joined(named.unknown, 4) + ".";
  const std::string of_lab = request.lab + request.options;
  return Judgement::failed(says, "measure what your choice changes, and name the numbers: grader profile " +
                                     of_lab + " --case " + request.case_id + ", grader table " + of_lab);
}

/// A time in words with four digits: "1.234 ms". @param seconds the time
inline std::string time_words(double seconds) {
  const std::pair<double, const char*> units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}};
  for (const auto& [scale, name] : units) {
    if (seconds < scale && scale > 1e-9) continue;
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", seconds / scale);
    return std::string(text) + " " + name;
  }
  return {};
}

/// Requires that the kernels take at most `within` times as long as with the fastest of the macros in
/// `others`.
inline Judgement judge_near_best(const JudgeRequest& request, double within,
                                 const std::vector<Macros>& others) {
  if (!request.times) {
    JudgeWants wants;
    wants.times = others;
    return Judgement::wanting(wants);
  }
  const std::vector<double>& times = *request.times;
  const double own = times.empty() ? 0 : times.front();
  double best = 0;
  for (std::size_t i = 1; i < times.size(); ++i)
    if (times[i] > 0 && (best == 0 || times[i] < best)) best = times[i];
  if (own <= within * best || best == 0) return Judgement::passed();
  char ratios[96];
  std::snprintf(ratios, sizeof ratios, "%.2f times as long, of which at most %.2f are allowed.", own / best,
                within);
  return Judgement::failed("the kernel takes " + time_words(own) +
                               ", and with another combination of the macros " + time_words(best) +
                               " on this device: " + ratios,
                           "grader table " + request.lab + request.options + " --search");
}

}  // namespace lab
