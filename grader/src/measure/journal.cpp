#include "measure/journal.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "model/table_csv.hpp"

namespace grader {

Journal::Journal(fs::path folder, const Lab& lab)
    : folder_(std::move(folder)), lab_(lab), tables_(read_tables(folder_, lab)) {}

const Table* Journal::find(const std::string& id) const {
  const auto found =
      std::find_if(tables_.begin(), tables_.end(), [&](const Table& t) { return t.spec.id == id; });
  return found == tables_.end() ? nullptr : &*found;
}

void Journal::put(const Table& table) {
  const auto same = std::find_if(tables_.begin(), tables_.end(),
                                 [&](const Table& t) { return t.spec.id == table.spec.id; });
  if (same == tables_.end()) {
    tables_.push_back(table);
  } else {
    *same = table;
  }
  write_file(table_file(folder_, lab_, table.spec.id), table_csv(table));
}

void Journal::keep_only(const std::vector<std::string>& ids) {
  std::erase_if(tables_, [&](const Table& t) {
    const bool drop = std::find(ids.begin(), ids.end(), t.spec.id) == ids.end();
    if (drop) fs::remove(table_file(folder_, lab_, t.spec.id));
    return drop;
  });
}

}  // namespace grader
