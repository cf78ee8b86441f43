/// @file
/// The links of a class: a secret for each student and for the instructor. Each is a file that only the grader's user can
/// read, so a restart keeps the links, and a server that runs learns of a renewed one.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "catalog/catalog.hpp"

namespace grader {

/// The instructor, among the people of a class: no student's id has a slash.
inline const std::string instructor = "/";

class ClassLinks {
 public:
  /// @param course  its name on record: the same people in another class have other links
  ClassLinks(const Kit& kit, std::string course);

  /// A person's secret, drawn on first use. @throws Error (environment) as kept_secret()
  std::string token_of(const std::string& person) const;
  /// Another secret: the link before opens nothing any more.
  void renew(const std::string& person) const;
  /// The one of these people whose secret it is. Fast while the caller passes the same set.
  std::optional<std::string> owner_of(const std::string& token,
                                      std::shared_ptr<const std::set<std::string>> people);

 private:
  fs::path file_of(const std::string& person) const;

  const fs::path folder_;
  const std::string course_;
  std::mutex mutex_;                                     ///< protects the following members
  std::shared_ptr<const std::set<std::string>> people_;  ///< of the last call
  fs::file_time_type changed_{};
  std::map<std::string, std::string>
      owners_;  ///< by a hash of the secret, so that no comparison's time shows one
};

}  // namespace grader
