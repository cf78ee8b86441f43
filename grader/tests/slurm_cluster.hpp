/// @file
/// A Slurm of a test's own: munged, slurmctld and two nodes on this machine, in a temporary folder, on free
/// ports, under the test's user. It needs neither root nor control groups, and does not affect an installed
/// Slurm.
#pragma once
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>

#include "grader_runner.hpp"

namespace grader::testing {

/// Tests a condition every 20 ms. @return whether it became true in time
inline bool wait_until(const std::function<bool()>& true_at_last, double seconds = 60) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!true_at_last()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

class SlurmCluster {
 public:
  /// Why Slurm can't be used here; "" if it can.
  static std::string missing() {
    for (const char* program : {"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel"})
      if (path_of(program).empty())
        return std::string(program) +
               " is not installed (apt-get install slurmctld slurmd slurm-client munge)";
    return "";
  }

  SlurmCluster() {
    make_folders();
    start({path_of("munged"), "--foreground", "--key-file=" + at("munge/key"),
           "--socket=" + at("munge/socket"), "--pid-file=" + at("munge/pid"), "--log-file=" + at("munge/log"),
           "--seed-file=" + at("munge/seed")});
    wait_until([&] { return fs::exists(at("munge/socket")); }, 10);
    start({path_of("slurmctld"), "-D", "-f", at("slurm.conf")});
    for (const char* node : {"n1", "n2"})
      start({path_of("slurmd"), "-D", "-N", node, "-f", at("slurm.conf")});
  }

  ~SlurmCluster() {
    shell("scancel --user=$(id -u)");
    wait_until([&] { return shell("squeue --noheader").out.empty(); }, 10);
    for (auto daemon = daemons_.rbegin(); daemon != daemons_.rend(); ++daemon) kill(*daemon, SIGTERM);
    for (const pid_t daemon : daemons_) {
      wait_until([&] { return waitpid(daemon, nullptr, WNOHANG) != 0; }, 10);
      kill(daemon, SIGKILL);
    }
  }
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;

  /// Whether the nodes accept jobs. If they don't, logs() has the reason.
  bool comes_up() {
    return wait_until([&] { return shell("sinfo --noheader --states=idle --format=%D").out == "2\n"; }, 60);
  }
  std::string logs() const {
    std::string text;
    for (const char* name : {"munge/log", "slurmctld.log", "slurmd.n1.log"})
      text += "-- " + std::string(name) + "\n" + read_file(folder_ / name);
    return text;
  }

  std::string configuration() const { return at("slurm.conf"); }
  /// Runs a shell line with this Slurm's commands.
  Ran shell(const std::string& line) const {
    User user;
    user.set("SLURM_CONF", configuration());
    return user.shell(line, 60);
  }

 private:
  /// The path of a program. Daemons are in /usr/sbin, which is not in the PATH of every user.
  static std::string path_of(const std::string& program) {
    const fs::path found = find_program(program);
    if (!found.empty()) return found;
    std::error_code failed;
    return fs::exists("/usr/sbin/" + program, failed) ? "/usr/sbin/" + program : "";
  }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }

  /// A port that is free now. Another program is unlikely to take it before the test uses it.
  static int free_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(socket, reinterpret_cast<sockaddr*>(&address), size) != 0)
      throw std::runtime_error("no port is free");
    getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    close(socket);
    return ntohs(address.sin_port);
  }

  void make_folders() const {
    fs::permissions(folder_.path(), fs::perms(0755));  // munge refuses a socket that other users can't reach
    for (const char* name : {"munge", "state", "spool/n1", "spool/n2"})
      fs::create_directories(folder_ / name);
    fs::permissions(folder_ / "munge", fs::perms(0755));
    std::string key(128, 'k');
    std::ifstream("/dev/urandom", std::ios::binary)
        .read(key.data(), static_cast<std::streamsize>(key.size()));
    write_file(folder_ / "munge/key", key);
    fs::permissions(folder_ / "munge/key", fs::perms(0600));
    write_file(folder_ / "slurm.conf", slurm_conf());
    // Control groups are not used, but without this file slurmd would look for the machine's file. Before
    // version 23, "none" was not allowed, and the old setting has no effect here.
    const std::string version = shell(path_of("slurmd") + " -V").out;
    const std::size_t digit = version.find_first_of("0123456789");
    const bool old = digit == version.npos || std::atoi(version.c_str() + digit) < 23;
    write_file(folder_ / "cgroup.conf", old ? "CgroupPlugin=cgroup/v1\n" : "CgroupPlugin=disabled\n");
    write_file(folder_ / "gres.conf",
               "NodeName=n[1-2] Name=gpu File=/dev/null\n");  // a GPU for jobs that request one
  }

  std::string slurm_conf() const {
    const std::string user = std::to_string(geteuid());
    std::string text = "ClusterName=test\nSlurmctldHost=localhost(127.0.0.1)\n";
    text += "SlurmUser=" + user + "\nSlurmdUser=" + user + "\n";
    text += "SlurmctldPort=" + std::to_string(free_port()) + "\n";
    text += "AuthType=auth/munge\nAuthInfo=socket=" + at("munge/socket") + "\n";
    text += "StateSaveLocation=" + at("state") + "\nSlurmdSpoolDir=" + at("spool/%n") + "\n";
    text += "SlurmctldPidFile=" + at("slurmctld.pid") + "\nSlurmdPidFile=" + at("slurmd.%n.pid") + "\n";
    text += "SlurmctldLogFile=" + at("slurmctld.log") + "\nSlurmdLogFile=" + at("slurmd.%n.log") + "\n";
    text +=
        "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\n"
        "SelectTypeParameters=CR_CPU\nReturnToService=2\nKillWait=2\nGresTypes=gpu\n"
        "SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0\n";
    for (const char* node : {"n1", "n2"})
      text += "NodeName=" + std::string(node) +
              " NodeHostname=localhost NodeAddr=127.0.0.1 CPUs=2 Gres=gpu:1 State=UNKNOWN Port=" +
              std::to_string(free_port()) + "\n";
    return text + "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";
  }

  void start(std::vector<std::string> command) {
    std::vector<char*> argv;
    for (std::string& word : command) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::string log = at("daemons.log"), conf = configuration();
    const pid_t daemon = fork();
    if (daemon == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);  // so that no daemon remains if the test is killed
      setenv("SLURM_CONF", conf.c_str(), 1);
      if (!freopen(log.c_str(), "a", stdout) || dup2(1, 2) < 0) _exit(126);
      execv(argv[0], argv.data());
      _exit(127);
    }
    daemons_.push_back(daemon);
  }

  TemporaryFolder folder_;
  std::vector<pid_t> daemons_;
};

}  // namespace grader::testing
