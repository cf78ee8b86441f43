/// @file
/// Makes a result only once if several threads of this process need it at the same time.
#pragma once
#include <future>
#include <map>
#include <mutex>
#include <string>

namespace grader {

template <typename Product>
class InTheMaking {
 public:
  struct Result {
    Product product;
    bool made_here = false;  ///< whether this call made the result; otherwise an earlier one did
  };

  /// @param make makes the result; not called if another thread is already making it. Its exception is
  ///   rethrown in all waiting threads
  template <typename Make>
  Result once(const std::string& key, const Make& make) {
    std::promise<Product> promise;
    std::shared_future<Product> other;
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      const auto [at, first] = made_.try_emplace(key, promise.get_future().share());
      if (!first) other = at->second;
    }
    if (other.valid()) return {other.get(), false};
    try {
      promise.set_value(make());
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto at = made_.find(key);
    const std::shared_future<Product> own = at->second;
    made_.erase(at);
    return {own.get(), true};
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_future<Product>> made_;
};

}  // namespace grader
