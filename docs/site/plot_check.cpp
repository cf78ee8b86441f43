#include "plot_check.hpp"

#include <algorithm>
#include <cmath>
#include <regex>

namespace site {
namespace {

/// A label's box, in a frame in which the label's text is horizontal. If the text is rotated by 0 or 270 degrees, the
/// box can also be given in the plot's frame.
struct Label {
  std::string text;
  double rotation = 0;  ///< in degrees
  double left = 0, top = 0, right = 0, bottom = 0;
};

/// Returns the number of characters in a UTF-8 text.
double length_of(const std::string& text) {
  return static_cast<double>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<Label> labels_of(const std::string& svg) {
  static const std::regex form(
      "translate\\(([-0-9.]+),([-0-9.]+)\\)(?: rotate\\(([-0-9.]+)\\))?\"[^>]*font-size=\"([0-9.]+)\"[^>]*"
      "text-anchor=\"(start|middle|end)\">\\s*<text>([^\n]*)</text>");
  // Multiples of the font's size.
  constexpr double width_of_character = 0.55, ascent = 0.75, descent = 0.2;
  std::vector<Label> labels;
  for (std::sregex_iterator match(svg.begin(), svg.end(), form), end; match != end; ++match) {
    const auto number = [&](std::size_t group) { return std::stod((*match)[group].str()); };
    Label label;
    label.text = (*match)[6].str();
    label.text.erase(0, label.text.find_first_not_of(' '));
    if (label.text.empty()) continue;
    label.rotation = (*match)[3].matched ? number(3) : 0;
    const double turn = -label.rotation * std::acos(-1.0) / 180;
    const double x = number(1) * std::cos(turn) - number(2) * std::sin(turn);
    const double y = number(1) * std::sin(turn) + number(2) * std::cos(turn);
    const double size = number(4), width = width_of_character * size * length_of(label.text);
    const std::string anchor = (*match)[5].str();
    label.left = x - (anchor == "end" ? width : anchor == "middle" ? width / 2 : 0);
    label.right = label.left + width;
    label.top = y - ascent * size;
    label.bottom = y + descent * size;
    labels.push_back(label);
  }
  return labels;
}

}  // namespace

std::vector<std::string> overlapping_labels(const std::string& svg) {
  std::vector<std::string> overlaps;
  if (svg.find("gnuplot_canvas") == std::string::npos) return overlaps;
  const std::vector<Label> labels = labels_of(svg);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = i + 1; j < labels.size(); ++j) {
      const Label &a = labels[i], &b = labels[j];
      if (a.rotation == b.rotation && a.left < b.right && b.left < a.right && a.top < b.bottom &&
          b.top < a.bottom)
        overlaps.push_back("\"" + a.text + "\" lies over \"" + b.text + "\"");
    }
  }
  return overlaps;
}

}  // namespace site
