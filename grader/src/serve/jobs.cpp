#include "serve/jobs.hpp"

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "model/json.hpp"
#include "process/lines.hpp"

namespace grader {

Jobs::Jobs(std::function<void(const Job&, nlohmann::json&)> rewrite) : rewrite_(std::move(rewrite)) {}

Jobs::~Jobs() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

std::uint64_t Jobs::start(Job job) {
  const std::lock_guard one(starting_);
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  stop_ = false;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    events_.clear();
    running_ = true;
    number = ++jobs_;
  }
  add(job, number, {{"kind", "begin"}});
  thread_ = std::thread([this, job = std::move(job), number] { run(job, number); });
  return number;
}

void Jobs::cancel() {
  stop_ = true;
}

std::uint64_t Jobs::last_seen() {
  const std::lock_guard lock(mutex_);
  return running_ && !events_.empty() ? events_.front().number - 1 : numbers_;
}

std::vector<Jobs::Event> Jobs::after(std::uint64_t number) {
  std::unique_lock lock(mutex_);
  const auto more = [&] { return !events_.empty() && events_.back().number > number; };
  changed_.wait_for(lock, std::chrono::milliseconds(200), more);
  std::vector<Event> out;
  for (const Event& event : events_)
    if (event.number > number) out.push_back(event);
  return out;
}

void Jobs::run(const Job& job, std::uint64_t number) {
  std::string rest;  // an error before the options are read is JSON on several lines
  nlohmann::json end = {{"kind", "end"}};
  try {
    const auto line = [&](const std::string& text) {
      nlohmann::json one = json_or_null(text);
      if (!one.is_object()) {
        rest += text + "\n";
        return;
      }
      rewrite_(job, one);
      add(job, number, one);
    };
    end["exit"] = run_lines(job.argv, line, [this] { return stop_.load(); });
    if (!rest.empty()) {
      nlohmann::json one = json_or_null(rest);
      if (!one.is_object()) one = {{"kind", "text"}, {"text", rest}};
      rewrite_(job, one);
      add(job, number, one);
    }
  } catch (const Error& e) {
    add(job, number, to_json(e));
  }
  end["cancelled"] = stop_.load();
  add(job, number, end);
  const std::lock_guard lock(mutex_);
  running_ = false;
}

void Jobs::add(const Job& job, std::uint64_t number, const nlohmann::json& line) {
  const nlohmann::json event = {
      {"job", number}, {"lab", job.lab}, {"level", job.level}, {"do", job.verb}, {"line", line}};
  const std::lock_guard lock(mutex_);
  events_.push_back({++numbers_, json_text(event, -1)});
  changed_.notify_all();
}

}  // namespace grader
