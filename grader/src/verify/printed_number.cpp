#include "verify/printed_number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/columns.hpp"

namespace grader {

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

}  // namespace grader
