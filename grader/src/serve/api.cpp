#include "serve/api.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/json.hpp"

namespace grader {

ApiAnswer json_answer(const nlohmann::json& json, int status) {
  return {status, json_text(json, -1)};
}

ApiAnswer refused(int status, const std::string& what, const std::string& next) {
  return json_answer({{"error", what}, {"next", next}, {"kind", "usage"}}, status);
}

ApiAnswer not_found(const std::string& path) {
  return refused(404, fmt::format("There is no {}.", path), "docs/serve.md lists what there is.");
}

bool cut(std::string& path, const std::string& prefix) {
  if (!path.starts_with(prefix)) return false;
  path.erase(0, prefix.size());
  return true;
}

}  // namespace grader
