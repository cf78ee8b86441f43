#include "course/platform_list.hpp"

#include "course/test_hand_ins.hpp"

namespace grader {
namespace {

using namespace class_testing;

TEST(PlatformLists, MoodlesTimesAreReadInItsEnglishForms) {
  for (const auto& [text, time] :
       std::map<std::string, std::string>{{"Thursday, 5 November 2026, 10:30 PM", "2026-11-05T22:30:00"},
                                          {"Thursday, 5 November 2026, 12:05 AM", "2026-11-05T00:05:00"},
                                          {"Thursday, November 5, 2026, 12:05 PM", "2026-11-05T12:05:00"},
                                          {"5 November 2026, 22:30", "2026-11-05T22:30:00"},
                                          {"2026-11-05 22:30", "2026-11-05T22:30:00"},
                                          {"Donnerstag, 5. November 2026, 22:30", "2026-11-05T22:30:00"},
                                          {"Donnerstag, 5. Dezember 2026, 22:30", ""},
                                          {"5/11/2026, 22:30", ""},
                                          {"5 November 2026, 13:30 PM", ""},
                                          {"-", ""}})
    EXPECT_EQ(moodle_time(text), time) << text;
}

TEST(PlatformLists, ATimeThatCanNotBeReadIsNamed) {
  const TestFolder folder;
  folder.write("a.csv", "Identifier,Last modified (submission)\nParticipant 7,5/11/2026\nParticipant 8,-\n");
  folder.write("b.csv", "id,name\n1,a\n");
  const auto as_it_is = [](const std::string& time) { return time; };
  const auto list = read_moodle_worksheet(folder.path / "a.csv", as_it_is);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->lines.at("7").received_at, "");
  EXPECT_THAT(list->remarks, ElementsAre(HasSubstr("a.csv:2: \"5/11/2026\" is no time")));
  EXPECT_FALSE(read_moodle_worksheet(folder.path / "b.csv", as_it_is));
}

}  // namespace
}  // namespace grader
