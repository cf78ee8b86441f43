/// @file
/// The judge of lab3.1: reasons that quote measurements, and on a GPU a time near the best.
#pragma once
#include <lab/tuning.hpp>

#if __has_include("withheld/best.hpp")
#include "withheld/best.hpp"
#endif

inline lab::Judgement judge(const lab::JudgeRequest& request) {
  if (request.case_id == "reasons") return lab::judge_reasons(request, "Why this combination:", 2);
#if __has_include("withheld/best.hpp")
  return lab::judge_near_best(request, 1.15, lab::good_combinations);
#else
  return lab::Judgement::unsupported("This kit does not have the combinations with which yours is compared.");
#endif
}
