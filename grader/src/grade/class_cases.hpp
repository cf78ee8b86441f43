/// @file
/// The cases of a class, the same for all who hand in: sizes within the limits that lab.toml declares, and inputs by seeds. Both follow from a secret
/// that only the grader knows. So a program made for the sizes of the handout gains nothing, times of a class can be compared, a run that
/// goes on after a power cut has the same cases, and so have the nodes of a cluster. Another attempt of a student has the same sizes and other inputs: what the
/// report on one shows of them is of no use to the next.
///
/// The oracle draws them once for all. Programs see them read-only, under names that tell nothing.
#pragma once
#include <memory>
#include <mutex>

#include "base/scratch.hpp"
#include "run/run.hpp"

namespace grader {

class ClassCases {
 public:
  /// @param secret of the class (number_from())
  ClassCases(const Kit& kit, std::string secret);

  /// The lab with the class's sizes.
  Lab of_class(const Lab& lab) const;

  /// As prepare_case(), with the inputs of an attempt. May be called from several threads at once.
  /// @param folder for data that are too large to be kept, or that no sandbox would protect from other submissions
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
