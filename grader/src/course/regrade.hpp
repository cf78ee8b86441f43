/// @file
/// A `--regrade` that resumes after an interruption. The kit's state lists the attempts that were graded
/// until all are.
#pragma once
#include <set>
#include <string>

#include "catalog/catalog.hpp"

namespace grader {

class Regrade {
 public:
  /// @param wanted false: nothing is regraded, and an interrupted regrade is left alone
  /// @param what   names the class, the lab, its level and the backend
  /// @param state  everything on which all results depend: if it changed, all attempts are graded again
  Regrade(const Kit& kit, bool wanted, const std::string& what, const std::string& state);

  /// Whether an attempt is to be graded again. @param id as WorkItem::id
  bool wants(const std::string& id) const { return wanted_ && done_.count(id) == 0; }
  /// Whether an interrupted regrade is resumed.
  bool is_resumed() const { return !done_.empty(); }
  /// Notes that the attempt is graded and recorded.
  void add(const std::string& id) const;
  /// Notes that all attempts are graded, so that the next --regrade begins from the start.
  void finish() const;

 private:
  bool wanted_;
  fs::path file_;
  std::set<std::string> done_;  ///< ids that earlier runs graded
};

}  // namespace grader
