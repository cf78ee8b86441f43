// Reads classes of ten students with labs of two files, in the formats that the platforms' own sources write,
// and tests every student, attempt and time.
#include "course/platform_name.hpp"

#include <fmt/format.h>

#include "course/test_hand_ins.hpp"

namespace grader {
namespace {

using namespace class_testing;
using testing::Contains;
using testing::Each;

struct Learner {
  std::string name, sortable;  ///< as Moodle and Canvas write it
  std::string number, login;
};
const Learner learners[] = {{"Ada Lovelace", "lovelaceada", "101", "alovelace"},
                            {"Jean-Luc O'Neill", "oneilljeanluc", "102", "joneill_2"},
                            {"Anna Schmidt", "schmidtanna", "103", "aschmidt"},
                            {"Anna Schmidt", "schmidtanna", "104", "aschmidt2"},
                            {"José Núñez", "núñezjosé", "105", "jnunez"},
                            {"Li", "li", "106", "li"},
                            {"Maria del Mar García", "garcíamariadelmar", "107", "mgarcia"},
                            {"Bob B", "b_bob", "108", "bbob"},
                            {"Eve 7", "eve7", "109", "eve_7"},
                            {"Zoë Żak", "żakzoë", "110", "zzak"}};

/// The form that tests compare: "student/attempt time: file file".
std::vector<std::string> summary(const FoundHandIns& found) {
  std::vector<std::string> out;
  for (const HandIn& one : found.all) {
    std::string line = fmt::format("{}/{} {}:", one.student, one.attempt,
                                   one.marked_late           ? "LATE"
                                   : one.received_at.empty() ? "?"
                                                             : one.received_at);
    for (const SubmissionFile& file : read_hand_in(one).files)
      line += fmt::format(" {}={}", file.name.string(), file.text);
    out.push_back(line);
  }
  return out;
}

struct Platforms : testing::Test {
  TestFolder folder;
  ClassFile course;

  Platforms() {
    course.deadline = seconds_of("2026-11-05T12:00:00+01:00");
    course.zone = "+01:00";
    course.late.per_day = 0.1;
  }
  /// Writes the two files of a hand-in, both with the same text. Their names begin with `before`.
  void write_both(const std::string& before, const std::string& text) const {
    folder.write(before + "main_program.cu", text);
    folder.write(before + "kernel.cu", text);
  }
  FoundHandIns found() const { return find_hand_ins(folder.path, {}, course); }
  static std::string line(const std::string& student, const std::string& time, const std::string& text,
                          int attempt = 1) {
    return fmt::format("{0}/{1} {2}: kernel.cu={3} main_program.cu={3}", student, attempt, time, text);
  }
  /// All students, by their names on the platform. Students with the same name have a number, too.
  std::vector<std::string> everybody(const std::function<std::string(const Learner&)>& name,
                                     const std::string& time) const {
    std::vector<std::string> out;
    for (const Learner& one : learners)
      out.push_back(line(name(one) + (one.name == "Anna Schmidt" ? " " + one.number : ""), time, one.number));
    std::sort(out.begin(), out.end());
    return out;
  }
  void enrol() {
    for (std::size_t i = 0; i < std::size(learners); ++i) {
      const std::string id = fmt::format("s{}", i);
      course.students[id] = {.id = id, .name = learners[i].name, .number = learners[i].number};
    }
  }
  std::vector<std::string> enrolled(const std::string& time) const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < std::size(learners); ++i)
      out.push_back(line(fmt::format("s{}", i), time, learners[i].number));
    return out;
  }
};

TEST_F(Platforms, CanvasHasOneAttemptOfAllFilesAndMarksWhatIsLate) {
  int attachment = 9000;
  for (const Learner& one : learners) {
    const std::string before = one.sortable + (one.number == "105" ? "_LATE_" : "_") + one.number + "_";
    folder.write(fmt::format("{}{}_main_program.cu", before, attachment++), one.number);
    folder.write(fmt::format("{}{}_kernel.cu", before, attachment++), one.number);
  }
  std::vector<std::string> all = everybody([](const Learner& one) { return one.sortable; }, "?");
  for (std::string& one : all)
    if (one.starts_with("núñez")) one.replace(one.find('?'), 1, "LATE");
  EXPECT_EQ(summary(found()), all);
  EXPECT_THAT(found().remarks, ElementsAre(HasSubstr("only those are late that Canvas marks LATE")));
  enrol();
  all = enrolled("?");
  all[4].replace(all[4].find('?'), 1, "LATE");
  EXPECT_EQ(summary(found()), all);
  EXPECT_EQ(share_left(course, "s4", "", true), 0.9) << "the least that is taken";
  EXPECT_EQ(share_left(course, "s0", "", false), 1);
  course.late.grace_hours = 1;
  EXPECT_EQ(share_left(course, "s4", "", true), 1);
  course.students["s4"].received_at = "2026-11-07T00:00:00Z";
  const HandIn named = found().all[4];
  EXPECT_EQ(named.received_at, "2026-11-07T00:00:00Z");
  EXPECT_FALSE(named.marked_late);
}

TEST_F(Platforms, CanvasWithoutNamesAndFilesThatWereHandedInAgain) {
  write_both("anon_a1B2c_91_", "a");
  write_both("LATE_anon_Zz9yX_92_", "z");
  EXPECT_THAT(summary(found()), ElementsAre(line("anon Zz9yX", "LATE", "z"), line("anon a1B2c", "?", "a")));
  // These come from two downloads into one folder.
  folder.write("li_106_12_main_program.cu", "new");
  folder.write("li_106_10_kernel.cu", "old");
  folder.write("li_106_13_kernel-1.cu", "new");
  folder.write("li_106_11_text.html", "<p>");
  folder.write("zoe_107_text.html", "<p>");
  const FoundHandIns all = found();
  const HandedInFiles li = read_hand_in(all.all.at(2));
  ASSERT_EQ(li.files.size(), 2u);
  EXPECT_EQ(li.files[0].name, "kernel-1.cu");
  EXPECT_THAT(li.notes, ElementsAre("kernel-1.cu was handed in after kernel.cu, which was not read."));
  EXPECT_EQ(all.all.at(3).student, "zoe");
  EXPECT_THAT(error_of([&] { read_hand_in(all.all.at(3)); }),
              HasSubstr("no source (.cu, .cpp, .h), but text.html"));
}

TEST_F(Platforms, MoodleWithAndWithoutFoldersKeepsNamesakesApart) {
  const auto name = [](const Learner& one) { return one.name; };
  for (const Learner& one : learners) {
    write_both(fmt::format("{}_{}_assignsubmission_file_/", one.name, one.number), one.number);
    folder.write(fmt::format("{}_{}_assignsubmission_onlinetext_/onlinetext.html", one.name, one.number),
                 "<p>");
  }
  EXPECT_EQ(summary(found()), everybody(name, "?"));
  EXPECT_THAT(found().remarks, ElementsAre(HasSubstr("Put Moodle's grading worksheet")));
  for (const fs::path& old : fs::directory_iterator(folder.path)) fs::remove_all(old);
  for (const Learner& one : learners)
    write_both(fmt::format("{}_{}_assignsubmission_file_", one.name, one.number), one.number);
  EXPECT_EQ(summary(found()), everybody(name, "?"));
  enrol();
  EXPECT_EQ(summary(found()), enrolled("?"));
  for (auto& [id, student] : course.students) student.number.clear();
  std::vector<std::string> by_name = enrolled("?");
  by_name[2] = line("Anna Schmidt 103", "?", "103");
  by_name[3] = line("Anna Schmidt 104", "?", "104");
  std::sort(by_name.begin(), by_name.end());
  EXPECT_EQ(summary(found()), by_name);
  EXPECT_THAT(found().remarks,
              Contains(HasSubstr("No student of the class file: Anna Schmidt 103, Anna Schmidt 104.")));
}

TEST_F(Platforms, MoodleWithoutNamesAndItsWorksheet) {
  for (const Learner& one : learners)
    if (one.number != "110")
      write_both(fmt::format("Participant_{}_assignsubmission_file_/", one.number), one.number);
  const auto participant = [](const Learner& one) { return "Participant " + one.number; };
  std::vector<std::string> all;
  for (const Learner& one : learners)
    if (one.number != "110") all.push_back(line(participant(one), "?", one.number));
  EXPECT_EQ(summary(found()), all);
  std::string sheet =
      "\xEF\xBB\xBF"
      "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum grade\",\"Last modified "
      "(submission)\",\"Last "
      "modified (grade)\",\"Feedback comments\"\r\n";
  for (const Learner& one : learners)
    sheet +=
        fmt::format("\"Participant {0}\",\"{1}\",{2}@example.org,\"{3}\",,10.00,\"{4}\",-,\r\n", one.number,
                    one.name, one.login, one.number == "110" ? "No submission" : "Submitted for grading",
                    one.number == "110"   ? "-"
                    : one.number == "109" ? "Thursday, November 5, 2026, 1:30 PM"
                                          : "Thursday, 5 November 2026, 11:59 AM");
  folder.write("Grades-GPU-Lab 2.1-4711.csv", sheet);
  for (std::size_t i = 0; i < std::size(learners); ++i)
    course.students[fmt::format("s{}", i)] = {
        .id = fmt::format("s{}", i), .name = "", .email = learners[i].login + "@Example.org"};
  all = enrolled("2026-11-05T10:59:00Z");
  all.pop_back();
  all[8] = line("s8", "2026-11-05T12:30:00Z", "109");
  EXPECT_EQ(summary(found()), all);
  EXPECT_THAT(found().remarks, ElementsAre("Moodle's list has no files of: Zoë Żak."));
  EXPECT_EQ(share_left(course, "s8", "2026-11-05T12:30:00Z"), 0.9);
  EXPECT_EQ(share_left(course, "s0", "2026-11-05T10:59:00Z"), 1);
}

TEST_F(Platforms, BlackboardsFilesAndReceipts) {
  for (const Learner& one : learners)
    for (const char* const date : {"2026-11-05-11-59-59", "2026-11-06-00-00-00"}) {
      const std::string before = fmt::format("Lab_2.1_{}_attempt_{}", one.login, date);
      write_both(before + "_", one.number + date[9]);
      folder.write(before + ".txt",
                   fmt::format("Name: {} ({})\r\nAssignment: Lab_2.1\r\nDate Submitted: Thursday, …\r\n",
                               one.name, one.login));
    }
  std::vector<std::string> all;
  for (const Learner& one : learners) {
    all.push_back(line(one.login, "2026-11-05T10:59:59Z", one.number + "5", 1));
    all.push_back(line(one.login, "2026-11-05T23:00:00Z", one.number + "6", 2));
  }
  EXPECT_THAT(summary(found()), testing::UnorderedElementsAreArray(all));
  EXPECT_THAT(found().remarks, IsEmpty());
  folder.write("Lab 2.1_zoe_attempt_2026-11-05-10-00-00.txt", "Name: Zoe (zoe)\nAssignment: Lab 2.1\n");
  const HandIn empty = found().all.at(found().all.size() - 3);
  EXPECT_EQ(empty.student, "zoe");
  EXPECT_THAT(error_of([&] { read_hand_in(empty); }), HasSubstr("holds no source"));
}

TEST_F(Platforms, GradescopesExportSaysWhoseAFolderIs) {
  std::string list = "---\n";
  for (int i = 0; const Learner& one : learners) {
    ++i;
    write_both(fmt::format("assignment_7_export/submission_{}/", 500 + i), one.number);
    list += fmt::format(
        "submission_{}:\n  :submitters:\n  - :name: {}\n    :sid: '{}'\n    :email: {}@example.org\n  "
        ":created_at: "
        "2026-11-05 10:59:{:02}.861687000 Z\n  :score: 2.0\n  :results:\n    output: |-\n      :created_at: "
        "x\n"
        "    tests:\n    - output: 'a\n\n'\n      name: b\n",
        500 + i, one.name, one.number, one.login, i);
  }
  write_both("assignment_7_export/submission_600/", "g");
  list +=
      "...\nsubmission_600:\n  :submitters:\n  - :name: \"Cleo \\\"C\\\"\"\n    :sid: '201'\n  - :name: "
      "Dan\n    :sid: 202\n  "
      ":created_at: 2026-11-05 13:00:00.0 +01:00\nsubmission_601:\n  :submitters: []\n";
  folder.write("assignment_7_export/submission_metadata.yml", list);
  std::vector<std::string> all = everybody([](const Learner& one) { return one.name; }, "2026-11-05T10:59:");
  for (std::string& one : all)
    for (std::size_t i = 0; i < std::size(learners); ++i)
      if (one.ends_with("=" + learners[i].number))
        one.insert(one.find("59:") + 3, fmt::format("{:02}Z", i + 1));
  for (std::string& one : all) one = one.substr(0, one.find("Z:") + 2) + one.substr(one.rfind(": ") + 1);
  all.push_back(line("Cleo \"C\"", "2026-11-05T12:00:00Z", "g"));
  all.push_back(line("Dan", "2026-11-05T12:00:00Z", "g"));
  EXPECT_THAT(summary(found()), testing::UnorderedElementsAreArray(all));
  EXPECT_THAT(found().remarks, ElementsAre(HasSubstr("names submission_601, which is not there")));
  enrol();
  EXPECT_THAT(summary(found())[1], HasSubstr("Dan/1"));
  EXPECT_THAT(summary(found())[2], HasSubstr("s0/1 2026-11-05T10:59:01Z: kernel.cu=101"));
  // The command may also name the exported folder itself.
  EXPECT_EQ(find_hand_ins(folder.path / "assignment_7_export", {}, course).all.size(), 12u);
}

}  // namespace
}  // namespace grader
