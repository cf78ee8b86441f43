// Tables that survive an interrupted sweep.
#include "measure/journal.hpp"

#include "base/files.hpp"
#include "base/test_folder.hpp"

namespace grader {
namespace {

Table table(const std::string& id, double seconds) {
  Table t;
  t.lab = "lab1.1";
  t.spec.id = id;
  t.spec.columns = {{"gpu", "GPU time", {Measure::Kind::kernel}, "s"}};
  t.fingerprint = "f";
  t.rows = {{{"8"}, "8", {{{seconds}}}, ""}, {{"16"}, "16", {{{}}}, "not measured: interrupted"}};
  return t;
}

TEST(Journal, KeepsEachTableOnce) {
  const TestFolder folder;
  const fs::path file = folder.path / "deep" / "lab1.1.json";
  {
    Journal journal(file, "lab1.1");
    EXPECT_TRUE(journal.tables().empty());
    journal.put(table("sizes", 1));
    journal.put(table("blocks", 2));
    journal.put(table("sizes", 3));
  }
  const Journal journal(file, "lab1.1");
  ASSERT_EQ(journal.tables().size(), 2u);
  EXPECT_EQ(journal.tables()[0].spec.id, "sizes") << "in the order in which they came";
  ASSERT_NE(journal.find("sizes"), nullptr);
  EXPECT_EQ(journal.find("sizes")->rows[0].cells[0].samples, std::vector<double>{3});
  EXPECT_EQ(journal.find("sizes")->rows[1].note, "not measured: interrupted");
  EXPECT_EQ(journal.find("sizes")->fingerprint, "f");
  EXPECT_EQ(journal.find("tiles"), nullptr);
}

TEST(Journal, ForgetsTablesThatAreNoLongerMeasured) {
  const TestFolder folder;
  const fs::path file = folder.path / "lab1.1.json";
  {
    Journal journal(file, "lab1.1");
    for (const char* id : {"sizes", "blocks", "tiles"}) journal.put(table(id, 1));
    journal.keep_only({"tiles", "sizes", "not-measured-yet"});
  }
  const Journal journal(file, "lab1.1");
  ASSERT_EQ(journal.tables().size(), 2u);
  EXPECT_EQ(journal.find("blocks"), nullptr);
  EXPECT_NE(journal.find("tiles"), nullptr);
}

TEST(Journal, AnotherFileInItsPlaceIsNotOverwritten) {
  const TestFolder folder;
  const fs::path file = folder.path / "lab1.1.json";
  Journal(file, "lab2.1").put(table("sizes", 1));
  EXPECT_THAT([&] { Journal(file, "lab1.1"); },
              throws_error(ErrorKind::usage, "can't be read as measured tables"));
  write_file(file, "{ \"kind\": \"tables\", \"lab\": \"lab1.1\" }");
  EXPECT_THAT([&] { Journal(file, "lab1.1"); }, throws_error(ErrorKind::usage, "can't be read"));
  write_file(file, "half a fi");
  EXPECT_THAT([&] { Journal(file, "lab1.1"); }, throws_error(ErrorKind::usage, "can't be read"));
}

}  // namespace
}  // namespace grader
