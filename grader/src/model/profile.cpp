// Finds the activities of a run that a measure counts.
#include "model/profile.hpp"

namespace grader {
namespace {

bool counts(const Measure& measure, const Activity& activity) {
  switch (measure.kind) {
    case Measure::Kind::h2d:
      return activity.kind == Activity::Kind::h2d;
    case Measure::Kind::d2h:
      return activity.kind == Activity::Kind::d2h;
    case Measure::Kind::kernel:
      return activity.kind == Activity::Kind::kernel &&
             (measure.name.empty() || measure.name == activity.name);
    case Measure::Kind::printed:
    case Measure::Kind::counter:
    case Measure::Kind::ratio:
    case Measure::Kind::gain:
    case Measure::Kind::peer:
    case Measure::Kind::own:
    case Measure::Kind::speed:
      return false;
  }
  return false;
}

}  // namespace

std::optional<double> measured_seconds(const Profile& profile, const Measure& measure) {
  std::optional<double> sum;
  if (profile.source.empty()) {
    for (const auto& [name, seconds] : profile.timers) {
      if (name == measure.text()) sum = sum.value_or(0) + seconds;
    }
    return sum;
  }
  for (const Activity& activity : profile.activities) {
    if (counts(measure, activity)) sum = sum.value_or(0) + activity.duration_s;
  }
  return sum;
}

std::optional<double> measured_bytes(const Profile& profile, const Measure& measure) {
  if (measure.kind == Measure::Kind::kernel) return std::nullopt;
  std::optional<double> sum;
  for (const Activity& activity : profile.activities) {
    if (counts(measure, activity)) sum = sum.value_or(0) + static_cast<double>(activity.bytes);
  }
  return sum;
}

std::string time_source(const Profile& profile) {
  if (!profile.source.empty()) return profile.source;
  return profile.timers.empty() ? "" : "events";
}

}  // namespace grader
