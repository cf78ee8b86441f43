#include "grade/looks.hpp"

#include <algorithm>

namespace grader {

Looks::~Looks() {
  ended_ = true;
  for (std::thread& thread : threads_) thread.join();
}

void Looks::start(std::vector<Case> cases, int at_once) {
  cases_ = std::move(cases);
  promised_.resize(cases_.size());
  for (std::size_t i = 0; i < cases_.size(); ++i) to_come_[cases_[i].id] = promised_[i].get_future();
  const std::size_t threads = std::min(static_cast<std::size_t>(at_once), cases_.size());
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

void Looks::work() {
  for (std::size_t i = next_++; i < cases_.size(); i = next_++) {
    try {
      std::optional<CaseResult> result;
      if (!ended_) result = make_(cases_[i]);
      if (result && result->verdict == Verdict::time_out) ended_ = true;
      promised_[i].set_value(std::move(result));
    } catch (...) {
      promised_[i].set_exception(std::current_exception());
    }
  }
}

std::optional<CaseResult> Looks::take(const std::string& id) {
  const auto found = to_come_.find(id);
  if (found == to_come_.end()) return std::nullopt;
  std::future<std::optional<CaseResult>> result = std::move(found->second);
  to_come_.erase(found);
  return result.get();
}

}  // namespace grader
