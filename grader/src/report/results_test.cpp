// Tests the pages of docs/results, which are made from journals. Other tests cover the writing of tables with the
// real program.
#include "report/results.hpp"

#include "base/files.hpp"
#include "base/test_folder.hpp"
#include "model/table_csv.hpp"
#include "report/plot.hpp"

namespace grader {
namespace {

using testing::HasSubstr;
using testing::Not;

TableSpec spec_of(const std::string& id, const std::string& title) {
  TableSpec spec;
  spec.id = id;
  spec.title = title;
  spec.axes = {{"Size", Axis::Kind::argument, {"8"}, {}, {}}};
  spec.columns = {{"gpu", "GPU time", {Measure::Kind::kernel}, "s"}};
  return spec;
}

Table measured(const std::string& id, const std::string& title) {
  Table t;
  t.lab = "lab1.1";
  t.spec = spec_of(id, title);
  t.backend = Backend::gpu;
  t.machine = "A GPU, driver 1";
  t.command = "grader table lab1.1 --id " + id;
  t.notes = {"CUB: does not compile"};
  t.rows = {{{"8"}, "8", {{{1e-3}}}, ""}};
  return t;
}

TEST(ResultsPage, HasTheTablesInTheLabsOrderWithWhatTheyWereMeasuredOn) {
  const TestFolder folder;
  Lab lab;
  lab.id = "lab1.1";
  lab.title = "Product";
  lab.tables = {spec_of("sizes", "By size"), spec_of("blocks", "By block")};
  Journal journal(folder.path, lab);
  journal.put(measured("blocks", "By block"));
  journal.put(measured("sizes-peers", "Beside others"));
  journal.put(measured("sizes", "By size"));
  write_file(folder.path / "lab1.1-sizes.svg", "<svg/>");
  const std::string page = results_page(lab, journal, folder.path);
  EXPECT_THAT(page, HasSubstr("# Results of lab1.1: Product"));
  EXPECT_LT(page.find("### By size"), page.find("### Beside others"));
  EXPECT_LT(page.find("### Beside others"), page.find("### By block"));
  EXPECT_THAT(page, HasSubstr("* CUB: does not compile\n\nlab1.1, a GPU"))
      << "notes are no part of what follows";
  EXPECT_THAT(page, HasSubstr("Machine: A GPU, driver 1."));
  EXPECT_THAT(page, HasSubstr("Command: `grader table lab1.1 --id blocks`"));
  EXPECT_THAT(page, HasSubstr("![By size](lab1.1-sizes.svg)"));
  EXPECT_THAT(page, Not(HasSubstr("lab1.1-blocks.svg"))) << "a plot that was never drawn";
}

TEST(ResultsPage, ShowsTheFastestOfASearch) {
  const TestFolder folder;
  Lab lab;
  lab.id = "lab1.1";
  lab.tables = {spec_of("best", "The best")};
  Table table = measured("best", "The best");
  table.spec.search = true;
  table.rows.clear();
  for (int i = 0; i < search_finalists + 3; ++i)
    table.rows.push_back({{std::to_string(i)}, "row" + std::to_string(i), {{{1e-3}}}, ""});
  Journal journal(folder.path, lab);
  journal.put(table);
  const std::string page = results_page(lab, journal, folder.path);
  EXPECT_THAT(page, HasSubstr("row9"));
  EXPECT_THAT(page, Not(HasSubstr("row10")));
}

/// The tables that the kit measured, each with the text of its file.
std::vector<std::pair<Table, std::string>> tables_of_the_kit() {
  const Kit kit{KIT_SOURCE_DIR};
  const fs::path folder = kit.root / "docs/results";
  std::vector<std::pair<Table, std::string>> out;
  const Catalog catalog = Catalog::load(kit);
  for (const Lab& lab : catalog.labs())
    for (Table& table : read_tables(folder, lab))
      out.emplace_back(table, read_file(table_file(folder, lab, table.spec.id), 1 << 26));
  return out;
}

TEST(ResultsOfTheKit, AreReadBackWhole) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(KIT_SOURCE_DIR) / "docs/results"))
    files += entry.path().extension() == ".csv" ? 1 : 0;
  const auto tables = tables_of_the_kit();
  EXPECT_EQ(tables.size(), files) << "a file that no table of lab.toml reads";
  for (const auto& [table, text] : tables)
    EXPECT_EQ(table_csv(table), text) << table.lab << " " << table.spec.id;
}

TEST(ResultsOfTheKit, HaveNoPlotWithMoreThanEightLines) {
  for (const auto& [table, text] : tables_of_the_kit()) {
    if (table.spec.search) continue;
    for (const PlotPanel& panel : plot_of(table).panels)
      EXPECT_LE(panel.lines.size(), 8u) << table.lab << " " << table.spec.id << ": " << panel.quantity;
  }
}

}  // namespace
}  // namespace grader
