/// @file
/// The links of a class: a secret for each student and for the instructor. Each secret is a file that only
/// the grader's user can read. So links survive a restart, and a running server sees that a link was renewed.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "catalog/catalog.hpp"

namespace grader {

/// Stands for the instructor among the people of a class. No student's id contains a slash.
inline const std::string instructor = "/";

class ClassLinks {
 public:
  /// @param course the name of the class in the records; in another class, the same people have other links
  ClassLinks(const Kit& kit, std::string course);

  /// A person's secret, which is drawn on first use. @throws Error (environment) as kept_secret()
  std::string token_of(const std::string& person) const;
  /// Draws another secret. The person's earlier link is then refused.
  void renew(const std::string& person) const;
  /// The owner of a secret among these people. Fast if the caller passes the same set as in the last call.
  std::optional<std::string> owner_of(const std::string& token,
                                      std::shared_ptr<const std::set<std::string>> people);

 private:
  fs::path file_of(const std::string& person) const;

  const fs::path folder_;
  const std::string course_;
  std::mutex mutex_;                                     ///< protects the following members
  std::shared_ptr<const std::set<std::string>> people_;  ///< the set of the last call
  fs::file_time_type changed_{};
  std::map<std::string, std::string>
      owners_;  ///< by a hash of the secret, so that the time of a search reveals nothing about a secret
};

}  // namespace grader
