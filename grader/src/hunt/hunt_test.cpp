// Tests lines, boxes and answers without running a program, and the texts in hunts/ without a compiler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "hunt/game.hpp"

namespace grader {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Hunts kit_hunts() {
  return read_hunts(fs::path(KIT_SOURCE_DIR) / "hunts");
}

std::vector<std::string> texts(const std::vector<ChangedLines>& changed) {
  std::vector<std::string> out;
  for (const ChangedLines& one : changed)
    out.push_back((one.gap ? "gap " : "") + std::to_string(one.first) + "-" + std::to_string(one.last));
  return out;
}

TEST(HuntLines, AreThoseThatDifferOrLieAroundAGap) {
  EXPECT_THAT(texts(lines_changed("a\nb\nc\n", "a\nx\nc\n")), ElementsAre("2-2"));
  EXPECT_THAT(texts(lines_changed("a\nb\nc\n", "a\nc\n")), ElementsAre("gap 1-2"));
  EXPECT_THAT(texts(lines_changed("a\nb\nc\nd\n", "a\nx\nc\ny\n")), ElementsAre("2-2", "4-4"));
  EXPECT_THAT(texts(lines_changed("a\nb\n", "a\nx\ny\nb\n")), ElementsAre("2-3"));
  EXPECT_THAT(texts(lines_changed("a\nb\n", "a\nb\n")), IsEmpty());
}

TEST(HuntLines, LeaveOutCommentsAndBlankLinesAroundAGap) {
  EXPECT_THAT(texts(lines_changed("a\n// why\nb\n\nc\n", "a\n// why\n\nc\n")), ElementsAre("gap 1-4"));
}

struct Judged : testing::Test {
  HuntProgram program{"p", "", "", "", {}, {}, {}};
  HuntMistake mistake;
  Planted planted{&program, &mistake, 0, {}, "", "", {}};
  Trial trial;

  void finds(const std::string& rule, const std::vector<unsigned>& lines) {
    Finding finding;
    finding.rule = rule;
    for (const unsigned line : lines) {
      FindingParty party;
      party.file = "p.cu";
      party.line = line;
      finding.parties.push_back(party);
    }
    trial.findings = {finding};
  }
  std::string answers(unsigned last) const {
    std::string out;
    for (unsigned line = 1; line <= last; ++line) {
      const Answered answered = judge_line(planted, trial, line);
      out += answered == Answered::right ? 'r' : answered == Answered::shows ? 's' : '.';
    }
    return out;
  }
};

TEST_F(Judged, TheLineOfAnAccessOnlyShowsAMistakeElsewhere) {
  planted.changed = {{3, 3, false}};
  finds("out-of-bounds", {6});
  EXPECT_EQ(answers(8), "..r..s..");
}

TEST_F(Judged, AMissingBarrierBelongsAnywhereBetweenTheAccesses) {
  planted.changed = {{4, 5, true}};
  finds("race", {3, 7});
  EXPECT_EQ(answers(8), "..rrrrr.");
}

TEST_F(Judged, AMissingBarrierAtTheEndOfALoopIsThereOrAtAnAccess) {
  planted.changed = {{6, 7, true}};
  finds("race", {3, 6});
  EXPECT_EQ(answers(8), "..r..rr.");
}

TEST_F(Judged, AWrongResultHasTheChangedLineAlone) {
  planted.changed = {{3, 3, false}};
  EXPECT_EQ(answers(5), "..r..");
}

TEST(HuntClue, TakesEveryRacingPairInBothOrders) {
  Clue clue;
  clue.about = Clue::About::threads;
  clue.example = "3 17";
  const ThreadName three{{0, 0, 0}, {3, 0, 0}}, nine{{0, 0, 0}, {9, 0, 0}};
  clue.pairs = {{three, nine}, {nine, three}};
  for (const char* text : {"3 9", "9 3", "3,9", " 3 , 9 ", "(3,0,0) (9,0,0)", "0:3 0:9"})
    EXPECT_EQ(judge_clue(clue, text), Answered::right) << text;
  EXPECT_EQ(judge_clue(clue, "3 8"), Answered::wrong);
  EXPECT_EQ(judge_clue(clue, "1:3 1:9"), Answered::wrong);
  for (const char* text : {"", "3", "three nine", "3 9 4", "-3 9"})
    EXPECT_THROW(judge_clue(clue, text), Error) << text;
  clue.blocks_differ = true;
  EXPECT_THROW(judge_clue(clue, "3 9"), Error);
}

TEST(HuntClue, TakesAnElementBeforeTheArray) {
  Clue clue;
  clue.about = Clue::About::element;
  clue.element = -1;
  EXPECT_EQ(judge_clue(clue, "-1"), Answered::right);
  EXPECT_EQ(judge_clue(clue, "1"), Answered::wrong);
  EXPECT_THROW(judge_clue(clue, "a[1]"), Error);
}

std::vector<PastHunt> past(const std::string& results) {
  std::vector<PastHunt> out;
  for (std::size_t i = 0; i + 1 < results.size(); i += 2)
    out.push_back({"p", "m", std::string(1, results[i]), results[i + 1] == '+'});
  return out;
}

TEST(HuntBoxes, MoveUpOneByOneAndBackToTheFirst) {
  EXPECT_EQ(box_of(past(""), "a").box, 1);
  EXPECT_EQ(box_of(past("a+"), "a").box, 2);
  EXPECT_EQ(box_of(past("a+a+a+a+a+a+"), "a").box, 5);
  EXPECT_EQ(box_of(past("a+a+a-"), "a").box, 1);
  EXPECT_EQ(box_of(past("b-b-"), "a").hunts, 0u);
}

TEST(HuntBoxes, RestLongerTheHigherTheyAre) {
  EXPECT_EQ(box_of(past("a-"), "a").due, 1);
  EXPECT_EQ(box_of(past("a-b+"), "a").due, 0);
  EXPECT_EQ(box_of(past("a+"), "a").due, 3);
  EXPECT_EQ(box_of(past("a+b+b+b+"), "a").due, 0);
}

TEST(HuntBoxes, AMissedKindComesAgainAfterOneOther) {
  const Hunts hunts = kit_hunts();
  std::vector<PastHunt> all = {{"reverse", "no-barrier", "barrier", false}};
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_NE(draw_hunt(hunts, all, "", "", seed).mistake->kind, "barrier");
  all.push_back({"reverse", "from-n", "guard", true});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Planted next = draw_hunt(hunts, all, "", "", seed);
    EXPECT_EQ(next.mistake->kind, "barrier");
    EXPECT_NE(next.key().substr(0, 21), "no-barrier of reverse");
  }
}

TEST(HuntBoxes, MeetEveryKindInTime) {
  const Hunts hunts = kit_hunts();
  std::vector<PastHunt> all;
  std::set<std::string> met;
  for (std::size_t i = 0; i < hunts.kinds.size() * 4 && met.size() < hunts.kinds.size(); ++i) {
    const Planted next = draw_hunt(hunts, all, "", "", i);
    all.push_back({next.program->name, next.mistake->name, next.mistake->kind, true});
    met.insert(next.mistake->kind);
  }
  EXPECT_EQ(met.size(), hunts.kinds.size());
}

TEST(HuntTexts, HoldEachMistakeInEachVariant) {
  const Hunts hunts = kit_hunts();
  EXPECT_GE(hunts.programs.size(), 30u);
  for (const HuntProgram& program : hunts.programs) {
    EXPECT_GE(program.mistakes.size(), 3u) << program.name;
    for (const HuntMistake& mistake : program.mistakes) {
      std::set<std::string> variants;
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Planted planted = plant(program, mistake, seed);
        EXPECT_THAT(planted.changed, testing::Not(IsEmpty())) << planted.key();
        variants.insert(planted.wrong);
      }
      EXPECT_GT(variants.size(), 1u) << program.name << ": no size and no name differs";
    }
  }
}

/// If a new name was already used in the program, it would change the program's meaning.
TEST(HuntTexts, TakeOtherNamesThatAreFree) {
  for (const HuntProgram& program : kit_hunts().programs)
    for (const auto& names : program.names)
      for (std::size_t i = 1; i < names.size(); ++i) {
        std::string word;
        for (const char c : program.text + " ") {
          if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            word += c;
            continue;
          }
          EXPECT_NE(word, names[i]) << program.name;
          word.clear();
        }
      }
}

TEST(HuntTexts, HaveEveryKind) {
  const Hunts hunts = kit_hunts();
  std::set<std::string> used;
  for (const HuntProgram& program : hunts.programs)
    for (const HuntMistake& mistake : program.mistakes) used.insert(mistake.kind);
  EXPECT_EQ(used.size(), hunts.kinds.size());
}

TEST(HuntTexts, SayWhatIsUnknown) {
  try {
    kit_hunts().program("revers");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean \"reverse\""));
  }
}

}  // namespace
}  // namespace grader
