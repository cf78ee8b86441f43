/// @file
/// A class that the real command serves, and clients for its students. A test can kill the server and start
/// it again.
#pragma once
#include <fcntl.h>
#include <httplib.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "grader_runner.hpp"
#include "small_kit.hpp"

namespace grader::testing {

inline const char* const small_hand_ins = "/api/1/labs/lab9.1/1/hand-ins";

/// A student's file with this text in its blank.
inline std::string small_answer(const std::string& blank) {
  return small_program("// ---- part 1: the kernel ----\n" + blank + "\n  // ---- end of part 1 ----");
}
inline const char* const right_blank = "if (i < n) y[i] = 2 * x[i];";

class ServedClass {
 public:
  /// @param settings more lines of class.toml, which precede its tables
  explicit ServedClass(const std::string& settings = "", int workers = 2) : workers_(workers) {
    user_.set("LC_ALL", "C.UTF-8");
    port_ = free_port();
    write_class(settings);
    start();
  }
  ~ServedClass() { stop(SIGINT); }
  ServedClass(const ServedClass&) = delete;
  ServedClass& operator=(const ServedClass&) = delete;

  void write_class(const std::string& settings) const {
    write_file(class_folder() / "class.toml",
               "format = 1\nname = \"gpu-2030\"\nlab = \"lab9.1\"\nstudents = \"students.csv\"\n" + settings);
    write_file(class_folder() / "students.csv", "id,name\nada,Ada Lovelace\nbob,Bob\ncleo,Cleo\n");
  }
  fs::path class_folder() const { return folder_ / "class"; }
  const User& user() const { return user_; }
  int port() const { return port_; }
  pid_t pid() const { return child_; }

  void start() {
    const std::vector<std::string> words = {"/usr/bin/env",
                                            "CUDA_LAB_KIT=" + user_.kit().string(),
                                            "GRADER_HOME=" + user_.state().string(),
                                            "GRADER_CACHE=" + shared_cache().string(),
                                            "LC_ALL=C.UTF-8",
                                            GRADER_BINARY,
                                            "serve",
                                            "--class",
                                            (class_folder() / "class.toml").string(),
                                            "--port",
                                            std::to_string(port_),
                                            "--workers",
                                            std::to_string(workers_),
                                            "--backend",
                                            "emu",
                                            "--unsafe"};
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const fs::path log = folder_ / "server.log";
    child_ = fork();
    if (child_ == 0) {
      const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
      dup2(out, 1);
      dup2(out, 2);
      execv(argv[0], argv.data());
      _exit(127);
    }
    for (int i = 0; i < 600; ++i) {
      const auto answer = stranger().Get("/api/1");
      if (answer && answer->status == 403) return;
      if (waitpid(child_, nullptr, WNOHANG) == child_) {
        child_ = -1;
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    throw std::runtime_error("the class is not served: " + read_file(log));
  }
  void stop(int signal) {
    if (child_ <= 0) return;
    ::kill(child_, signal);
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }

  Ran serve(std::vector<std::string> words) const {
    words.insert(words.begin(), {"serve", "--class", (class_folder() / "class.toml").string(), "--port",
                                 std::to_string(port_)});
    return user_.grader(words);
  }
  Ran grade_class(std::vector<std::string> words = {}) const {
    words.insert(words.begin(), {"class", class_folder().string(), "--backend", "emu", "--unsafe", "--json"});
    return user_.grader(words);
  }

  /// @param student empty: the instructor's link
  std::string link_of(const std::string& student) const {
    const nlohmann::json links = serve({"--links", "--json"}).json();
    for (const auto& one : links["links"])
      if (student.empty() ? one["student"].is_null() : one["student"] == student) return one["link"];
    return "";
  }
  std::string token_of(const std::string& student) {
    std::string& token = tokens_[student];
    if (token.empty()) {
      const std::string link = link_of(student);
      token = link.substr(link.find('=') + 1);
    }
    return token;
  }
  httplib::Client stranger() const {
    httplib::Client out("127.0.0.1", port_);
    out.set_read_timeout(60);
    return out;
  }
  httplib::Client client(const std::string& student) {
    httplib::Client out = stranger();
    out.set_default_headers({{"Authorization", "Bearer " + token_of(student)}});
    return out;
  }
  nlohmann::json get(const std::string& student, const std::string& path) {
    const auto answer = client(student).Get(path);
    return answer && answer->status == 200 ? nlohmann::json::parse(answer->body) : nlohmann::json();
  }
  struct Answer {
    int status = -1;
    nlohmann::json json;
  };
  Answer post(const std::string& student, const nlohmann::json& files, const httplib::Headers& headers = {}) {
    const auto answer = client(student).Post(small_hand_ins, headers, nlohmann::json{{"files", files}}.dump(),
                                             "application/json");
    if (!answer) return {};
    return {answer->status, nlohmann::json::parse(answer->body, nullptr, false)};
  }
  /// Hands in the lab's file with this text in its blank.
  Answer hand_in(const std::string& student, const std::string& blank = right_blank) {
    return post(student, {{{"name", "double.cu"}, {"text", small_answer(blank)}}});
  }
  nlohmann::json history(const std::string& student) { return get(student, small_hand_ins)["hand_ins"]; }
  /// Waits until all hand-ins of a student are graded, replaced or taken back.
  nlohmann::json settled(const std::string& student) {
    for (int i = 0; i < 1200; ++i) {
      const nlohmann::json all = history(student);
      bool settled = all.is_array() && !all.empty();
      for (const auto& one : all)
        settled &= one["state"] == "graded" || one["state"] == "replaced" || one["state"] == "taken back";
      if (settled) return all;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    throw std::runtime_error("hand-ins are still not graded: " + history(student).dump());
  }

 private:
  static int free_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(socket, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no free port");
    close(socket);
    return ntohs(address.sin_port);
  }

  const TemporaryFolder folder_;
  User user_{write_small_kit(folder_.path())};
  int port_ = 0;
  const int workers_;
  pid_t child_ = -1;
  std::map<std::string, std::string> tokens_;
};

}  // namespace grader::testing
