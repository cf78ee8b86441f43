// Runs git in the kit's folder. "COMMIT:./path" is relative to that folder, so the kit may be a folder of a larger
// repository.
#include "catalog/committed.hpp"

#include <algorithm>

#include "process/process.hpp"

namespace grader {
namespace {

constexpr std::uint64_t largest_output = 16 << 20;

std::optional<std::string> git(const Kit& kit, std::vector<std::string> arguments) {
  if (find_program("git").empty()) return {};
  ProcessRequest request;
  request.argv = {"git", "--no-pager"};
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  request.cwd = kit.root;
  request.environment = {{"GIT_OPTIONAL_LOCKS", "0"}, {"LC_ALL", "C"}};
  request.limits.wall_s = 30;
  request.limits.output = largest_output;
  ProcessResult result = run_own_process(request);
  if (result.end != ProcessResult::End::exited || result.code != 0 || result.out.size() >= largest_output)
    return {};
  return std::move(result.out);
}

/// "./labs/…", or empty for a path outside the kit.
std::string in_kit(const Kit& kit, const fs::path& path) {
  const fs::path relative = path.lexically_normal().lexically_relative(kit.root.lexically_normal());
  if (relative.empty() || *relative.begin() == "..") return {};
  return "./" + relative.string();
}

}  // namespace

std::vector<std::string> committed_versions(const Kit& kit, const fs::path& file, int most) {
  const std::string path = in_kit(kit, file);
  std::vector<std::string> texts;
  const auto commits =
      path.empty() ? std::nullopt : git(kit, {"log", "--format=%H", "-n", std::to_string(most), "--", path});
  for (std::size_t begin = 0; commits && begin < commits->size();) {
    const std::size_t end = std::min(commits->find('\n', begin), commits->size());
    if (auto text = git(kit, {"cat-file", "blob", commits->substr(begin, end - begin) + ":" + path}))
      texts.push_back(std::move(*text));
    begin = end + 1;
  }
  return texts;
}

}  // namespace grader
