/// @file
/// Tests files of matrices, which are written and then read by each parser, or refused with the faulty line; and
/// generated matrices.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "matrices.hpp"

namespace {

using ::testing::ExitedWithCode;
namespace fs = std::filesystem;

struct MatrixFiles : testing::Test {
  fs::path folder =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
  MatrixFiles() { fs::create_directories(folder); }
  ~MatrixFiles() override { fs::remove_all(folder); }

  std::string with(const std::string& text) const {
    const std::string path = (folder / "matrices.txt").string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
};

std::vector<int> drawn(int m, int n, std::uint64_t seed = 1) {
  lab::Random random(seed);
  return lab::draw_matrices(random, m, n);
}

/// The text after the count and its separator, parsed by blocks or by words.
bool parsed(const std::string& text, std::size_t numbers, std::size_t count, std::vector<int>& values,
            bool words) {
  values.assign(numbers * count, 77);
  const char* const end = text.data() + text.size();
#ifdef __SSE2__
  if (!words)
    return lab::detail::BlockParser(numbers, count, values.data(), {numbers, 1}).parse(text.data(), end);
#endif
  (void)words;
  return lab::detail::parse_by_words(text.data(), end, numbers, count, values.data(), {numbers, 1});
}

TEST_F(MatrixFiles, EachStyleIsReadAgain) {
  const std::vector<int> values = drawn(37, 4);
  for (const auto style : {lab::TextStyle::plain, lab::TextStyle::unicode, lab::TextStyle::loose}) {
    lab::write_matrices(with(""), 37, 4, values.data(), style);
    EXPECT_EQ(lab::read_matrices((folder / "matrices.txt").string(), 4), values);
  }
}

TEST_F(MatrixFiles, TheExampleOfTheFormat) {
  const auto path = with("2\n***\n1 1 2\n3 5 8\n13 21 34\n***\n\n2 3 5\n7 11 13\n17 19 23");
  EXPECT_EQ(lab::minimum_of(lab::read_matrices(path, 3), 3),
            (std::vector<int>{1, 1, 2, 3, 5, 8, 13, 19, 23}));
}

TEST_F(MatrixFiles, ErrorsAreNamedWithTheirLine) {
  const struct {
    const char *text, *says;
  } wrong[] = {
      {"", "is empty"},
      {"two\n***\n", "line 1: expected a whole number, but there is 'two'"},
      {"0\n***\n", "line 1: the count of matrices must be at least 1"},
      {"2\n1 2\n3 4\n", "line 2: a separator .* is expected after the count"},
      {"2\n***\n1 2\n3 4\n5 6\n7 8\n***\n", "line 5: a separator .* is missing after matrix 1: there is '5'"},
      {"2\n***\n1 2\n3 4\n***\n5 6\n7\n", "line 8: the file ends too early: matrix 2 of 2 has 3 numbers"},
      {"2\n***\n1 2\n3\n***\n5 6\n7 8\n", "line 5: matrix 1 of 2 has 3 numbers, but 2×2 need 4"},
      {"1\n***\n1 2\n3 2147483648\n", "line 4: 2147483648 is not an int"},
      {"1\n***\n1 2\n-2147483649 4\n", "line 4: -2147483649 is not an int"},
      {"1\n***\n1 2\n3 4x\n", "line 4: expected a whole number, but there is '4x'"},
      {"1\n***\n1 2\n3 4.0\n", "line 4: expected a whole number, but there is '4.0'"},
      {"3\n***\n1 2\n3 4\n***\n5 6\n7 8\n***\n", "line 9: the file ends after matrix 2, .* there are 3"},
      {"1\n***\n1 2\n3 4\n***\n5 6\n7 8\n", "line 6: the file continues after matrix 1"},
  };
  for (const auto& [text, says] : wrong)
    EXPECT_EXIT(lab::read_matrices(with(text), 2), ExitedWithCode(lab::exit_usage), says) << text;
  EXPECT_EXIT(lab::read_matrices((folder / "none").string(), 2), ExitedWithCode(lab::exit_usage),
              "can't be opened");
  EXPECT_EXIT(lab::read_matrices(folder.string(), 2), ExitedWithCode(lab::exit_usage), "give a file");
}

TEST_F(MatrixFiles, AReaderThatRefusesARightFileIsWrongItself) {
  EXPECT_EXIT(lab::refuse_matrices(with("1\n***\n1 2\n3 4\n"), 2), ExitedWithCode(lab::exit_failed),
              "a mistake in the reader");
}

/// Tests numbers of every length at every place of a block; white space moves them to these places.
TEST(MatrixParsers, TakeEveryNumberAtEveryPlace) {
  const std::vector<int> values = {0,
                                   -1,
                                   12,
                                   -345,
                                   999,
                                   -999,
                                   7,
                                   -80,
                                   6789,
                                   -98765,
                                   123456,
                                   -7654321,
                                   12345678,
                                   -987654321,
                                   1234567890,
                                   2147483647,
                                   std::numeric_limits<int>::min(),
                                   -12345678,
                                   99999999,
                                   100000000};
  std::vector<int> got;
  for (std::size_t shift = 0; shift < 130; ++shift) {
    for (const char* tail : {"", "\n***", "\n***\r\n \t\n"}) {
      std::string text(shift, ' ');
      for (std::size_t k = 0; k < 3; ++k) {
        for (const int value : values) text += std::to_string(value) + (value % 2 == 0 ? " " : "\n");
        if (k < 2) text += "***\n\n";
      }
      text += tail;
      std::vector<int> expected;
      for (int k = 0; k < 3; ++k) expected.insert(expected.end(), values.begin(), values.end());
      for (const bool words : {false, true}) {
        ASSERT_TRUE(parsed(text, values.size(), 3, got, words)) << shift << tail << words;
        ASSERT_EQ(got, expected) << shift << tail << words;
      }
    }
  }
}

/// Tests texts with more words than the block parser's list has room for.
TEST(MatrixParsers, TakeManyMatrices) {
  for (const int numbers : {1, 3, 9, 1500}) {
    std::string text;
    std::vector<int> expected, got;
    for (int k = 0; k < 700; ++k) {
      for (int p = 0; p < numbers; ++p) {
        expected.push_back((k * 7919 + p * 104729) % 1100 - 100);
        text += std::to_string(expected.back()) + " ";
      }
      text += "***\n";
    }
    for (const bool words : {false, true}) {
      ASSERT_TRUE(parsed(text, static_cast<std::size_t>(numbers), 700, got, words)) << numbers;
      EXPECT_EQ(got, expected) << numbers;
    }
  }
}

constexpr const char* no_matrices[] = {"1 2 *** 3",
                                       "1 2 *** 3 4 5",
                                       "1 2 3 4",
                                       "1 2 ** 3 4",
                                       "1 2 **** 3 4",
                                       "1 2 *** *** 3 4",
                                       "1 2*** 3 4",
                                       "1 2 ***3 4",
                                       "1 - *** 3 4",
                                       "1 2- *** 3 4",
                                       "1 --2 *** 3 4",
                                       "1 2 *** 3 x",
                                       "1 2 *** 3 4.5",
                                       "1 2",
                                       "1 2 *** 3 2147483648",
                                       "1 2 *** 3 -2147483649",
                                       "1 2 *** 3 99999999999999999999",
                                       "1 2 *** 3 4 *** 5 6",
                                       "1 2 *** 3 4 5",
                                       ""};

TEST(MatrixParsers, RefuseWhatIsNoMatrix) {
  std::vector<int> got;
  for (const char* text : no_matrices) {
    EXPECT_FALSE(parsed(text, 2, 2, got, false)) << text;
    EXPECT_FALSE(parsed(text, 2, 2, got, true)) << text;
  }
}

// Among hundreds of short numbers, the parser processes four words at once.
TEST(MatrixParsers, RefuseItAmongRightOnes) {
  std::vector<int> got;
  std::string right;
  for (int i = 0; i < 60; ++i) right += std::to_string(i % 7 - 3) + " 12\n***\n";
  ASSERT_TRUE(parsed(right + right, 2, 120, got, false));
  ASSERT_TRUE(parsed(right + "5 6 *** 7 8 ***\n" + right, 2, 122, got, false));
  for (const char* text : no_matrices)
    EXPECT_FALSE(parsed(right + text + " ***\n" + right, 2, 122, got, false)) << text;
}

// For every changed byte: if the block parser accepts the text, the parser by words reads the same numbers.
TEST(MatrixParsers, AgreeOnDamagedText) {
  lab::Random random(3);
  std::string right;
  for (int k = 0; k < 40; ++k) {
    for (int p = 0; p < 9; ++p)
      right += std::to_string(random.integer(-120, 1200)) + (p % 3 == 2 ? "\n" : " ");
    right += "***\n";
  }
  constexpr char bytes[] = "0123456789-* \n\t\r.x\0";
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = right;
    const auto at = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(text.size()) - 1));
    text[at] = bytes[random.integer(0, sizeof bytes - 2)];
    std::vector<int> got, expected;
    if (!parsed(text, 9, 40, got, false)) continue;
    ++taken;
    ASSERT_TRUE(parsed(text, 9, 40, expected, true)) << text;
    ASSERT_EQ(got, expected) << text;
  }
  EXPECT_GT(taken, 1000);
}

TEST(MatrixParsers, PutNumbersWhereTheStridesSay) {
  const std::string text = " 1 2 *** 3 4 *** 5 6";
  std::vector<int> got(6);
  ASSERT_TRUE(lab::parse_matrices(text.data(), text.data() + text.size(), 2, 3, got.data(), {1, 3}));
  EXPECT_EQ(got, (std::vector<int>{1, 3, 5, 2, 4, 6}));
}

TEST(MatrixParsers, SeparatorsAreCountedAtEveryPosition) {
  for (const std::string separator : {"***", "\u2217\u2217\u2217"}) {
    for (std::size_t filler = 0; filler < 40; ++filler) {
      // The text is longer than one counting round, and ends at every possible distance after it.
      std::string text = separator;
      std::size_t count = 1;
      while (text.size() < 9000) {
        text += std::string(1 + filler, filler % 2 == 0 ? ' ' : '7') + "\n" + separator;
        ++count;
      }
      text += std::string(filler, ' ');
      EXPECT_EQ(lab::count_separators(text.data(), text.data() + text.size()), count) << filler;
    }
  }
  EXPECT_EQ(lab::count_separators(nullptr, nullptr), 0u);
}

TEST(MatrixParsers, ABlockParserLeavesOtherSeparatorsToWords) {
  const std::string text = "1 2 \u2217\u2217\u2217 3 4";
  std::vector<int> got(4);
  ASSERT_TRUE(lab::parse_matrices(text.data(), text.data() + text.size(), 2, 2, got.data(), {2, 1}));
  EXPECT_EQ(got, (std::vector<int>{1, 2, 3, 4}));
}

TEST(MatricesDrawn, EveryMatrixHasAMinimumWherePositionsAreEnough) {
  const std::vector<int> values = drawn(64, 8), minimum = lab::minimum_of(values, 8);
  std::set<std::size_t> with_minimum;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] == minimum[i % 64]) with_minimum.insert(i / 64);
  EXPECT_EQ(with_minimum.size(), 64U);
}

TEST(MatricesDrawn, FirstAndLastHaveOneAndEveryOtherMinimumIsPositive) {
  for (const int m : {2, 1000, 120000}) {
    const std::vector<int> values = drawn(m, 3), minimum = lab::minimum_of(values, 3);
    bool first = false, last = false;
    for (std::size_t p = 0; p < 9; ++p) {
      EXPECT_EQ(minimum[p] > 0, p % 2 == 1);
      first = first || values[p] == minimum[p];
      last = last || values[values.size() - 9 + p] == minimum[p];
    }
    EXPECT_TRUE(first && last) << m;
  }
}

}  // namespace
