#include "run/own_tables.hpp"

#include <fmt/format.h>

#include "base/files.hpp"
#include "model/table_csv.hpp"

namespace grader {

constexpr std::uintmax_t largest_table = 64 << 20;

fs::path table_file(const fs::path& folder, const Lab& lab, const std::string& id) {
  return folder / fmt::format("{}-{}.csv", lab.id, id);
}

std::vector<Table> read_tables(const fs::path& folder, const Lab& lab) {
  std::vector<Table> tables;
  for (const TableSpec& spec : lab.tables) {
    for (const bool peers : {false, true}) {
      const fs::path file = table_file(folder, lab, spec.id + (peers ? "-peers" : ""));
      std::error_code ignored;
      if (!fs::exists(file, ignored)) continue;
      try {
        if (auto table = table_from_csv(read_file(file, largest_table), lab, spec, peers))
          tables.push_back(std::move(*table));
      } catch (const Error& e) {
        throw Error(ErrorKind::usage,
                    fmt::format("{} can't be read as a measured table. {}", shown(file), e.what()),
                    "remove it, or name another place");
      }
    }
  }
  return tables;
}

fs::path own_tables_folder(const Kit& kit) {
  return kit.state() / "tables";
}

std::vector<Table> read_own_tables(const Kit& kit, const Lab& lab) {
  try {
    return read_tables(own_tables_folder(kit), lab);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace grader
