#include "serve/links.hpp"

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "course/secret.hpp"
#include "serve/guard.hpp"

namespace grader {

ClassLinks::ClassLinks(const Kit& kit, std::string course)
    : folder_(kit.state() / "links"), course_(std::move(course)) {}

fs::path ClassLinks::file_of(const std::string& person) const {
  return folder_ / sha256_hex(course_ + "\n" + person);
}

std::string ClassLinks::token_of(const std::string& person) const {
  return kept_secret(file_of(person));
}

void ClassLinks::renew(const std::string& person) const {
  fs::remove(file_of(person));
  token_of(person);
}

std::optional<std::string> ClassLinks::owner_of(const std::string& token,
                                                std::shared_ptr<const std::set<std::string>> people) {
  const std::lock_guard lock(mutex_);
  std::error_code failed;
  const auto changed = fs::last_write_time(folder_, failed);
  if (people != people_ || changed != changed_) {
    owners_.clear();
    for (const std::string& person : *people) owners_[sha256_hex(token_of(person))] = person;
    people_ = std::move(people);
    changed_ = changed;
  }
  const auto found = owners_.find(sha256_hex(token));
  // Times of folders are coarse, so a change may be missed. The file itself decides.
  if (found == owners_.end() || !same_token(token_of(found->second), token)) return std::nullopt;
  return found->second;
}

}  // namespace grader
