// The pages of docs/results, from journals. Writing tables there is tested through the real program.
#include "report/results.hpp"

#include "base/files.hpp"
#include "base/test_folder.hpp"

namespace grader {
namespace {

using testing::HasSubstr;
using testing::Not;

Table measured(const std::string& id, const std::string& title) {
  Table t;
  t.lab = "lab1.1";
  t.spec.id = id;
  t.spec.title = title;
  t.spec.axes = {{"Size", Axis::Kind::argument, {"8"}, {}, {}}};
  t.spec.columns = {{"gpu", "GPU time", {Measure::Kind::kernel}, "s"}};
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
  TableSpec sizes, blocks;
  sizes.id = "sizes";
  blocks.id = "blocks";
  lab.tables = {sizes, blocks};
  Journal journal(folder.path / "lab1.1.json", "lab1.1");
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
  TableSpec best;
  best.id = "best";
  lab.tables = {best};
  Table table = measured("best", "The best");
  table.spec.search = true;
  table.rows.clear();
  for (int i = 0; i < search_finalists + 3; ++i)
    table.rows.push_back({{std::to_string(i)}, "row" + std::to_string(i), {{{1e-3}}}, ""});
  Journal journal(folder.path / "lab1.1.json", "lab1.1");
  journal.put(table);
  const std::string page = results_page(lab, journal, folder.path);
  EXPECT_THAT(page, HasSubstr("row9"));
  EXPECT_THAT(page, Not(HasSubstr("row10")));
}

}  // namespace
}  // namespace grader
