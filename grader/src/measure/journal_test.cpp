// Tests that tables survive an interrupted sweep.
#include "measure/journal.hpp"

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/test_folder.hpp"
#include "model/table_csv.hpp"

namespace grader {
namespace {

Lab lab_with_tables() {
  Lab lab;
  lab.id = "lab1.1";
  for (const char* id : {"sizes", "blocks", "tiles"}) {
    TableSpec spec;
    spec.id = id;
    spec.axes = {{"Size", Axis::Kind::argument, {"8", "16"}, {}, {}}};
    spec.columns = {{"gpu", "GPU time", {Measure::Kind::kernel}, "s"}};
    lab.tables.push_back(spec);
  }
  return lab;
}

Table table(const Lab& lab, std::size_t spec, double seconds) {
  Table t;
  t.lab = lab.id;
  t.spec = lab.tables[spec];
  t.fingerprint = "f";
  t.rows = {{{"8"}, "8", {{{seconds}}}, ""}, {{"16"}, "16", {{{}}}, "not measured: interrupted"}};
  return t;
}

TEST(Journal, KeepsEachTableOnce) {
  const TestFolder folder;
  const Lab lab = lab_with_tables();
  {
    Journal journal(folder.path / "deep", lab);
    EXPECT_TRUE(journal.tables().empty());
    journal.put(table(lab, 0, 1));
    journal.put(table(lab, 1, 2));
    journal.put(table(lab, 0, 3));
  }
  const Journal journal(folder.path / "deep", lab);
  ASSERT_EQ(journal.tables().size(), 2u);
  ASSERT_NE(journal.find("sizes"), nullptr);
  EXPECT_EQ(journal.find("sizes")->rows[0].cells[0].samples, std::vector<double>{3});
  EXPECT_EQ(journal.find("sizes")->rows[1].note, "not measured: interrupted");
  EXPECT_EQ(journal.find("sizes")->fingerprint, "f");
  EXPECT_EQ(journal.find("tiles"), nullptr);
}

TEST(Journal, ForgetsTablesThatAreNoLongerMeasured) {
  const TestFolder folder;
  const Lab lab = lab_with_tables();
  {
    Journal journal(folder.path, lab);
    for (const std::size_t spec : {0u, 1u, 2u}) journal.put(table(lab, spec, 1));
    journal.keep_only({"tiles", "sizes", "not-measured-yet"});
  }
  const Journal journal(folder.path, lab);
  ASSERT_EQ(journal.tables().size(), 2u);
  EXPECT_EQ(journal.find("blocks"), nullptr);
  EXPECT_NE(journal.find("tiles"), nullptr);
}

TEST(Journal, ATableWithOtherAxesIsMeasuredAgain) {
  const TestFolder folder;
  Lab lab = lab_with_tables();
  Journal(folder.path, lab).put(table(lab, 0, 1));
  lab.tables[0].axes[0].name = "Length";
  EXPECT_TRUE(Journal(folder.path, lab).tables().empty());
}

TEST(Journal, AnotherFileInItsPlaceIsNotOverwritten) {
  const TestFolder folder;
  const Lab lab = lab_with_tables();
  const fs::path file = folder.path / "lab1.1-sizes.csv";
  const std::string whole = table_csv(table(lab, 0, 1));
  const std::string other = table_csv(table(lab, 1, 1));
  for (const std::string& text : {other, std::string("half a fi"), replace_all(whole, "8,1,", "8,1"),
                                  replace_all(whole, "8,1,", "8,one,"), replace_all(whole, ",note", "")}) {
    write_file(file, text);
    EXPECT_THAT([&] { Journal(folder.path, lab); },
                throws_error(ErrorKind::usage, "can't be read as a measured table"))
        << text;
  }
}

}  // namespace
}  // namespace grader
