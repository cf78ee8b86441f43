// Tests plots whose labels overlap, in SVG as gnuplot writes it.
#include "plot_check.hpp"

#include <gtest/gtest.h>

namespace {

std::string label(const std::string& at, const std::string& anchor, const std::string& text) {
  return "<g transform=\"" + at +
         "\" stroke=\"none\" fill=\"black\" font-family=\"sans-serif\" font-size=\"13.00\"  text-anchor=\"" +
         anchor + "\">\n\t\t<text>" + text + "</text>\n</g>\n";
}

std::vector<std::string> overlaps(const std::string& labels) {
  return site::overlapping_labels("<svg><g id=\"gnuplot_canvas\">" + labels + "</g></svg>");
}

TEST(PlotCheck, LabelsApartAreFine) {
  EXPECT_TRUE(overlaps(label("translate(100,50)", "end", "10 ms") +
                       label("translate(100,70)", "end", "1 ms") +
                       label("translate(104,50)", "start", "expert"))
                  .empty());
}

TEST(PlotCheck, ALabelOverAnotherIsNamed) {
  const auto found = overlaps(label("translate(100,50)", "middle", "65,536") +
                              label("translate(120,52)", "middle", "131,072"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], "\"65,536\" lies over \"131,072\"");
}

TEST(PlotCheck, RotatedLabelsAreComparedAlongTheirLine) {
  const std::string first = label("translate(20,400) rotate(270.00)", "middle", "Time of a step");
  EXPECT_TRUE(overlaps(first + label("translate(20,100) rotate(270.00)", "middle", "Speed-up")).empty());
  EXPECT_EQ(overlaps(first + label("translate(20,380) rotate(270.00)", "middle", "Speed-up")).size(), 1u);
}

TEST(PlotCheck, ADrawingByHandIsNotRead) {
  EXPECT_TRUE(
      site::overlapping_labels(label("translate(1,1)", "start", "a") + label("translate(1,1)", "start", "b"))
          .empty());
}

}  // namespace
