/// @file
/// Runs the real grader as a user does. Each user has separate records.
#pragma once
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/columns.hpp"
#include "base/removal.hpp"
#include "process/process.hpp"

namespace grader::testing {

/// A folder that is removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "grader-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder can be made in " + name);
    path_ = name;
  }
  ~TemporaryFolder() { remove_tree(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }
  fs::path operator/(const fs::path& name) const { return path_ / name; }

 private:
  fs::path path_;
};

inline void write_file(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("can't write " + file.string());
}

inline std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The result of a grader run: the exit code, both outputs, and standard output as JSON if it is JSON.
struct Ran {
  int exit_code = -1;
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// Each student's mark from `grader class --json`.
inline std::map<std::string, double> marks_of(const Ran& ran) {
  std::map<std::string, double> out;
  const auto report = ran.json();
  for (const auto& student : report["students"]) out[student["student"]] = student["mark"];
  return out;
}

/// The cache, which all tests share since its entries depend only on content. Records, hints and backups are
/// separate for each user.
inline fs::path shared_cache() {
  return fs::temp_directory_path() / "grader-test-cache";
}

/// A user of the kit with a separate state folder.
class User {
 public:
  explicit User(fs::path kit = KIT_SOURCE_DIR) : kit_(std::move(kit)) {
    environment_["CUDA_LAB_KIT"] = kit_.string();
    environment_["GRADER_HOME"] = (home_ / "state").string();
    environment_["GRADER_CACHE"] = shared_cache().string();
    environment_["NO_COLOR"] = "1";
  }

  Ran grader(std::vector<std::string> arguments, double wall_s = 280) const {
    arguments.insert(arguments.begin(), GRADER_BINARY);
    return run(std::move(arguments), wall_s);
  }
  /// Runs a shell line.
  Ran shell(const std::string& line, double wall_s = 280) const {
    return run({"/bin/sh", "-c", line}, wall_s);
  }

  /// Writes the sources of a lab's solution to a folder of the user, with a replacement in all sources.
  /// @param lab the lab's folder, such as "lab2.1-matrixmul"
  /// @param from the text to replace; empty: no replacement
  void write_solution(const std::string& lab, const std::string& to, const std::string& from,
                      const std::string& by) const {
    for (const std::string& part :
         {"solutions/" + lab, "labs/" + lab + "/given", "labs/" + lab + "/shared"}) {
      if (!fs::exists(kit_ / part)) continue;
      for (const fs::directory_entry& file : fs::directory_iterator(kit_ / part)) {
        const std::string name = file.path().filename();
        if (name.ends_with(".toml") || name.ends_with(".md")) continue;
        const std::string text = read_file(file);
        write_file(folder() / to / name, from.empty() ? text : replace_all(text, from, by));
      }
    }
  }

  const fs::path& folder() const { return home_.path(); }
  const fs::path& kit() const { return kit_; }
  fs::path state() const { return home_ / "state"; }
  void set(const std::string& name, const std::string& value) { environment_[name] = value; }

 private:
  Ran run(std::vector<std::string> command, double wall_s) const {
    ProcessRequest request;
    request.argv = std::move(command);
    request.cwd = home_.path();
    request.environment = environment_;
    request.limits.wall_s = wall_s;
    request.limits.output = 16 << 20;
    const ProcessResult result = run_process(request);
    Ran ran;
    ran.exit_code = result.end == ProcessResult::End::exited ? result.code : -1;
    ran.out = result.out;
    ran.err = result.err + result.error;
    return ran;
  }

  TemporaryFolder home_;
  fs::path kit_;
  std::map<std::string, std::string> environment_;
};

/// Whether this machine can run the labs on a GPU.
inline bool gpu_here() {
  static const bool here = !find_program("nvidia-smi").empty() && !find_program("nvcc").empty();
  return here;
}

}  // namespace grader::testing
