/// @file
/// Tests the command line: values are read correctly, and each mistake ends the program with one sentence and exit code
/// 2.
#include <gtest/gtest.h>
#include <lab/args.hpp>

namespace {

using ::testing::ExitedWithCode;

lab::Args declared() {
  lab::Args args("program", "does something");
  args.argument("n", "a size", "128").option("grid", "X,Y,Z", "blocks", "");
  args.reads({"M", "N"}).writes("P");
  return args;
}

lab::Args parsed(std::vector<const char*> words) {
  lab::Args args = declared();
  words.insert(words.begin(), "program");
  args.parse(static_cast<int>(words.size()), words.data());
  return args;
}

TEST(Args, WithoutWordsThePresetsHold) {
  const lab::Args args = parsed({});
  EXPECT_EQ(args.integer("n", 1, 1000), 128);
  EXPECT_FALSE(args.has("grid"));
  EXPECT_TRUE(args.inputs().empty());
  EXPECT_EQ(args.output(), "");
  EXPECT_EQ(args.seed(), 1u);
}

TEST(Args, ReadsEveryForm) {
  const lab::Args args = parsed({"37", "--input", "a.npy", "--input=b.npy", "--output", "p.npy", "--seed",
                                 "18446744073709551615", "--grid=2,3"});
  EXPECT_EQ(args.integer("n", 1, 1000), 37);
  EXPECT_EQ(args.inputs(), (std::vector<std::string>{"a.npy", "b.npy"}));
  EXPECT_EQ(args.output(), "p.npy");
  EXPECT_EQ(args.seed(), 18446744073709551615u);
  EXPECT_EQ(args.integers("grid", 3, 0, 10), (std::vector<std::int64_t>{2, 3}));
}

TEST(Args, ANegativeSizeIsAnArgumentAndNotAnOption) {
  EXPECT_EXIT(parsed({"-3"}).integer("n", 1, 10), ExitedWithCode(2), "n must be at least 1, but is -3");
}

TEST(Args, AWrongSizeIsASentence) {
  EXPECT_EXIT(parsed({"abc"}).integer("n", 1, 10), ExitedWithCode(2),
              "n must be a whole number of at least 1, but is 'abc'");
  EXPECT_EXIT(parsed({"12x"}).integer("n", 1, 10), ExitedWithCode(2), "but is '12x'");
  EXPECT_EXIT(parsed({"1.5"}).integer("n", 1, 10), ExitedWithCode(2), "but is '1.5'");
  EXPECT_EXIT(parsed({""}).integer("n", 1, 10), ExitedWithCode(2), "but is ''");
  EXPECT_EXIT(parsed({"0"}).integer("n", 1, 10), ExitedWithCode(2), "at least 1, but is 0");
  EXPECT_EXIT(parsed({"11"}).integer("n", 1, 10, "a reason"), ExitedWithCode(2),
              "at most 10 \\(a reason\\), but is 11");
  EXPECT_EXIT(parsed({"99999999999999999999999"}).integer("n", 1, 10), ExitedWithCode(2), "at most 10");
}

TEST(Args, AWrongNumberIsASentence) {
  EXPECT_EQ(parsed({"0.25"}).real("n", 0, 1), 0.25);
  EXPECT_EQ(parsed({"1e-3"}).real("n", 0, 1), 0.001);
  EXPECT_EXIT(parsed({"wide"}).real("n", 0, 1), ExitedWithCode(2),
              "n must be a number such as 0.5, but is 'wide'");
  EXPECT_EXIT(parsed({"0.5x"}).real("n", 0, 1), ExitedWithCode(2), "but is '0.5x'");
  EXPECT_EXIT(parsed({"nan"}).real("n", 0, 1), ExitedWithCode(2), "but is 'nan'");
  EXPECT_EXIT(parsed({"-0.5"}).real("n", 0, 1), ExitedWithCode(2), "n must be at least 0, but is -0.5");
  EXPECT_EXIT(parsed({"inf"}).real("n", 0, 1), ExitedWithCode(2), "n must be at most 1, but is inf");
}

TEST(Args, AWrongListIsASentence) {
  EXPECT_EXIT(parsed({"--grid", "1,,2"}).integers("grid", 3, 0, 9), ExitedWithCode(2), "each number of grid");
  EXPECT_EXIT(parsed({"--grid", "1,2,"}).integers("grid", 3, 0, 9), ExitedWithCode(2), "but is ''");
  EXPECT_EXIT(parsed({"--grid", "1,2,3,4"}).integers("grid", 3, 0, 9), ExitedWithCode(2),
              "at most 3 numbers");
}

TEST(Args, WordsBehindTheArgumentsAreTheRestWhereItIsDeclared) {
  lab::Args args("program", "does something");
  args.argument("n", "a size", "128").rest("file", "what to read").option("grid", "X", "blocks", "");
  const char* const words[] = {"program", "7", "a.txt", "--grid", "3", "b.txt", "a.txt"};
  args.parse(7, words);
  EXPECT_EQ(args.integer("n", 1, 10), 7);
  EXPECT_EQ(args.words(), (std::vector<std::string>{"a.txt", "b.txt", "a.txt"}));
  EXPECT_EXIT(parsed({"7", "a.txt"}), ExitedWithCode(2), "unexpected argument 'a.txt'");
}

lab::Args parsed_with_letters(std::vector<const char*> words) {
  lab::Args args("program", "does something");
  args.argument("n", "a size", "128").flag("synchronise", "wait").reads({"M"}).writes("P");
  args.letter('S', "synchronise").letter('i', "input").letter('o', "output");
  words.insert(words.begin(), "program");
  args.parse(static_cast<int>(words.size()), words.data());
  return args;
}

TEST(Args, LettersAreShortOptions) {
  const lab::Args args = parsed_with_letters({"-S", "-i", "a.bin", "-o", "b.bin", "7"});
  EXPECT_TRUE(args.has("synchronise"));
  EXPECT_EQ(args.inputs(), std::vector<std::string>{"a.bin"});
  EXPECT_EQ(args.output(), "b.bin");
  EXPECT_EQ(args.integer("n", 1, 10), 7);
}

TEST(Args, AFlagIsGivenOrNot) {
  EXPECT_FALSE(parsed_with_letters({"3"}).has("synchronise"));
  EXPECT_TRUE(parsed_with_letters({"--synchronise", "3"}).has("synchronise"));
  EXPECT_EXIT(parsed_with_letters({"--synchronise=3"}), ExitedWithCode(2), "--synchronise takes no value");
}

TEST(Args, ALetterWithoutItsValueOrUnknownIsRefused) {
  EXPECT_EXIT(parsed_with_letters({"-i"}), ExitedWithCode(2), "--input needs a value");
  EXPECT_EXIT(parsed_with_letters({"-x"}).integer("n", 1, 10), ExitedWithCode(2), "but is '-x'");
}

TEST(Args, UndeclaredOptionsAreRefused) {
  EXPECT_EXIT(parsed({"1", "2"}), ExitedWithCode(2), "unexpected argument '2'");
  EXPECT_EXIT(parsed({"--block", "1"}), ExitedWithCode(2), "unknown option --block");
  EXPECT_EXIT(parsed({"--output"}), ExitedWithCode(2), "--output needs a value");
  EXPECT_EXIT(parsed({"--input", "a.npy"}), ExitedWithCode(2), "given once, but is needed 2 times: M, N");
  EXPECT_EXIT(parsed({"--seed", "-1"}), ExitedWithCode(2), "--seed must be a whole number");
  EXPECT_EXIT(parsed({"--seed", "18446744073709551616"}), ExitedWithCode(2), "--seed must be a whole number");
}

TEST(Args, EveryMistakeNamesTheNextStep) {
  EXPECT_EXIT(parsed({"--nonsense", "1"}), ExitedWithCode(2), "Try: program --help");
}

TEST(Args, HelpListsEverything) {
  testing::internal::CaptureStdout();
  EXPECT_EXIT(parsed({"--help"}), ExitedWithCode(0), "");
  testing::internal::GetCapturedStdout();
}

}  // namespace
