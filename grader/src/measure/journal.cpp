#include "measure/journal.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "model/json.hpp"
#include "run/own_tables.hpp"

namespace grader {

Journal::Journal(fs::path file, std::string lab)
    : file_(std::move(file)), lab_(std::move(lab)), tables_(read_tables(file_, lab_)) {}

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
  write();
}

void Journal::keep_only(const std::vector<std::string>& ids) {
  const std::size_t dropped = std::erase_if(
      tables_, [&](const Table& t) { return std::find(ids.begin(), ids.end(), t.spec.id) == ids.end(); });
  if (dropped > 0) write();
}

void Journal::write() const {
  nlohmann::json list = nlohmann::json::array();
  for (const Table& one : tables_) list.push_back(to_json(one));
  const nlohmann::json json = {{"format", 1}, {"kind", "tables"}, {"lab", lab_}, {"tables", std::move(list)}};
  write_file(file_, json_text(json) + "\n");
}

}  // namespace grader
