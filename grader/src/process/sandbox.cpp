// What the sandbox shows of the machine is listed here, nothing else exists inside.
#include "process/sandbox.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace grader {
namespace {

constexpr int processes_of_bwrap = 2;  // outside the new namespaces, and its process 1 inside

using Arguments = std::vector<std::string>;

void append(Arguments& to, std::initializer_list<std::string> more) {
  to.insert(to.end(), more);
}

/// /bin, /lib … are links into /usr on merged systems and folders on others.
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
  // The loader's cache, and the links through which /usr/bin/c++ finds its compiler.
  for (const char* name : {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"})
    append(arguments, {"--ro-bind-try", name, name});
}

/// Folders in which a CUDA toolkit or driver lies outside /usr.
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
  // A library path that names a home or the root would show far more than libraries.
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
  // CUDA reads the layout of buses and NUMA nodes there.
  append(arguments, {"--ro-bind-try", "/sys", "/sys"});
  for (const fs::path& folder : cuda_folders()) append(arguments, {"--ro-bind-try", folder, folder});
}

/// Everything but the files of one run.
Arguments base_arguments(bool own_proc) {
  Arguments arguments = {"bwrap", "--unshare-all", "--die-with-parent", "--new-session"};
  // Root inside must not mount or trace; an ordinary user has nothing to drop.
  if (geteuid() == 0) append(arguments, {"--cap-drop", "ALL"});
  show_system(arguments);
  if (own_proc) {
    append(arguments, {"--proc", "/proc"});
  } else {
    append(arguments, {"--ro-bind", "/proc", "/proc"});
  }
  append(arguments, {"--dev", "/dev"});
  return arguments;
}

ProcessResult try_out(bool own_proc) {
  ProcessRequest request;
  request.argv = base_arguments(own_proc);
  append(request.argv, {"--", "true"});
  request.in_sandbox = true;
  request.limits.wall_s = 10;
  return run_process(request);
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

bool kernel_setting_is(const char* file, char value) {
  char found = 0;
  std::ifstream(file).get(found);
  return found == value;
}

/// Why bubblewrap itself fails, by what is known of distributions and containers.
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
  if (find_program("bwrap").empty()) {
    status.reason = "bubblewrap is not installed, so " + unprotected + ".";
    status.mend = "sudo apt install bubblewrap";
    return status;
  }
  const ProcessResult whole = try_out(true);
  if (whole.ok()) {
    status.works = status.own_proc = true;
    return status;
  }
  if (whole.end == ProcessResult::End::interrupted) return status;
  if (try_out(false).ok()) {
    status.works = true;
    status.reason =
        "this container allows no /proc of its own to a sandbox, so programs can see other processes.";
    status.mend = "start the container with: --security-opt systempaths=unconfined";
    return status;
  }
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

}  // namespace

const SandboxStatus& sandbox_status() {
  static const SandboxStatus status = [] {
    SandboxStatus found = find_status();
    ProcessRequest request;
    request.argv = {"bwrap", "--version"};
    const ProcessResult version = run_process(request);
    if (version.ok()) found.version = first_line(version.out);
    return found;
  }();
  return status;
}

ProcessRequest sandboxed(const ProcessRequest& inner, const SandboxSpec& spec) {
  ProcessRequest outer = inner;
  const fs::path work = fs::absolute(make_folder(spec.work_folder));
  // On disk and in the work folder, so that the folder's limit counts them:
  // a tmpfs would fill the machine's memory.
  const fs::path temporary = make_folder(work / ".tmp"), shared = make_folder(work / ".shm");
  outer.clean_environment = true;
  outer.environment.emplace("HOME", "/tmp");
  outer.environment["TMPDIR"] = "/tmp";
  if (spec.gpu) {
    for (const char* name : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_HOME", "CUDA_PATH"})
      if (const char* value = std::getenv(name)) outer.environment.emplace(name, value);
  }
  if (!sandbox_status().works) {
    outer.cwd = work;
    outer.environment["HOME"] = outer.environment["TMPDIR"] = temporary;
    return outer;
  }

  outer.argv = base_arguments(sandbox_status().own_proc);
  if (spec.gpu) show_gpu(outer.argv);
  append(outer.argv, {"--bind", temporary, "/tmp", "--bind", shared, "/dev/shm"});
  const fs::path program = fs::absolute(spec.program_folder);
  if (!spec.program_folder.empty()) append(outer.argv, {"--ro-bind", program, program});
  for (const fs::path& path : spec.read_only) {
    if (path.empty()) continue;
    const fs::path absolute = fs::absolute(path);
    append(outer.argv, {"--ro-bind-try", absolute, absolute});
  }
  for (const fs::path& path : spec.writable) {
    const fs::path folder = fs::absolute(make_folder(path));
    append(outer.argv, {"--bind", folder, folder});
  }
  append(outer.argv,
         {"--bind", work, work, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", work, "--"});
  outer.argv.insert(outer.argv.end(), inner.argv.begin(), inner.argv.end());
  outer.cwd.clear();
  outer.in_sandbox = true;
  if (outer.limits.processes) outer.limits.processes += processes_of_bwrap;
  return outer;
}

}  // namespace grader
