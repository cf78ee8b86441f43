// Tests the parser on a made-up command with an option of each kind: its values, and the message for each mistake.
#include "cli/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/test_folder.hpp"
#include "cli/cli_session.hpp"
#include "cli/help.hpp"

namespace grader {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

struct Values {
  bool fast = false;
  std::string lab, form, config, last_word;
  std::optional<std::string> text;
  std::vector<std::string> names, rest;
  int part = 0;
  std::optional<int> level;
  std::int64_t id = 0;
  std::optional<double> budget;
};

class ParseTest : public testing::Test {
 protected:
  /// Parses the words, separated by blanks.
  Parsed parse_line(const std::string& line) {
    std::vector<std::string> words;
    std::istringstream in(line);
    for (std::string word; in >> word;) words.push_back(word);
    return parse(command, words, session);
  }

  /// The error message for the words.
  std::string refused(const std::string& line) {
    try {
      parse_line(line);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::usage);
      EXPECT_EQ(e.next_step(), "grader try --help");
      EXPECT_THAT(std::string(".?"),
                  HasSubstr(std::string(e.what()).substr(std::string(e.what()).size() - 1)));
      return e.what();
    }
    ADD_FAILURE() << "accepted: " << line;
    return {};
  }

  Values v;
  Session session;
  Command command{
      .name = "try",
      .summary = "Try everything",
      .options = {
          {.names = "LAB", .type = "LAB", .help = "a lab", .value = &v.lab, .required = true},
          {.names = "NAMES", .type = "NAME", .help = "names", .value = &v.names},
          {.names = "--", .type = "WORDS", .help = "for the program", .value = &v.rest},
          {.names = "--fast", .help = "quickly", .value = &v.fast},
          {.names = "-t,--text", .type = "TEXT", .help = "some text", .value = &v.text},
          {.names = "--form",
           .type = "FORM",
           .help = "md or csv",
           .value = &v.form,
           .choices = {"md", "csv"}},
          {.names = "--config", .type = "FILE", .help = "a file", .value = &v.config, .existing_file = true},
          {.names = "-p,--part",
           .type = "N",
           .help = "a part",
           .value = &v.part,
           .positive = true,
           .most = 9},
          {.names = "-l,--level", .type = "N", .help = "a level", .value = &v.level},
          {.names = "--id", .type = "N", .help = "a number", .value = &v.id, .positive = true},
          {.names = "--budget",
           .type = "SECONDS",
           .help = "time",
           .value = &v.budget,
           .positive = true,
           .excludes = {"--fast"}},
          {.names = "--tell",
           .type = "DIR",
           .help = "a folder",
           .value = [this](const std::string& word) { v.last_word = word; }},
          {.names = "-v,--verbose", .help = "more", .value = &Session::verbose}}};
};

TEST_F(ParseTest, EveryKindOfValue) {
  EXPECT_EQ(
      parse_line("lab1.1 a b -p 9 --level=-2 --id 5000000000 --budget 2.5 --form csv --tell /x -t two -v"),
      Parsed::to_run);
  EXPECT_EQ(v.lab, "lab1.1");
  EXPECT_THAT(v.names, ElementsAre("a", "b"));
  EXPECT_EQ(v.part, 9);
  EXPECT_EQ(v.level, -2);
  EXPECT_EQ(v.id, 5000000000);
  EXPECT_EQ(v.budget, 2.5);
  EXPECT_EQ(v.form, "csv");
  EXPECT_EQ(v.last_word, "/x");
  EXPECT_EQ(v.text, "two");
  EXPECT_FALSE(v.fast);
  EXPECT_TRUE(session.verbose);
}

TEST_F(ParseTest, MissingOptionsKeepTheirValues) {
  v.form = "md";
  parse_line("lab1.1 --fast --fast");
  EXPECT_TRUE(v.fast);
  EXPECT_EQ(v.form, "md");
  EXPECT_FALSE(v.text);
  EXPECT_FALSE(v.level);
  EXPECT_THAT(v.rest, ElementsAre());
  EXPECT_FALSE(session.verbose);
}

TEST_F(ParseTest, AnEmptyValueIsAValue) {
  parse(command, {"lab1.1", "--text", ""}, session);
  EXPECT_EQ(v.text, "");
}

TEST_F(ParseTest, BehindTwoDashesNothingIsAnOption) {
  parse_line("lab1.1 -- 128 --fast -- --help");
  EXPECT_EQ(v.lab, "lab1.1");
  EXPECT_THAT(v.rest, ElementsAre("128", "--fast", "--", "--help"));
  EXPECT_FALSE(v.fast);
}

TEST_F(ParseTest, WithoutARestTwoDashesEndTheOptions) {
  std::erase_if(command.options, [](const Option& option) { return option.is_rest(); });
  parse_line("-- lab1.1 --fast");
  EXPECT_EQ(v.lab, "lab1.1");
  EXPECT_THAT(v.names, ElementsAre("--fast"));
  EXPECT_FALSE(v.fast);
}

TEST_F(ParseTest, HelpWinsOverMistakes) {
  EXPECT_EQ(parse_line("--help"), Parsed::to_help);
  EXPECT_EQ(parse_line("-h --nonsense"), Parsed::to_help);
}

TEST_F(ParseTest, UnknownOptions) {
  EXPECT_EQ(refused("lab1.1 --fats"), "grader try has no option --fats. Did you mean --fast?");
  EXPECT_EQ(refused("lab1.1 --frm=md"), "grader try has no option --frm. Did you mean --form?");
  EXPECT_EQ(refused("lab1.1 -q"), "grader try has no option -q.");
}

TEST_F(ParseTest, WordsTooMany) {
  std::erase_if(command.options, [](const Option& option) { return option.takes_many(); });
  EXPECT_EQ(refused("lab1.1 twice"), "\"twice\" is one word too many for grader try.");
  EXPECT_THAT(refused("lab1.1 fast"), HasSubstr("Did you mean --fast?"));
}

TEST_F(ParseTest, MissingValues) {
  EXPECT_EQ(refused("--fast"), "LAB is missing: a lab.");
  EXPECT_EQ(refused("lab1.1 --form"), "--form needs a value, FORM: md or csv.");
  EXPECT_EQ(refused("lab1.1 -vp"), "--part needs a value, N: a part.");
}

TEST_F(ParseTest, ValuesThatCanNotBe) {
  EXPECT_EQ(refused("lab1.1 -p 0"), "--part takes a whole number from 1 to 9, not \"0\".");
  EXPECT_EQ(refused("lab1.1 -p 10"), "--part takes a whole number from 1 to 9, not \"10\".");
  EXPECT_EQ(refused("lab1.1 -l 1.5"), "--level takes a whole number, not \"1.5\".");
  EXPECT_EQ(refused("lab1.1 -l 99999999999"), "--level takes a whole number, not \"99999999999\".");
  EXPECT_EQ(refused("lab1.1 --id -1"), "--id takes a whole number from 1 on, not \"-1\".");
  EXPECT_EQ(refused("lab1.1 --budget nan"), "--budget takes a number above 0, not \"nan\".");
  EXPECT_EQ(refused("lab1.1 --form cvs"), "--form takes md or csv, not \"cvs\". Did you mean csv?");
  EXPECT_EQ(refused("lab1.1 --config /nowhere"), "--config names a file that is not there: /nowhere.");
  EXPECT_EQ(refused("lab1.1 --fast=no"), "--fast takes no value.");
}

TEST_F(ParseTest, OptionsThatDoNotGoTogether) {
  EXPECT_EQ(refused("lab1.1 --budget 1 --fast"), "--budget and --fast can't be used together.");
  EXPECT_EQ(refused("lab1.1 --level 1 -l 2"), "--level is given 2 times; it takes one value.");
}

TEST_F(ParseTest, AFileThatIsThere) {
  const TestFolder folder;
  std::ofstream(folder.path / "config") << "x";
  parse(command, {"lab1.1", "--config", (folder.path / "config").string()}, session);
  EXPECT_EQ(v.config, (folder.path / "config").string());
}

TEST_F(ParseTest, TheHelpOfTheCommand) {
  const std::string help = help_of(command);
  EXPECT_THAT(help, StartsWith("Try everything\nUsage: grader try [OPTIONS] LAB [NAMES...] [-- WORDS...]\n"));
  EXPECT_THAT(help, HasSubstr("\n  -- WORDS...           for the program\n"));
  EXPECT_THAT(help, HasSubstr("\n  -l,--level N          a level\n"));
}

}  // namespace
}  // namespace grader
