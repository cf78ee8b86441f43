#include "course/platform_list.hpp"

#include "course/test_hand_ins.hpp"

namespace grader {
namespace {

using namespace class_testing;

TEST(PlatformLists, MoodlesTimesAreReadInSevenLanguages) {
  for (const auto& [text, time] :
       std::map<std::string, std::string>{{"Thursday, 5 November 2026, 10:30 PM", "2026-11-05T22:30:00"},
                                          {"Thursday, 5 November 2026, 12:05 AM", "2026-11-05T00:05:00"},
                                          {"Thursday, November 5, 2026, 12:05 PM", "2026-11-05T12:05:00"},
                                          {"5 November 2026, 22:30", "2026-11-05T22:30:00"},
                                          {"2026-11-05 22:30", "2026-11-05T22:30:00"},
                                          {"Donnerstag, 5. November 2026, 22:30", "2026-11-05T22:30:00"},
                                          {"Donnerstag, 5. Dezember 2026, 22:30", "2026-12-05T22:30:00"},
                                          {"jeudi 5 décembre 2026, 22:30", "2026-12-05T22:30:00"},
                                          {"lunes, 5 de octubre de 2026, 10:00", "2026-10-05T10:00:00"},
                                          {"giovedì, 5 luglio 2026, 10:00", "2026-07-05T10:00:00"},
                                          {"donderdag 5 maart 2026, 10:00", "2026-03-05T10:00:00"},
                                          {"segunda-feira, 14 set. 2026, 10:00", "2026-09-14T10:00:00"},
                                          {"jeudi 5 jui 2026, 22:30", ""},
                                          {"štvrtok, 5. februára 2026, 22:30", ""},
                                          {"5/11/2026, 22:30", ""},
                                          {"5 November 2026, 13:30 PM", ""},
                                          {"-", ""}})
    EXPECT_EQ(moodle_time(text), time) << text;
}

TEST(PlatformLists, MoodlesWorksheetIsReadInOtherLanguages) {
  const TestFolder folder;
  const auto as_it_is = [](const std::string& time) { return time; };
  const auto line_of = [&](const std::string& text) {
    folder.write("list.csv", text);
    const auto list = read_moodle_worksheet(folder.path / "list.csv", as_it_is);
    return list && list->lines.count("7") != 0 ? list->lines.at("7") : Listed{};
  };
  for (const std::string text :
       {"ID,\"Vollständiger Name\",E-Mail-Adresse,Status,\"Zuletzt geändert (Abgabe)\"\n"
        "Teilnehmer/in7,Ada Lovelace,ada@x.org,Zur Bewertung abgegeben,\"Freitag, 6. März 2026, 10:00\"\n",
        "Identifiant,\"Nom complet\",\"Adresse de courriel\",\"Dernière modification (travail remis)\"\n"
        "Participant 7,Ada Lovelace,ada@x.org,\"vendredi 6 mars 2026, 10:00\"\n",
        "Identificador,\"Nome completo\",\"Endereço de email\",\"Última modificação (envio)\"\n"
        "Participante7,Ada Lovelace,ada@x.org,\"sexta-feira, 6 mar. 2026, 10:00\"\n"}) {
    const Listed line = line_of(text);
    ASSERT_EQ(line.people.size(), 1u) << text;
    EXPECT_EQ(line.people[0].name, "Ada Lovelace") << text;
    EXPECT_THAT(line.people[0].logins, ElementsAre("ada@x.org")) << text;
    EXPECT_EQ(line.received_at, "2026-03-06T10:00:00") << text;
  }
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
