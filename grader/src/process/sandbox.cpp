// This file lists every part of the machine that is visible in the sandbox.
#include "process/sandbox.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>

#include "process/machine.hpp"

namespace grader {
namespace {

constexpr int processes_of_bwrap = 2;  // one outside of the new namespaces, and process 1 inside

using Arguments = std::vector<std::string>;

void append(Arguments& to, std::initializer_list<std::string> more) {
  to.insert(to.end(), more);
}

/// Makes a file or folder visible at its own path. bwrap would create the parent folders so that only root can open
/// them.
void show(Arguments& arguments, const char* how, const fs::path& path) {
  std::vector<fs::path> above;
  for (fs::path at = path.parent_path(); at != at.root_path(); at = at.parent_path()) above.push_back(at);
  for (auto at = above.rbegin(); at != above.rend(); ++at)
    append(arguments, {"--perms", "0755", "--dir", *at});
  append(arguments, {how, path, path});
}

/// Makes the system's folders visible. /bin, /lib … are links into /usr on merged systems, and folders on other
/// systems.
void show_system(Arguments& arguments) {
  append(arguments, {"--ro-bind", "/usr", "/usr"});
  for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    std::error_code ignored;
    if (fs::is_symlink(name, ignored)) {
      append(arguments, {"--symlink", fs::read_symlink(name, ignored), name});
    } else if (fs::is_directory(name, ignored)) {
      append(arguments, {"--ro-bind", name, name});
    }
  }
  // These are the loader's cache, and the links through which /usr/bin/c++ finds its compiler.
  for (const char* name : {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"})
    show(arguments, "--ro-bind-try", name);
}

/// The folders outside /usr that contain a CUDA toolkit or driver.
std::vector<fs::path> cuda_folders() {
  std::vector<fs::path> candidates = {"/usr/local/cuda", "/usr/local/nvidia", "/usr/lib/wsl", "/opt/cuda"};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* value = std::getenv(variable)) candidates.emplace_back(value);
  if (const char* path = std::getenv("LD_LIBRARY_PATH")) {
    const std::string list = path;
    for (std::size_t begin = 0; begin < list.size();) {
      const std::size_t end = std::min(list.find(':', begin), list.size());
      candidates.emplace_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  // If a library path names a home or the root, showing it would make far more than libraries visible.
  const std::set<fs::path> too_wide = {"/", "/home", "/root", "/etc", "/var", "/tmp", "/opt", "/mnt", "/usr"};
  std::vector<fs::path> found;
  for (const fs::path& candidate : candidates) {
    std::error_code failed;
    const fs::path real = fs::canonical(candidate, failed);
    if (failed || !candidate.is_absolute() || too_wide.count(real)) continue;
    for (const fs::path& path : {candidate, real})
      if (path.string().rfind("/usr/", 0) != 0) found.push_back(path);
  }
  return found;
}

void show_gpu(Arguments& arguments) {
  std::error_code failed;
  for (fs::directory_iterator entry("/dev", failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename();
    if (name.rfind("nvidia", 0) == 0 || name == "dxg")
      append(arguments, {"--dev-bind", entry->path(), entry->path()});
  }
  // CUDA reads the topology of buses and NUMA nodes from /sys.
  append(arguments, {"--ro-bind-try", "/sys", "/sys"});
  for (const fs::path& folder : cuda_folders()) show(arguments, "--ro-bind-try", folder);
}

/// The features of the sandbox that this machine allows.
struct Kind {
  bool own_proc = true;
  bool changes_user = false;  ///< whether root becomes an ordinary user
};

/// All arguments except those for the files of one run.
Arguments base_arguments(const Kind& kind) {
  Arguments arguments = {"bwrap", "--die-with-parent", "--new-session", "--json-status-fd",
                         std::to_string(status_descriptor)};
  if (kind.changes_user) {
    // Root stays in its user namespace: a new one would contain no other user that the program could become.
    append(arguments,
           {"--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
            "--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"});
  } else {
    append(arguments, {"--unshare-all"});
    // Root must not mount or trace inside the sandbox. An ordinary user has no capability to drop.
    if (geteuid() == 0) append(arguments, {"--cap-drop", "ALL"});
  }
  show_system(arguments);
  if (kind.own_proc) {
    append(arguments, {"--proc", "/proc"});
    // Root owns these files, and may write them without any capability.
    if (geteuid() == 0) append(arguments, {"--ro-bind", "/proc/sys", "/proc/sys"});
  } else {
    append(arguments, {"--ro-bind", "/proc", "/proc"});
  }
  append(arguments, {"--dev", "/dev"});
  return arguments;
}

/// Adds the arguments between bwrap's own and the program's.
void end_arguments(Arguments& arguments, const Kind& kind, Syscalls syscalls) {
  if (!syscall_filter(syscalls).empty()) append(arguments, {"--seccomp", std::to_string(filter_descriptor)});
  append(arguments, {"--"});
  const std::string user = std::to_string(ordinary_user);
  if (kind.changes_user)
    append(arguments,
           {"setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--inh-caps=-all", "--"});
}

ProcessResult try_out(const Kind& kind) {
  ProcessRequest request;
  request.argv = base_arguments(kind);
  end_arguments(request.argv, kind, Syscalls::usual);
  append(request.argv, {"true"});
  request.in_sandbox = true;
  request.syscalls = Syscalls::usual;
  request.limits.wall_s = 10;
  ProcessResult tried = run_own_process(request);
  // A weaker kind, or none, must not protect the machine because one probe was killed.
  if (tried.end == ProcessResult::End::killed) throw killed_twice("The sandbox's trial");
  return tried;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

bool kernel_setting_is(const char* file, char value) {
  char found = 0;
  std::ifstream(file).get(found);
  return found == value;
}

/// The remedy if bubblewrap itself fails, for known causes in distributions and containers.
std::string mend_for_failure() {
  if (kernel_setting_is("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", '1'))
    return "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0";
  if (kernel_setting_is("/proc/sys/kernel/unprivileged_userns_clone", '0'))
    return "sudo sysctl kernel.unprivileged_userns_clone=1";
  if (kernel_setting_is("/proc/sys/user/max_user_namespaces", '0'))
    return "sudo sysctl user.max_user_namespaces=10000";
  return "in a container, start it with: --security-opt seccomp=unconfined --security-opt "
         "apparmor=unconfined";
}

SandboxStatus find_status() {
  SandboxStatus status;
  const std::string unprotected =
      "programs run with your own rights: they can use the network and read your files, the gold and the "
      "solutions";
  status.filters = !syscall_filter(Syscalls::usual).empty();
  if (find_program("bwrap").empty()) {
    status.reason = "bubblewrap is not installed, so " + unprotected + ".";
    status.mend = "sudo apt install bubblewrap";
    return status;
  }
  const bool root = geteuid() == 0;
  ProcessResult whole;
  // Tries the best kind first.
  for (const Kind kind : {Kind{true, root}, Kind{false, root}, Kind{true, false}, Kind{false, false}}) {
    if (status.works) break;
    whole = try_out(kind);
    if (whole.end == ProcessResult::End::interrupted) return status;
    status.works = whole.ok();
    status.own_proc = status.works && kind.own_proc;
    status.as_ordinary_user = status.works && (!root || kind.changes_user);
  }
  if (status.works && !status.own_proc) {
    status.reason =
        "this container allows no /proc of its own to a sandbox, so programs can see other processes.";
    status.mend = "start the container with: --security-opt systempaths=unconfined";
  }
  if (status.works && !status.as_ordinary_user) {
    status.reason +=
        std::string(status.reason.empty() ? "" : " ") +
        "This container's root can't become another user in a sandbox, so programs run as root there.";
    if (status.mend.empty()) status.mend = "run the grader as an ordinary user";
  }
  if (status.works) return status;
  const std::string said = first_line(whole.err.empty() ? whole.error : whole.err);
  status.reason = fmt::format("bubblewrap fails here ({}), so {}.", said, unprotected);
  status.mend = mend_for_failure();
  return status;
}

fs::path make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw Error(ErrorKind::environment,
                fmt::format("The folder {} could not be made: {}.", folder.string(), failed.message()),
                "free some disk space, or point GRADER_HOME to a folder that you may write");
  return folder;
}

/// Makes the ordinary user the owner of a folder and of all files that the grader put into it.
void give_to_user(const fs::path& folder) {
  const auto give = [](const fs::path& path) {
    if (lchown(path.c_str(), ordinary_user, ordinary_user) != 0)
      throw Error(ErrorKind::environment,
                  fmt::format("{} can't be given to the user that programs run as: {}.", path.string(),
                              std::strerror(errno)));
  };
  give(folder);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) give(entry.path());
}

/// Whether a user who owns no folder on the path from the root can read a file or folder.
/// @param of_folder the permissions needed for the folder itself: to list names, or only to open files with known
///   names
bool everybody_reaches(const fs::path& path,
                       fs::perms of_folder = fs::perms::others_exec | fs::perms::others_read) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  if (failed) return true;  // the path is left out
  const auto others = [&](const fs::path& at, fs::perms wanted) {
    return (fs::status(at, failed).permissions() & wanted) == wanted;
  };
  for (fs::path at = real.parent_path(); at != at.root_path(); at = at.parent_path())
    if (!others(at, fs::perms::others_exec)) return false;
  return others(real, fs::is_directory(real, failed) ? of_folder : fs::perms::others_read);
}

/// Lets the ordinary user enter this run's private folder, which contains the work folder, but not list it.
void open_way_to(const fs::path& work) {
  std::error_code ignored;
  fs::permissions(work.parent_path(), fs::perms::others_exec, fs::perm_options::add, ignored);
}

/// Whether the ordinary user can run the program without a sandbox.
bool user_can_run(const ProcessRequest& inner, const SandboxSpec& spec) {
  std::vector<fs::path> needed = spec.read_only;
  if (!spec.program_folder.empty()) needed.push_back(spec.program_folder);
  if (inner.argv.at(0).find('/') != std::string::npos) needed.emplace_back(inner.argv[0]);
  return everybody_reaches(spec.work_folder.parent_path(), fs::perms::others_exec) &&
         std::all_of(needed.begin(), needed.end(),
                     [](const fs::path& path) { return path.empty() || everybody_reaches(path); });
}

bool changes_user(const SandboxSpec& spec) {
  return geteuid() == 0 && sandbox_status().as_ordinary_user && !spec.of_the_kit;
}

}  // namespace

const SandboxStatus& sandbox_status() {
  static const SandboxStatus status = [] {
    SandboxStatus found = find_status();
    ProcessRequest request;
    request.argv = {"bwrap", "--version"};
    const ProcessResult version = run_own_process(request);
    if (version.ok()) found.version = first_line(version.out);
    return found;
  }();
  return status;
}

ProcessRequest sandboxed(const ProcessRequest& inner, const SandboxSpec& spec) {
  ProcessRequest outer = inner;
  const fs::path work = fs::absolute(make_folder(spec.work_folder));
  // These folders are on disk in the work folder, so the folder's limit includes them. A tmpfs would fill the
  // machine's memory.
  const fs::path temporary = make_folder(work / ".tmp"), shared = make_folder(work / ".shm");
  outer.clean_environment = true;
  outer.environment.emplace("HOME", "/tmp");
  outer.environment["TMPDIR"] = "/tmp";
  if (spec.gpu) {
    for (const char* name : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_HOME", "CUDA_PATH"})
      if (const char* value = std::getenv(name)) outer.environment.emplace(name, value);
  }
  outer.syscalls = spec.syscalls;
  if (!sandbox_status().works) {
    if (geteuid() == 0 && !spec.of_the_kit) open_way_to(work);
    if (geteuid() == 0 && !spec.of_the_kit && user_can_run(inner, spec)) {
      give_to_user(work);
      outer.user = ordinary_user;
    }
    outer.cwd = work;
    outer.environment["HOME"] = outer.environment["TMPDIR"] = temporary;
    return outer;
  }

  const Kind kind{sandbox_status().own_proc, changes_user(spec)};
  if (kind.changes_user) give_to_user(work);
  outer.argv = base_arguments(kind);
  if (spec.gpu) show_gpu(outer.argv);
  append(outer.argv, {"--bind", temporary, "/tmp", "--bind", shared, "/dev/shm"});
  if (!spec.program_folder.empty()) show(outer.argv, "--ro-bind", fs::absolute(spec.program_folder));
  for (const fs::path& path : spec.read_only) {
    std::error_code none;
    if (!path.empty() && fs::exists(path, none)) show(outer.argv, "--ro-bind-try", fs::absolute(path));
  }
  for (const fs::path& path : spec.writable) show(outer.argv, "--bind", fs::absolute(make_folder(path)));
  show(outer.argv, "--bind", work);
  append(outer.argv, {"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", work});
  end_arguments(outer.argv, kind, spec.syscalls);
  outer.argv.insert(outer.argv.end(), inner.argv.begin(), inner.argv.end());
  outer.cwd.clear();
  outer.in_sandbox = true;
  if (outer.limits.processes) outer.limits.processes += processes_of_bwrap;
  return outer;
}

namespace {

/// Whether the exit code may be that of setpriv, which starts the program as another user. setpriv exits with
/// such a code if it fails, but any program may do so, too.
bool may_be_of_setpriv(const ProcessResult& result) {
  return result.end == ProcessResult::End::exited && (result.code == 126 || result.code == 127);
}

/// Whether the program can be started. Runs `test -x` in the same sandbox and as the same user.
bool can_be_started(const ProcessRequest& outer, std::size_t inner_words, const std::string& program) {
  ProcessRequest question = outer;
  question.argv.resize(question.argv.size() - inner_words);
  append(question.argv, {"sh", "-c", "test -x \"$(command -v -- \"$1\")\"", "sh", program});
  question.hello.clear();
  question.limits = {};
  question.limits.wall_s = 10;
  const ProcessResult answer = run_own_process(question);
  return answer.ok() || answer.end == ProcessResult::End::interrupted;
}

}  // namespace

ProcessResult run_sandboxed(const ProcessRequest& inner, const SandboxSpec& spec) {
  const ProcessRequest outer = sandboxed(inner, spec);
  ProcessResult result = run_process(outer);
  if (outer.in_sandbox && changes_user(spec) && may_be_of_setpriv(result) &&
      !can_be_started(outer, inner.argv.size(), inner.argv.at(0))) {
    result.end = ProcessResult::End::not_started;
    result.error = fmt::format("{} can't be started in the sandbox", inner.argv[0]);
  }
  return result;
}

}  // namespace grader
