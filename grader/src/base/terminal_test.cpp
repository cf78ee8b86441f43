#include "base/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "base/columns.hpp"

namespace grader {
namespace {

TEST(Columns, NumbersHaveTheirNoun) {
  EXPECT_EQ(how_many(1, "block"), "1 block");
  EXPECT_EQ(how_many(0, "block"), "0 blocks");
  EXPECT_EQ(how_many(2, "access", "accesses"), "2 accesses");
}

TEST(StyleTest, ColourOffGivesPlainText) {
  EXPECT_EQ(Style{}.bad("x"), "x");
  EXPECT_EQ((Style{true, 80}.bad("x")), "\x1b[31mx\x1b[0m");
  EXPECT_EQ((Style{true, 80}.good("")), "");
}

TEST(StyleTest, AFileHasNoColour) {
  const int file = open("/dev/null", O_WRONLY);
  EXPECT_FALSE(Style::detect(file).colour);
  EXPECT_EQ(Style::detect(file).width, 80);
  close(file);
}

/// A pseudo-terminal, which programs treat like any terminal.
struct Terminal {
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  int slave = -1;
  Terminal() {
    if (grantpt(master) == 0 && unlockpt(master) == 0) slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  }
  ~Terminal() {
    close(slave);
    close(master);
  }
};

TEST(StyleTest, ATerminalHasColourByDefault) {
  const Terminal terminal;
  if (terminal.slave < 0) GTEST_SKIP() << "no pseudo-terminals here";
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  EXPECT_TRUE(Style::detect(terminal.slave).colour);
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(Style::detect(terminal.slave).colour);
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(Style::detect(terminal.slave).colour);
  unsetenv("NO_COLOR");
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(Style::detect(terminal.slave).colour);
}

TEST(DisplayWidthTest, CountsColumns) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("128×128 µs –"), 12);
  EXPECT_EQ(display_width("e\u0301"), 1);
  EXPECT_EQ(display_width("行列"), 4);
  EXPECT_EQ(display_width(Style{true, 80}.good("ok")), 2);
  EXPECT_EQ(display_width("\xff\xfe"), 2);  // not UTF-8: each byte takes one column
  EXPECT_EQ(display_width("\xe2\x82"), 2);  // cut in the middle of a character
  EXPECT_EQ(display_width("\x1b["), 0);
}

TEST(WrapTest, BreaksAtBlanksAndIndentsTheRest) {
  EXPECT_EQ(wrap("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrap("one two three", 7, 2), "one two\n  three");
  EXPECT_EQ(wrap("", 7), "");
  EXPECT_EQ(wrap("   ", 7), "");
}

TEST(HangingTest, AnEmptyTextLeavesThePrefix) {
  EXPECT_EQ(hanging("Next: ", "", 40), "Next: ");
  EXPECT_EQ(hanging("Next: ", "   ", 40), "Next: ");
  EXPECT_EQ(hanging("Next: ", "do it", 40), "Next: do it");
}

TEST(WrapTest, KeepsLineBreaksLeadingBlanksAndLongWords) {
  EXPECT_EQ(wrap("a\n\n  b", 10), "a\n\n  b");
  EXPECT_EQ(wrap("a\nb", 10, 2), "a\n  b");
  EXPECT_EQ(wrap("a\nbbb ccc ddd", 9, 2), "a\n  bbb ccc\n  ddd");
  EXPECT_EQ(wrap("x /a/very/long/path y", 8), "x\n/a/very/long/path\ny");
}

TEST(WrapTest, NoLineIsLongerThanTheWidth) {
  const std::string text = wrap("aa bb cc dd ee\nff gg hh ii jj kk", 8, 3);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    EXPECT_LE(end - begin, 8u) << text;
    begin = end + 1;
  }
}

TEST(HumanTest, Times) {
  EXPECT_EQ(human_time(0), "0 ns");
  EXPECT_EQ(human_time(1.234e-3), "1.234 ms");
  EXPECT_EQ(human_time(0.99996), "1 s");
  EXPECT_EQ(human_time(0.99994e-3), "999.9 µs");
  EXPECT_EQ(human_time(0.999996e-3), "1 ms");
  EXPECT_EQ(human_time(61.25), "61.25 s");
  EXPECT_EQ(human_time(125), "2 min 5 s");
  EXPECT_EQ(human_time(7260), "2 h 1 min");
  EXPECT_EQ(human_time(std::nan("")), "–");
}

TEST(HumanTest, BytesAndRates) {
  EXPECT_EQ(human_bytes(256), "256 B");
  EXPECT_EQ(human_bytes(1000), "1000 B");
  EXPECT_EQ(human_bytes(64 * 1048576.0), "64 MiB");
  EXPECT_EQ(human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(human_rate(3.2e9), "3.2 GB/s");
  EXPECT_EQ(human_rate(4.27e12), "4270 GB/s");
  EXPECT_EQ(human_rate(4.27e14), "427000 GB/s");
}

TEST(ProgressLineTest, PrintsNothingWithoutATerminal) {
  ProgressLine line(false);
  line.update("building", 1, 3);
  line.clear();
}

}  // namespace
}  // namespace grader
