// Tests which activities of a run a measure counts.
#include "model/profile.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace {

using Kind = Measure::Kind;

TEST(Measured, SumsActivitiesOfAKind) {
  Profile profile;
  profile.source = "cupti";
  for (const char* name : {"a", "b", "a"}) {
    Activity activity;
    activity.name = name;
    activity.duration_s = 2;
    profile.activities.push_back(activity);
  }
  profile.timers = {{"kernel", 100}};
  EXPECT_EQ(measured_seconds(profile, {Kind::kernel}), 6);
  EXPECT_EQ(measured_seconds(profile, {Kind::kernel, "a"}), 4);
  EXPECT_FALSE(measured_seconds(profile, {Kind::h2d}));
  EXPECT_EQ(time_source(profile), "cupti");
}

TEST(Measured, TheProgramsTimersReplaceMissingDeviceTimes) {
  Profile profile;
  EXPECT_EQ(time_source(profile), "");
  profile.timers = {{"kernel", 3}, {"h2d", 1}};
  EXPECT_EQ(measured_seconds(profile, {Kind::kernel}), 3);
  EXPECT_FALSE(measured_seconds(profile, {Kind::d2h}));
  EXPECT_EQ(time_source(profile), "events");
}

TEST(Measured, BytesOfCopies) {
  Profile profile;
  Activity copy;
  copy.kind = Activity::Kind::h2d;
  copy.bytes = 256;
  profile.activities = {copy, copy};
  EXPECT_EQ(measured_bytes(profile, {Kind::h2d}), 512);
  EXPECT_FALSE(measured_bytes(profile, {Kind::d2h}));
  Activity kernel;
  kernel.bytes = 1024;  // the kernel's shared memory, which no copy moved
  profile.activities.push_back(kernel);
  EXPECT_FALSE(measured_bytes(profile, {Kind::kernel}));
}

}  // namespace
}  // namespace grader
