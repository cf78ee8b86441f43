/// @file
/// The cases of a class: sizes within the limits of lab.toml, and inputs by seeds. Sizes and seeds derive
/// from a secret that only the grader knows. All students have the same sizes. So a program made for the
/// handout's sizes gains no advantage, times within a class are comparable, and a resumed run and all nodes
/// of a cluster have the same cases. A student's next attempt has the same sizes but other inputs, so the
/// report on one attempt does not help with the next.
///
/// The oracle computes the data once for all students. Programs can only read the data, and the names of the
/// files reveal nothing.
#pragma once
#include <memory>
#include <mutex>

#include "base/scratch.hpp"
#include "run/run.hpp"

namespace grader {

class ClassCases {
 public:
  /// @param secret the secret of the class (number_from())
  ClassCases(const Kit& kit, std::string secret);

  /// The lab with the class's sizes.
  Lab of_class(const Lab& lab) const;

  /// Does the same as prepare_case(), but with the inputs of an attempt. Several threads may call it at once.
  /// @param folder for data that are too large to be kept, or if no sandbox protects kept data from other
  ///   submissions
  CaseData prepare(const Lab& lab, const Case& c, int attempt, const fs::path& oracle, const fs::path& folder,
                   const Machine& machine);

 private:
  struct Kept {
    std::mutex mutex;
    std::optional<CaseData> data;
    bool too_large = false;
  };
  std::shared_ptr<Kept> place_of(const std::string& name);

  const Kit& kit_;
  const std::string secret_;
  const ScratchFolder scratch_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Kept>> kept_;
};

}  // namespace grader
