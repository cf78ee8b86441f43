// The commit of a clone is read by `git cat-file`, which starts no program of the clone's choice. It reads
// neither the working tree nor the index, so no file system monitor, filter or hook runs. It checks no
// signatures and reads no replaced objects. It can't fetch missing objects, because no protocol is allowed
// and the sandbox has no network. The command names the repository, so its owner does not matter
// (safe.directory). Git also ignores the configurations of the user and the system.
#include "course/git_clone.hpp"

#include <charconv>

#include "base/scratch.hpp"

namespace grader {

std::map<std::string, std::string> quiet_git() {
  return {{"GIT_CONFIG_NOSYSTEM", "1"},
          {"GIT_CONFIG_GLOBAL", "/dev/null"},
          {"GIT_NO_LAZY_FETCH", "1"},
          {"GIT_TERMINAL_PROMPT", "0"}};
}

bool is_git_clone(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(fs::symlink_status(folder / ".git", ignored));
}

std::optional<std::time_t> last_commit(const fs::path& clone, const Machine& machine) {
  static const fs::path git = find_program("git");
  if (git.empty()) return std::nullopt;
  const ScratchFolder scratch(fs::temp_directory_path(), "git");
  ProcessRequest request;
  request.argv = {git,
                  "--no-pager",
                  "--no-replace-objects",
                  "-c",
                  "safe.directory=*",
                  "-c",
                  "core.fsmonitor=false",
                  "-c",
                  "core.hooksPath=/dev/null",
                  "-c",
                  "protocol.allow=never",
                  "--git-dir=" + fs::absolute(clone / ".git").string(),
                  "cat-file",
                  "commit",
                  "HEAD"};
  request.environment = quiet_git();
  request.limits.wall_s = 20;
  request.limits.output = 1 << 20;
  request.limits.memory = std::uint64_t{1} << 30;
  request.limits.processes = 16;
  SandboxSpec spec;
  spec.program_folder = git.parent_path();
  spec.read_only = {fs::absolute(clone)};
  spec.work_folder = scratch.path() / "work";  // the scratch folder itself is closed to other users
  machine.files.make_empty(spec.work_folder);
  const ProcessResult done =
      run_unless_killed([&] { return machine.commands.run_confined(request, spec); }, Messages::quoting);
  if (!done.ok()) return std::nullopt;
  // The line of the head is "committer Ada <ada@example.org> 1893456000 +0100". The head ends at the first
  // empty line.
  const std::string head = "\n" + done.out.substr(0, done.out.find("\n\n"));
  const std::size_t line = head.find("\ncommitter ");
  if (line == std::string::npos) return std::nullopt;
  const std::size_t end = std::min(head.find('\n', line + 1), head.size()), name = head.rfind("> ", end);
  if (name == std::string::npos || name < line) return std::nullopt;
  std::time_t seconds = 0;
  const auto [stop, error] = std::from_chars(head.data() + name + 2, head.data() + end, seconds);
  return error == std::errc() && stop != head.data() + name + 2 && seconds > 0 ? std::optional(seconds)
                                                                               : std::nullopt;
}

}  // namespace grader
