#include "cli/doctor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "catalog/test_kit.hpp"

namespace grader {
namespace {

TEST(DoctorTest, NamesEachLackAndItsCure) {
  const TestKit kit;
  const std::string path_before = std::getenv("PATH");
  unsetenv("CXX");
  fs::create_directories(kit.path / "bin");
  setenv("PATH", (kit.path / "bin").c_str(), 1);  // a machine without any of the tools
  const std::vector<DoctorItem> items = doctor(kit.kit, Toolchain::detect(kit.kit));
  setenv("PATH", path_before.c_str(), 1);
  ASSERT_FALSE(items.empty());
  for (const DoctorItem& item : items) {
    EXPECT_NE(item.name, "");
    if (item.state == DoctorItem::State::good) continue;
    EXPECT_NE(item.meaning, "") << item.name;
    EXPECT_NE(item.mend, "") << item.name;
  }
  const auto compiler = std::find_if(items.begin(), items.end(),
                                     [](const DoctorItem& item) { return item.name == "C++ compiler"; });
  ASSERT_NE(compiler, items.end());
  EXPECT_EQ(compiler->state, DoctorItem::State::missing);
  EXPECT_THAT(compiler->mend, testing::HasSubstr("apt install g++"));
}

TEST(DoctorTest, ChecksACacheInAnotherFolder) {
  const TestKit kit;
  kit.write("file", "");
  setenv("GRADER_CACHE", (kit.path / "file" / "cache").c_str(), 1);
  const std::vector<DoctorItem> items = doctor(kit.kit, Toolchain::detect(kit.kit));
  unsetenv("GRADER_CACHE");
  const auto cache =
      std::find_if(items.begin(), items.end(), [](const DoctorItem& item) { return item.name == "cache"; });
  ASSERT_NE(cache, items.end());
  EXPECT_EQ(cache->state, DoctorItem::State::missing);
  EXPECT_THAT(cache->mend, testing::HasSubstr("point GRADER_CACHE to"));
}

}  // namespace
}  // namespace grader
