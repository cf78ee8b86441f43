/// @file
/// Kills processes of a grading with SIGKILL, as a user may do, or the operating system when memory runs out.
#pragma once
#include <signal.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "base/filesystem.hpp"

namespace grader::testing {

class Killer {
 public:
  enum class Victims { programs, compilers, programs_and_compilers, oracle_compilers };

  /// @param folder a folder in the command line of the grader or of the program that is killed
  /// @param pause the time between two kills; no process is killed twice
  Killer(std::string folder, int blows, std::chrono::milliseconds pause = std::chrono::milliseconds(5),
         Victims victims = Victims::programs)
      : folder_(std::move(folder)),
        victims_(victims),
        thread_([this, blows, pause] { work(blows, pause); }) {}
  ~Killer() {
    over_ = true;
    thread_.join();
  }
  Killer(const Killer&) = delete;
  Killer& operator=(const Killer&) = delete;

  int killed_programs() const { return programs_; }
  int killed_compilers() const { return compilers_; }

 private:
  static std::string read(const std::string& pid, const char* file) {
    std::ostringstream text;
    text << std::ifstream("/proc/" + pid + "/" + file).rdbuf();
    return text.str();
  }
  /// Whether the folder is in the command line of the process or of one of its ancestors.
  bool belongs(std::string pid) const {
    for (int steps = 0; steps < 20 && pid != "0" && !pid.empty(); ++steps) {
      if (read(pid, "cmdline").find(folder_) != std::string::npos) return true;
      std::istringstream status(read(pid, "status"));
      pid.clear();
      for (std::string line; std::getline(status, line);)
        if (line.starts_with("PPid:")) pid = line.substr(line.find_last_of(" \t") + 1);
    }
    return false;
  }
  bool strike(const std::string& pid) {
    // A program's command line begins with its path. Those of bubblewrap and setpriv begin with a name.
    const std::string line = read(pid, "cmdline");
    const bool only_oracles = victims_ == Victims::oracle_compilers;
    const bool program = victims_ != Victims::compilers && !only_oracles && line.starts_with("/") &&
                         line.find(std::string("\0--input\0", 9)) != std::string::npos;
    const bool compiler = victims_ != Victims::programs && read(pid, "comm").starts_with("cc1plus") &&
                          (!only_oracles || line.find("/oracle/") != std::string::npos);
    if ((!program && !compiler) || !belongs(pid) || kill(std::stoi(pid), SIGKILL) != 0) return false;
    ++(program ? programs_ : compilers_);
    return true;
  }
  void work(int blows, std::chrono::milliseconds pause) {
    std::set<std::string> killed;
    while (!over_ && static_cast<int>(killed.size()) < blows) {
      bool struck = false;
      std::error_code gone;
      for (fs::directory_iterator at("/proc", gone), end; !gone && at != end; at.increment(gone)) {
        const std::string pid = at->path().filename().string();
        if (pid.find_first_not_of("0123456789") != std::string::npos || killed.count(pid) != 0) continue;
        struck = strike(pid);
        if (!struck) continue;
        killed.insert(pid);
        break;
      }
      const auto next = std::chrono::steady_clock::now() + (struck ? pause : std::chrono::milliseconds(5));
      while (!over_ && std::chrono::steady_clock::now() < next)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  const std::string folder_;
  const Victims victims_;
  std::atomic<bool> over_{false};
  std::atomic<int> programs_{0}, compilers_{0};
  std::thread thread_;
};

}  // namespace grader::testing
