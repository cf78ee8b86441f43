// Compares the model with the measured rows of docs/results: rows.jsonl has the work of their kernels as the
// emulation counted it (grader/bench/explain_rows.sh). docs/explain.md shows the table that this test prints.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/csv_row.hpp"
#include "explain/limits.hpp"
#include "explain/work_reader.hpp"
#include "model/table.hpp"

namespace grader {
namespace {

using Json = nlohmann::json;

struct Row {
  std::string name;
  double measured = 0, predicted = 0;
  double error() const { return std::abs(predicted / measured - 1); }
};

/// The median of the samples in the stored table (model/table_csv.hpp). 0 if the table has no such row.
double measured_in(const Json& row) {
  const auto text = [&](const char* name) { return row.at(name).get<std::string>(); };
  std::ifstream in(KIT_SOURCE_DIR "/docs/results/" + text("lab") + "-" + text("table") + ".csv");
  std::vector<std::string> head;
  std::vector<std::string> key = row.at("key");
  for (std::string& value : key)  // the file has options without their dashes
    if (value.rfind("--", 0) == 0) value.erase(0, 2);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind('#', 0) == 0) continue;
    std::size_t at = 0;
    const std::vector<std::string> cells = read_csv_row(line, at).cells;
    if (head.empty()) {
      head = cells;
    } else if (std::equal(key.begin(), key.end(), cells.begin())) {
      const auto column = std::find_if(head.begin(), head.end(), [&](const std::string& title) {
        return title.rfind(text("column") + " (", 0) == 0;
      });
      Measurement measured;
      std::istringstream samples(column == head.end() ? "" : cells.at(column - head.begin()));
      for (double sample; samples >> sample;) measured.samples.push_back(sample);
      return measured.samples.empty() ? 0 : measured.median();
    }
  }
  return 0;
}

/// All rows, grouped by table.
std::map<std::string, std::vector<Row>> all_rows() {
  std::map<std::string, std::vector<Row>> tables;
  std::ifstream in(KIT_SOURCE_DIR "/grader/src/explain/rows.jsonl");
  for (std::string line; std::getline(in, line);) {
    const Json json = Json::parse(line);
    Row row;
    for (const Json& key : json.at("key")) row.name += (row.name.empty() ? "" : " ") + key.get<std::string>();
    row.measured = measured_in(json);
    for (const Json& kernel : json.at("kernels")) {
      const KernelWork work = work_of(kernel);
      row.predicted += work.launches * predict(work, *find_gpu("h200")).seconds;
    }
    EXPECT_GT(row.measured, 0) << line.substr(0, 200);
    tables[json.at("lab").get<std::string>() + " " + json.at("table").get<std::string>()].push_back(row);
  }
  return tables;
}

/// Kendall's tau: how well the order of rows is predicted. Pairs whose measured times differ by less than 5 %
/// are ignored.
double tau_of(const std::vector<Row>& rows) {
  int right = 0, wrong = 0;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = a + 1; b < rows.size(); ++b) {
      const double ratio = rows[a].measured / rows[b].measured;
      if (ratio > 0.95 && ratio < 1.05) continue;
      ++((rows[a].predicted > rows[b].predicted) == (ratio > 1) ? right : wrong);
    }
  }
  return right + wrong == 0 ? 1 : static_cast<double>(right - wrong) / (right + wrong);
}

TEST(Rows, ArePredictedAsWellAsBefore) {
  std::vector<double> errors, taus;
  int inside = 0;
  std::vector<std::pair<double, std::string>> worst;
  fmt::print("{:<20} {:>5} {:>13} {:>8}\n", "table", "rows", "median error", "tau");
  for (const auto& [name, rows] : all_rows()) {
    std::vector<double> of_table;
    for (const Row& row : rows) {
      of_table.push_back(row.error());
      inside += row.measured > row.predicted / model::spread && row.measured < row.predicted * model::spread;
      worst.emplace_back(row.error(), fmt::format("{} {}: {:.3g} µs measured, {:.3g} predicted", name,
                                                  row.name, row.measured * 1e6, row.predicted * 1e6));
    }
    errors.insert(errors.end(), of_table.begin(), of_table.end());
    taus.push_back(tau_of(rows));
    fmt::print("{:<20} {:>5} {:>11.0f} % {:>8.2f}\n", name, rows.size(), 100 * Measurement{of_table}.median(),
               taus.back());
  }
  double mean = 0;
  for (const double tau : taus) mean += tau / static_cast<double>(taus.size());
  fmt::print("{:<20} {:>5} {:>11.0f} % {:>8.2f}\n", "all", errors.size(), 100 * Measurement{errors}.median(),
             mean);
  fmt::print("{} of {} inside of the interval; the worst:\n", inside, errors.size());
  std::sort(worst.rbegin(), worst.rend());
  for (std::size_t i = 0; i < std::min<std::size_t>(8, worst.size()); ++i)
    fmt::print("  {:.0f} %  {}\n", 100 * worst[i].first, worst[i].second);
  // The bounds are the present results, since a change must not make the model less accurate.
  EXPECT_GE(errors.size(), 33u);
  EXPECT_LE(Measurement{errors}.median(), 0.14);
  EXPECT_GE(mean, 0.89);
  EXPECT_GE(inside, 27);
}

}  // namespace
}  // namespace grader
