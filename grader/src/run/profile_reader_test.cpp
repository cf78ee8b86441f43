// Tests profiles that both backends write, and profiles that a student's process could write.
#include <gmock/gmock.h>

#include "run/run.hpp"

namespace grader {
namespace {

using Kind = Activity::Kind;

struct ProfileReader : testing::Test {
  Profile read(const std::string& text) { return read_profile(text); }
};

constexpr const char* header =
    R"({"kind":"header","format":1,"source":"cupti","device":"NVIDIA H200","driver":"580"})"
    "\n";

TEST_F(ProfileReader, ReadsWhatARunDid) {
  const Profile profile = read(std::string(header) + R"({"kind":"alloc","address":140000,"bytes":256}
{"kind":"memcpy","direction":"h2d","bytes":256,"start_ns":1000,"duration_ns":2000}
{"kind":"kernel","name":"matrixMul","start_ns":4000,"duration_ns":500,"grid":[2,3,4],"block":[8,8,1],"registers":32}
{"kind":"memset","bytes":16,"start_ns":1,"duration_ns":2}
{"kind":"memcpy","direction":"d2h","bytes":64,"start_ns":9000,"duration_ns":100}
{"kind":"free","address":140000}
{"kind":"timer","name":"GPU computation time","duration_ns":3000000}
{"kind":"note","text":"a remark"}
{"kind":"end"}
)");
  EXPECT_EQ(profile.source, "cupti");
  EXPECT_EQ(profile.device, "NVIDIA H200");
  ASSERT_EQ(profile.activities.size(), 6u);
  EXPECT_EQ(profile.activities[0].kind, Kind::alloc);
  EXPECT_EQ(profile.activities[0].address, 140000u);
  EXPECT_EQ(profile.activities[1].kind, Kind::h2d);
  EXPECT_EQ(profile.activities[1].bytes, 256u);
  EXPECT_DOUBLE_EQ(profile.activities[1].duration_s, 2e-6);
  const Activity& kernel = profile.activities[2];
  EXPECT_EQ(kernel.name, "matrixMul");
  EXPECT_DOUBLE_EQ(kernel.start_s, 4e-6);
  EXPECT_THAT(kernel.grid, testing::ElementsAre(2, 3, 4));
  EXPECT_THAT(kernel.block, testing::ElementsAre(8, 8, 1));
  EXPECT_EQ(profile.activities[4].kind, Kind::d2h);
  EXPECT_EQ(profile.activities[5].kind, Kind::free);
  ASSERT_EQ(profile.timers.size(), 1u);
  EXPECT_DOUBLE_EQ(profile.timers[0].second, 3e-3);
  EXPECT_THAT(profile.notes, testing::ElementsAre("a remark"));
  EXPECT_TRUE(profile.complete);
}

TEST_F(ProfileReader, ReadsWhatCopiesMoved) {
  EXPECT_FALSE(read(header).has_contents);
  const Profile profile = read(R"({"kind":"header","format":1,"source":"emulation","content":true}
{"kind":"content","direction":"h2d","bytes":256,"hash":2305843009213693950,"head":7}
{"kind":"content","direction":"d2h","bytes":64,"hash":5,"head":18446744073709551615,"shared":true}
{"kind":"content","direction":"sideways","bytes":64,"hash":5}
{"kind":"content","direction":"d2h","bytes":-1,"hash":"5","shared":1}
{"kind":"host_visible"}
)");
  EXPECT_TRUE(profile.has_contents);
  EXPECT_TRUE(profile.host_visible);
  EXPECT_TRUE(profile.activities.empty());
  ASSERT_EQ(profile.contents.size(), 3u);
  EXPECT_FALSE(profile.contents[0].to_host);
  EXPECT_EQ(profile.contents[0].bytes, 256u);
  EXPECT_EQ(profile.contents[0].hash, 2305843009213693950u);
  EXPECT_EQ(profile.contents[0].head, 7u);
  EXPECT_FALSE(profile.contents[0].shared);
  EXPECT_TRUE(profile.contents[1].to_host);
  EXPECT_TRUE(profile.contents[1].shared);
  EXPECT_EQ(profile.contents[1].head, ~std::uint64_t{0});
  EXPECT_EQ(profile.contents[2].bytes, 0u) << "what is no count is none";
  EXPECT_FALSE(profile.contents[2].shared);
}

TEST_F(ProfileReader, NothingIsNoProfile) {
  const Profile profile = read("");
  EXPECT_EQ(profile.source, "");
  EXPECT_FALSE(profile.complete);
}

TEST_F(ProfileReader, TimersAloneShowNothingOfTheDevice) {
  const Profile profile = read("{\"kind\":\"timer\",\"name\":\"kernel\",\"duration_ns\":5}\n");
  EXPECT_EQ(profile.source, "");
  EXPECT_EQ(profile.timers.size(), 1u);
}

TEST_F(ProfileReader, ADamagedLineEndsTheReading) {
  const std::string memset = "{\"kind\":\"memset\",\"bytes\":1,\"start_ns\":1,\"duration_ns\":1}\n";
  EXPECT_EQ(read(header + memset + "damage\n" + memset).activities.size(), 1u);
  EXPECT_EQ(read(header + memset + "[1,2]\n" + memset).activities.size(), 1u);
  EXPECT_EQ(read(header + memset + "\n" + memset).activities.size(), 1u);
  EXPECT_EQ(read(header + memset + memset.substr(0, 20)).activities.size(), 1u) << "cut off";
  EXPECT_EQ(read(header + memset + memset.substr(0, memset.size() - 1)).activities.size(), 1u)
      << "no newline";
}

TEST_F(ProfileReader, UnknownKindsArePassedOver) {
  const Profile profile =
      read(std::string(header) + "{\"kind\":\"future\",\"x\":1}\n{}\n{\"kind\":7}\n{\"kind\":\"end\"}\n");
  EXPECT_TRUE(profile.complete);
  EXPECT_TRUE(profile.activities.empty());
}

TEST_F(ProfileReader, HostileValuesAreReplaced) {
  const Profile profile = read(
      R"({"kind":"kernel","name":7,"start_ns":-5,"duration_ns":1e300,"grid":[-1,"x",99999999999],"block":8}
{"kind":"memcpy","direction":"sideways","bytes":1}
{"kind":"memcpy","direction":"h2d","bytes":-1,"start_ns":"now","duration_ns":null}
{"kind":"header","source":{"a":1},"device":[]}
)");
  ASSERT_EQ(profile.activities.size(), 2u);
  EXPECT_EQ(profile.activities[0].name, "");
  EXPECT_EQ(profile.activities[0].start_s, 0);
  EXPECT_EQ(profile.activities[0].duration_s, 0);
  EXPECT_THAT(profile.activities[0].grid, testing::Each(0u));
  EXPECT_EQ(profile.activities[1].bytes, 0u);
  EXPECT_EQ(profile.source, "");
}

TEST_F(ProfileReader, LongAndDeepLinesEndTheReading) {
  EXPECT_TRUE(read(std::string(1 << 20, 'x') + "\n{\"kind\":\"end\"}\n").source.empty());
  EXPECT_FALSE(read("{\"kind\":" + std::string(30000, '[') + "\n{\"kind\":\"end\"}\n").complete);
}

}  // namespace
}  // namespace grader
