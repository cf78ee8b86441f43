/// @file
/// A workbench that the real command starts, and a client of its API.
#pragma once
#include <httplib.h>

#include <atomic>
#include <future>
#include <thread>

#include "grader_runner.hpp"
#include "process/lines.hpp"
#include "small_kit.hpp"

namespace grader::testing {

/// Runs `grader serve` during the object's lifetime. The user has not started any lab.
class Serving {
 public:
  /// @param kit the kit's folder; empty: a small kit is made for the test
  explicit Serving(const fs::path& kit = {}) : kit_(kit.empty() ? write_small_kit(folder_.path()) : kit) {
    begin();
  }
  ~Serving() {
    stop_ = true;
    thread_.join();
  }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  const std::string& address() const { return address_; }
  std::string token() const { return address_.substr(address_.find('=') + 1); }
  std::string origin() const { return address_.substr(0, address_.find("/?")); }
  const fs::path& kit() const { return kit_; }
  fs::path work() const { return folder_ / "work"; }
  fs::path state() const { return folder_ / "state"; }

  /// A client with the token.
  httplib::Client client() const {
    httplib::Client out = stranger();
    out.set_default_headers({{"Authorization", "Bearer " + token()}});
    return out;
  }
  httplib::Client stranger() const {
    httplib::Client out(origin());
    out.set_read_timeout(60);
    return out;
  }

  nlohmann::json get(const std::string& path) const {
    const auto answer = client().Get(path);
    return answer && answer->status == 200 ? nlohmann::json::parse(answer->body) : nlohmann::json();
  }
  /// Saves a file. @return the status
  int save(const std::string& path, const std::string& text, const std::string& base,
           std::string* body = nullptr) const {
    const auto answer = client().Put(path, {{"If-Match", '"' + base + '"'}}, text, "text/plain");
    if (answer && body != nullptr) *body = answer->body;
    return answer ? answer->status : -1;
  }

  /// The events of a lab, up to the first one for which `enough` is true. Each event is {"event", "data"}.
  std::vector<nlohmann::json> events(const std::string& level, const std::function<void()>& begun,
                                     const std::function<bool(const nlohmann::json&)>& enough) const {
    std::vector<nlohmann::json> out;
    std::string pending;
    bool done = false, started = false;
    httplib::Client its = client();
    its.Get("/api/1/labs/" + level + "/events", [&](const char* bytes, std::size_t size) {
      pending.append(bytes, size);
      for (std::size_t end; !done && (end = pending.find("\n\n")) != std::string::npos;
           pending.erase(0, end + 2)) {
        const std::string text = pending.substr(0, end);
        if (!text.starts_with("event: ")) continue;
        const std::size_t line = text.find('\n');
        out.push_back(
            {{"event", text.substr(7, line - 7)}, {"data", nlohmann::json::parse(text.substr(line + 7))}});
        done = enough(out.back());
      }
      if (!started) {
        started = true;
        begun();
      }
      return !done;
    });
    return out;
  }

 private:
  void begin() {
    const auto set = [](const std::string& name, const fs::path& value) {
      return name + "=" + value.string();
    };
    std::vector<std::string> argv = {"/usr/bin/env",
                                     set("CUDA_LAB_KIT", kit_),
                                     set("GRADER_HOME", state()),
                                     set("GRADER_WORKSPACE", work()),
                                     set("GRADER_CACHE", shared_cache()),
                                     GRADER_BINARY,
                                     "serve",
                                     "--json"};
    std::promise<void> ready;
    thread_ = std::thread([this, argv, &ready] {
      bool said = false;
      run_lines(
          argv,
          [&](const std::string& line) {
            const std::size_t at = line.find("http://");
            if (at == std::string::npos) return;
            address_ = line.substr(at, line.rfind('"') - at);
            said = true;
            ready.set_value();
          },
          [this] { return stop_.load(); });
      if (!said)
        ready.set_exception(std::make_exception_ptr(std::runtime_error("grader serve did not start")));
    });
    ready.get_future().get();
  }

  TemporaryFolder folder_;
  fs::path kit_;
  std::string address_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

inline const char* const small_level = "lab9.1/1";
inline const char* const small_file = "/api/1/labs/lab9.1/1/files/double.cu";

}  // namespace grader::testing
