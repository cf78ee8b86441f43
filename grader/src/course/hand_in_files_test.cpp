// The files of one attempt: archives, nested archives, links, pipes, and names made by a browser.
#include "course/hand_in_files.hpp"

#include <fmt/format.h>

#include "course/archive.hpp"
#include "course/file_name.hpp"
#include "course/test_hand_ins.hpp"

namespace grader {
namespace {

using namespace class_testing;

struct ArchiveTest : testing::TestWithParam<bool> {
  TestFolder folder;
  fs::path file = folder.path / (GetParam() ? "a.zip" : "a.tar.gz");
  std::string error() const {
    return error_of([&] { read_archive(file); });
  }
};

TEST_P(ArchiveTest, GivesItsSources) {
  write_archive(file, {{"work/b.cu", "two"}, {"a.h", "one"}, {"__MACOSX/._a.h", "x"}, {".git/config", "x"}},
                GetParam());
  const std::vector<SubmissionFile> files = read_archive(file);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].name, "a.h");
  EXPECT_EQ(files[1].name, "work/b.cu");
  EXPECT_EQ(files[1].text, "two");
}

TEST_P(ArchiveTest, WithNamesThatLeadOutOfItIsRefused) {
  for (const char* name : {"../../x.cu", "/tmp/x.cu", "a/../../x.cu"}) {
    write_archive(file, {{name, "x"}}, GetParam());
    EXPECT_THAT(error(), HasSubstr("leads out of it")) << name;
  }
}

TEST_P(ArchiveTest, GivesNoLinks) {
  write_archive(file, {{"x.cu", "", AE_IFLNK}, {"y.cu", "text"}}, GetParam());
  const std::vector<SubmissionFile> files = read_archive(file);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].text, "text");
}

TEST_P(ArchiveTest, ThatGrowsWithoutEndIsGivenUp) {
  write_archive(file, {{"x.cu", std::string(5 << 20, 'x')}}, GetParam());
  EXPECT_LT(fs::file_size(file), 64u << 10);
  EXPECT_THAT(error(), HasSubstr("x.cu in"));
  std::vector<Entry> many;
  for (int i = 0; i < 12; ++i) many.push_back({std::to_string(i) + ".cu", std::string(3 << 20, 'x')});
  write_archive(file, many, GetParam());
  EXPECT_THAT(error(), HasSubstr("more than 32 MiB"));
  many.assign(300, {"x.cu", "x"});
  for (std::size_t i = 0; i < many.size(); ++i) many[i].name = std::to_string(i) + ".cu";
  write_archive(file, many, GetParam());
  EXPECT_THAT(error(), HasSubstr("more than 200 files"));
}

TEST_P(ArchiveTest, ThatIsCutShortIsDamaged) {
  write_archive(file, {{"x.cu", "int main() {}"}, {"y.cu", std::string(9999, 'y')}}, GetParam());
  fs::resize_file(file, fs::file_size(file) / 2);
  EXPECT_THAT(error(), HasSubstr("can't be read as an archive"));
  folder.write(file.filename().string(), "no archive");
  EXPECT_THAT(error(), HasSubstr("can't be read as an archive"));
}

TEST_P(ArchiveTest, NamesItsLinks) {
  write_archive(file, {{"x.cu", "", AE_IFLNK}, {"y.cu", "text"}}, GetParam());
  Unread unread;
  read_archive(file, &unread);
  EXPECT_THAT(unread.notes, ElementsAre(HasSubstr("x.cu in ")));
}

TEST_P(ArchiveTest, WithALargeHiddenFolderIsRead) {
  write_archive(file, {{".hidden/x", std::string(9 << 20, 'x')}, {"y.cu", "text"}}, GetParam());
  EXPECT_EQ(read_archive(file).size(), 1u);
}

/// A compressed archive would have to be unpacked to its end.
TEST(Archives, WithMuchThatIsPassedOverAreGivenUpEarly) {
  const TestFolder folder;
  std::string tar(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) { tar.replace(at, text.size(), text); };
  put(0, ".hidden/x");
  put(100, "0000644");
  put(124, "77777777777");  // 8 GiB
  put(136, "00000000000");
  put(148, "        ");
  put(156, "0");
  put(257, std::string("ustar\0"
                       "00",
                       8));
  unsigned sum = 0;
  for (const char c : tar) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  folder.write("a.tar", tar + "text");
  EXPECT_THAT(error_of([&] { read_archive(folder.path / "a.tar"); }),
              HasSubstr("1024 MiB that are no part of a hand-in"));
}

INSTANTIATE_TEST_SUITE_P(Formats, ArchiveTest, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "zip" : "tar_gz"; });

struct HandInFiles : testing::Test {
  TestFolder folder;
  HandedInFiles read(const std::string& name) const {
    HandIn one;
    one.paths = {folder.path / name};
    return read_hand_in(one);
  }
  static std::vector<std::string> names(const HandedInFiles& read) {
    std::vector<std::string> out;
    for (const SubmissionFile& file : read.files) out.push_back(file.name.string());
    return out;
  }
  std::string error(const std::string& name) const {
    return error_of([&] { read(name); });
  }
};

TEST_F(HandInFiles, TheOnlyArchiveIsReadWhereNoSourceLies) {
  const std::string zip = archive_of({{"lab/x.cu", "x"}, {"lab/y.cu", "y"}});
  folder.write("ada/Work.ZIP", zip);
  folder.write("ada/report.pdf", "%PDF");
  EXPECT_THAT(names(read("ada")), ElementsAre("lab/x.cu", "lab/y.cu"));
  EXPECT_THAT(read("ada").others, ElementsAre("report.pdf"));
  folder.write("bob.zip", archive_of({{"deep/work.zip", zip}, {"report.pdf", "%PDF"}}));
  EXPECT_THAT(names(read("bob.zip")), ElementsAre("lab/x.cu", "lab/y.cu"));
  EXPECT_THAT(read("bob.zip").notes, ElementsAre(HasSubstr("were read from deep/work.zip in bob.zip")));
  folder.write("cleo.zip", archive_of({{"again.zip", folder.read("bob.zip")}}));
  EXPECT_THAT(error("cleo.zip"), HasSubstr("no source"));
}

TEST_F(HandInFiles, PlatformsFilesMayBeArchives) {
  const std::string zip = archive_of({{"x.cu", "x"}});
  for (const char* const name : {"li_1_2_my work-1.zip", "Li_1_assignsubmission_file_work.ZIP",
                                 "Lab_li_attempt_2030-01-31-10-11-12_work.zip"}) {
    folder.write(name, zip);
    EXPECT_THAT(names(read(name)), ElementsAre("x.cu")) << name;
  }
}

TEST_F(HandInFiles, UnreadableNamesAreReported) {
  const std::string zip = archive_of({{"x.cu", "x"}});
  folder.write("ada/a.zip", zip);
  folder.write("ada/b.zip", zip);
  EXPECT_THAT(error("ada"), HasSubstr("several archives and no source: "));
  folder.write("bob.zip", archive_of({{"a.zip", zip}, {"b.zip", zip}}));
  EXPECT_THAT(error("bob.zip"), HasSubstr("several archives and no source: a.zip, b.zip"));
  folder.write("cleo/x.cu", "x");
  folder.write("cleo/old.zip", zip);
  folder.write("cleo/all.rar", "Rar!");
  EXPECT_THAT(names(read("cleo")), ElementsAre("x.cu"));
  EXPECT_THAT(read("cleo").notes, ElementsAre(HasSubstr("sources lie beside: old.zip, all.rar")));
  for (const char* const name : {"dan.rar", "dan.7z", "dan/work.rar"}) {
    folder.write(name, "Rar!");
    EXPECT_THAT(error(name[3] == '/' ? "dan" : name), HasSubstr("does not read archives of such a kind: "))
        << name;
  }
  folder.write("eve/report.pdf", "%PDF");
  EXPECT_THAT(error("eve"), HasSubstr("no source (.cu, .cpp, .h), but report.pdf"));
}

TEST_F(HandInFiles, LargeFilesThatNoLabReadsDoNotMatter) {
  folder.write("ada/x.cu", "x");
  folder.write("ada/report.pdf", std::string(9 << 20, 'x'));
  EXPECT_THAT(names(read("ada")), ElementsAre("x.cu"));
  folder.write("ada/output.txt", std::string(9 << 20, 'x'));
  EXPECT_THAT(names(read("ada")), ElementsAre("x.cu"));
  folder.write("bob.zip", archive_of({{"x.cu", "x"}, {"report.pdf", std::string(9 << 20, 'x')}}));
  EXPECT_THAT(names(read("bob.zip")), ElementsAre("x.cu"));
  EXPECT_THAT(read("bob.zip").others, ElementsAre("report.pdf"));
  folder.write("ada/y.cu", std::string(5 << 20, 'x'));
  EXPECT_THAT(error("ada"), HasSubstr("y.cu"));
}

TEST(FileNames, ThatBrowsersAndPlatformsChangedAreKnown) {
  for (const char* const name : {"matrixmul.cu", "matrixmul (1).cu", "matrixmul(2).cu", "matrixmul-1.cu",
                                 "Matrixmul.cu", "matrixmul.CU", "matrixmul.cu.txt", "MatrixMul (12).cu.txt"})
    EXPECT_EQ(plain_name(name).name, "matrixmul.cu") << name;
  for (const char* const name : {"storms_v2.cu", "matrixmul.cu.bak", "notes.txt", "(1).cu", "-1.cu"})
    EXPECT_EQ(plain_name(name).name, name);
}

}  // namespace
}  // namespace grader
