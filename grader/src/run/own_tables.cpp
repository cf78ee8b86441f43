#include "run/own_tables.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "model/json.hpp"

namespace grader {

constexpr std::uintmax_t largest_tables = 64 << 20;

std::vector<Table> read_tables(const fs::path& file, const std::string& lab_id) {
  std::error_code ignored;
  std::vector<Table> tables;
  if (!fs::exists(file, ignored)) return tables;
  try {
    const nlohmann::json json = parse_json(read_file(file, largest_tables), shown(file));
    if (!json.is_object() || json.value("kind", "") != "tables" || json.value("lab", "") != lab_id)
      throw Error(ErrorKind::fault, fmt::format("It holds no tables of {}.", lab_id));
    for (const nlohmann::json& table : json.at("tables")) tables.push_back(table_from_json(table));
  } catch (const Error& e) {
    throw Error(ErrorKind::usage,
                fmt::format("{} can't be read as measured tables. {}", shown(file), e.what()),
                "remove it, or name another place");
  } catch (const nlohmann::json::exception& e) {
    throw Error(ErrorKind::usage,
                fmt::format("{} can't be read as measured tables: {}", shown(file), e.what()),
                "remove it, or name another place");
  }
  return tables;
}

fs::path own_tables_file(const Kit& kit, const Lab& lab) {
  return kit.state() / "tables" / (lab.id + ".json");
}

std::vector<Table> read_own_tables(const Kit& kit, const Lab& lab) {
  try {
    return read_tables(own_tables_file(kit, lab), lab.id);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace grader
