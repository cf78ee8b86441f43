// Tests hand-ins of a class, also with platforms' names, and damaged or hostile ones: who owns them, and
// which files are read and graded.
#include "course/course.hpp"

#include <gmock/gmock.h>

#include "catalog/test_kit.hpp"
#include "course/assemble.hpp"
#include "course/compare.hpp"
#include "course/test_hand_ins.hpp"

namespace grader {
namespace {

using namespace class_testing;

struct AssembleTest : testing::Test {
  TestKit kit;
  Lab lab = kit.lab();
  const std::string right = R"(#include "scale.h"
// ---- part 1: double it (one line) ----
v[i] *= 2;
// ---- end of part 1 ----
const int blocks = 1;
launch(blocks);
)";
  Assembled assembled(const std::vector<SubmissionFile>& files) const {
    return assemble(read_form(kit.kit, lab, 1), files, "/handed/in");
  }
  static std::string text_of(const Assembled& from, const fs::path& name) {
    for (const SubmissionFile& file : from.submission.files)
      if (file.name == name) return file.text;
    return "";
  }
};

TEST_F(AssembleTest, PutsTheBlanksIntoTheKitsFiles) {
  const Assembled all = assembled({{"deep/scale.cu", right}, {"scale.h", "#define launch(x)\n"}});
  EXPECT_EQ(text_of(all, "scale.cu"), right);
  EXPECT_EQ(text_of(all, "scale.h"), "#pragma once\n");
  EXPECT_THAT(all.notes, IsEmpty());
  EXPECT_THAT(all.submission.todo, IsEmpty());
}

TEST_F(AssembleTest, NamesWhatWasChangedOutsideOfThem) {
  std::string changed = right;
  changed.replace(changed.find("blocks = 1"), 10, "blocks = 9");
  const Assembled all = assembled({{"scale.cu", changed}});
  EXPECT_EQ(text_of(all, "scale.cu"), right);
  EXPECT_THAT(all.notes, ElementsAre(HasSubstr("scale.cu:5 differs from the lab's file")));
  EXPECT_THAT(assembled({{"scale.cu", right + "extra\n"}}).notes,
              ElementsAre(HasSubstr("scale.cu:7 differs")));
}

TEST_F(AssembleTest, LinesOfWindowsAreNoChange) {
  std::string windows;
  for (char c : right) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_THAT(assembled({{"scale.cu", windows}}).notes, IsEmpty());
}

TEST_F(AssembleTest, AFileWithoutMarksIsGradedAsItIs) {
  const std::string bare = "#include \"scale.h\"\nv[i] *= 2;\n";
  const Assembled all = assembled({{"scale.cu", bare}});
  EXPECT_EQ(text_of(all, "scale.cu"), bare);
  EXPECT_THAT(all.notes, ElementsAre(HasSubstr("Look at it by hand")));
}

TEST_F(AssembleTest, AMissingFileStaysBlank) {
  const Assembled all = assembled({{"other.cu", "x"}});
  EXPECT_EQ(all.submission.todo.size(), 1u);
  EXPECT_THAT(all.notes, ElementsAre("scale.cu was not handed in."));
}

TEST_F(AssembleTest, OfTwoFilesTheOneInTheLevelsFolderIsMeant) {
  const Assembled all = assembled({{"scale.cu", "old"}, {"work/lab1.1/level1/scale.cu", right}});
  EXPECT_EQ(text_of(all, "scale.cu"), right);
  EXPECT_THAT(all.notes, ElementsAre(HasSubstr("handed in several times")));
}

TEST_F(AssembleTest, OfTwoFoldersTheOneWithMoreFilesIsMeant) {
  const Assembled all = assembled({{"build/scale.cu", "old"}, {"src/main.cu", ""}, {"src/scale.cu", right}});
  EXPECT_EQ(text_of(all, "scale.cu"), right);
}

TEST_F(AssembleTest, TakesACopyWhereNoBetterFileIs) {
  const std::string old = "old", note = "scale.cu was handed in as ";
  const std::vector<std::pair<std::string, std::string>> copies = {
      {"scale (1).cu", right}, {"lab/scale-1.cu", right}, {"Scale.cu", right}, {"scale.cu.txt", right}};
  for (const auto& [name, text] : copies) {
    const Assembled all = assembled({{name, text}});
    EXPECT_EQ(text_of(all, "scale.cu"), right) << name;
    EXPECT_THAT(all.notes, ElementsAre(note + name + "."));
  }
  const Assembled newest = assembled({{"scale (1).cu", "old"}, {"scale (2).cu", right}});
  EXPECT_EQ(text_of(newest, "scale.cu"), right);
  EXPECT_THAT(newest.notes, ElementsAre(note + "scale (2).cu.", HasSubstr("several times")));
  const Assembled better = assembled({{"scale (1).cu", "old"}, {"scale.cu", right}});
  EXPECT_EQ(text_of(better, "scale.cu"), right);
  EXPECT_THAT(better.notes, ElementsAre(HasSubstr("scale.cu was graded, scale (1).cu was not")));
}

struct ClassFileTest : testing::Test {
  TestFolder folder;
  ClassFile read(const std::string& text) {
    folder.write("class.toml", text);
    return read_class_file(folder.path / "class.toml");
  }
};

TEST_F(ClassFileTest, TimesHaveAZone) {
  EXPECT_EQ(seconds_of("1970-01-02T00:00:01Z"), 86401);
  EXPECT_EQ(seconds_of("2030-01-31T23:59:00+01:00"), seconds_of("2030-01-31T22:59:00Z"));
  EXPECT_EQ(seconds_of("2030-01-31T23:59:00"), std::nullopt);
  EXPECT_EQ(seconds_of("2030-02-31T23:59:00Z"), std::nullopt);
  EXPECT_THAT(error_of([&] { read("format = 1\ndeadline = \"tomorrow\"\n"); }), HasSubstr("with its zone"));
}

TEST_F(ClassFileTest, AnswersCountOnlyWithPoints) {
  EXPECT_EQ(read("format = 1\n").answer_points, 0);
  EXPECT_EQ(read("format = 1\n[ask]\npoints = 1.5\n").answer_points, 1.5);
  EXPECT_THAT(error_of([&] { read("format = 1\n[ask]\npoints = -1\n"); }), HasSubstr("points"));
  EXPECT_THAT(error_of([&] { read("format = 1\n[ask]\n"); }), HasSubstr("points"));
}

TEST_F(ClassFileTest, LateCostsByTheDayAfterTheGrace) {
  const ClassFile course = read(R"(format = 1
deadline = "2030-01-01T00:00:00Z"
[late]
grace_hours = 12
per_day = 0.25
last_day = 2
[[student]]
id = "ada"
extension_hours = 24
)");
  EXPECT_EQ(share_left(course, "bob", "2030-01-01T12:00:00Z"), 1);
  EXPECT_EQ(share_left(course, "bob", "2030-01-01T12:00:01Z"), 0.75);
  EXPECT_EQ(share_left(course, "bob", "2030-01-03T12:00:00Z"), 0.5);
  EXPECT_EQ(share_left(course, "bob", "2030-01-03T12:00:01Z"), 0);
  EXPECT_EQ(share_left(course, "ada", "2030-01-02T12:00:00Z"), 1);
}

TEST_F(ClassFileTest, StudentsMayBeInARoster) {
  const auto roster = [&](const std::string& text) {
    folder.write("s.csv", text);
    return read_class_file(folder.path / "s.csv").students;
  };
  const auto students = roster(
      "\xEF\xBB\xBF"
      "Student ID;ID;First name;Last name;Section;extension_hours;Deadline\r\n"
      "1;ada;Ada;\"Love;\"\"lace\"\"\";A;48;\r\n\r\n2;bob;;;B;;2030-02-07T23:59:00Z");
  ASSERT_EQ(students.size(), 2u);
  EXPECT_EQ(students.at("ada").name, "Ada Love;\"lace\"");
  EXPECT_EQ(students.at("ada").group, "A");
  EXPECT_EQ(students.at("ada").extension_hours, 48);
  ClassFile course;
  course.deadline = seconds_of("2030-01-31T00:00:00Z");
  course.students = students;
  EXPECT_EQ(due(course, "ada"), seconds_of("2030-02-02T00:00:00Z"));
  EXPECT_EQ(due(course, "bob"), seconds_of("2030-02-07T23:59:00Z"));
  EXPECT_EQ(due(course, "cleo"), course.deadline);
  const auto gradebook = roster(
      "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (99)\n    Points Possible,,,,,10\n\"Lovelace, "
      "Ada\",12345,7,ada,A,\n");
  ASSERT_EQ(gradebook.size(), 1u) << "as Canvas exports it";
  EXPECT_EQ(gradebook.at("12345").name, "Lovelace, Ada");
  for (const std::string list :
       {"First name,Last name,Email address,Groups\nAda,Lovelace,ada@x.org,A\n",
        "Vorname,Nachname,E-Mail-Adresse,Gruppen\nAda,Lovelace,ada@x.org,A\n",
        "Prénom;Nom de famille;Adresse de courriel;Groupes\nAda;Lovelace;ada@x.org;A\n",
        "Nombre,Apellido(s),Dirección de correo,Grupos\nAda,Lovelace,ada@x.org,A\n"}) {
    const auto participants = roster(list);
    ASSERT_EQ(participants.count("ada@x.org"), 1u) << list;
    EXPECT_EQ(participants.at("ada@x.org").name, "Ada Lovelace") << list;
    EXPECT_EQ(participants.at("ada@x.org").group, "A") << list;
  }
  EXPECT_EQ(roster("Vorname,Nachname,ID-Nummer,E-Mail-Adresse\nAda,Lovelace,4711,a@x.org\n").count("4711"),
            1u);
  const auto says = [&](const std::string& text) { return error_of([&] { roster(text); }); };
  EXPECT_THAT(says(""), HasSubstr("s.csv:1: is empty"));
  EXPECT_THAT(says("name\nada\n"), HasSubstr("has no column \"id\""));
  EXPECT_THAT(says("id\n"), HasSubstr("lists no student"));
  EXPECT_THAT(says("id\nada\n\nada\n"), HasSubstr("s.csv:4: \"ada\" is listed twice"));
  EXPECT_THAT(says("id,name\n,Ada\n"), HasSubstr("s.csv:2: a student has no id"));
  EXPECT_THAT(says("id,name\nada,\"Ada\n"), HasSubstr("s.csv:2: a quote has no end"));
  EXPECT_THAT(says("id,extension_hours\nada,soon\n"), HasSubstr("extension_hours is \"soon\""));
  EXPECT_THAT(says("id,deadline\nada,tomorrow\n"), HasSubstr("expected a time with its zone"));
  EXPECT_THAT(says("id\n\xff\n"), HasSubstr("s.csv:2: is no UTF-8"));
  folder.write("class.toml",
               "format = 1\nstudents = \"s.csv\"\n[[student]]\nid = \"ada\"\nname = \"Countess\"\n");
  folder.write("s.csv", "id,name,group\nada,Ada,A\nbob,Bob,B\n");
  const ClassFile both = read_class_file(folder.path / "class.toml");
  EXPECT_EQ(both.students.at("ada").name, "Countess");
  EXPECT_EQ(both.students.at("ada").group, "A");
  EXPECT_EQ(both.students.at("bob").name, "Bob");
}

TEST_F(ClassFileTest, AStudentOccursOnce) {
  EXPECT_THAT(error_of([&] { read("format = 1\n[[student]]\nid = \"a\"\n[[student]]\nid = \"a\"\n"); }),
              HasSubstr("listed twice"));
}

GradedAttempt attempt(const std::string& student, int number, double points,
                      Verdict verdict = Verdict::wrong_answer) {
  GradedAttempt out;
  out.hand_in.student = student;
  out.hand_in.attempt = number;
  out.hand_in.received_at = number == 1 ? "2030-01-01T00:00:00Z" : "2030-01-02T00:00:00Z";
  out.grading.points = points;
  out.grading.max_points = 10;
  out.grading.verdict = verdict;
  if (verdict == Verdict::grader_fault) {
    out.grading.cases.emplace_back();
    out.grading.cases.back().verdict = verdict;
  }
  return out;
}

TEST(Marks, TakeTheBestAttemptAfterTheLateRule) {
  ClassFile course;
  course.deadline = seconds_of("2030-01-01T00:00:00Z");
  course.late.per_day = 0.5;
  course.students["eve"] = {"eve", "Eve", "", 0};
  std::vector<Mark> all = marks(course, {attempt("ada", 1, 6), attempt("ada", 2, 10), attempt("bob", 1, 2)});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].counted, 1);
  EXPECT_EQ(all[0].mark(), 6);
  EXPECT_EQ(all[2].attempts, 0);
  course.latest_counts = true;
  all = marks(course, {attempt("ada", 1, 6), attempt("ada", 2, 10)});
  EXPECT_EQ(all[0].mark(), 5);
}

TEST(Marks, TheFirstAnswersOnTheCountedFilesAreAdded) {
  const TestFolder folder;
  Records records(folder.path / "records.sqlite");
  const auto answer = [&](const std::string& student, const std::string& files, std::size_t right,
                          int level = 1) {
    records.add(AnsweredQuestions{student, "lab1.1", level, "folder", files, right, 5, "{}"});
  };
  answer("ada", "other files", 1);
  answer("ada", "files", 3);
  answer("ada", "files", 5);
  answer("bob", "other files", 5);
  answer("cleo", "files", 5, 2);
  std::vector<GradedAttempt> attempts(3);
  std::vector<Mark> all(4);
  const char* const students[] = {"ada", "bob", "cleo", "dora"};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].student = students[i];
    if (i == attempts.size()) break;  // Dora handed nothing in.
    all[i].counted = attempts[i].hand_in.attempt = 1;
    attempts[i].hand_in.student = students[i];
    attempts[i].grading.sources_sha256 = "files";
  }
  Lab lab;
  lab.id = "lab1.1";
  add_answers(all, attempts, records, lab, 1);
  ASSERT_TRUE(all[0].answers);
  EXPECT_EQ(all[0].answers->right, 3u);
  EXPECT_EQ(all[0].answers->questions, 5u);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_FALSE(all[i].answers) << all[i].student;
  for (const Mark& mark : all) EXPECT_FALSE(mark.answer_points) << mark.student;
}

TEST(Marks, AShareOfThePointsForAnswersIsAddedAfterTheLateRule) {
  const TestFolder folder;
  Records records(folder.path / "records.sqlite");
  records.add(AnsweredQuestions{"ada", "lab1.1", 1, "folder", "files", 3, 5, "{}"});
  std::vector<GradedAttempt> attempts = {attempt("ada", 1, 6), attempt("bob", 1, 10)};
  for (GradedAttempt& one : attempts) one.grading.sources_sha256 = "files";
  std::vector<Mark> all = marks({}, attempts);
  const double most = all[0].max_points;
  all[0].share = 0.5;
  Lab lab;
  lab.id = "lab1.1";
  add_answers(all, attempts, records, lab, 1, 2);
  EXPECT_DOUBLE_EQ(all[0].mark(), 6 * 0.5 + 2 * 3 / 5.0);
  EXPECT_EQ(all[0].max_points, most + 2);
  EXPECT_EQ(all[1].answer_points, 0) << "Bob was not asked";
  EXPECT_EQ(all[1].mark(), 10);
  EXPECT_EQ(all[1].max_points, most + 2);
}

TEST(Marks, AFaultOfTheKitGivesNoMark) {
  const std::vector<Mark> all =
      marks({}, {attempt("ada", 1, 4), attempt("ada", 2, 10, Verdict::grader_fault)});
  EXPECT_EQ(all[0].counted, 1);
  EXPECT_EQ(all[0].points, 4);
}

// ---- compared --------------------------------------------------------------------------------------------------------

struct CompareTest : testing::Test {
  TestKit kit;

  static std::string filled(const std::string& blank) {
    return "#include \"scale.h\"\n// ---- part 1: double it (one line) ----\n" + blank +
           "// ---- end of part 1 ----\nconst int blocks = 1;\nlaunch(blocks);\n";
  }
  void hand_in(const std::string& student, const std::string& blank) const {
    kit.write("class/" + student + "/scale.cu", filled(blank));
  }
  ClassSimilarity compared(const ClassFile& course = {}) const {
    return compare_class(kit.kit, kit.lab(), 1, course, find_hand_ins(kit.path / "class", {}).all);
  }
  /// Twenty independent answers.
  void others() const {
    for (int i = 0; i < 20; ++i) {
      std::string own = "v[i] *= 2;";
      for (int k = 0; k <= i; ++k)
        own += "if (i > " + std::string(1, '0') + ") v[i] " + "+-*/%^&|<>"[(i + k) % 10] + "= w;\n";
      hand_in("s" + std::to_string(i), own);
    }
  }
  static constexpr const char* unusual =
      "int k = 0;\ndo {\n  twice(v, i + k * stride, blocks);\n  v[i + k] = v[i + k] + last[k % 4];\n  "
      "++k;\n} while (k < (n >> 2) && !done[k]);\n"
      "last[k & 3] = v[i] - first[n - 1 - i];\nfor (long j = n; j != 0; j -= 7) first[j] ^= last[j / 3] | "
      "5;\n"
      "switch (k) { case 1: v[0] = 1; break; default: v[n - 1] = first[0] * last[k] / stride; }\n";
};

TEST_F(CompareTest, BlanksAloneAreComparedAndPlacesAreThoseOfTheFile) {
  others();
  hand_in("ada", unusual);
  hand_in("bob", std::string("// mine\n") + unusual);
  const ClassSimilarity out = compared();
  ASSERT_EQ(out.found.pairs.size(), 1u);
  const SimilarPair& pair = out.found.pairs[0];
  EXPECT_EQ(out.answers[pair.a].name, "ada");
  EXPECT_EQ(out.answers[pair.b].name, "bob");
  EXPECT_EQ(out.answers[pair.a].texts[pair.passages[0].text_a].first_line, 3u);
  EXPECT_EQ(pair.passages[0].first_b, pair.passages[0].first_a + 1);
}

TEST_F(CompareTest, AnswersThatAreTheSameByteForByteAreListed) {
  const std::string usual = "v[i] *= 2;\n";
  for (const char* const name : {"ada/1", "ada/2", "bob", "cleo"}) hand_in(name, usual);
  hand_in("dan", "v[i] *= 2; \n");
  kit.write("class/eve/scale.cu", TestKit::level1);
  kit.write("class/fay/scale.cu", TestKit::level1);
  hand_in("gil/1", "v[i] += v[i];\n");
  hand_in("gil/2", "v[i] += v[i];\n");
  const ClassSimilarity out = compared();
  EXPECT_THAT(out.found.pairs, IsEmpty());
  ASSERT_EQ(out.identical.size(), 1u) << "neither the lab's own text nor one student's attempts";
  std::vector<std::string> names;
  for (const std::size_t i : out.identical[0]) names.push_back(out.answers[i].name);
  EXPECT_THAT(names, ElementsAre("ada", "ada, attempt 2", "bob", "cleo"));
}

TEST_F(CompareTest, AGroupAndTheAttemptsOfOneStudentAreNoPair) {
  others();
  hand_in("ada/1", unusual);
  hand_in("ada/2", unusual);
  EXPECT_THAT(compared().found.pairs, IsEmpty());
  hand_in("bob", unusual);
  EXPECT_EQ(compared().found.pairs.size(), 1u);
  ClassFile course;
  for (const char* id : {"ada", "bob"}) course.students[id] = {.id = id, .name = "", .group = "g1"};
  EXPECT_THAT(compared(course).found.pairs, IsEmpty());
}

TEST_F(CompareTest, DamagedMarksAndArchivesAreNoReasonToStop) {
  others();
  hand_in("ada", unusual);
  kit.write("class/bob/scale.cu", std::string("// no marks any more\n") + unusual);
  kit.write("class/cleo.zip", "no archive");
  const ClassSimilarity out = compared();
  ASSERT_EQ(out.found.pairs.size(), 1u);  // a file without marks is compared whole
  EXPECT_EQ(out.answers.size(), 22u);
}

}  // namespace
}  // namespace grader
